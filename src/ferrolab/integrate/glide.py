"""Through a contact whose field is bilinear, many fine steps at once.

Hunt-Crossley has no closed form within a step. But where a step of a fourth-order method is so short that what the
method leaves out over a whole contact is below rounding, its steps are points of the exact flow. And that flow has a
power series whose coefficients follow from each other, because the force is a polynomial in the state; so a stretch of
hundreds of thousands of steps is a few dozen series. The walk through every step is the definition; a test holds the
two together.

Source of the recursion: E. Hairer, S. P. Norsett, G. Wanner, "Solving Ordinary Differential Equations I", section I.8.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ferrolab.integrate.base import FixedStepper
from ferrolab.integrate.runge_kutta import RungeKutta4
from ferrolab.integrate.walk import Step, walk

Bilinear = tuple[float, float, float]
"""(p, q, r): the contact force is `p h + q v + r h v` while it is positive and `h < 0`."""

# Over the half turn of a contact RK4 leaves out about `pi (omega dt)^4 / 120`: 2e-15 at this step, times the state.
SHORTEST_TURN = 5e-4
# A series reaches as far as its last terms are below this, relative to the state, and takes so many terms.
LEFT_OUT, TERMS = 1e-18, 16


def glide(
    bilinear: Bilinear, g: float, stepper: FixedStepper, going: Callable[[float, float], bool], y: np.ndarray, most: int
) -> tuple[int, np.ndarray]:
    """Take steps of `stepper` from `y` (2, 1 + m) while `going` is true of the state they end in, at most `most`.

    It may take fewer, and none where the steps are too long or the mass might leave and come back within one series: what
    is left is to be walked.

    Returns:
        (steps taken, y after them).
    """
    p, q, r = bilinear
    frequency = np.sqrt(abs(p))
    if not isinstance(stepper, RungeKutta4) or not frequency:
        return 0, y
    h, v = float(y[0, 0]), float(y[1, 0])
    seeds, taken, dt = np.eye(2), 0, stepper.dt
    while taken < most and going(h, v):
        if not dt * (frequency + abs(q + r * h) + abs(r * v) / frequency) <= SHORTEST_TURN:
            break
        H, V = _series(p, q, r, g, h, v)
        whole = int(_reach(H, V, frequency) / dt)
        steps = min(whole, most - taken)
        if steps < 1:
            break
        at = lambda n: (_sum(H, n * dt), _sum(V, n * dt))  # noqa: E731
        end = at(steps)
        if v > 0.0 > end[1] and h + steps * dt * _sum([abs(one) for one in V], steps * dt) >= 0.0:
            break  # it may leave and come back on the way
        if not going(*end):
            # Rising, and pushed until it leaves: the last step that ends in contact is found by halving.
            low, high = 0, steps
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if going(*at(middle)) else (low, middle)
            if low == 0:
                break
            steps, end = low, at(low)
        if y.shape[1] > 1:
            seeds = _carry(p, q, r, H, V, steps * dt) @ seeds
        (h, v), taken = end, taken + steps
        if steps < whole:
            break
    return taken, np.column_stack([[h, v], seeds @ y[:, 1:]])


def cross(
    bilinear: Bilinear | None, g: float, stepper: FixedStepper, step: Step, going: Callable[[float, float], bool],
    y: np.ndarray, most: int, past: bool,
) -> tuple[int, np.ndarray]:  # fmt: skip
    """`walk` of a contact, with as much of the way glided as can be; `bilinear` is None where nothing can."""
    taken, y = glide(bilinear, g, stepper, going, y, most) if bilinear else (0, y)
    more, y = walk(step, going, y, most - taken, past)
    return taken + more, y


def _series(p: float, q: float, r: float, g: float, h: float, v: float) -> tuple[list[float], list[float]]:
    """Coefficients of h(t) and v(t) about the present state: `h' = v`, `v' = p h + q v + r h v - g`."""
    H, V = [h], [v]
    for n in range(TERMS):
        product = sum([a * b for a, b in zip(H, reversed(V))])
        H.append(V[n] / (n + 1))
        V.append((p * H[n] + q * V[n] + r * product - (g if n == 0 else 0.0)) / (n + 1))
    return H, V


def _reach(H: list[float], V: list[float], frequency: float) -> float:
    """How far a series may be summed (s)."""
    size = abs(V[0]) + frequency * abs(H[0])
    last = [(n, abs(V[n]) + frequency * abs(H[n])) for n in (TERMS - 1, TERMS)]
    return min((LEFT_OUT * size / term) ** (1.0 / n) if term > 0.0 else 1.0 / frequency for n, term in last)


def _carry(p: float, q: float, r: float, H: list[float], V: list[float], t: float) -> np.ndarray:
    """The derivative of the state after `t` by the state at the start of its series, (2, 2)."""
    columns = []
    for h, v in ((1.0, 0.0), (0.0, 1.0)):
        X, Y = [h], [v]
        for n in range(TERMS):
            product = sum([x * b + a * y for x, b, a, y in zip(X, reversed(V[: n + 1]), reversed(H[: n + 1]), Y)])
            X.append(Y[n] / (n + 1))
            Y.append((p * X[n] + q * Y[n] + r * product) / (n + 1))
        columns.append((_sum(X, t), _sum(Y, t)))
    return np.array(columns).T


def _sum(coefficients: list[float], t: float) -> float:
    total = 0.0
    for one in reversed(coefficients):
        total = total * t + one
    return total
