"""The first zero of `affine.first_zero` for a few numbers, in plain floats.

A numpy call on one number costs more than ten floating point operations in Python, and a readout asks for a handful of
zeros, one after the other. `affine._first_zero` is the definition; a test holds the two together.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ferrolab.integrate.affine import Propagator

# Newton's method, safeguarded by bisection, on a monotone piece: 60 halvings alone reach rounding.
MAX_ROOT_ITERATIONS = 100
# Up to this many zeros one after the other cost less than all of them together in numpy.
MAX_ALONE = 16

Lane = tuple[float, float, float, float, bool]
"""sigma, omega, delta, ratio, oscillates: see `affine.Propagator`."""


def first_zeros_alone(
    p: Propagator, constant: np.ndarray, a: np.ndarray, b: np.ndarray, limit: np.ndarray, tolerance: float
) -> tuple[np.ndarray, np.ndarray] | None:
    """As `affine.first_zero`, for arrays whose last axis is that of the propagator's lanes.

    None where a value overflows on the way, which plain floats refuse and numpy carries on with.
    """
    lanes = list(zip(*(part.tolist() for part in (p.sigma, p.omega, p.delta, p.ratio, p.oscillates))))
    shape, out = constant.shape, []
    numbers = (part.ravel().tolist() for part in (constant, a, b, limit))
    try:
        for i, (k, x, y, end) in enumerate(zip(*numbers)):
            out.append(_first_zero(lanes[i % len(lanes)], k, x, y, end, tolerance))
    except (OverflowError, ValueError, ZeroDivisionError):
        return None
    roots, certain = np.array(out).reshape(-1, 2).T
    return roots.reshape(shape), certain.reshape(shape)


def _weights(lane: Lane, s: float) -> tuple[float, float]:
    sigma, omega, _, ratio, oscillates = lane
    angle = omega * s
    if oscillates:
        size = math.exp(sigma * s)
        return size * math.cos(angle), size * s * ratio * (math.sin(angle) / angle if angle else 1.0)
    fast = math.exp(sigma * s + angle)
    filled = -math.expm1(-2.0 * angle) / (2.0 * angle) if angle > 0.0 else 1.0
    return fast * 0.5 * (1.0 + math.exp(-2.0 * angle)), fast * s * ratio * filled


def _extrema(lane: Lane, u: float, w: float) -> tuple[float, float]:
    _, omega, delta, ratio, oscillates = lane
    if oscillates:
        turn = math.atan2(u, -w / (delta if delta > 0.0 else 1.0)) % math.pi
        first = (turn if turn > 0.0 else math.pi) / omega
        return first, first + math.pi / omega
    y = -u / w
    x = delta * y
    if not (y > 0.0 and abs(x) < 1.0):
        return math.inf, math.inf
    return y / ratio * (math.atanh(x) / x if abs(x) > 1e-8 else 1.0), math.inf


def _first_zero(lane: Lane, constant: float, a: float, b: float, limit: float, tolerance: float) -> tuple[float, float]:
    sigma, omega, delta, ratio, oscillates = lane

    def value(s: float) -> float:
        C, S = _weights(lane, s)
        return constant + C * a + S * b

    u = sigma * a + ratio * b
    w = sigma * b + (-1.0 if oscillates else 1.0) * omega * delta * a
    first, second = _extrema(lane, u, w)
    first, second = min(first, limit), min(second, limit)
    if value(first) <= 0.0:
        low, high = 0.0, first
    elif value(second) <= 0.0:
        low, high = first, second
    else:
        return math.inf, limit if oscillates and sigma <= 0.0 else second
    s = 0.5 * (low + high)
    for _ in range(MAX_ROOT_ITERATIONS):
        C, S = _weights(lane, s)
        f, slope = constant + C * a + S * b, C * u + S * w
        if f > 0.0:
            low = s
        else:
            high = s
        newton = s - f / slope if slope else math.inf
        moved = newton if low < newton < high else 0.5 * (low + high)
        close = abs(moved - s) <= max(tolerance, 4e-16 * abs(s))
        s = moved
        if close:
            break
    probe = max(s - max(tolerance, 1e-12), 0.0)
    return s, probe if probe >= low and value(probe) > 0.0 else low
