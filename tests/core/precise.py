"""The semi-implicit march in 30-digit decimals: what the rounding of doubles may be measured against."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np


def semi_implicit_march(stiffness: float, dt: float, steps: int) -> np.ndarray:
    """Final (height, velocity) of the lesson's drop on the spring-damper, `steps` plain steps; doubles on return."""
    with localcontext() as context:
        context.prec = 30
        k, dt, g = Decimal(stiffness), Decimal(dt), Decimal(9.81)
        c = 2 * Decimal(0.1606) * k.sqrt()
        h, v = Decimal(1), Decimal(0)
        for _ in range(steps):
            a = -g
            if h < 0:
                a += max(Decimal(0), -k * h - c * v)
            v += dt * a
            h += dt * v
        return np.array([float(h), float(v)])
