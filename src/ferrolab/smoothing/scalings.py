"""Where the sigmoid enters the solver, and whether it matters: one contact, and two that share a bar."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.contact import HardImpulse, SmoothedImpulse
from ferrolab.contact.smoothed_impulse import SCALINGS
from ferrolab.integrate.time_stepping import SWEEPS, TimeStepping, march
from ferrolab.smoothing.drop import DT
from ferrolab.systems import Bar, FallingMass


@dataclass(frozen=True)
class Reading:
    """One step under one scaling, next to the hard contact.

    Attributes:
        scaling: see `contact.smoothed_impulse.SCALINGS`.
        mass: share of its approach speed a falling mass loses, over the share that the hard contact takes.
        bar: the same for the velocity of a bar's near end, the far end being open.
    """

    scaling: str
    mass: float
    bar: float


def readings(
    kappa: float, penetration: float = 0.01, tilt: float = 0.3, speed: float = 1.0, dt: float = DT, sweeps: int = SWEEPS
) -> tuple[Reading, ...]:
    """Every scaling on a mass, and on a bar (1 m) that comes down level-headed: one end in the ground, the other open.

    Args:
        penetration: of the mass and of the near end (m). tilt: of the bar (rad). speed: of approach (m/s).
    """
    stepper = TimeStepping(dt, sweeps)
    mass, bar = FallingMass(gravity=0.0), Bar(gravity=0.0)
    # Half a step ahead is where the contact is looked at.
    ahead = 0.5 * dt * speed
    fallen = np.array([ahead - penetration, -speed])
    tilted = np.array([0.0, ahead - penetration + 0.5 * bar.length * np.sin(tilt), tilt, 0.0, -speed, 0.0])

    def lost(mechanism, law, start, row) -> float:
        after = march(mechanism, law, start, 1, stepper).state
        n = len(row)
        return float(np.dot(row, after[n:] - start[n:]))

    near = [0.0, 1.0, -0.5 * bar.length * np.cos(tilt)]
    hard = lost(mass, HardImpulse(), fallen, [1.0]), lost(bar, HardImpulse(), tilted, near)
    return tuple(
        Reading(
            scaling,
            lost(mass, SmoothedImpulse(kappa, scaling), fallen, [1.0]) / hard[0],
            lost(bar, SmoothedImpulse(kappa, scaling), tilted, near) / hard[1],
        )
        for scaling in SCALINGS
    )


def reading(kappa: float, scaling: str, contact: str = "bar", penetration: float = 0.01, sweeps: int = SWEEPS) -> float:
    """One number of `readings`: of the "mass" or the "bar", under one scaling."""
    return next(getattr(r, contact) for r in readings(kappa, penetration, sweeps=sweeps) if r.scaling == scaling)
