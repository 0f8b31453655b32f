"""MuJoCo's contact in one dimension: the acceleration is pulled towards a reference, by an impedance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.validate import InvalidInput, finite, positive, within


@dataclass(frozen=True)
class MuJoCoReference:
    """While `gap < 0`: acceleration `(1 - d) a0 + d (-b rate - K gap)`, never pulling; a0 is that without contact.

    `b = 2 / (dmax timeconst)`, `K = d(gap) / (dmax timeconst dampratio)^2`, and the impedance d rises from
    `impedance_at_zero` at the surface to `dmax` at penetration `width` along two half-parabolas.

    With an impedance at zero depth the force **jumps** at touch-down by `d(0) (b |rate| - a0)`; with 0 it does not.

    Args:
        timeconst: s, greater than 0. dampratio: greater than 0. impedance_at_zero: 0 to below 1 (MuJoCo's default
            is 0.9). dmax: up to below 1. width: m. free_acceleration: a0 (m/s^2). Arrays are lanes.

    Source: MuJoCo documentation, chapter "Computation", sections on the reference and on `solref` and `solimp`.

    Raises:
        InvalidInput: an argument is out of range.
    """

    timeconst: ArrayLike = 0.02
    dampratio: ArrayLike = 1.0
    impedance_at_zero: ArrayLike = 0.9
    dmax: ArrayLike = 0.95
    width: ArrayLike = 0.001
    free_acceleration: ArrayLike = -9.81

    name = "mujoco-reference"

    def __post_init__(self) -> None:
        for name in ("timeconst", "dampratio", "width"):
            object.__setattr__(self, name, positive(name, getattr(self, name)))
        for name in ("impedance_at_zero", "dmax"):
            object.__setattr__(self, name, within(name, getattr(self, name), 0.0, 0.9999))
        object.__setattr__(self, "free_acceleration", finite("free_acceleration", self.free_acceleration))
        if np.any(self.impedance_at_zero > self.dmax):
            raise InvalidInput("impedance_at_zero", self.impedance_at_zero, f"at most dmax, {self.dmax}")

    @property
    def stiffness(self) -> np.ndarray:
        """Of the fully developed contact (1/s^2), for judging a step."""
        return self.dmax / (self.timeconst * self.dampratio) ** 2 / self.dmax

    def impedance(self, gap: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """d at `gap`, and its derivative (1/m). Above the surface d stays what it is at zero depth."""
        x = -np.real(gap) / self.width
        depth = np.where(x <= 0.0, 0.0, np.where(x < 1.0, -gap / self.width, 1.0))
        first = x < 0.5
        shape = np.where(first, 2.0 * depth**2, 1.0 - 2.0 * (1.0 - depth) ** 2)
        slope = np.where(first, 4.0 * depth, 4.0 * (1.0 - depth))
        span = self.dmax - self.impedance_at_zero
        return self.impedance_at_zero + span * shape, -span * slope / self.width

    def _reference(self, gap: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, ...]:
        d, d_slope = self.impedance(gap)
        b = 2.0 / (self.dmax * self.timeconst)
        K = 1.0 / (self.dmax * self.timeconst * self.dampratio) ** 2
        return d, d_slope, b, K, -b * rate - d * K * gap

    def unclamped_force(self, gap: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Force per unit mass (m/s^2), before the one-sided clamp."""
        d, _, _, _, reference = self._reference(gap, rate)
        return d * (reference - self.free_acceleration)

    def force_gradient(self, gap: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of `unclamped_force` with respect to gap (1/s^2) and rate (1/s)."""
        d, d_slope, b, K, reference = self._reference(gap, rate)
        along_gap = d_slope * (reference - self.free_acceleration) - d * K * (d + d_slope * gap)
        return along_gap, -d * b
