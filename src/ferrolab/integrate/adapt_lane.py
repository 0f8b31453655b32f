"""One lane under a tolerance, in plain floats: `dormand_prince.adapt` without its cost per step.

A numpy call on two numbers costs more than ten floating point operations in Python, so the stages are written out for
one mass and one contact. Their sums are taken in the definition's order: a controller that works at a tolerance of
1e-11 decides by what is left of a difference of slopes, so that a step whose error is rounded in another way is
followed by another one. `adapt` is the definition; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ferrolab.integrate.adapt_tangent import IDENTITY, Tangent, carried
from ferrolab.integrate.base import ContactSystem, Stats
from ferrolab.integrate.dormand_prince import ERROR, ERROR_EXPONENT, LEAST_FACTOR, MOST_FACTOR, SAFETY, STAGES, DormandPrince
from ferrolab.integrate.walk import Push, one_sided
from ferrolab.status import Status

# Up to this many lanes one after the other cost less than all of them together in numpy: with a spring, and without.
MAX_SPRINGS, MAX_LANES = 32, 9

(A21,), (A31, A32), (A41, A42, A43), (A51, A52, A53, A54), (A61, A62, A63, A64, A65), (B1, _, B3, B4, B5, B6) = STAGES
D1, _, D3, D4, D5, D6, D7 = ERROR

Until = Callable[[float, float], bool]
Pull = Callable[[float, float], float]
"""(h, v) -> acceleration (m/s^2)."""
Attempt = Callable[[float, float, float, float], tuple[float, float, float, float, float]]
"""(h, v, acceleration there, step) -> (h, v, acceleration at the end, errors of h and of v)."""


def _same_power(exponent: float) -> Callable[[float], float]:
    """`x ** exponent` as numpy computes it of an array.

    Where numpy has vector instructions for it the last digit may be another than that of Python's own power. Elsewhere,
    in a browser for one, both are the same function, and Python's is the quick one.
    """
    sample = np.geomspace(1e-12, 1e12, 999)
    if np.array_equal(sample**exponent, [x**exponent for x in sample.tolist()]):
        return lambda x: x**exponent
    one = np.empty(1)

    def power(x: float) -> float:
        one[0] = x
        return float((one**exponent)[0])

    return power


_to_error_exponent = _same_power(ERROR_EXPONENT)


@dataclass(frozen=True)
class LaneEnd:
    """Where one lane ended: state (m, m/s), derivative of it by the start or None, status, accepted and rejected steps."""

    h: float
    v: float
    tangent: Tangent | None
    status: Status
    accepted: int
    rejected: int


def fits(system: ContactSystem, lanes: int) -> bool:
    """Whether `adapt_lanes` takes this system, and so few lanes that it is the faster one."""
    return hasattr(system.law, "in_floats") and lanes <= (MAX_LANES if system.contact() is None else MAX_SPRINGS)


def adapt_lanes(
    system: ContactSystem, stepper: DormandPrince, y: np.ndarray, horizon: float, until: Callable[[Push], Until] | None = None
) -> tuple[np.ndarray, np.ndarray, Stats]:
    """`dormand_prince.adapt` of a system it `fits`, lane by lane.

    Args:
        y: (2, 1 + m, lanes). until: of a lane's contact force, the test that ends it.

    Returns:
        (y, status, stats), as `adapt` does.
    """
    out, ends = np.empty_like(y), []
    mode = system.contact()
    for lane in range(y.shape[-1]):
        push = one_sided(system.law.in_floats(lane))
        spring = None if mode is None else tuple(-float(np.ravel(part)[lane if np.size(part) > 1 else 0]) for part in mode.matrix[1])
        end = adapt_lane(
            stepper, push, system.gravity, (float(y[0, 0, lane]), float(y[1, 0, lane])), horizon,
            spring=spring, until=until and until(push), tangent=y.shape[1] > 1,
        )  # fmt: skip
        out[:, 0, lane] = end.h, end.v
        if end.tangent is not None:
            out[:, 1:, lane] = np.reshape(end.tangent, (2, 2)) @ y[:, 1:, lane]
        ends.append(end)
    accepted, rejected, status = (np.array([int(getattr(end, name)) for end in ends]) for name in ("accepted", "rejected", "status"))
    return out, status, Stats(accepted, rejected, (accepted + rejected) * stepper.stages)


def adapt_lane(
    stepper: DormandPrince,
    push: Push,
    gravity: float,
    start: tuple[float, float],
    horizon: float,
    *,
    spring: tuple[float, float] | None = None,
    until: Until | None = None,
    tangent: bool = False,
) -> LaneEnd:
    """`dormand_prince.adapt` for one mass.

    Args:
        push: the one-sided contact force, see `integrate.walk`. start: (h, v).
        spring: (k, c) where the push is `-k h - c v` while that is positive and `h < 0`; None where it is not.
        until: stop after the first accepted step at whose (h, v) this is true.
        tangent: carry the derivative by the start along the branches taken.
    """
    h0, v0 = start
    rtol, atol = stepper.rtol, stepper.atol
    attempt = _of_push(push, gravity) if spring is None else _of_spring(*spring, gravity)
    a0 = push(h0, v0)[0] - gravity
    J = IDENTITY if tangent else None
    time, step, accepted, attempts, status = 0.0, stepper.first_step, 0, 0, Status.STEP_LIMIT
    while attempts < stepper.max_steps:
        attempts += 1
        left = horizon - time
        if step > left:
            step = left
        h1, v1, a1, of_h, of_v = attempt(h0, v0, a0, step)
        first, second = abs(of_h) / (atol + rtol * max(abs(h0), abs(h1))), abs(of_v) / (atol + rtol * max(abs(v0), abs(v1)))
        # max() would lose a NaN that stands second.
        ratio = second if second != second or second > first else first
        if ratio <= 1.0:
            accepted += 1
            if tangent:
                J = carried(J, push, gravity, spring, (h0, v0), (h1, v1), step)
            h0, v0, a0 = h1, v1, a1
            time = horizon if step >= left else time + step
            if time >= horizon or (until is not None and until(h0, v0)):
                status = Status.OK
                break
        elif not ratio < np.inf:
            status = Status.DIVERGED
            break
        step *= min(max(SAFETY * _to_error_exponent(ratio), LEAST_FACTOR), MOST_FACTOR) if ratio > 0.0 else MOST_FACTOR
    return LaneEnd(h0, v0, J, status, accepted, attempts - accepted)


def _of_push(push: Push, g: float) -> Attempt:
    """One attempted step by its stages. Slopes of the height are `v1` to `v7`, of the velocity `a1` to `a7`."""

    def attempt(h1: float, v1: float, a1: float, H: float) -> tuple[float, float, float, float, float]:
        v2 = v1 + H * (A21 * a1)
        a2 = push(h1 + H * (A21 * v1), v2)[0] - g
        v3 = v1 + H * (A31 * a1 + A32 * a2)
        a3 = push(h1 + H * (A31 * v1 + A32 * v2), v3)[0] - g
        v4 = v1 + H * (A41 * a1 + A42 * a2 + A43 * a3)
        a4 = push(h1 + H * (A41 * v1 + A42 * v2 + A43 * v3), v4)[0] - g
        v5 = v1 + H * (A51 * a1 + A52 * a2 + A53 * a3 + A54 * a4)
        a5 = push(h1 + H * (A51 * v1 + A52 * v2 + A53 * v3 + A54 * v4), v5)[0] - g
        v6 = v1 + H * (A61 * a1 + A62 * a2 + A63 * a3 + A64 * a4 + A65 * a5)
        a6 = push(h1 + H * (A61 * v1 + A62 * v2 + A63 * v3 + A64 * v4 + A65 * v5), v6)[0] - g
        h7 = h1 + H * (B1 * v1 + B3 * v3 + B4 * v4 + B5 * v5 + B6 * v6)
        v7 = v1 + H * (B1 * a1 + B3 * a3 + B4 * a4 + B5 * a5 + B6 * a6)
        a7 = push(h7, v7)[0] - g
        return (
            h7, v7, a7,
            H * (D1 * v1 + D3 * v3 + D4 * v4 + D5 * v5 + D6 * v6 + D7 * v7),
            H * (D1 * a1 + D3 * a3 + D4 * a4 + D5 * a5 + D6 * a6 + D7 * a7),
        )  # fmt: skip

    return attempt


def _of_spring(k: float, c: float, g: float) -> Attempt:
    """`_of_push` with the push of a spring and damper written out, which spares seven calls."""

    def attempt(h1: float, v1: float, a1: float, H: float) -> tuple[float, float, float, float, float]:
        v2 = v1 + H * (A21 * a1)
        h = h1 + H * (A21 * v1)
        a2 = f - g if h < 0.0 and (f := -k * h - c * v2) > 0.0 else -g
        v3 = v1 + H * (A31 * a1 + A32 * a2)
        h = h1 + H * (A31 * v1 + A32 * v2)
        a3 = f - g if h < 0.0 and (f := -k * h - c * v3) > 0.0 else -g
        v4 = v1 + H * (A41 * a1 + A42 * a2 + A43 * a3)
        h = h1 + H * (A41 * v1 + A42 * v2 + A43 * v3)
        a4 = f - g if h < 0.0 and (f := -k * h - c * v4) > 0.0 else -g
        v5 = v1 + H * (A51 * a1 + A52 * a2 + A53 * a3 + A54 * a4)
        h = h1 + H * (A51 * v1 + A52 * v2 + A53 * v3 + A54 * v4)
        a5 = f - g if h < 0.0 and (f := -k * h - c * v5) > 0.0 else -g
        v6 = v1 + H * (A61 * a1 + A62 * a2 + A63 * a3 + A64 * a4 + A65 * a5)
        h = h1 + H * (A61 * v1 + A62 * v2 + A63 * v3 + A64 * v4 + A65 * v5)
        a6 = f - g if h < 0.0 and (f := -k * h - c * v6) > 0.0 else -g
        h7 = h1 + H * (B1 * v1 + B3 * v3 + B4 * v4 + B5 * v5 + B6 * v6)
        v7 = v1 + H * (B1 * a1 + B3 * a3 + B4 * a4 + B5 * a5 + B6 * a6)
        a7 = f - g if h7 < 0.0 and (f := -k * h7 - c * v7) > 0.0 else -g
        return (
            h7, v7, a7,
            H * (D1 * v1 + D3 * v3 + D4 * v4 + D5 * v5 + D6 * v6 + D7 * v7),
            H * (D1 * a1 + D3 * a3 + D4 * a4 + D5 * a5 + D6 * a6 + D7 * a7),
        )  # fmt: skip

    return attempt
