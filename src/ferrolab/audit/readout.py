"""The readout: everything the bench shows for one setting, and the sweep of it over stiffness."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.audit.measures import (
    Shares,
    largest_entry,
    relative_error,
    slope_per_decade,
)
from ferrolab.audit.reference import lanes_of, reference, rigid_reference
from ferrolab.audit.settings import STIFFNESS_RANGE, Settings
from ferrolab.derivative import EventAware, restitution
from ferrolab.derivative.base import Linearisation
from ferrolab.status import Status
from ferrolab.validate import within

# The published exponent is measured between these two stiffnesses (log10).
EXPONENT_RANGE = (4.0, 8.0)


@dataclass(frozen=True)
class Evaluations:
    """Right-hand-side evaluations of the Jacobian under a fixed step, under the tolerance, and their ratio.

    None where it was not asked for (`costs=False`): counting the other stepping's evaluations means running it.
    """

    fixed: int | None
    tolerance: int | None
    ratio: float | None


@dataclass(frozen=True)
class Readout:
    """One setting, measured. Units: m, m/s, s; errors are largest absolute entries.

    `state` and `state_rigid` are (height, velocity); `jacobian` is the route's, `jacobian_exact` that of the rigid
    impact at the restitution the same stepping realises; `entry` is d velocity / d height. A number that does not
    exist is None, and `status` with `message` says why.
    """

    stiffness: float
    log_stiffness: float
    dt: float
    law: str
    stepping: str
    derivative: str
    stepper: str
    saltation: bool
    status: str
    message: str
    restitution: float | None
    state: list[float | None]
    state_rigid: list[float | None]
    forward_error: float | None
    gradient_error: float | None
    jacobian: list[list[float | None]]
    jacobian_exact: list[list[float | None]]
    entry: float | None
    entry_exact: float | None
    sign_agrees: bool | None
    accepted_steps: int
    evaluations: Evaluations
    split: Shares
    exponent: float | None

    def as_dict(self) -> dict:
        """Plain types, ready for JSON; no NaN and no infinity."""
        return asdict(self)


@dataclass(frozen=True)
class Measured:
    """The arrays behind a sweep, lanes leading: what curves are drawn from.

    Attributes:
        stiffness, restitution, forward_error, gradient_error, entry, entry_exact: (lanes,).
        state, state_rigid: (lanes, 2). jacobian, jacobian_exact: (lanes, 2, 2). status: (lanes,).
        linearisation: as the route returned it, components leading.
    """

    stiffness: np.ndarray
    restitution: np.ndarray
    state: np.ndarray
    state_rigid: np.ndarray
    jacobian: np.ndarray
    jacobian_exact: np.ndarray
    forward_error: np.ndarray
    gradient_error: np.ndarray
    entry: np.ndarray
    entry_exact: np.ndarray
    status: np.ndarray
    linearisation: Linearisation


def measure(settings: Settings, stiffness: ArrayLike) -> Measured:
    """Run the route at each stiffness (lanes,) and compare it with the rigid impact."""
    k = np.atleast_1d(within("stiffness", stiffness, *STIFFNESS_RANGE))
    system, stepper = settings.system(k), settings.stepper_in_use
    found = settings.route.linearise(system, lanes_of(settings, len(k)), settings.horizon, stepper)
    located = settings.derivative == EventAware.name
    e = restitution(system, np.full(len(k), settings.impact_speed), stepper, located)
    finite_e = np.where(np.isfinite(e), e, 0.0)
    state_rigid, exact, reference_status = rigid_reference(settings, finite_e)
    state, J = found.state.T, np.moveaxis(found.jacobian, -1, 0)
    status = np.maximum(found.status, reference_status)
    with np.errstate(invalid="ignore", over="ignore"):
        return Measured(
            k, e, state, state_rigid, J, exact,
            largest_entry(state - state_rigid), relative_error(J, exact),
            J[:, 1, 0], exact[:, 1, 0], np.where(np.isfinite(e), status, int(Status.DIVERGED)), found,
        )  # fmt: skip


def readout(settings: Settings, costs: bool = True) -> Readout:
    """Measure one setting.

    Args:
        costs: False leaves out the evaluations of the stepping that is not in use, and with them most of the time
            a fixed-step readout takes: for a control that is still moving.
    """
    return _readouts(settings, np.array([settings.stiffness]), costs)[0]


def sweep(settings: Settings, log_stiffness: ArrayLike) -> tuple[Readout, ...]:
    """One readout per entry of `log_stiffness` (log10 of 1/s^2); the lanes are advanced together."""
    return tuple(_readouts(settings, 10.0 ** np.atleast_1d(np.asarray(log_stiffness, dtype=float)), costs=True))


def exponent(settings: Settings, start: float = EXPONENT_RANGE[0], stop: float = EXPONENT_RANGE[1]) -> float | None:
    """p in `|dv/dh0| ~ stiffness^p`, between the two stiffnesses 10^start and 10^stop.

    None where an end has no finite, nonzero entry. The setting's own stiffness does not matter.
    """
    key = settings.at(1.0)
    # The step plays no part under a tolerance.
    key = replace(key, dt=settings.horizon) if settings.stepping == "tolerance" else key
    return _exponent(key, float(start), float(stop))


@lru_cache(maxsize=64)
def _exponent(settings: Settings, start: float, stop: float) -> float | None:
    entry = measure(settings, 10.0 ** np.array([start, stop])).entry
    return slope_per_decade(entry[0], entry[1], stop - start)


def evaluations(settings: Settings, stiffness: np.ndarray, found: Linearisation, costs: bool) -> list[Evaluations]:
    """Cost of the Jacobian both ways: this setting's route, and the other stepping with the route it goes with."""
    mine = [int(n) for n in found.stats.evaluations]
    if settings.stepping == "tolerance":
        fixed = settings.fixed.steps(settings.horizon) * settings.fixed.stages
        return [Evaluations(fixed, tolerance, tolerance / fixed) for tolerance in mine]
    if not costs:
        return [Evaluations(fixed, None, None) for fixed in mine]
    theirs = _tolerance_cost(replace(settings, stepping="tolerance", derivative=None, dt=settings.horizon), tuple(stiffness))
    return [Evaluations(fixed, int(other), float(other) / fixed) for fixed, other in zip(mine, theirs)]


