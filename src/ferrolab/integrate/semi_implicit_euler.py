"""Semi-implicit (symplectic) Euler: the velocity first, then the position with the new velocity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.integrate.base import Field, FixedStepper, Pullback


@dataclass(frozen=True)
class SemiImplicitEuler(FixedStepper):
    """`v' = v + dt a(q, v)`, `q' = q + dt v'`. First order; the usual choice of rigid-body engines.

    The state is (q, v, rest) with `dq/dt = v`; the rest, if any, is stepped explicitly.

    Args:
        dt: the step (s).
        positions: how many components q has (v has as many); None is half of the state.
    """

    positions: int | None = None

    name = "semi-implicit-euler"
    stages = 1
    order = 1

    def increment(self, field: Field, y: np.ndarray, h: np.ndarray | float) -> np.ndarray:
        half = self.positions or len(y) // 2
        moved = h * field(y)
        moved[:half] = h * (y[half : 2 * half] + moved[half : 2 * half])
        return moved

    def pullback(self, push: Pullback, field: Field, x: np.ndarray, h: float, cotangent: np.ndarray) -> np.ndarray:
        half = self.positions or len(x) // 2
        weighted = cotangent.copy()
        weighted[half : 2 * half] += h * cotangent[:half]
        through_field = weighted.copy()
        through_field[:half] = 0.0
        return weighted + h * push(x, through_field)
