"""What all steppers share: the fixed-step protocol, the result of a rollout and its statistics.

Inside the steppers the *component* axis leads: `y[0]` is every lane's height. The public functions take and return
`(..., n)` and turn the axes once, at the edge.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.status import Status
from ferrolab.validate import InvalidInput, positive

Field = Callable[[np.ndarray], np.ndarray]

Pullback = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""(x, cotangent) -> transposed Jacobian of the field at x, times the cotangent: both (n,)."""

Functional = tuple[ArrayLike, ArrayLike, ArrayLike]
"""A linear function of the state, `(a, b, c)` for `a h + b v + c`; entries may be lanes."""


@dataclass(frozen=True)
class AffineMode:
    """A region of the state space where the field is affine: `f(x) = matrix x + offset`.

    Attributes:
        matrix: (2, 2, lanes...). offset: (2, lanes...).
    """

    matrix: np.ndarray
    offset: np.ndarray

    def field(self, x: np.ndarray) -> np.ndarray:
        return np.stack([self.matrix[i, 0] * x[0] + self.matrix[i, 1] * x[1] + self.offset[i] for i in (0, 1)])

    def linear(self, dx: np.ndarray) -> np.ndarray:
        return np.stack([self.matrix[i, 0] * dx[0] + self.matrix[i, 1] * dx[1] for i in (0, 1)])


class ContactSystem(Protocol):
    """What a stepper asks of a system with one contact and state (h, v). See `systems.BouncingMass`."""

    law: object
    gravity: float
    has_impulse: bool

    def touching(self, x: np.ndarray) -> np.ndarray: ...
    def field(self, x: np.ndarray) -> np.ndarray: ...
    def variational_field(self, y: np.ndarray) -> np.ndarray: ...
    def flight(self) -> AffineMode: ...
    def contact(self) -> AffineMode | None: ...
    def contact_conditions(self) -> tuple[Functional, ...]: ...


# A rollout of more steps than this is refused: it is a typing error, not an experiment.
MAX_FIXED_STEPS = 10**9


@dataclass(frozen=True)
class FixedStepper:
    """A one-step method with a constant step.

    Args:
        dt: the step (s), greater than 0. There is no default: a gradient without its step is a number without a unit.

    `stages` counts right-hand-side evaluations per step, `order` is the order of convergence on a smooth field.
    """

    dt: float

    name: ClassVar[str]
    stages: ClassVar[int]
    order: ClassVar[int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "dt", float(positive("dt", self.dt)))

    def increment(self, field: Field, y: np.ndarray, h: np.ndarray | float) -> np.ndarray:
        """What one step of size `h` adds to `y` (components first) along the autonomous `field`.

        Applied to a state *and its tangent*, stepped together along the variational field, the same formula
        returns the derivative of the step: that is all forward-mode autodiff of a one-step method amounts to.
        """
        raise NotImplementedError

    def pullback(self, push: Pullback, field: Field, x: np.ndarray, h: float, cotangent: np.ndarray) -> np.ndarray:
        """Reverse mode: the transposed Jacobian of one step at x (n,), times `cotangent` (n,).

        Runs the stages forward, then back: as many products with the field's Jacobian as there are stages.
        """
        raise NotImplementedError

    def steps(self, horizon: float) -> int:
        """Number of steps to the horizon, `round(horizon / dt)`. Raises `InvalidInput` for none or too many."""
        count = round(horizon / self.dt)
        if not 1 <= count <= MAX_FIXED_STEPS:
            raise InvalidInput("dt", self.dt, f"between horizon/{MAX_FIXED_STEPS:.0e} and the horizon, {horizon:g} s")
        return count


@dataclass(frozen=True)
class Stats:
    """The cost of a rollout, one number per lane: steps accepted and rejected, right-hand-side evaluations."""

    accepted: np.ndarray
    rejected: np.ndarray
    evaluations: np.ndarray


@dataclass(frozen=True)
class Rollout:
    """Where the rollout of each lane ended.

    Attributes:
        state: (..., n), the final state (m and m/s).
        status: (...), integers of `Status`.
        stats: the cost.
        tangent: (..., n, m) derivative of the final state along the seeds that were carried, or None.
    """

    state: np.ndarray
    status: np.ndarray
    stats: Stats
    tangent: np.ndarray | None = dataclass_field(default=None)

    @property
    def success(self) -> bool:
        """True when every lane's status is `Status.OK`."""
        return bool(np.all(self.status == Status.OK))

    @property
    def message(self) -> str:
        """The remedy of the most severe status among the lanes; empty on success."""
        return Status(int(np.max(self.status))).remedy


def runge_kutta_pullback(
    stages: tuple[tuple[float, ...], ...], weights: tuple[float, ...],
    push: Pullback, field: Field, x: np.ndarray, h: float, cotangent: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """`FixedStepper.pullback` of any explicit Runge-Kutta method: rows of its tableau below the first, and weights."""
    points, slopes = [x], [field(x)]
    for row in stages:
        points.append(x + h * sum(a * k for a, k in zip(row, slopes)))
        slopes.append(field(points[-1]))
    out, pulled = cotangent.copy(), []
    for i in reversed(range(len(points))):
        seed = h * weights[i] * cotangent
        for later, g in pulled:
            seed = seed + h * stages[later - 1][i] * g
        g = push(points[i], seed)
        pulled.append((i, g))
        out = out + g
    return out
