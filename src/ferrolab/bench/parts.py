"""The parts every view has, and how parts are put on a board; no behaviour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bokeh.models import LayoutDOM

from ferrolab.controls import CONTROLS, Control

from . import models, numerals, strings
from .tokens import stylesheet

#: What a part says that takes the width it is given.
WIDE = {"sizing_mode": "stretch_width"}


@dataclass(frozen=True)
class Common:
    """What each view has: the sign line, the controls of every lesson, the live region and the pacer."""

    sign: models.SignLine
    slider: models.StiffnessSlider
    dt: models.Segmented
    stepping: models.ToggleButton
    announcer: models.Announcer
    pacer: models.Pacer


def common(exact_label: str | None = None) -> Common:
    """Make the common parts from the declared controls, with nothing computed yet."""
    stiffness = CONTROLS["log_stiffness"]
    exact_label = exact_label or strings.EXACT
    sign = models.SignLine(title=strings.SIGN_TITLE, returned_label=strings.RETURNED, exact_label=exact_label, **WIDE)
    slider = models.StiffnessSlider(
        label=strings.label(stiffness),
        decimal=strings.number("."),
        base=strings.SLIDER_BASE,
        spoken=strings.SLIDER_SPOKEN,
        start=stiffness.start,
        end=stiffness.stop,
        step=stiffness.step,
        value=stiffness.default,
        **WIDE,
    )
    stepping = toggle(CONTROLS["stepping"], strings.STEPPING_LEGEND)
    return Common(sign, slider, segmented(CONTROLS["dt"]), stepping, models.Announcer(), models.Pacer())


def segmented(control: Control) -> models.Segmented:
    """Make the radio group of a choice."""
    return models.Segmented(label=strings.label(control), options=choices(control), value=choice_key(control.default))


def toggle(control: Control, legend: str) -> models.ToggleButton:
    """Make the button of a toggle; `legend` stands above it."""
    return models.ToggleButton(legend=legend, label=strings.label(control))


def board(classes: Sequence[str], *children: LayoutDOM, **properties) -> models.Board:
    """Put parts on a board arranged as `classes` say (see models_js/board.js)."""
    return models.Board(children=list(children), css_classes=list(classes), **WIDE, **properties)


def root(*children: LayoutDOM) -> models.Board:
    """Put the parts of a whole bench on the board that carries its colours."""
    stiffness = CONTROLS["log_stiffness"]
    return board(["stack"], *children, stylesheets=[stylesheet(stiffness.start, stiffness.stop)])


def choices(control: Control) -> list[tuple[str, str]]:
    """Return (value, label) pairs of a choice; values are written as they are typed."""
    return [(choice_key(value), label) for value, label in strings.options(control)]


def choice_key(value: float | str) -> str:
    """Return the text a segmented button carries for `value`."""
    return value if isinstance(value, str) else numerals.scientific(value)
