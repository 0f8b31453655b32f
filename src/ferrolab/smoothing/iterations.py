"""Solver iterations against the error of the state and of its gradient: a figure to plot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.derivative.time_stepping import march_jacobian
from ferrolab.integrate.time_stepping import ImpulseLaw, Mechanism, TimeStepping, march

# Sweeps after which the solution counts as the converged one; the last change says whether that was right.
MANY = 400


@dataclass(frozen=True)
class Iterations:
    """sweeps: (m,). state_error, gradient_error: (m,), largest difference from the converged step, relative to its
    largest entry, where both derivatives are those of the sweeps as they ran. change: (`MANY`,) N s, the largest
    change of an impulse in each sweep."""

    sweeps: np.ndarray
    state_error: np.ndarray
    gradient_error: np.ndarray
    change: np.ndarray


def iterations(
    mechanism: Mechanism, law: ImpulseLaw, state: ArrayLike, dt: float, sweeps: ArrayLike = (1, 2, 3, 5, 8, 12, 20, 30)
) -> Iterations:
    """One step from `state` (2 n,) with few and with many sweeps."""
    converged = march_jacobian(mechanism, law, state, 1, TimeStepping(dt, MANY))
    change = march(mechanism, law, state, 1, TimeStepping(dt, MANY), record=True).changes[0]
    counts = np.asarray(sweeps, dtype=int)
    found = [march_jacobian(mechanism, law, state, 1, TimeStepping(dt, int(count))) for count in counts]

    def apart(name: str) -> np.ndarray:
        exact = getattr(converged, name)
        return np.array([np.max(np.abs(getattr(one, name) - exact)) for one in found]) / np.max(np.abs(exact))

    return Iterations(counts, apart("state"), apart("jacobian"), change)
