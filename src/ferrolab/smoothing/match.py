"""The sharpness that best matches a given noise: found by minimising, not by a rule of thumb."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ferrolab.smoothing.average import velocity_average
from ferrolab.smoothing.closed_form import GRAVITY
from ferrolab.smoothing.drop import HORIZON, drop, landing_height

# The curves are compared this far (m) to either side of the release height at which the average has its step, at
# points that lie close together near it: a noise of a millimetre must be seen as well as one of a decimetre.
REACH, POINTS, EVENNESS = 0.19, 121, 0.02
# Search interval, log10 of 1/m. Each round tries so many sharpnesses and keeps the two intervals around the best.
LOG_KAPPA = (0.0, 4.5)
TRIALS, ROUNDS = 13, 7


@dataclass(frozen=True)
class Match:
    """kappa: 1/m, the best. mismatch: m/s, rms difference of the two final-velocity curves there.

    at_edge: the best lies at an end of the search interval, so that a better one may lie outside of it.
    """

    kappa: float
    mismatch: float
    at_edge: bool


def compared(dt: float, horizon: float, gravity: float) -> tuple[np.ndarray, np.ndarray]:
    """(`POINTS`,) release heights (m) at which the curves are compared, and the weight of each in the mean."""
    u = np.linspace(-1.0, 1.0, POINTS)
    centre = landing_height(dt, horizon, gravity)
    weight = EVENNESS + 3.0 * (1.0 - EVENNESS) * u * u
    return centre + REACH * (EVENNESS * u + (1.0 - EVENNESS) * u**3), weight / np.sum(weight)


def mismatch(
    kappa: float | np.ndarray, noise: float, dt: float, horizon: float = HORIZON, gravity: float = GRAVITY
) -> np.ndarray:
    """Rms difference (m/s) between the smoothed final velocity and the hard one's average, over the release height."""
    release, weight = compared(dt, horizon, gravity)
    wanted, _ = velocity_average(release, noise, dt, horizon, gravity)
    kappa = np.asarray(kappa, dtype=float)
    got = drop("smoothed", release, dt, kappa[..., None], horizon, gravity, tangent=False).velocity
    return np.sqrt(np.sum(weight * (got - wanted) ** 2, axis=-1))


@dataclass(frozen=True)
class _Round:
    """The best of one round, and the interval of log10 kappa in which the next one looks."""

    found: Match
    low: float
    high: float


@lru_cache(maxsize=1024)
def _round(low: float, high: float, noise: float, dt: float, horizon: float, gravity: float) -> _Round:
    trials = np.linspace(low, high, TRIALS)
    sizes = mismatch(10.0**trials, noise, dt, horizon, gravity)
    best = int(np.argmin(sizes))
    at_edge = bool(np.any(np.isclose(trials[best], LOG_KAPPA)))
    found = Match(float(10.0 ** trials[best]), float(sizes[best]), at_edge)
    return _Round(found, float(trials[max(best - 1, 0)]), float(trials[min(best + 1, TRIALS - 1)]))


def matching(noise: float, dt: float, horizon: float = HORIZON, gravity: float = GRAVITY) -> Iterator[Match]:
    """The best so far after each round of the search; the last is good to 2e-5 decades. Rounds are kept."""
    low, high = LOG_KAPPA
    for _ in range(ROUNDS):
        latest = _round(low, high, noise, dt, horizon, gravity)
        low, high = latest.low, latest.high
        yield latest.found


def match(noise: float, dt: float, horizon: float = HORIZON, gravity: float = GRAVITY) -> Match:
    """The sharpness at which the smoothed curve is nearest to the average under noise (standard deviation in m)."""
    *_, last = matching(noise, dt, horizon, gravity)
    return last
