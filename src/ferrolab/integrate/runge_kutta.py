"""The classical Runge-Kutta method of order four."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.integrate.base import Field, FixedStepper, Pullback, runge_kutta_pullback

STAGES = ((0.5,), (0.0, 0.5), (0.0, 0.0, 1.0))
WEIGHTS = (1 / 6, 1 / 3, 1 / 3, 1 / 6)


@dataclass(frozen=True)
class RungeKutta4(FixedStepper):
    """Four stages, order four.

    Source: E. Hairer, S. P. Norsett, G. Wanner, "Solving Ordinary Differential Equations I", table 1.2 of chapter II.
    """

    name = "rk4"
    stages = 4
    order = 4

    def increment(self, field: Field, y: np.ndarray, h: np.ndarray | float) -> np.ndarray:
        k1 = field(y)
        k2 = field(y + 0.5 * h * k1)
        k3 = field(y + 0.5 * h * k2)
        k4 = field(y + h * k3)
        return h * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0

    def pullback(self, push: Pullback, field: Field, x: np.ndarray, h: float, cotangent: np.ndarray) -> np.ndarray:
        return runge_kutta_pullback(STAGES, WEIGHTS, push, field, x, h, cotangent)
