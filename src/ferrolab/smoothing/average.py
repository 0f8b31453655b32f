"""The hard drop averaged over noise of the release height, exactly.

As functions of the release height h, the hard drop's final velocity is one step (fallen freely, or stopped), and its
final height is `h - c` with another constant c for each step that may find the mass touching. Their averages under
Gaussian noise are sums of the normal distribution, in closed form.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ferrolab.smoothing.closed_form import GRAVITY
from ferrolab.smoothing.drop import HORIZON, landing_height, touching_heights

_erfc = np.frompyfunc(math.erfc, 1, 1)


def distribution(x: np.ndarray) -> np.ndarray:
    """Phi, the distribution function of the standard normal."""
    return 0.5 * np.asarray(_erfc(-np.asarray(x) / math.sqrt(2.0)), dtype=float)


def density(x: np.ndarray) -> np.ndarray:
    """phi, its density."""
    return np.exp(-0.5 * np.square(x)) / math.sqrt(2.0 * math.pi)


def average_of_step(theta: float, scale: float) -> tuple[float, float]:
    """`E[H(theta + w)]` for `w ~ N(0, scale^2)` and its derivative: `Phi(theta/scale)` and `phi(theta/scale)/scale`.

    The pathwise derivative of the step H is 0 wherever it exists, so its average is 0, whatever this says.
    """
    x = theta / scale
    return float(distribution(x)), float(density(x)) / scale


@dataclass(frozen=True)
class Average:
    """Averages over the noise, a lane for each release height, and their derivatives by it. SI units."""

    height: np.ndarray
    velocity: np.ndarray
    height_gradient: np.ndarray
    velocity_gradient: np.ndarray


def velocity_average(
    release: np.ndarray, noise: float, dt: float, horizon: float = HORIZON, gravity: float = GRAVITY
) -> tuple[np.ndarray, np.ndarray]:
    """Average final velocity (m/s) and its derivative (1/s)."""
    falling = -gravity * round(horizon / dt) * dt
    x = (release - landing_height(dt, horizon, gravity)) / noise
    return falling * distribution(x), falling * density(x) / noise


def average(release: np.ndarray, noise: float, dt: float, horizon: float = HORIZON, gravity: float = GRAVITY) -> Average:
    """All four averages. Work and memory are as the number of release heights times that of steps."""
    steps = round(horizon / dt)
    velocity, velocity_gradient = velocity_average(release, noise, dt, horizon, gravity)
    edges = touching_heights(dt, steps, gravity)
    fallen = np.append(edges, 0.5 * gravity * (steps * dt) ** 2)
    x = (edges - np.asarray(release)[..., None]) / noise
    below = np.concatenate([np.zeros_like(x[..., :1]), distribution(x), np.ones_like(x[..., :1])], axis=-1)
    dense = np.concatenate([np.zeros_like(x[..., :1]), density(x), np.zeros_like(x[..., :1])], axis=-1) / noise
    height = release - np.diff(below, axis=-1) @ fallen
    return Average(height, velocity, 1.0 + np.diff(dense, axis=-1) @ fallen, velocity_gradient)
