"""The quantities a check, a stuck rule or a living figure may name, with their units.

A quantity is looked up in what was recorded of a readout (flat dotted names or nested tables) and then in the
controls. Names follow `Readout.as_dict()` of `ferrolab.audit`, those of `OF_THE_TRIAL` its `ThreeWay.as_dict()`, those of
`OF_THE_DROP` the readout of `ferrolab.smoothing` and the controls of its bench; "" is a pure number or a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# What only the three-way trial of a setting has: a law's own exact answer, and the shares of the error against it.
OF_THE_TRIAL: dict[str, str] = {
    "entry_law": "1/s",
    "entry_branch": "1/s",
    "entry_error": "1/s",
    "law_error": "",
    "verdict": "",
    "event_share_signed": "1/s",
    "event_share": "",
    "carries_event": "",
    "own_error": "",
    "contact_model_share": "",
    "event_exponent": "",
    "contact_model_exponent": "",
    "steps_in_contact": "",
    "jump": "m/s²",
    **{f"saltation_entry.{i}.{j}": "" for i in (0, 1) for j in (0, 1)},
}

# What only the mass that is let go above the ground has: four contact models, averages under noise and their estimates.
OF_THE_DROP: dict[str, str] = {
    "release_height": "m",
    "model": "",
    "kappa": "1/m",
    "log_kappa": "",
    "noise": "m",
    "log_noise": "",
    "samples": "",
    "log_samples": "",
    "drop_dt": "s",
    "drawn": "",
    "complete": "",
    "before_contact": "",
    **{f"{model}{name}": unit for model in ("", "hard_", "soft_", "smoothed_") for name, unit in (
        ("final_height", "m"), ("final_velocity", "m/s"), ("height_gradient", ""), ("velocity_gradient", "1/s"),
    )},
    "sigma": "",
    "average": "m/s",
    "average_gradient": "1/s",
    **{f"{name}_{what}": unit for name in ("zeroth", "first") for what, unit in (
        ("gradient", "1/s"), ("error", "1/s"), ("variance", "1/s²"),
    )},
    **{f"smoothed_{name}_{what}": unit for name in ("zeroth", "first") for what, unit in (("gradient", "1/s"), ("variance", "1/s²"))},
    "smoothed_zeroth_error": "1/s",
    "smoothed_first_error": "1/s",
    "sampled_average": "m/s",
    "sampled_average_error": "m/s",
    "sample_ratio": "",
    "kappa_best": "1/m",
    "mismatch": "m/s",
    "mismatch_best": "m/s",
    "mismatch_ratio": "",
    "creep": "m",
    "creep_closed_form": "m",
    "hover": "m",
    "hover_closed_form": "m",
}

# What every bench has.
SHARED: dict[str, str] = {"dt": "s", "status": ""}

# What the benches of the bouncing mass have.
OF_THE_BOUNCE: dict[str, str] = {
    "stiffness": "1/s²",
    "log_stiffness": "",
    "law": "",
    "stepping": "",
    "derivative": "",
    "stepper": "",
    "saltation": "",
    "restitution": "",
    "forward_error": "m or m/s",
    "gradient_error": "",
    "entry": "1/s",
    "entry_exact": "1/s",
    "sign_agrees": "",
    "accepted_steps": "",
    "exponent": "",
    "evaluations.fixed": "",
    "evaluations.tolerance": "",
    "evaluations.ratio": "",
    "split.integrator": "",
    "split.contact_model": "",
    "split.step": "",
    "split.event": "",
    **{f"state.{i}": unit for i, unit in enumerate(("m", "m/s"))},
    **{f"state_rigid.{i}": unit for i, unit in enumerate(("m", "m/s"))},
    **{f"{name}.{i}.{j}": "" for name in ("jacobian", "jacobian_exact") for i in (0, 1) for j in (0, 1)},
}

QUANTITIES: dict[str, str] = {**SHARED, **OF_THE_BOUNCE, **OF_THE_TRIAL, **OF_THE_DROP}

_ABSENT = object()


def quantity(name: str, *sources: Mapping[str, Any]) -> Any:
    """The value of `name` in the first of `sources` that holds it, or None when none does."""
    for source in sources:
        if name in source:
            return source[name]
        value: Any = source
        for key in name.split("."):
            value = _step_into(value, key)
            if value is _ABSENT:
                break
        if value is not _ABSENT:
            return value
    return None


def _step_into(value: Any, key: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(key, _ABSENT)
    if isinstance(value, (list, tuple)) and key.isdigit() and int(key) < len(value):
        return value[int(key)]
    return _ABSENT
