"""One dimension, inelastic, hard or smoothed: what one step, a resting mass and an arriving mass do, in closed form.

Heights q and gaps count from the ground (m, up positive), the penetration is `d = -q`, velocities are m/s, up
positive. `v_free < 0` is the velocity at the end of the step if nothing touched.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.contact.smoothed_impulse import sigmoid
from ferrolab.validate import finite, positive

# Standard gravity as the lab uses it (m/s^2).
GRAVITY = 9.81


def sigma(kappa: float, gap: float) -> float:
    """The factor on the impulse of a contact that is `gap` (m) from closing, at sharpness kappa (1/m)."""
    return float(sigmoid(-positive("kappa", kappa) * finite("gap", gap)))


def smoothed_step(kappa: ArrayLike, penetration: ArrayLike, v_free: ArrayLike, dt: float) -> tuple[np.ndarray, ...]:
    """Velocity after one smoothed step, and its derivatives by height (1/s) and by velocity at the step's start."""
    s = sigmoid(np.asarray(kappa) * penetration)
    steep = kappa * s * (1.0 - s) * v_free
    return (1.0 - s) * v_free, steep, (1.0 - s) + 0.5 * dt * steep


def creep_depth(kappa: float, dt: float, time: ArrayLike, gravity: float = GRAVITY) -> np.ndarray:
    """Depth (m) to which a mass that was at rest on the ground has sunk after `time` (s).

    A step takes the share sigma of the velocity and gravity adds `g dt`, so that the mass sinks at
    `(1 - sigma) / sigma g dt = exp(-kappa d) g dt`, and `exp(kappa d) = 1 + kappa g dt t`. It never stops. The steps
    themselves differ from this by their first few, from rest to that velocity, and by the sinking within a step: a
    share of the order of `dt / t` and `kappa g dt^2`.
    """
    return np.log1p(kappa * gravity * dt * np.asarray(time)) / kappa


def stopping_height(kappa: float, dt: float, speed: float) -> float:
    """Height (m) at which a mass that arrives at `speed` (m/s) is stopped, where a step is short against 1/kappa.

    Each step takes the share sigma of the velocity, so `dv/dq = sigma / dt`, and the whole of it is gone where
    `ln(1 + exp(kappa d)) = kappa dt speed`. The height grows without bound as dt falls: the smoothed contact is a
    rule for one step, and a shorter step applies it more often. (Gravity is left out over the way.)
    """
    return -math.log(math.expm1(kappa * dt * speed)) / kappa
