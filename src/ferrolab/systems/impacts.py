"""Rigid impacts beyond the bouncing mass: a ceiling, a floor in the plane, two balls on a line, two balls that meet
obliquely. Each is a `HybridSystem` of one smooth mode and one impact.

Units are SI. Positions come first in the state, then velocities, in the same order.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ferrolab.hybrid.system import Guard, HybridSystem, Mode


def ball_under_ceiling(height: float, gravity: float, restitution: float = 1.0) -> HybridSystem:
    """A ball thrown up at a ceiling. State (q, v): height (m), velocity (m/s, up positive).

    The ceiling is at `height` (m). The time of impact is `(v - sqrt(v^2 - 2 g H)) / g`; its derivative grows
    without bound as the ball only just reaches the ceiling, where the Jacobian is refused as grazing.
    """
    ceiling = Guard(
        "ceiling",
        lambda x: x[0] - height,
        lambda x: np.array([1.0, 0.0]),
        direction=+1,
        target="flight",
        reset=lambda x: np.array([x[0], -restitution * x[1]]),
        reset_jacobian=lambda x: np.diag([1.0, -restitution]),
    )
    falling = np.array([[0.0, 1.0], [0.0, 0.0]])
    return HybridSystem(2, {"flight": Mode(lambda x: np.array([x[1], -gravity + 0.0 * x[0]]), lambda x: falling, (ceiling,))})


def ball_over_floor(radius: float, restitution: float, gravity: float = 0.0) -> HybridSystem:
    """A ball in the plane over a frictionless floor. State (x, y, vx, vy); it touches at `y = radius` (m)."""
    floor = Guard(
        "floor",
        lambda s: s[1] - radius,
        lambda s: np.array([0.0, 1.0, 0.0, 0.0]),
        target="flight",
        reset=lambda s: np.array([s[0], s[1], s[2], -restitution * s[3]]),
        reset_jacobian=lambda s: np.diag([1.0, 1.0, 1.0, -restitution]),
        rest_mode="rolling",
    )
    coasting = np.eye(4, k=2)
    return HybridSystem(
        4,
        {
            "flight": Mode(lambda s: np.array([s[2], s[3], 0.0 * s[0], -gravity + 0.0 * s[0]]), lambda s: coasting, (floor,)),
            "rolling": Mode(lambda s: np.array([s[2], 0.0 * s[0], 0.0 * s[0], 0.0 * s[0]])),
        },
    )


def ball_and_wall(radius: float, restitution: float, wall: float = 0.0) -> HybridSystem:
    """A ball on a line running at a wall. State (x, v); it touches at `x = wall + radius` (m), moving down in x."""
    hit = Guard(
        "wall",
        lambda s: s[0] - wall - radius,
        lambda s: np.array([1.0, 0.0]),
        target="free",
        reset=lambda s: np.array([s[0], -restitution * s[1]]),
        reset_jacobian=lambda s: np.diag([1.0, -restitution]),
    )
    return HybridSystem(2, {"free": Mode(lambda s: np.array([s[1], 0.0 * s[0]]), lambda s: np.eye(2, k=1), (hit,))})


def two_balls_on_a_line(masses: tuple[float, float], gap: float, restitution: float) -> HybridSystem:
    """Two balls on a line that touch when their centres are `gap` (m) apart. State (x1, x2, v1, v2), x2 ahead."""
    return _two_balls(1, masses, gap, restitution)


def two_balls_in_the_plane(masses: tuple[float, float], gap: float, restitution: float) -> HybridSystem:
    """Two frictionless balls in the plane, touching at centre distance `gap` (m).

    State (p1, p2, v1, v2), eight numbers. The normal of the impact varies with the state: an oblique collision
    turns with every change of the start, and the reset is not linear.
    """
    return _two_balls(2, masses, gap, restitution)


def _two_balls(axes: int, masses: tuple[float, float], gap: float, restitution: float) -> HybridSystem:
    m1, m2 = masses
    first, second = slice(0, axes), slice(axes, 2 * axes)

    def separation(s: np.ndarray):
        difference = s[second] - s[first]
        return np.sqrt(np.sum(difference * difference)) - gap

    def reset(s: np.ndarray) -> np.ndarray:
        difference = s[second] - s[first]
        normal = difference / np.sqrt(np.sum(difference * difference))
        v1, v2 = s[2 * axes : 3 * axes], s[3 * axes :]
        impulse = -(1.0 + restitution) * np.sum((v2 - v1) * normal) / (1.0 / m1 + 1.0 / m2)
        return np.concatenate([s[: 2 * axes], v1 - impulse / m1 * normal, v2 + impulse / m2 * normal])

    n = 4 * axes
    meet = Guard("collision", separation, target="free", reset=reset)
    drift = np.eye(n, k=2 * axes)
    return HybridSystem(n, {"free": Mode(_coasting(2 * axes), lambda s: drift, (meet,))})


def _coasting(positions: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda s: np.concatenate([s[positions:], 0.0 * s[:positions]])