@lru_cache(maxsize=256)
def _tolerance_cost(settings: Settings, stiffness: tuple[float, ...]) -> np.ndarray:
    k = np.array(stiffness)
    x = lanes_of(settings, len(k))
    return settings.route.linearise(settings.system(k), x, settings.horizon, settings.tolerance).stats.evaluations


def shares(settings: Settings, found: Measured) -> list[Shares]:
    """The two-way and the three-way split of each lane's error. See `Shares`."""
    exact = reference(settings, found.stiffness)
    J = found.jacobian
    with np.errstate(invalid="ignore", over="ignore"):
        integrator, step = largest_entry(J - exact.jacobian_law), largest_entry(J - exact.jacobian_branch)
        contact_model = largest_entry(exact.jacobian_law - exact.jacobian_rigid)
        event = largest_entry(exact.jacobian_branch - exact.jacobian_law)
        parts = zip(integrator, contact_model, step, event)
        return [Shares(*(plain(value) for value in part), bool(part[0] < part[2])) for part in parts]


def _readouts(settings: Settings, stiffness: np.ndarray, costs: bool) -> list[Readout]:
    found = measure(settings, stiffness)
    cost = evaluations(settings, found.stiffness, found.linearisation, costs)
    split = shares(settings, found)
    slope = exponent(settings)
    agrees = np.sign(found.entry) == np.sign(found.entry_exact)
    out = []
    for i, k in enumerate(found.stiffness):
        status = Status(int(found.status[i]))
        entry = plain(found.entry[i])
        out.append(
            Readout(
                stiffness=float(k), log_stiffness=float(np.round(np.log10(k), 12)), dt=settings.dt, law=settings.law,
                stepping=settings.stepping, derivative=settings.derivative, stepper=settings.stepper,
                saltation=settings.saltation, status=status.label, message=status.remedy,
                restitution=plain(found.restitution[i]), state=plain(found.state[i]),
                state_rigid=plain(found.state_rigid[i]), forward_error=plain(found.forward_error[i]),
                gradient_error=plain(found.gradient_error[i]), jacobian=plain(found.jacobian[i]),
                jacobian_exact=plain(found.jacobian_exact[i]), entry=entry, entry_exact=plain(found.entry_exact[i]),
                sign_agrees=None if entry is None else bool(agrees[i]),
                accepted_steps=int(found.linearisation.stats.accepted[i]), evaluations=cost[i], split=split[i],
                exponent=slope,
            )
        )  # fmt: skip
    return out


def plain(value):
    """Floats and nested lists of them; what is not finite becomes None."""
    if np.ndim(value):
        return [plain(entry) for entry in value]
    return float(value) if np.isfinite(value) else None
