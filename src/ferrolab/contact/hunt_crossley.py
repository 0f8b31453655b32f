"""Hunt-Crossley contact: the damping grows with the penetration, so the force starts from zero."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.validate import not_negative, positive


@dataclass(frozen=True)
class HuntCrossley:
    """Force per unit mass `max(0, k d (1 - a rate))` with penetration `d = -gap`, while `gap < 0`.

    At touch-down `d = 0`, so the force is continuous there whatever the speed.

    Args:
        stiffness: k (1/s^2), greater than 0. An array is one value per lane.
        dissipation: a (s/m), 0 or greater.

    Source: K. H. Hunt and F. R. E. Crossley, "Coefficient of restitution interpreted as damping in vibroimpact",
    J. Appl. Mech. 42 (1975), with a linear spring (exponent 1).

    Raises:
        InvalidInput: an argument is not finite or out of range.
    """

    stiffness: ArrayLike
    dissipation: ArrayLike = 0.12

    name = "hunt-crossley"

    def __post_init__(self) -> None:
        object.__setattr__(self, "stiffness", positive("stiffness", self.stiffness))
        object.__setattr__(self, "dissipation", not_negative("dissipation", self.dissipation))

    def unclamped_force(self, gap: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Force per unit mass (m/s^2), before the one-sided clamp."""
        return -self.stiffness * gap * (1.0 - self.dissipation * rate)

    def force_gradient(self, gap: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of `unclamped_force` with respect to gap (1/s^2) and rate (1/s)."""
        return -self.stiffness * (1.0 - self.dissipation * rate), self.stiffness * self.dissipation * gap

    def in_floats(self, lane: int = 0) -> Callable[[float, float], tuple[float, float, float]]:
        """(gap, rate) -> unclamped force and its two derivatives, of one lane, without numpy."""
        k = float(np.ravel(self.stiffness)[lane if np.size(self.stiffness) > 1 else 0])
        a = float(np.ravel(self.dissipation)[lane if np.size(self.dissipation) > 1 else 0])

        def push(gap: float, rate: float) -> tuple[float, float, float]:
            # In the order of `unclamped_force`, to the last digit.
            damped = 1.0 - a * rate
            return -k * gap * damped, -k * damped, k * a * gap

        return push

    def bilinear(self, lane: int = 0) -> tuple[float, float, float]:
        """(p, q, r) of one lane: the unclamped force is `p gap + q rate + r gap rate`."""
        k, a = (float(np.ravel(part)[lane if np.size(part) > 1 else 0]) for part in (self.stiffness, self.dissipation))
        return -k, 0.0, k * a

    def parameter_gradient(self, gap: np.ndarray, rate: np.ndarray) -> dict[str, np.ndarray]:
        """Derivatives of `unclamped_force` with respect to the law's parameters, by name."""
        return {"stiffness": -gap * (1.0 - self.dissipation * rate), "dissipation": self.stiffness * gap * rate}
