"""Semi-implicit (symplectic) Euler: the velocity first, then the position with the new velocity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.integrate.base import Field, FixedStepper


@dataclass(frozen=True)
class SemiImplicitEuler(FixedStepper):
    """`v' = v + dt a(q, v)`, `q' = q + dt v'`. First order; the usual choice of rigid-body engines.

    The state is (q, v) with q in the first half of the components and `dq/dt = v`.
    """

    name = "semi-implicit-euler"
    stages = 1
    order = 1

    def increment(self, field: Field, y: np.ndarray, h: np.ndarray | float) -> np.ndarray:
        half = len(y) // 2
        dv = h * field(y)[half:]
        return np.concatenate([h * (y[half:] + dv), dv])
