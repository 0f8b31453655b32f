"""The Jacobian of one step of Dormand-Prince for one mass and one contact, in plain floats.

Where all stages of a step lie in one mode whose field is affine, `f(x) = A x + b`, its Jacobian is a polynomial in `hA`
whose coefficients follow from the tableau: no stages are needed.
"""

from __future__ import annotations

import numpy as np

from ferrolab.integrate.dormand_prince import STAGES
from ferrolab.integrate.walk import Push

Tangent = tuple[float, float, float, float]
"""The entries of a 2 x 2 matrix, row by row."""

IDENTITY: Tangent = (1.0, 0.0, 0.0, 1.0)


def _points() -> np.ndarray:
    """Where the stages and the solution lie, (7, 7): what is added to x in units of h, in powers `(hA)^j f(x)`."""
    one = np.eye(len(STAGES) + 1)
    slopes, points = [one[0]], [np.zeros(len(one))]
    for row in STAGES:
        points.append(sum(a * k for a, k in zip(row, slopes)))
        slopes.append(one[0] + np.concatenate([[0.0], points[-1][:-1]]))
    return np.array(points)


_POINTS = _points()
W1, W2, W3, W4, W5 = (float(w) for w in _POINTS[-1, 1:6])
# With `|h^2 k| + |h c| <= SMALL` each power is at most SMALL of the larger of the two before it, so no stage lies
# farther from x than REACH times the larger of the first two.
SMALL = 0.5
REACH = float(np.abs(_POINTS).max(axis=0)[:6] @ [1.0, 1.0, SMALL, SMALL, SMALL**2, SMALL**2])


def carried(
    J: Tangent, push: Push, g: float, spring: tuple[float, float] | None, x0: tuple[float, float], x1: tuple[float, float], step: float
) -> Tangent:
    """`J` times the Jacobian of the step of size `step` from x0 to x1, along the branches its stages take.

    Args: as for `adapt_lane.adapt_lane`; x0, x1: (h, v).
    """
    a, b, c, d = J
    p, q, r, s = _jacobian(push, g, spring, x0, x1, step)
    return p * a + q * c, p * b + q * d, r * a + s * c, r * b + s * d


def _jacobian(push: Push, g: float, spring, x0, x1, step: float) -> Tangent:
    h0, v0 = x0
    if h0 >= 0.0 and x1[0] >= 0.0:
        # In flight the stages lie on a parabola that is open below, or above it: no lower than its ends.
        return 1.0, step, 0.0, 1.0
    if spring is not None and _stays(*spring, g, h0, v0, step):
        k, c = spring
        first, second = (_column(k * step * step, c * step, u0, u1, step) for u0, u1 in ((0.0, -k * step), (1.0, -c * step)))
        return 1.0 + first[0], second[0], first[1], 1.0 + second[1]
    speeds, pulls, rises, turns = [v0], [push(h0, v0)[0] - g], [(0.0, 1.0)], [push(h0, v0)[1:]]
    for row in STAGES[:-1]:
        h, v = (x + step * sum([a * k for a, k in zip(row, slopes)]) for x, slopes in ((h0, speeds), (v0, pulls)))
        (a, b), (e, d) = _summed(row, rises, step), _summed(row, turns, step)
        force, by_h, by_v = push(h, v)
        speeds.append(v)
        pulls.append(force - g)
        rises.append((e, 1.0 + d))
        turns.append((by_h * (1.0 + a) + by_v * e, by_h * b + by_v * (1.0 + d)))
    (a, b), (e, d) = _summed(STAGES[-1], rises, step), _summed(STAGES[-1], turns, step)
    return 1.0 + a, b, e, 1.0 + d


def _stays(k: float, c: float, g: float, h0: float, v0: float, step: float) -> bool:
    """Whether every stage of the step is certain to lie in contact."""
    force, p, q = -k * h0 - c * v0, k * step * step, c * step
    if h0 >= 0.0 or force <= 0.0 or p + q > SMALL:
        return False
    u1 = step * (force - g)
    u2 = -p * v0 - q * u1
    across, along = REACH * step * max(abs(v0), abs(u1)), REACH * max(abs(u1), abs(u2))
    return h0 + across < 0.0 and force > k * across + c * along


def _column(p: float, q: float, u0: float, u1: float, step: float) -> tuple[float, float]:
    """What a step in contact adds to a tangent, from the first two of its powers."""
    u2 = -p * u0 - q * u1
    u3 = -p * u1 - q * u2
    u4 = -p * u2 - q * u3
    u5 = -p * u3 - q * u4
    u6 = -p * u4 - q * u5
    return step * (u0 + W1 * u1 + W2 * u2 + W3 * u3 + W4 * u4 + W5 * u5), u1 + W1 * u2 + W2 * u3 + W3 * u4 + W4 * u5 + W5 * u6


def _summed(row: tuple[float, ...], slopes: list[tuple[float, float]], step: float) -> tuple[float, float]:
    return step * sum([a * s[0] for a, s in zip(row, slopes)]), step * sum([a * s[1] for a, s in zip(row, slopes)])
