"""Explicit (forward) Euler."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.integrate.base import Field, FixedStepper, Pullback


@dataclass(frozen=True)
class ExplicitEuler(FixedStepper):
    """`y' = y + dt f(y)`. First order."""

    name = "explicit-euler"
    stages = 1
    order = 1

    def increment(self, field: Field, y: np.ndarray, h: np.ndarray | float) -> np.ndarray:
        return h * field(y)

    def pullback(self, push: Pullback, field: Field, x: np.ndarray, h: float, cotangent: np.ndarray) -> np.ndarray:
        return cotangent + h * push(x, cotangent)
