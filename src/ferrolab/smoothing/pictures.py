"""What the study's pictures show: curves over the release height, the force at a distance, the creep, the samples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ferrolab.contact.smoothed_impulse import KAPPA, sigmoid
from ferrolab.smoothing.average import Average, average
from ferrolab.smoothing.closed_form import GRAVITY
from ferrolab.smoothing.drop import DAMPING_RATIO, DT, HORIZON, STIFFNESS, Landed, drop
from ferrolab.smoothing.estimators import Sampling
from ferrolab.smoothing.price import Creep, creep
from ferrolab.smoothing.settings import HEIGHTS, Settings


@dataclass(frozen=True)
class NoiseCurve:
    """The stochastic model over `HEIGHTS`, from the samples drawn so far, the same ones at every height. SI units.

    height, velocity: sample means. height_gradient, velocity_gradient: zeroth-order estimates. drawn: samples.
    """

    height: np.ndarray
    velocity: np.ndarray
    height_gradient: np.ndarray
    velocity_gradient: np.ndarray
    drawn: int


def curves(
    model: str, kappa: float = KAPPA, dt: float = DT, horizon: float = HORIZON, gravity: float = GRAVITY,
    stiffness: float = STIFFNESS, damping_ratio: float = DAMPING_RATIO,
) -> Landed:  # fmt: skip
    """The end of the drop over `HEIGHTS`, (201,) each; model is "hard", "soft" or "smoothed". Kept once computed."""
    return _curves(model, kappa if model == "smoothed" else None, dt, horizon, gravity, stiffness, damping_ratio)


@lru_cache(maxsize=64)
def _curves(model, kappa, dt, horizon, gravity, stiffness, damping_ratio) -> Landed:
    return drop(model, HEIGHTS, dt, kappa or 1.0, horizon, gravity, stiffness, damping_ratio)


@lru_cache(maxsize=64)
def average_curve(noise: float, dt: float, horizon: float = HORIZON, gravity: float = GRAVITY) -> Average:
    """The exact average of the hard drop over `HEIGHTS`, (201,) each. Kept once computed."""
    return average(HEIGHTS, noise, dt, horizon, gravity)


@lru_cache(maxsize=64)
def creep_curve(kappa: float, dt: float, gravity: float = GRAVITY) -> Creep:
    """`price.creep`, kept once computed."""
    return creep(kappa, dt, gravity)


def force_profile(kappa: float, reach: float = 0.05, points: int = 201) -> tuple[np.ndarray, np.ndarray]:
    """Gap (m) from -reach to reach, and the factor on the impulse there."""
    gap = np.linspace(-reach, reach, points)
    return gap, sigmoid(-kappa * gap)


def objective(settings: Settings, low: float, high: float, points: int = 201) -> tuple[np.ndarray, np.ndarray]:
    """Release heights (m) from low to high, and the hard drop's final velocity (m/s) from each."""
    release = np.linspace(low, high, points)
    return release, drop("hard", release, settings.dt, horizon=settings.horizon, gravity=settings.gravity).velocity


def drawn_samples(settings: Settings, sampling: Sampling, most: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """The first samples: release heights (m), and the hard drop's final velocity (m/s) from each."""
    release = settings.release_height + sampling.noise(0, 1)[:most, 0]
    return release, drop("hard", release, settings.dt, horizon=settings.horizon, gravity=settings.gravity).velocity


def add_chunk(curve: NoiseCurve | None, s: Settings, w: np.ndarray) -> NoiseCurve:
    """Average the hard drop at every height of the grid over one more chunk of the noise w (samples,)."""
    centre = curves("hard", dt=s.dt, horizon=s.horizon, gravity=s.gravity)
    landed = drop("hard", HEIGHTS[:, None] + w, s.dt, horizon=s.horizon, gravity=s.gravity)
    score = w / s.noise**2 / len(w)
    new = NoiseCurve(
        np.mean(landed.height, axis=1),
        np.mean(landed.velocity, axis=1),
        (landed.height - centre.height[:, None]) @ score,
        (landed.velocity - centre.velocity[:, None]) @ score,
        len(w),
    )
    if curve is None:
        return new
    drawn = curve.drawn + new.drawn
    share = new.drawn / drawn
    names = ("height", "velocity", "height_gradient", "velocity_gradient")
    return replace(
        curve, drawn=drawn, **{n: getattr(curve, n) + share * (getattr(new, n) - getattr(curve, n)) for n in names}
    )
