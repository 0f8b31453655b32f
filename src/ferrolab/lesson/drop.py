"""The mass let go above the ground, of the bench "forces-at-a-distance": what trails and living figures ask of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ferrolab.lesson.reader import is_number

#: Settings that a slider holds as decimal logarithms, and the setting each stands for.
LOGARITHMS = {"log_kappa": "kappa", "log_noise": "noise", "log_samples": "samples"}
#: The control of the time step has a name of its own, because another bench has other steps.
_RENAMED = {"drop_dt": "dt"}


def settings(given: Mapping[str, Any]) -> Any:
    """The `smoothing.Settings` that `given` asks for, by the names of settings or of controls. Raises ValueError."""
    from ferrolab import smoothing  # the core is needed to compute, not to read lessons

    asked: dict[str, Any] = {}
    for name, value in given.items():
        asked[LOGARITHMS.get(name, _RENAMED.get(name, name))] = _power(name, value) if name in LOGARITHMS else value
    if unknown := sorted(set(asked) - set(known_settings())):
        raise ValueError(f"{unknown[0]!r} is no setting of the falling mass; it has {', '.join(sorted(known_settings()))}")
    for whole in ("samples", "seed"):
        if is_number(asked.get(whole)):
            asked[whole] = round(asked[whole])
    return smoothing.Settings(**asked)


def complete(controls: Mapping[str, Any]) -> dict[str, Any]:
    """The readout under `controls` with every sample drawn."""
    return _complete(settings(controls))


@lru_cache(maxsize=512)
def _complete(asked: Any) -> dict[str, Any]:
    from ferrolab import smoothing

    *_, last = smoothing.refine(asked)
    return last.readout


def known_settings() -> list[str]:
    """The settings of the falling mass, in SI units."""
    from ferrolab import smoothing

    return list(inspect.signature(smoothing.Settings).parameters)


def _power(name: str, value: Any) -> float:
    if not is_number(value):
        raise ValueError(f"{name} is {value!r} and must be a number")
    return 10.0**value


def _sigma_at(kappa: float, gap: float) -> float:
    """The share of the impulse at work at a gap (m)."""
    from ferrolab import smoothing

    return float(smoothing.sigma(kappa, gap))


def _creep_at(kappa: float, dt: float, time: float, **gravity: float) -> float:
    """How far a mass at rest has sunk after a time (s), in closed form (m)."""
    from ferrolab import smoothing

    return float(smoothing.creep_depth(kappa, dt, time, **gravity))


def _hover_at(kappa: float, dt: float, **gravity: float) -> float:
    """Height (m) at which a mass that arrives at the landing speed is stopped, stepped."""
    from ferrolab import smoothing

    return smoothing.hover(kappa, dt, smoothing.Settings(**gravity).landing_speed)[0]


def _landing_height(dt: float, **gravity: float) -> float:
    """Release height (m) at which the hard final velocity jumps."""
    from ferrolab import smoothing

    return float(smoothing.landing_height(dt, **gravity))


def _scaling_share(kappa: float, scaling: str, contact: str) -> float:
    """Share of its approach speed that a contact takes in one step, over the hard contact's; see `smoothing.readings`."""
    from ferrolab import smoothing

    return smoothing.reading(kappa, scaling, contact)


def _estimate_at(
    order: str, model: str, release_height: float, noise: float, dt: float, samples: float, damping_ratio: float, **gravity: float
) -> float:
    """Estimate (1/s), of order "first" or "zeroth", of the slope under noise, for a model of `smoothing.OfRelease`."""
    from ferrolab import smoothing

    estimators = {"first": smoothing.FirstOrder(), "zeroth": smoothing.ZerothOrder(baseline="center")}
    if order not in estimators:
        raise ValueError(f"order is {order!r} and must be first or zeroth")
    objective = smoothing.OfRelease(model, dt, damping_ratio=damping_ratio, **gravity)
    found = smoothing.estimate(objective, release_height, smoothing.Sampling(noise, round(samples)), estimators[order])
    return float(found.gradient[0])


#: What a living figure may call besides the quantities of the readout, with its settings as parameters.
FUNCTIONS: dict[str, Callable[..., float]] = {
    "sigma_at": _sigma_at,
    "creep_at": _creep_at,
    "hover_at": _hover_at,
    "landing_height": _landing_height,
    "scaling_share": _scaling_share,
    "estimate_at": _estimate_at,
}


def settings_of(name: str) -> tuple[set[str], list[str]]:
    """The settings the function `name` may have, and those of them that it must have."""
    parameters = inspect.signature(FUNCTIONS[name]).parameters.values()
    needed = [one.name for one in parameters if one.kind is not one.VAR_KEYWORD]
    return {*needed, *(one.name for one in parameters)}, needed
