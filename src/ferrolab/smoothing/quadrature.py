"""Exact averages under Gaussian noise in one dimension: the reference the estimators are held to."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

# The noise is cut off here, in standard deviations: what lies beyond weighs 1e-23.
REACH = 10.0
# Points of each Gauss-Legendre panel, and the longest panel in standard deviations.
POINTS, LONGEST = 20, 0.5


def average(
    f: Callable[[np.ndarray], np.ndarray], theta: float, scale: float, breaks: Iterable[float] = ()
) -> tuple[float, float]:
    """`E[f(theta + w)]` for `w ~ N(0, scale^2)`, and its derivative by theta, `E[f(theta + w) w] / scale^2`.

    Args:
        f: maps (n,) points to (n,) values. breaks: points at which f has a corner or a jump; between them it must be
            smooth on the scale of the noise for the result to be accurate to rounding.
    """
    low, high = theta - REACH * scale, theta + REACH * scale
    even = np.linspace(low, high, int(np.ceil(2.0 * REACH / LONGEST)) + 1)
    edges = np.unique([*even, *(b for b in breaks if low < b < high)])
    nodes, weights = np.polynomial.legendre.leggauss(POINTS)
    middle, half = 0.5 * (edges[1:] + edges[:-1]), 0.5 * np.diff(edges)
    points = (middle[:, None] + half[:, None] * nodes).ravel()
    x = (points - theta) / scale
    weight = (half[:, None] * weights).ravel() * np.exp(-0.5 * x * x) / (scale * np.sqrt(2.0 * np.pi))
    values = f(points) * weight
    return float(np.sum(values)), float(np.sum(values * x) / scale)
