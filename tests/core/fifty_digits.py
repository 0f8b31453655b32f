"""The spring-damper bounce at 50 digits: an independent witness for the closed form, in mpmath.

Shares nothing with ferrolab. Phases: flight above the plane, contact while `-k h - c v > 0`, parting below the plane
with the force off. The phase's end is bracketed on a grid of doubles and refined at 50 digits; the Jacobian is the
product of the phases' own and of `[[1, 0], [-c, 1]]` at every touch-down. SI units, (height, velocity), up positive.
"""

from __future__ import annotations

from dataclasses import dataclass

import mpmath
import numpy as np

mp = mpmath.MPContext()
mp.dps = 50


@dataclass(frozen=True)
class Bounce:
    """Final state (2,), Jacobian with and without the saltation matrices (2, 2), touch-downs, time in contact (s)."""

    state: np.ndarray
    jacobian: np.ndarray
    branch: np.ndarray
    touch_downs: int
    contact_time: float


def bounce(stiffness, damping_ratio, height, velocity, horizon, gravity=9.81) -> Bounce:
    """Follow the mass to the horizon. Start above the plane, or on it moving down, which is a touch-down at once. Doubles are taken as exact."""
    k, g, left = mp.mpf(stiffness), mp.mpf(gravity), mp.mpf(horizon)
    c = 2 * mp.mpf(damping_ratio) * mp.sqrt(k)
    x = mp.matrix([mp.mpf(height), mp.mpf(velocity)])
    exact, branch = mp.eye(2), mp.eye(2)
    mode, touch_downs, contact = "flight", 0, mp.mpf(0)
    while left > 0:
        wait = {"flight": _fall_time, "contact": _push_time, "parting": _parting_time}[mode](x, k, c, g, left)
        t = min(wait, left)
        ends = wait < left
        phi = mp.matrix([[1, t], [0, 1]])
        if mode == "contact":
            phi = _spring(k, c, t)
            x = phi * (x + mp.matrix([g / k, 0])) - mp.matrix([g / k, 0])
            contact += t
        else:
            x = phi * x - mp.matrix([g * t * t / 2, g * t])
        exact, branch, left = phi * exact, phi * branch, left - t
        if not ends:
            break
        if mode == "flight":
            exact = mp.matrix([[1, 0], [-c, 1]]) * exact
            mode, touch_downs = "contact", touch_downs + 1
        elif mode == "contact":
            mode = "parting"
        else:
            mode = "flight" if abs(x[0]) < mp.mpf(10) ** -40 else "contact"
    plain = lambda m: np.array([[float(m[i, j]) for j in range(m.cols)] for i in range(m.rows)])  # noqa: E731
    return Bounce(plain(x)[:, 0], plain(exact), plain(branch), touch_downs, float(contact))


def _spring(k, c, t):
    """Exponential of t [[0, 1], [-k, -c]], from the roots of its characteristic polynomial."""
    half = c / 2
    square = half * half - k
    decay = mp.exp(-half * t)
    if square == 0:
        C, S = mp.mpf(1), t
    elif square < 0:
        w = mp.sqrt(-square)
        C, S = mp.cos(w * t), mp.sin(w * t) / w
    else:
        w = mp.sqrt(square)
        C, S = mp.cosh(w * t), mp.sinh(w * t) / w
    return decay * mp.matrix([[C + half * S, S], [-k * S, C - half * S]])


def _fall_time(x, k, c, g, left):
    return (x[1] + mp.sqrt(x[1] ** 2 + 2 * g * x[0])) / g


def _push_time(x, k, c, g, left):
    """First time the force of the spring-damper vanishes, counted from a state where it pushes."""
    sunk = g / k

    def push(t):
        phi = _spring(k, c, t)
        h = phi[0, 0] * (x[0] + sunk) + phi[0, 1] * x[1] - sunk
        v = phi[1, 0] * (x[0] + sunk) + phi[1, 1] * x[1]
        return -k * h - c * v

    # The slower rate of a damped spring, the faster one, and a period when it oscillates: a grid that sees them all.
    spread = mp.sqrt(abs(c * c / 4 - k))
    fast = float(c / 2 + spread)
    end = min(float(left), 60.0 / max(float(k / fast), 1e-300), 1e3 / float(mp.sqrt(k)))
    grid = np.unique(np.concatenate([np.linspace(0.0, end, 400), np.geomspace(1e-3 / fast, end, 400)]))
    grid = grid[1:]
    previous = None
    for t in grid:
        if push(mp.mpf(float(t))) < 0:
            if previous is None:
                raise AssertionError("the grid does not see the start of the push")
            return mp.findroot(push, (mp.mpf(previous), mp.mpf(float(t))), solver="anderson", tol=mp.mpf(10) ** -80)
        previous = float(t)
    return mp.inf


def _parting_time(x, k, c, g, left):
    """The mass falls freely below the plane: until it passes the plane, or until the force would push again."""
    square = x[1] ** 2 + 2 * g * x[0]
    passes = (x[1] - mp.sqrt(square)) / g if square >= 0 and x[1] > 0 else mp.inf
    # -k h - c v starts at zero with slope -(k v - g c) and curvature k g: it returns after 2 (k v - g c)/(k g).
    returns = 2 * (k * x[1] - g * c) / (k * g)
    return min(passes, returns)
