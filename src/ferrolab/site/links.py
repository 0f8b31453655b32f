"""The state of a bench as it stands in a page's address, such as ``log_stiffness=6.5&dt=1e-05&stepping=fixed``.

What a control may be comes from its declaration alone (`ferrolab.controls`), so a new one is in links at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ferrolab.controls import CONTROLS, Control

MOST = 2000
"""Characters of a link that are read."""

_FLAGS = {True: "on", False: "off"}
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?")
_DECIMALS = 6  # a slider's value is kept to so many


def to_link(controls: Mapping[str, Any]) -> str:
    """Return `controls` (id -> value, as a bench has them) as they stand in an address; "" when all are at their defaults."""
    if all(value == CONTROLS[name].default for name, value in controls.items()):
        return ""
    return "&".join(f"{name}={_text(value)}" for name, value in controls.items())


def from_link(text: str, ids: Iterable[str]) -> tuple[dict[str, Any], list[str]]:
    """Read a link; it never raises.

    Parameters
    ----------
    text
        What `to_link` wrote, or anything else.
    ids
        The controls the bench has.

    Returns
    -------
    settings
        A value for each of `ids`: what the link says, else the default. Empty when it says nothing this bench understands.
    left_out
        The pieces of the link that were not understood, as they stand there.
    """
    ids = tuple(ids)
    found: dict[str, Any] = {}
    left_out = []
    for piece in filter(None, text[:MOST].split("&")):
        name, _, said = piece.partition("=")
        value = _value(CONTROLS[name], said) if name in ids else None
        if value is None:
            left_out.append(piece)
        else:
            found[name] = value
    return ({name: found.get(name, CONTROLS[name].default) for name in ids} if found else {}), left_out


def _text(value: float | str | bool) -> str:
    if isinstance(value, bool):
        return _FLAGS[value]
    return value if isinstance(value, str) else f"{value:.10g}"


def _value(control: Control, said: str) -> float | str | bool | None:
    """Return the value of `control` that `said` names, or None when it has none such."""
    number = float(said) if _NUMBER.fullmatch(said) else None
    if control.kind == "slider":
        if number is None or not control.start <= number <= control.stop:
            return None
        steps = round((number - control.start) / control.step)
        return min(control.stop, round(control.start + steps * control.step, _DECIMALS))
    for value in control.values:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if (number == value) if is_number else (said == _text(value)):
            return value
    return None
