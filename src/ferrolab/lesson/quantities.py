"""The quantities a check, a stuck rule or a living figure may name, with their units.

A quantity is looked up in what was recorded of a readout (flat dotted names or nested tables) and then in the
controls. Names follow `Readout.as_dict()` of `ferrolab.audit`; "" is a pure number or a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

QUANTITIES: dict[str, str] = {
    "stiffness": "1/s²",
    "log_stiffness": "",
    "dt": "s",
    "law": "",
    "stepping": "",
    "derivative": "",
    "stepper": "",
    "status": "",
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
