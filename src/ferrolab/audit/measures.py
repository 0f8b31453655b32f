"""The lab's measures: errors, the split of an error into its shares, the exponent, the timing term.

Every error is the largest absolute entry of a difference; a relative one is divided by the largest absolute entry
of the reference. Lanes lead: states are (lanes, 2), Jacobians (lanes, 2, 2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.validate import not_negative, positive


def largest_entry(array: np.ndarray) -> np.ndarray:
    """Largest absolute entry of each lane: (lanes, ...) -> (lanes,)."""
    return np.max(np.abs(array), axis=tuple(range(1, array.ndim)))


def relative_error(found: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """`largest_entry(found - reference) / largest_entry(reference)`; infinity where the reference is zero."""
    scale = largest_entry(reference)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(scale > 0.0, largest_entry(found - reference) / scale, np.inf)


@dataclass(frozen=True)
class Shares:
    """How a route's error against the rigid Jacobian splits, each the largest absolute entry of its difference.

    `J_route - J_rigid = (J_route - J_branch) + (J_branch - J_law) + (J_law - J_rigid)`, where J_law is the exact
    Jacobian of the contact law's own flow and J_branch the same without its saltation matrices.

    Attributes:
        integrator: |J_route - J_law|, the first term of the published two-way split.
        contact_model: |J_law - J_rigid|, its second term.
        step: |J_route - J_branch|. event: |J_branch - J_law|.
        event_carried: measured, not declared: True when the route's Jacobian is nearer to the exact one than to
            the branch's. Then the event share is what the route avoids, and the integrator share is its own error.
    """

    integrator: float
    contact_model: float
    step: float
    event: float
    event_carried: bool


def timing_term(restitution: float, impact_speed: float, gravity: float = 9.81) -> float:
    """How strongly a rigid rebound depends on *when* it happens: `(1 + e) g / |v|` (1/s).

    The lower left entry of the impact's saltation matrix. It grows without bound as the impact slows down.

    Args:
        restitution: e, 0 or greater. impact_speed: m/s, greater than 0. gravity: m/s^2, greater than 0.
    """
    e, speed = float(not_negative("restitution", restitution)), float(positive("impact_speed", impact_speed))
    return (1.0 + e) * float(positive("gravity", gravity)) / speed


def slope_per_decade(first: float, last: float, decades: float) -> float | None:
    """Exponent p of `|value| ~ k^p` from its two ends, `decades` apart; None where an end is zero or not finite."""
    first, last = abs(first), abs(last)
    if not (np.isfinite(first) and np.isfinite(last) and first > 0.0 and last > 0.0):
        return None
    return float((np.log10(last) - np.log10(first)) / decades)
