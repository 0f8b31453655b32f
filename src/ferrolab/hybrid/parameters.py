"""Derivatives with respect to parameters: a parameter is a state that does not move.

Appended to the state, a parameter passes through every route unchanged: fixed steps, tolerances, saltation
matrices (whose guards, resets and fields depend on it) and refusals.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ferrolab.hybrid.system import Guard, HybridSystem, Mode


def with_parameters(build: Callable[[np.ndarray], HybridSystem], parameters: np.ndarray) -> HybridSystem:
    """The system with its parameters appended to its state: `z = (x, p)`, of dimension n + len(p).

    Args:
        build: parameters (m,) -> the system at those parameters. It is called with complex parameters too, where
            derivatives are taken, so it should do arithmetic only.
        parameters: (m,) values; they say how many there are and which modes and guards exist.

    A rollout starts from `np.concatenate([x0, parameters])`; columns n to n + m of its Jacobian are the derivatives
    with respect to the parameters.
    """
    base, m = build(np.asarray(parameters, dtype=float)), len(parameters)
    n = base.dimension

    def split(z: np.ndarray) -> tuple[np.ndarray, HybridSystem]:
        return z[:n], build(z[n:])

    def widened(name: str) -> Mode:
        def field(z: np.ndarray) -> np.ndarray:
            x, system = split(z)
            return np.concatenate([system.modes[name].rate(x), np.zeros(m, dtype=z.dtype)])

        guards = tuple(_widened_guard(guard, name, i, split, n) for i, guard in enumerate(base.modes[name].guards))
        return Mode(field, guards=guards)

    modes = {name: widened(name) for name in base.modes}
    return HybridSystem(n + m, modes, lambda z: split(z)[1].mode_of(np.real(z[:n])))


def _widened_guard(guard: Guard, mode: str, index: int, split: Callable, n: int) -> Guard:
    def its(z: np.ndarray) -> tuple[np.ndarray, Guard]:
        x, system = split(z)
        return x, system.modes[mode].guards[index]

    def value(z: np.ndarray):
        x, own = its(z)
        return own.value(x)

    def reset(z: np.ndarray) -> np.ndarray:
        x, own = its(z)
        return np.concatenate([np.asarray(own.reset(x)), z[n:]])

    rests = None if guard.rests is None else lambda z, step: guard.rests(z[:n], step)
    return Guard(
        guard.name, value, None, guard.direction, guard.target, None if guard.reset is None else reset, None,
        rests, guard.rest_mode,
    )  # fmt: skip
