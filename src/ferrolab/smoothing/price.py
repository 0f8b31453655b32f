"""What smoothing costs: a mass at rest creeps, and one that arrives is stopped before or after the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.contact import SmoothedImpulse
from ferrolab.integrate.time_stepping import TimeStepping, march
from ferrolab.smoothing.closed_form import GRAVITY, creep_depth, stopping_height
from ferrolab.systems import FallingMass

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


def creep(kappa: float, dt: float, gravity: float = GRAVITY, watched: float = WATCHED, samples: int = 50) -> Creep:
    """Step the mass from rest at height 0 and look at it `samples` times."""
    steps = max(round(watched / dt / samples), 1)
    mass, law, stepper = FallingMass(gravity=gravity), SmoothedImpulse(kappa), TimeStepping(dt)
    states = [np.zeros(2)]
    while len(states) * steps * dt <= watched * (1.0 + 1e-9):
        states.append(march(mass, law, states[-1], steps, stepper).state)
    time = np.arange(len(states)) * steps * dt
    return Creep(time, -np.array(states)[:, 0], creep_depth(kappa, dt, time, gravity))


def hover(kappa: float, dt: float, speed: float) -> tuple[float, float]:
    """Height (m) at which a mass that arrives at `speed` (m/s), without gravity, is stopped; and its closed form."""
    mass, law, stepper = FallingMass(gravity=0.0), SmoothedImpulse(kappa), TimeStepping(dt)
    state = np.array([FAR / kappa, -speed])
    while state[1] < -STOPPED * speed:
        state = march(mass, law, state, 1, stepper).state
    return float(state[0]), stopping_height(kappa, dt, (1.0 - STOPPED) * speed)
