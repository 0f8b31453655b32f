"""Dormand-Prince 5(4) under an error tolerance: the step is chosen so that the estimated error stays below it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ferrolab.integrate.base import Field, Pullback, Stats, runge_kutta_pullback
from ferrolab.status import Status
from ferrolab.validate import InvalidInput, positive

# Source: J. R. Dormand and P. J. Prince, "A family of embedded Runge-Kutta formulae",
# J. Comput. Appl. Math. 6 (1980), table 2. The last row of STAGES is also the fifth-order solution.
STAGES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
FOURTH_ORDER = (5179 / 57600, 0.0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40)
ERROR = tuple(fifth - fourth for fifth, fourth in zip((*STAGES[-1], 0.0), FOURTH_ORDER))
_ROWS, _ERROR = tuple(np.array(row) for row in STAGES), np.array(ERROR)

# The controller of the published lesson.
SAFETY, LEAST_FACTOR, MOST_FACTOR = 0.9, 0.2, 5.0
ERROR_EXPONENT = -1 / 5
ATOL_TO_RTOL = 1e-3
FIRST_STEP = 1e-6  # s


@dataclass(frozen=True)
class DormandPrince:
    """The method and its step size controller.

    Args:
        rtol: relative tolerance, greater than 0 and below 1. There is no default: a result "under a tolerance"
            means nothing without it. The published lesson uses 1e-11.
        atol: absolute tolerance (m and m/s). None is `rtol * 1e-3`.
        first_step: size of the first attempted step (s).
        max_steps: attempted steps after which a lane is given up with `Status.STEP_LIMIT`.

    The error of a step is the largest component of `|e_i| / (atol + rtol max(|y_i|, |y_i'|))`; it is accepted at 1.
    All seven stages are evaluated at every attempted step, and counted.

    Raises:
        InvalidInput: an argument is not finite or out of range.
    """

    rtol: float
    atol: float | None = None
    first_step: float = FIRST_STEP
    max_steps: int = 100_000

    name = "dormand-prince"
    stages = 7
    order = 5

    def __post_init__(self) -> None:
        if not float(positive("rtol", self.rtol)) < 1.0:
            raise InvalidInput("rtol", self.rtol, "greater than 0 and below 1")
        object.__setattr__(self, "atol", self.rtol * ATOL_TO_RTOL if self.atol is None else float(self.atol))
        positive("atol", self.atol)
        positive("first_step", self.first_step)

    def attempt(self, field: Field, y: np.ndarray, h: np.ndarray | float) -> tuple[np.ndarray, np.ndarray]:
        """One attempted step: what it adds to `y`, and the estimate of its error, both shaped like `y`."""
        k = np.empty((self.stages, *np.shape(y)), dtype=np.result_type(y, float))
        k[0] = field(y)
        for i, row in enumerate(_ROWS, start=1):
            increment = h * np.einsum("i,i...->...", row, k[:i])
            k[i] = field(y + increment)
        return increment, h * np.einsum("i,i...->...", _ERROR, k)

    def increment(self, field: Field, y: np.ndarray, h: np.ndarray | float) -> np.ndarray:
        """What one step of size `h` adds to `y`, whatever its error. See `FixedStepper.increment`."""
        return self.attempt(field, y, h)[0]

    def pullback(self, push: Pullback, field: Field, x: np.ndarray, h: float, cotangent: np.ndarray) -> np.ndarray:
        """See `FixedStepper.pullback`; the seventh stage only serves the error estimate."""
        return runge_kutta_pullback(STAGES[:-1], STAGES[-1], push, field, x, h, cotangent)

    def error_ratio(self, x: np.ndarray, new: np.ndarray, error: np.ndarray) -> np.ndarray:
        """Error over tolerance, the largest of the components (first axis): at most 1 is acceptable."""
        return np.max(np.abs(error) / (self.atol + self.rtol * np.maximum(np.abs(x), np.abs(new))), axis=0)

    @staticmethod
    def factor(ratio: np.ndarray) -> np.ndarray:
        """By how much the next step is longer (or shorter) than this one."""
        with np.errstate(divide="ignore"):
            return np.clip(SAFETY * ratio**ERROR_EXPONENT, LEAST_FACTOR, MOST_FACTOR)


def adapt(
    stepper: DormandPrince,
    field: Field,
    y: np.ndarray,
    horizon: float | np.ndarray,
    until: Callable[[np.ndarray], np.ndarray] | None = None,
) -> tuple[np.ndarray, np.ndarray, Stats]:
    """Advance every lane to the horizon with its own step sizes.

    Args:
        field: of the state and its tangents together (`y[:, 0]` and `y[:, 1:]`). Only the state's error is
            controlled, and the step sizes are not differentiated: a tape through the accepted steps.
        y: (n, 1 + m, lanes). horizon: s, a number or one per lane.
        until: stop a lane after the first accepted step at whose state this is true.

    Returns:
        (y, status, stats).
    """
    lanes = y.shape[-1]
    y = y.copy()
    time, h = np.zeros(lanes), np.full(lanes, float(stepper.first_step))
    accepted, rejected = np.zeros(lanes, int), np.zeros(lanes, int)
    status = np.full(lanes, int(Status.OK))
    going = np.full(lanes, True)
    for attempt in range(stepper.max_steps):
        left = horizon - time
        h = np.minimum(h, left)
        increment, error = stepper.attempt(field, y, h)
        new = y + increment
        ratio = stepper.error_ratio(y[:, 0], new[:, 0], error[:, 0])
        accept = going & (ratio <= 1.0)
        y = np.where(accept, new, y)
        # Landing on the horizon is exact: a residue of time below the smallest step would divide zero by zero.
        time = np.where(accept, np.where(h >= left, horizon, time + h), time)
        accepted += accept
        rejected += going & ~accept
        broken = going & ~np.isfinite(ratio)
        status[broken] = Status.DIVERGED
        h = np.where(going, h * stepper.factor(np.where(np.isfinite(ratio), ratio, np.inf)), h)
        going = going & (time < horizon) & ~broken
        if until is not None:
            going = going & ~(accept & until(y[:, 0]))
        if not np.any(going):
            break
    status[going] = Status.STEP_LIMIT
    attempts = accepted + rejected
    return y, status, Stats(accepted, rejected, attempts * stepper.stages)
