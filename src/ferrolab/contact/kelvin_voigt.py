"""Kelvin-Voigt contact: a linear spring and a damper side by side, one-sided. The usual "penalty" contact."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.validate import not_negative, positive


@dataclass(frozen=True)
class KelvinVoigt:
    """Force per unit mass `max(0, -k gap - c rate)` while `gap < 0`, with `c = 2 damping_ratio sqrt(k)`.

    At touch-down (`gap = 0`, `rate < 0`) the force **jumps** from 0 to `c |rate|`; it leaves through zero.

    Args:
        stiffness: k, force per unit mass and metre (1/s^2), greater than 0. An array is one value per lane.
        damping_ratio: zeta (dimensionless), 0 or greater. Tying `c` to `k` through it keeps the restitution
            in place while the stiffness sweeps; a fixed `c` would compare different physics.

    Raises:
        InvalidInput: an argument is not finite or out of range.
    """

    stiffness: ArrayLike
    damping_ratio: ArrayLike = 0.1606

    name = "kelvin-voigt"

    def __post_init__(self) -> None:
        object.__setattr__(self, "stiffness", positive("stiffness", self.stiffness))
        object.__setattr__(self, "damping_ratio", not_negative("damping_ratio", self.damping_ratio))

    @cached_property
    def damping(self) -> np.ndarray:
        """c (1/s)."""
        return 2.0 * self.damping_ratio * np.sqrt(self.stiffness)

    def unclamped_force(self, gap: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Force per unit mass (m/s^2) of the spring and damper, before the one-sided clamp."""
        return -self.stiffness * gap - self.damping * rate

    def force_gradient(self, gap: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of `unclamped_force` with respect to gap (1/s^2) and rate (1/s)."""
        return -self.stiffness, -self.damping

    def in_floats(self, lane: int = 0) -> Callable[[float, float], tuple[float, float, float]]:
        """(gap, rate) -> unclamped force and its two derivatives, of one lane, without numpy."""
        k, c = (float(np.ravel(part)[lane if np.size(part) > 1 else 0]) for part in (self.stiffness, self.damping))
        return lambda gap, rate: (-k * gap - c * rate, -k, -c)

    def parameter_gradient(self, gap: np.ndarray, rate: np.ndarray) -> dict[str, np.ndarray]:
        """Derivatives of `unclamped_force` with respect to the law's parameters, by name."""
        root = np.sqrt(self.stiffness)
        return {"stiffness": -gap - self.damping_ratio / root * rate, "damping_ratio": -2.0 * root * rate}
