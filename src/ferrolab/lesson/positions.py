"""Where a bench can stand: the values its controls can take, from their one declaration.

What a browser hands in may name anything; only these positions are computed again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ferrolab.controls import CONTROLS, Control
from ferrolab.lesson.reader import is_number

_ROUNDING = 1e-6  # of a slider's step


def index_of(control: Control, value: Any) -> int | None:
    """The number of the position `value` of `control`, from 0; None when it has no such position."""
    if control.kind == "slider":
        if not is_number(value) or not control.start <= value <= control.stop:
            return None
        steps = (value - control.start) / control.step
        return round(steps) if abs(steps - round(steps)) <= _ROUNDING else None
    for i, known in enumerate(control.values):
        same = value == known if is_number(value) and is_number(known) else type(value) is type(known) and value == known
        if same:
            return i
    return None


def value_at(control: Control, index: int) -> Any:
    """The value of position `index`; raises IndexError when there is none."""
    if control.kind == "slider":
        value = round(control.start + index * control.step, 9)
        if not control.start <= value <= control.stop:
            raise IndexError(f"{control.id} has no position {index}")
        return value
    return control.values[index]


def off_the_bench(controls: Mapping[str, Any], place: str) -> str | None:
    """A clause saying why no bench can stand at `controls`, or None when one can; `place` is the control it cannot do without."""
    for name, value in controls.items():
        if name not in CONTROLS:
            return f"the bench has no control {name!r}"
        if index_of(CONTROLS[name], value) is None:
            return f"{name} cannot stand at {value!r}"
    return None if place in controls else f"it does not say at which {place}"
