"""The numbers of one question: at once what needs no samples, then better and better what does."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ferrolab.smoothing.average import velocity_average
from ferrolab.smoothing.closed_form import sigma
from ferrolab.smoothing.drop import MODELS as DROPS
from ferrolab.smoothing.drop import drop
from ferrolab.smoothing.estimators import Estimate, FirstOrder, Sampling, ZerothOrder, estimates
from ferrolab.smoothing.match import matching, mismatch
from ferrolab.smoothing.objectives import OfRelease
from ferrolab.smoothing.pictures import NoiseCurve, add_chunk, creep_curve, curves, drawn_samples
from ferrolab.smoothing.price import hover
from ferrolab.smoothing.settings import HEIGHTS, Settings

# At most so many chunks of samples, so that each is worth a repaint, and none smaller than the second number.
CHUNKS, SMALLEST_CHUNK = 16, 50
# The baseline f(theta): unbiased, and what a learner would think of first.
ZEROTH, FIRST = ZerothOrder(baseline="center"), FirstOrder()

# What only samples or the search for the best sharpness can tell.
LATE = (
    "zeroth_gradient", "zeroth_error", "zeroth_variance", "first_gradient", "first_error", "first_variance",
    "smoothed_zeroth_gradient", "smoothed_zeroth_error", "smoothed_zeroth_variance", "smoothed_first_gradient",
    "smoothed_first_error", "smoothed_first_variance", "sample_ratio", "sampled_average", "sampled_average_error",
    "kappa_best", "mismatch_best", "mismatch_ratio",
)  # fmt: skip


@dataclass(frozen=True)
class Refined:
    """A readout, and what belongs to it to draw: the stochastic curve, and the first samples.

    drawn_heights, drawn_velocities: release heights (m) of the first samples, and their hard final velocities (m/s).
    """

    readout: dict[str, Any]
    curve: NoiseCurve
    drawn_heights: np.ndarray
    drawn_velocities: np.ndarray


def readout(settings: Settings) -> dict[str, Any]:
    """Everything that needs no samples; what does is None. No NaN anywhere: see docs/vocabulary.md for each key."""
    s = settings
    ends = {model: _end(model, s) for model in DROPS}
    mean, slope = velocity_average(np.array(s.release_height), s.noise, s.dt, s.horizon, s.gravity)
    crept = creep_curve(s.kappa, s.dt, s.gravity)
    stopped = hover(s.kappa, s.dt, s.landing_speed)
    chosen = ends.get(s.model)
    result = {
        "model": s.model,
        "kappa": s.kappa,
        "log_kappa": math.log10(s.kappa),
        "noise": s.noise,
        "log_noise": math.log10(s.noise),
        "samples": s.samples,
        "drawn": 0,
        "complete": False,
        "release_height": s.release_height,
        "dt": s.dt,
        "status": "ok",
        "message": "",
        "final_height": chosen and chosen["final_height"],
        "final_velocity": chosen and chosen["final_velocity"],
        "height_gradient": chosen and chosen["height_gradient"],
        "velocity_gradient": chosen and chosen["velocity_gradient"],
        "before_contact": ends["hard"]["final_velocity"] != 0.0,
        "sigma": sigma(s.kappa, ends["smoothed"]["final_height"]),
        "average": float(mean),
        "average_gradient": float(slope),
        "mismatch": float(mismatch(s.kappa, s.noise, s.dt, s.horizon, s.gravity)),
        "creep": float(crept.depth[-1]),
        "creep_closed_form": float(crept.closed_form[-1]),
        "hover": stopped[0],
        "hover_closed_form": stopped[1],
    }
    for model, end in ends.items():
        result.update({f"{model}_{key}": value for key, value in end.items()})
    return result | dict.fromkeys(LATE)


def _end(model: str, s: Settings) -> dict[str, float]:
    place = round(s.release_height / float(HEIGHTS[1]))
    on_grid = place < len(HEIGHTS) and abs(HEIGHTS[place] - s.release_height) < 1e-9
    options = (s.kappa, s.dt, s.horizon, s.gravity, s.stiffness, s.damping_ratio)
    if on_grid:
        landed = curves(model, *options)
    else:
        kappa, dt, *rest = options
        landed, place = drop(model, np.array([s.release_height]), dt, kappa, *rest), 0
    return {
        "final_height": float(landed.height[place]),
        "final_velocity": float(landed.velocity[place]),
        "height_gradient": float(landed.height_gradient[place]),
        "velocity_gradient": float(landed.velocity_gradient[place]),
    }


def chunk_size(samples: int) -> int:
    """Samples of each chunk."""
    return max(-(-samples // CHUNKS), SMALLEST_CHUNK)


def refine(settings: Settings) -> Iterator[Refined]:
    """The readout after each chunk of samples, then after each round of the search for the best sharpness.

    The last is complete. To cancel, stop iterating. The same settings give the same numbers, whatever came before.
    """
    s, latest = settings, readout(settings)
    sampling = Sampling(s.noise, s.samples, s.seed, chunk_size(s.samples))
    options = {"dt": s.dt, "kappa": s.kappa, "horizon": s.horizon, "gravity": s.gravity}
    hard, smoothed = OfRelease("hard", **options), OfRelease("smoothed", **options)
    heights = OfRelease("hard", output="height", **options)
    running = [
        estimates(objective, s.release_height, sampling, estimator)
        for objective, estimator in ((hard, ZEROTH), (hard, FIRST), (smoothed, ZEROTH), (smoothed, FIRST), (heights, ZEROTH))
    ]
    drawn = drawn_samples(s, sampling)
    curve: NoiseCurve | None = None
    for chunk, (zeroth, first, smooth_zeroth, smooth_first, height) in enumerate(zip(*running)):
        curve = add_chunk(curve, s, sampling.noise(chunk, 1)[:, 0])
        latest = latest | _sampled(zeroth, first, smooth_zeroth, smooth_first)
        if s.model == "stochastic":
            latest = latest | {
                "final_height": height.value,
                "final_velocity": zeroth.value,
                "height_gradient": float(height.gradient[0]),
                "velocity_gradient": float(zeroth.gradient[0]),
            }
        yield Refined(latest, curve, *drawn)
    for found in matching(s.noise, s.dt, s.horizon, s.gravity):
        latest = latest | {
            "kappa_best": found.kappa,
            "mismatch_best": found.mismatch,
            "mismatch_ratio": latest["mismatch"] / found.mismatch,
        }
        yield Refined(latest, curve, *drawn)
    yield Refined(latest | {"complete": True}, curve, *drawn)


def _sampled(zeroth: Estimate, first: Estimate, smooth_zeroth: Estimate, smooth_first: Estimate) -> dict[str, Any]:
    named = {"zeroth": zeroth, "first": first, "smoothed_zeroth": smooth_zeroth, "smoothed_first": smooth_first}
    result: dict[str, Any] = {
        "drawn": zeroth.samples,
        "sampled_average": zeroth.value,
        "sampled_average_error": zeroth.value_error,
    }
    for name, estimate in named.items():
        result[f"{name}_gradient"] = float(estimate.gradient[0])
        result[f"{name}_error"] = float(estimate.standard_error[0])
        result[f"{name}_variance"] = float(estimate.variance[0])
    steady = result["smoothed_first_variance"]
    result["sample_ratio"] = result["smoothed_zeroth_variance"] / steady if steady > 0.0 else None
    return result
