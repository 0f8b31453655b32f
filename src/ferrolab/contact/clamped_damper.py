"""A spring with a damper that works only on the way in, as in Warp's contact kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.validate import not_negative, positive


@dataclass(frozen=True)
class ClampedDamper:
    """Force per unit mass `k d + c max(-rate, 0)` with penetration `d = -gap`, while `gap < 0`.

    The force **jumps** at touch-down by `c |rate|`, as Kelvin-Voigt's does; on the way out there is no damping, so
    it leaves through zero at the surface itself.

    Args:
        stiffness: k (1/s^2), greater than 0. damping: c (1/s), 0 or greater. Arrays are lanes.

    Source: the contact kernels of NVIDIA Warp's simulation module (damping `min(v_n, 0) kd` while penetrating).

    Raises:
        InvalidInput: an argument is not finite or out of range.
    """

    stiffness: ArrayLike
    damping: ArrayLike

    name = "clamped-damper"

    def __post_init__(self) -> None:
        object.__setattr__(self, "stiffness", positive("stiffness", self.stiffness))
        object.__setattr__(self, "damping", not_negative("damping", self.damping))

    def unclamped_force(self, gap: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Force per unit mass (m/s^2)."""
        return -self.stiffness * gap - self.damping * np.where(np.real(rate) < 0.0, rate, 0.0)

    def force_gradient(self, gap: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of `unclamped_force` with respect to gap (1/s^2) and rate (1/s)."""
        return -self.stiffness, np.where(np.real(rate) < 0.0, -self.damping, 0.0)

    def parameter_gradient(self, gap: np.ndarray, rate: np.ndarray) -> dict[str, np.ndarray]:
        """Derivatives of `unclamped_force` with respect to the law's parameters, by name."""
        return {"stiffness": -gap, "damping": np.where(np.real(rate) < 0.0, -rate, 0.0)}
