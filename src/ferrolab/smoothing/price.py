"""What smoothing costs: a mass at rest creeps, and one that arrives is stopped before or after the ground.

Both are a thousand steps of one mass, the steps of `integrate.time_stepping` on a `FallingMass` written out in plain
floats: there a numpy call on one number costs more than the rest of the step. A test holds the two together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ferrolab.smoothing.closed_form import GRAVITY, creep_depth, stopping_height

# How long the resting mass is watched (s).
WATCHED = 1.0
# An arriving mass counts as stopped when this share of its speed is left.
STOPPED = 0.05
# It starts where the factor is still below 1e-12, in units of 1/kappa.
FAR = 28.0


@dataclass(frozen=True)
class Creep:
    """time (s), depth (m) a mass at rest on the ground has sunk to, and the closed form of it (m)."""

    time: np.ndarray
    depth: np.ndarray
    closed_form: np.ndarray


def fall(kappa: float, dt: float, gravity: float, state: tuple[float, float], steps: int) -> tuple[float, float]:
    """(height, velocity) after `steps` steps of smoothed contact."""
    h, v = state
    half = 0.5 * dt
    for _ in range(steps):
        h += half * v
        v -= dt * gravity
        if v < 0.0:
            near = math.exp(-kappa * abs(h))
            v -= v * (near if h > 0.0 else 1.0) / (1.0 + near)
        h += half * v
    return h, v


def creep(kappa: float, dt: float, gravity: float = GRAVITY, watched: float = WATCHED, samples: int = 50) -> Creep:
    """Step the mass from rest at height 0 and look at it `samples` times."""
    steps = max(round(watched / dt / samples), 1)
    states = [(0.0, 0.0)]
    while len(states) * steps * dt <= watched * (1.0 + 1e-9):
        states.append(fall(kappa, dt, gravity, states[-1], steps))
    time = np.arange(len(states)) * steps * dt
    return Creep(time, -np.array(states)[:, 0], creep_depth(kappa, dt, time, gravity))


@lru_cache(maxsize=64)
def hover(kappa: float, dt: float, speed: float) -> tuple[float, float]:
    """Height (m) at which a mass that arrives at `speed` (m/s), without gravity, is stopped; and its closed form. Kept."""
    state = FAR / kappa, -speed
    while state[1] < -STOPPED * speed:
        state = fall(kappa, dt, 0.0, state, 1)
    return state[0], stopping_height(kappa, dt, (1.0 - STOPPED) * speed)
