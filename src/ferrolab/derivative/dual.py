"""Forward mode: a value with its derivatives along a few seeds, carried together."""

from __future__ import annotations

from typing import Any

import numpy as np

from ferrolab.derivative.elementwise import Differentiable


class Dual(Differentiable):
    """`value` (lanes...) and `tangent` (seeds, lanes...): its derivative along each seed."""

    __slots__ = ("tangent", "value")

    def __init__(self, value: np.ndarray, tangent: np.ndarray) -> None:
        self.value, self.tangent = value, tangent

    def follow(self, value: np.ndarray, chain: list[tuple[Any, Any]]) -> Dual:
        return Dual(value, sum(partial * x.tangent for x, partial in chain))


def seeded(values: list[np.ndarray]) -> list[Dual]:
    """The values as independent variables, one seed each, in order."""
    seeds = np.eye(len(values))
    return [
        Dual(value, np.broadcast_to(seed.reshape(-1, *(1,) * np.ndim(value)), (len(seed), *np.shape(value))))
        for value, seed in zip(values, seeds)
    ]


def tangents(numbers: list[Dual]) -> np.ndarray:
    """Derivative of each number along each seed: (lanes..., numbers, seeds)."""
    return np.moveaxis(np.array([x.tangent for x in numbers]), (0, 1), (-2, -1))
