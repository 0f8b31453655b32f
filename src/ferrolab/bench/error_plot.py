"""The picture of the lesson: three errors against stiffness, log–log.

Gradient error of the fixed step (solid, dots), gradient error under a tolerance
(dashed, squares) and forward error (dotted, triangles), each named beside its
curve; the learner's position and the places they have been.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.core.properties import value
from bokeh.models import ColumnDataSource, FixedTicker, Range1d, Span
from bokeh.plotting import figure

from . import strings
from .tokens import AXIS_PAD, SANS, tokens

#: A curve as the core gives it: stiffness (1/s^2) and error, NaN where there is none.
Curve = tuple[Sequence[float], Sequence[float]]

#: Decades of the error axis before any curve asks for more.
_ERROR_DECADES = (-4, 3)

#: Half the width, in decades, of the mark a visited place leaves on the axis.
_VISIT = 0.03

_HEIGHT = 280


@dataclass(frozen=True)
class _Style:
    dash: Any
    marker: str
    size: float
    #: Where the label stands: decade of stiffness, pixels above the curve, alignment.
    label_at: float
    label_up: float
    label_align: str


_STYLES = {
    "trajectory": _Style([2, 3], "triangle", 8, 2.12, 13, "left"),
    "tolerance": _Style([7, 4], "square", 6, 5.25, -15, "right"),
    "fixed": _Style("solid", "circle", 7, 5.25, 13, "right"),
}


class ErrorPlot:
    """The figure and its sources; every method changes the picture in place."""

    def __init__(self, start: float, stop: float, scheme: str) -> None:
        """Build an empty plot over `start` to `stop` decades of stiffness."""
        self._decades = range(int(np.ceil(start)), int(np.floor(stop)) + 1)
        self._low, self._high = _ERROR_DECADES
        self._kind = "fixed"
        self._range = Range1d(10.0**self._low, 10.0 ** (self._high + 0.25))
        self.figure = figure(
            x_axis_type="log",
            y_axis_type="log",
            x_range=Range1d(10.0 ** (start - AXIS_PAD), 10.0 ** (stop + AXIS_PAD)),
            y_range=self._range,
            height=_HEIGHT,
            sizing_mode="stretch_width",
            tools="",
            toolbar_location=None,
            # The picture is described beside it; its canvas must not take the focus.
            html_attributes={"inert": "", "aria-hidden": "true"},
        )
        self.figure.xaxis.ticker = FixedTicker(ticks=[10.0**d for d in self._decades])
        self.figure.xaxis.axis_label = strings.STIFFNESS_AXIS
        self._tick_errors()
        self._visits = ColumnDataSource({"left": [], "right": [], "bottom": [], "top": []})
        self._strip = self.figure.quad("left", "right", "bottom", "top", source=self._visits, line_color=None, fill_alpha=0.45)
        self._here_line = Span(dimension="height", location=10.0**start, line_dash=[1, 3], line_width=1.5)
        self.figure.add_layout(self._here_line)
        self._sources: dict[str, ColumnDataSource] = {}
        self._parts: dict[str, list] = {}
        for kind in _STYLES:
            self._add_curve(kind)
        self._here = ColumnDataSource({"x": [], "y": [], "marker": [], "ink": []})
        self._here_marks = self.figure.scatter("x", "y", source=self._here, marker="marker", size=13, line_width=2.5)
        self.paint(scheme)

    def _add_curve(self, kind: str) -> None:
        style = _STYLES[kind]
        line = ColumnDataSource({"x": [], "y": []})
        dots = ColumnDataSource({"x": [], "y": []})
        label = ColumnDataSource({"x": [], "y": [], "text": []})
        self._sources |= {kind: line, f"{kind} dots": dots, f"{kind} label": label}
        self._parts[kind] = [
            self.figure.line("x", "y", source=line, line_width=2.2, line_dash=style.dash),
            self.figure.scatter("x", "y", source=dots, marker=style.marker, size=style.size, line_color=None),
            self.figure.text(
                "x",
                "y",
                source=label,
                text="text",
                y_offset=-style.label_up,
                text_align=style.label_align,
                text_baseline="middle",
                text_font=value(SANS),
                text_font_size="12px",
                text_font_style="bold",
            ),
        ]
        self.clear(kind)

    def clear(self, kind: str) -> None:
        """Show the curve of `kind` as not computed yet: its name, an ellipsis, no line."""
        at = {"trajectory": 0.5, "tolerance": 0.02, "fixed": 10.0}[kind]
        text = strings.PENDING_CURVE.format(label=strings.CURVES[kind])
        self._sources[kind].data = {"x": [], "y": []}
        self._sources[f"{kind} dots"].data = {"x": [], "y": []}
        self._sources[f"{kind} label"].data = {"x": [10.0 ** _STYLES[kind].label_at], "y": [at], "text": [text]}

    def draw(self, kind: str, curve: Curve) -> None:
        """Draw the curve of `kind`; points without a value are left out of the line."""
        x, y = (np.asarray(values, dtype=float) for values in curve)
        y = np.where(y > 0, y, np.nan)
        self._make_room(y)
        decade = np.abs(np.log10(x) - np.round(np.log10(x))) < 1e-6
        nearest = int(np.argmin(np.abs(np.log10(x) - _STYLES[kind].label_at)))
        self._sources[kind].data = {"x": x, "y": y}
        self._sources[f"{kind} dots"].data = {"x": x[decade], "y": y[decade]}
        self._sources[f"{kind} label"].data = {
            "x": x[nearest : nearest + 1],
            "y": y[nearest : nearest + 1],
            "text": [strings.CURVES[kind]],
        }

    def _make_room(self, y: np.ndarray) -> None:
        """Widen the error axis to whole decades when a curve needs it; never narrow it."""
        known = y[np.isfinite(y)]
        if known.size == 0:
            return
        self._low = min(self._low, int(np.floor(np.log10(known.min()))))
        self._high = max(self._high, int(np.ceil(np.log10(known.max()) - 0.2)))
        self._range.update(start=10.0**self._low, end=10.0 ** (self._high + 0.25))
        self._tick_errors()
        self._lift_strip()

    def _tick_errors(self) -> None:
        self.figure.yaxis.ticker = FixedTicker(ticks=[10.0**d for d in range(self._low, self._high + 1)])

    def move(self, kind: str, stiffness: float, gradient: float | None, forward: float | None) -> None:
        """Mark the learner's position: `stiffness` (1/s^2) and the two errors read there.

        `kind` is the curve the gradient error belongs to, "fixed" or "tolerance".
        """
        self._kind = kind
        marks = [
            (error, _STYLES[curve].marker, curve)
            for error, curve in ((forward, "trajectory"), (gradient, kind))
            if error
        ]
        self._here_line.location = stiffness
        self._here.data = {
            "x": [stiffness] * len(marks),
            "y": [error for error, _, _ in marks],
            "marker": [marker for _, marker, _ in marks],
            "ink": [getattr(self._colours, curve) for _, _, curve in marks],
        }

    def visit(self, log_stiffness: Iterable[float]) -> None:
        """Draw the strip on the axis at the places given in decades."""
        runs: list[list[float]] = []
        for place in sorted(log_stiffness):
            if runs and place - _VISIT <= runs[-1][1]:
                runs[-1][1] = place + _VISIT
            else:
                runs.append([place - _VISIT, place + _VISIT])
        self._runs = runs
        self._lift_strip()

    _runs: list[list[float]] = []

    def _lift_strip(self) -> None:
        bottom = 10.0**self._low
        self._visits.data = {
            "left": [10.0**left for left, _ in self._runs],
            "right": [10.0**right for _, right in self._runs],
            "bottom": [bottom] * len(self._runs),
            "top": [bottom * 10**0.16] * len(self._runs),
        }

    def paint(self, scheme: str) -> None:
        """Recolour the plot for `scheme`."""
        self._colours = colours = tokens(scheme)
        for kind, (line, dots, label) in self._parts.items():
            colour = getattr(colours, kind)
            line.glyph.line_color = colour
            dots.glyph.fill_color = colour
            label.glyph.text_color = colour
        self._strip.glyph.fill_color = colours.accent
        self._here_line.line_color = colours.ink
        self._here_marks.glyph.line_color = colours.ink
        self._here_marks.glyph.fill_color = "ink"
        self._repaint_marks()

    def _repaint_marks(self) -> None:
        data: Mapping[str, Any] = self._here.data
        kind_of = {_STYLES[kind].marker: kind for kind in _STYLES}
        inks = [getattr(self._colours, kind_of[marker]) for marker in data["marker"]]
        self._here.data = {**data, "ink": inks}
