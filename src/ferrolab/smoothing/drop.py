"""The study's rollout: a mass released at rest, by time stepping, with its derivative by the release height.

The steps are those of `integrate.time_stepping` on a `FallingMass`, written out for one contact, unit mass and a
start at rest (so that `v_free < 0` in hard and smoothed contact), with the tangent beside the state. A test holds the
two together. Hard contact needs no steps: it falls freely until the first step that finds it touching, and stays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.contact.smoothed_impulse import KAPPA
from ferrolab.smoothing.closed_form import GRAVITY

# The bench's step, s. Release to end, s: short enough that a step of a few ms is small against the way smoothed contact acts over.
DT, HORIZON = 1e-3, 0.2
# The penalty contact of the comparison: 1/s^2 for unit mass, and critically damped.
STIFFNESS, DAMPING_RATIO = 1e4, 1.0

MODELS = ("hard", "soft", "smoothed")


@dataclass(frozen=True)
class Landed:
    """The end of a drop, a lane each: height (m), velocity (m/s), and their derivatives by the release height."""

    height: np.ndarray
    velocity: np.ndarray
    height_gradient: np.ndarray
    velocity_gradient: np.ndarray


def drop(
    model: str, release: ArrayLike, dt: float, kappa: ArrayLike = KAPPA, horizon: float = HORIZON,
    gravity: float = GRAVITY, stiffness: float = STIFFNESS, damping_ratio: float = DAMPING_RATIO, tangent: bool = True,
) -> Landed:  # fmt: skip
    """Release at rest and step to the horizon.

    Args:
        model: one of `MODELS`. release: release heights (m), one a lane. dt: s.
        kappa: sharpness (1/m) of the smoothed contact, one number or one a lane.
        stiffness: of the soft contact (1/s^2, unit mass), with its damping ratio.
        tangent: False saves the work of the smoothed contact's derivatives, and returns zeros for them.
    """
    steps = round(horizon / dt)
    release = np.asarray(release, dtype=float)
    if model == "hard":
        return _hard(release, dt, steps, gravity)
    if model == "smoothed":
        return _smoothed(release, dt, steps, np.asarray(kappa, dtype=float), gravity, tangent)
    return _soft(release, dt, steps, gravity, stiffness, 2.0 * damping_ratio * np.sqrt(stiffness))


def touching_heights(dt: float, steps: int, gravity: float = GRAVITY) -> np.ndarray:
    """(steps,): the release height (m) at or below which hard contact acts in step 1, 2, ... at the latest.

    It is the way fallen to the middle of the step: `g dt^2 (j^2 + j) / 2` after j whole steps.
    """
    j = np.arange(steps)
    return 0.5 * gravity * dt * dt * (j * j + j)


def landing_height(dt: float, horizon: float = HORIZON, gravity: float = GRAVITY) -> float:
    """The release height (m) at which the hard final velocity jumps: the highest from which the mass still lands."""
    return float(touching_heights(dt, round(horizon / dt), gravity)[-1])


def _hard(release: np.ndarray, dt: float, steps: int, gravity: float) -> Landed:
    fallen = touching_heights(dt, steps, gravity)
    first = np.searchsorted(fallen, release, side="left")
    flying = first == steps
    landed_at = release - fallen[np.minimum(first, steps - 1)]
    time = steps * dt
    # The mass stays at the height at which the step found it: the velocity is corrected, the position is not.
    height = np.where(flying, release - 0.5 * gravity * time * time, landed_at)
    velocity = np.where(flying, -gravity * time, 0.0)
    return Landed(height, velocity, np.ones_like(release), np.zeros_like(release))


def _smoothed(release: np.ndarray, dt: float, steps: int, kappa: np.ndarray, gravity: float, tangent: bool) -> Landed:
    q, v = release + 0.0 * kappa, np.zeros(np.broadcast(release, kappa).shape)
    dq, dv = np.ones_like(q), np.zeros_like(q)
    half = 0.5 * dt
    with np.errstate(over="ignore"):
        for _ in range(steps):
            q = q + half * v
            free = v - dt * gravity
            open_share = 1.0 / (1.0 + np.exp(-kappa * q))
            v = open_share * free
            if tangent:
                dq = dq + half * dv
                dv = open_share * dv + (kappa * (v - open_share * v)) * dq
                dq = dq + half * dv
            q = q + half * v
    return Landed(q, v, dq, dv) if tangent else Landed(q, v, 0.0 * q, 0.0 * q)


def _soft(release: np.ndarray, dt: float, steps: int, gravity: float, stiffness: float, damping: float) -> Landed:
    q, v = release.copy(), np.zeros_like(release)
    dq, dv = np.ones_like(q), np.zeros_like(q)
    half = 0.5 * dt
    for _ in range(steps):
        q = q + half * v
        dq = dq + half * dv
        force = -stiffness * q - damping * v
        pushing = (q < 0.0) & (force > 0.0)
        v, dv = (
            v + dt * (np.where(pushing, force, 0.0) - gravity),
            dv + dt * np.where(pushing, -stiffness * dq - damping * dv, 0.0),
        )
        q = q + half * v
        dq = dq + half * dv
    return Landed(q, v, dq, dv)
