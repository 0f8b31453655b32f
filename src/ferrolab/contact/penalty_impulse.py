"""Soft contact at velocity level: the impulse of a spring and a damper over one step, for comparison."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.validate import not_negative, positive


@dataclass(frozen=True)
class PenaltyImpulse:
    """Normal impulse `dt max(0, stiffness penetration - damping rate)` where the penetration is positive, else 0.

    The normal impulse is given, not solved for; friction still is.

    Args:
        stiffness: N/m, greater than 0. damping: N s/m, 0 or greater. An array is one value per lane.

    Raises:
        InvalidInput: an argument is not finite or out of range.
    """

    stiffness: ArrayLike
    damping: ArrayLike = 0.0

    name = "penalty"
    scaling = "converged"

    def __post_init__(self) -> None:
        object.__setattr__(self, "stiffness", positive("stiffness", self.stiffness))
        object.__setattr__(self, "damping", not_negative("damping", self.damping))

    def takes_part(self, penetration: np.ndarray) -> np.ndarray | float:
        """1 where the contact enters the solver, 0 where it is left out."""
        return (penetration > 0.0) * 1.0

    def scale(self, penetration: np.ndarray) -> float:
        """The factor on the impulse."""
        return 1.0

    def normal_impulse(self, penetration: np.ndarray, rate: np.ndarray, dt: float) -> np.ndarray:
        """Impulse (N s) over a step of dt (s). rate: of the gap (m/s), negative when closing."""
        return self.takes_part(penetration) * dt * np.maximum(self.stiffness * penetration - self.damping * rate, 0.0)
