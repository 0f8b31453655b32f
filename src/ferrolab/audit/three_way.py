"""Who is to blame: a readout held against the contact law's own exact answer, and its error in three shares.

Lesson 1 compares with the rigid impact. Here the law's own flow is the truth, so that what is left is the route's
own doing: see `measures.Shares` for the identity behind the three.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.audit.entry import entry
from ferrolab.audit.measures import largest_entry, slope_per_decade
from ferrolab.audit.readout import EXPONENT_RANGE, Readout, measure, readout
from ferrolab.audit.reference import Reference, reference
from ferrolab.audit.settings import Settings

# An entry is called right when it is this close to the law's own, relatively: the published lesson's margin.
RIGHT_WITHIN = 0.01
# Below this many steps in a contact the law is not resolved and no derivative of its steps can be trusted.
FEWEST_STEPS = 10
RIGHT, WRONG_SIGN, WRONG, NONE = "right", "wrong-sign", "wrong", "none"


@dataclass(frozen=True)
class ThreeWay:
    """One setting on trial. Entries are dv/dh0 (1/s); shares are largest absolute entries of a difference.

    Attributes:
        readout: as in lesson 1, compared with the rigid impact.
        entry_law: of the contact law's own exact Jacobian. entry_branch: of the same without saltation matrices.
        law_error: relative error of the route's Jacobian against the law's own. entry_error: `entry - entry_law`.
        verdict: "right" (entry within 1% of entry_law), "wrong-sign", "wrong", or "none" without an answer.
        event_share_signed: `entry_branch - entry_law`, what leaving the matrix out does to dv/dh0; 0 without a jump.
        event_share: largest absolute entry of that difference of Jacobians; 0 without a jump.
        carries_event: measured, not declared: True when the route's Jacobian is nearer to the exact one than to the
            branch's. None where nothing jumps or there is no answer.
        own_error: distance to the nearer of the two: what the steps (and a probe) did, with no event in it.
        contact_model_share: distance between the law's own Jacobian and the rigid one.
        event_exponent, contact_model_exponent: p in `share ~ k^p` between 1e4 and 1e8; None for a share of zero.
        steps_in_contact: steps of dt that touch the contact; None under a tolerance.
        jump: of the force per unit mass at entry (m/s^2). saltation_entry: the matrix of touch-down (2 x 2).
    """

    readout: Readout
    entry_law: float
    entry_branch: float
    law_error: float | None
    entry_error: float | None
    verdict: str
    event_share_signed: float
    event_share: float
    carries_event: bool | None
    own_error: float | None
    contact_model_share: float
    event_exponent: float | None
    contact_model_exponent: float | None
    steps_in_contact: int | None
    jump: float
    saltation_entry: list[list[float]]

    def as_dict(self) -> dict[str, Any]:
        """Every key of the readout and, beside them, every other field; plain types, ready for JSON."""
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "readout"}
        return {**self.readout.as_dict(), **own}


@dataclass(frozen=True)
class ShareCurves:
    """Shares over stiffness (lanes,): 1/s^2, and largest absolute entries; NaN where a route gave no answer."""

    stiffness: np.ndarray
    own: np.ndarray
    event: np.ndarray
    contact_model: np.ndarray


def three_way(settings: Settings, costs: bool = False) -> ThreeWay:
    """Put one setting on trial. `costs` as for `readout`.

    Raises:
        InvalidInput: the law is rigid, which has neither a force nor an entry.
    """
    found, exact, touch = readout(settings, costs), _exact(settings, (settings.stiffness,)), entry(settings)
    own, event, model = (float(share[0]) for share in _shares(settings, _matrix(found.jacobian)[None], exact))
    entry_law, entry_branch = float(exact.jacobian_law[0, 1, 0]), float(exact.jacobian_branch[0, 1, 0])
    integrator, step, scale = found.split.integrator, found.split.step, float(largest_entry(exact.jacobian_law)[0])
    slopes = exponents(settings)
    return ThreeWay(
        readout=found, entry_law=entry_law, entry_branch=entry_branch,
        law_error=None if integrator is None else integrator / scale,
        entry_error=None if found.entry is None else found.entry - entry_law,
        verdict=verdict(found.entry, entry_law),
        event_share_signed=entry_branch - entry_law if touch.jump else 0.0, event_share=event,
        carries_event=None if not touch.jump or integrator is None or step is None else bool(integrator < step),
        own_error=own if np.isfinite(own) else None, contact_model_share=model,
        event_exponent=slopes[0], contact_model_exponent=slopes[1],
        steps_in_contact=touch.steps(settings.dt) if settings.stepping == "fixed" else None,
        jump=touch.jump, saltation_entry=touch.saltation,
    )  # fmt: skip


def verdict(found: float | None, exact: float) -> str:
    """What an entry is worth beside the exact one: "right", "wrong-sign", "wrong" or "none"."""
    if found is None:
        return NONE
    if abs(found - exact) <= RIGHT_WITHIN * abs(exact):
        return RIGHT
    return WRONG if np.sign(found) == np.sign(exact) else WRONG_SIGN


def share_curves(settings: Settings, log_stiffness: ArrayLike) -> ShareCurves:
    """The three shares of the route at each stiffness, given in decades; the setting's own stiffness does not matter."""
    k = 10.0 ** np.atleast_1d(np.asarray(log_stiffness, dtype=float))
    return ShareCurves(k, *_shares(settings, measure(settings, k).jacobian, _exact(settings, tuple(k))))


def exponents(settings: Settings) -> tuple[float | None, float | None]:
    """p in `share ~ k^p` of the event and of the contact model, between the two stiffnesses of `EXPONENT_RANGE`."""
    ends = np.array(EXPONENT_RANGE)
    exact = _exact(settings, tuple(10.0**ends))
    _, event, model = _shares(settings, exact.jacobian_law, exact)
    decades = float(ends[1] - ends[0])
    return slope_per_decade(*event, decades), slope_per_decade(*model, decades)


def _shares(settings: Settings, jacobian: np.ndarray, exact: Reference) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(own error, event, contact model) of Jacobians (lanes, 2, 2)."""
    with np.errstate(invalid="ignore", over="ignore"):
        off = [largest_entry(jacobian - other) for other in (exact.jacobian_law, exact.jacobian_branch)]
    event = largest_entry(exact.jacobian_branch - exact.jacobian_law)
    # The two products are the same where nothing jumps; their difference is then the integrator's rounding.
    jumps = entry(settings).jump != 0.0
    return np.minimum(*off), event if jumps else np.zeros_like(event), largest_entry(exact.jacobian_law - exact.jacobian_rigid)


def _matrix(rows: list[list[float | None]]) -> np.ndarray:
    return np.array([[np.nan if value is None else value for value in row] for row in rows])


def _exact(settings: Settings, stiffness: tuple[float, ...]) -> Reference:
    """The references, once for all routes: how a law is stepped and differentiated does not change what is exact."""
    law = replace(settings, stiffness=1.0, dt=Settings.dt, stepping="fixed", derivative=None, saltation=True)
    return _known_exact(law, stiffness)


@lru_cache(maxsize=256)
def _known_exact(settings: Settings, stiffness: tuple[float, ...]) -> Reference:
    return reference(settings, np.array(stiffness))
