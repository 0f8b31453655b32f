"""The parts of the bench and where they stand; no behaviour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bokeh.models import LayoutDOM

from ferrolab.controls import Control

from . import models, numerals, strings, words
from .error_plot import ErrorPlot
from .flight_plot import FlightPlot
from .tokens import stylesheet


@dataclass(frozen=True)
class Parts:
    """Every model the bench changes, and `root`, the one that holds them all."""

    sign: models.SignLine
    slider: models.StiffnessSlider
    dt: models.Segmented
    stepping: models.ToggleButton
    speed: models.Segmented
    errors: ErrorPlot
    errors_caption: models.Caption
    flight: FlightPlot
    flight_caption: models.Caption
    contact_caption: models.Caption
    table: models.ReadoutTable
    split: models.SplitBars
    announcer: models.Announcer
    pacer: models.Pacer
    root: models.Board


def _board(classes: Sequence[str], *children: LayoutDOM, **properties) -> models.Board:
    return models.Board(
        children=list(children), css_classes=list(classes), sizing_mode="stretch_width", **properties
    )


def build(controls: Mapping[str, Control], speeds: Sequence[float], scheme: str) -> Parts:
    """Make the parts from the declared controls, with nothing computed yet."""
    wide = {"sizing_mode": "stretch_width"}
    stiffness = controls["log_stiffness"]
    sign = models.SignLine(
        title=strings.SIGN_TITLE, returned_label=strings.RETURNED, exact_label=strings.EXACT, **wide
    )
    slider = models.StiffnessSlider(
        label=stiffness.label,
        base=strings.SLIDER_BASE,
        spoken=strings.SLIDER_SPOKEN,
        start=stiffness.start,
        end=stiffness.stop,
        step=stiffness.step,
        value=stiffness.default,
        **wide,
    )
    dt = models.Segmented(label=controls["dt"].label, options=choices(controls["dt"]))
    stepping = models.ToggleButton(legend=strings.STEPPING_LEGEND, label=controls["stepping"].label)
    speed = models.Segmented(
        label=strings.SPEED_LABEL,
        unit=strings.SPEED_UNIT,
        options=[(f"{v:g}", f"{v:g}") for v in speeds],
        value=f"{speeds[0]:g}",
    )
    errors = ErrorPlot(stiffness.start, stiffness.stop, scheme)
    errors_caption = models.Caption(heading=strings.ERRORS_HEADING, note=strings.ERRORS_UNITS, **wide)
    errors_note = models.Caption(note=strings.ERRORS_NOTE, **wide)
    flight = FlightPlot(scheme)
    flight_caption = models.Caption(heading=strings.FLIGHT_HEADING, note=strings.FLIGHT_NOTE, **wide)
    contact_caption = models.Caption(heading=strings.CONTACT_HEADING, note=strings.CONTACT_NOTE, **wide)
    table = models.ReadoutTable(title=strings.READOUT_TITLE, css_classes=["lead"], **wide)
    split = models.SplitBars(title=strings.SPLIT_TITLE, note=strings.SPLIT_NOTE, ticks=words.ticks(), **wide)
    announcer, pacer = models.Announcer(), models.Pacer()

    root = _board(
        ["stack"],
        sign,
        _board(["strip", "padded"], dt, stepping),
        slider,
        _board(["stack", "side"], errors_caption),
        errors.figure,
        _board(["stack", "side", "below"], errors_note),
        _board(
            ["pair", "below"],
            _board(["stack"], _board(["stack", "side"], flight_caption), flight.flight),
            _board(["stack"], _board(["stack", "side"], contact_caption), flight.contact),
        ),
        _board(["flow", "padded", "ruled"], table, _board(["stack", "spaced", "aside"], split, speed)),
        announcer,
        pacer,
        stylesheets=[stylesheet(stiffness.start, stiffness.stop)],
    )
    return Parts(
        sign, slider, dt, stepping, speed, errors, errors_caption, flight, flight_caption,
        contact_caption, table, split, announcer, pacer, root,
    )


def choices(control: Control) -> list[tuple[str, str]]:
    """Return (value, label) pairs of a choice; values are written as they are typed."""
    return [(choice_key(value), label) for value, label in control.options]


def choice_key(value: float | str) -> str:
    """Return the text a segmented button carries for `value`."""
    return value if isinstance(value, str) else numerals.scientific(value)
