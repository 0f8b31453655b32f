"""Curves over stiffness, log–log, as every view draws them.

Each curve is named beside itself and told apart by dash and marker as well as by colour. The learner's position is a
vertical line with a mark on each curve; the strip on the axis is where they have been.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.core.enums import NumeralLanguage
from bokeh.core.properties import value
from bokeh.models import ColumnDataSource, FixedTicker, LinearAxis, NumeralTickFormatter, Range1d, Span
from bokeh.plotting import figure

from . import strings
from .tables import Table, decade, table
from .tokens import AXIS_PAD, SANS, tokens

#: A curve as the core gives it: stiffness (1/s^2) and value, NaN where there is none.
Curve = tuple[Sequence[float], Sequence[float]]

#: Half the width, in decades, of the mark a visited place leaves on the axis.
_VISIT = 0.03

#: Decades the frame reaches above its highest tick.
_HEADROOM = 0.25

_HEIGHT = 280

#: The level of what moves with the learner: a layer of its own, so that a move does not draw the curves anew.
ABOVE = "overlay"

#: How every name on a plot is set.
NAME = {"text": "text", "text_font": value(SANS), "text_font_size": "12px", "text_font_style": "bold"}


@dataclass(frozen=True)
class CurveStyle:
    """How one curve is drawn: colour key, dash, marker, and where its name stands.

    `label_at` is a decade of stiffness, `label_up` pixels above the curve there, `pending_at` the height at which the
    name waits for its curve.
    """

    ink: str
    dash: Any
    marker: str
    size: float
    label_at: float
    label_up: float
    label_align: str
    pending_at: float


def bare_figure(height: int, **ranges: Any) -> figure:
    """Make a figure without tools. Its canvas must not take the focus: the picture is described beside it."""
    plot = figure(
        height=height,
        sizing_mode="stretch_width",
        tools="",
        toolbar_location=None,
        html_attributes={"inert": "", "aria-hidden": "true"},
        **ranges,
    )
    if strings.number(".") != ".":
        for axis in plot.axis:
            if isinstance(axis, LinearAxis):
                axis.formatter = numeral_ticks("0.[0000]")
    return plot


def numeral_ticks(form: str) -> NumeralTickFormatter:
    """Return what writes ticks as `form` says, in the language in use where Bokeh knows its numbers."""
    language = strings.in_use()["language"]
    return NumeralTickFormatter(format=form, language=language if language in NumeralLanguage else "en")


class CurvePlot:
    """The figure and its sources; every method changes the picture in place."""

    def __init__(
        self, start: float, stop: float, scheme: str, styles: Mapping[str, CurveStyle], names: Mapping[str, str],
        decades: tuple[int, int], tick_every: int = 1,
    ) -> None:  # fmt: skip
        """Build an empty plot over `start` to `stop` decades of stiffness and `decades` of values.

        `styles` and `names` hold the curves by kind; `tick_every` is the distance of two ticks in decades.
        """
        self._styles, self._names, self._tick_every = dict(styles), dict(names), tick_every
        self._low, self._high = decades
        self._start, self._stop = start, stop
        self._range = Range1d(10.0**self._low, 10.0 ** (self._high + _HEADROOM))
        self.figure = bare_figure(
            _HEIGHT,
            x_axis_type="log",
            y_axis_type="log",
            x_range=Range1d(10.0 ** (start - AXIS_PAD), 10.0 ** (stop + AXIS_PAD)),
            y_range=self._range,
        )
        self.figure.xaxis.ticker = FixedTicker(ticks=[10.0**d for d in range(int(np.ceil(start)), int(np.floor(stop)) + 1)])
        self.figure.xaxis.axis_label = strings.STIFFNESS_AXIS
        self._tick_values()
        self._visits = ColumnDataSource({"left": [], "right": [], "bottom": [], "top": []})
        self._strip = self.figure.quad("left", "right", "bottom", "top", source=self._visits, line_color=None, fill_alpha=0.45)
        self._here_line = Span(dimension="height", location=10.0**start, line_dash=[1, 3], line_width=1.5, level=ABOVE)
        self.figure.add_layout(self._here_line)
        self._sources: dict[str, ColumnDataSource] = {}
        self._parts: dict[str, list] = {}
        for kind in self._styles:
            self._add_curve(kind)
        self._here = ColumnDataSource({"x": [], "y": [], "marker": [], "ink": []})
        self._here_kinds: list[str] = []
        self._here_marks = self.figure.scatter("x", "y", source=self._here, marker="marker", size=13, line_width=2.5, level=ABOVE)
        self.paint(scheme)

    def _add_curve(self, kind: str) -> None:
        style = self._styles[kind]
        line = ColumnDataSource({"x": [], "y": []})
        dots = ColumnDataSource({"x": [], "y": []})
        label = ColumnDataSource({"x": [], "y": [], "text": []})
        self._sources |= {kind: line, f"{kind} dots": dots, f"{kind} label": label}
        self._parts[kind] = [
            self.figure.line("x", "y", source=line, line_width=2.2, line_dash=style.dash),
            self.figure.scatter("x", "y", source=dots, marker=style.marker, size=style.size, line_color=None),
            self.figure.text(
                "x", "y", source=label, y_offset=-style.label_up, text_align=style.label_align, text_baseline="middle", **NAME
            ),
        ]
        self.clear(kind)

    def clear(self, kind: str) -> None:
        """Show the curve of `kind` as not computed yet: its name, an ellipsis, no line."""
        self.note(kind, strings.PENDING_CURVE.format(label=self._names[kind]))

    def note(self, kind: str, text: str, at: float | None = None) -> None:
        """Write `text` in place of the curve of `kind`, at the value `at` or where its name waits."""
        style = self._styles[kind]
        self._sources[kind].data = {"x": [], "y": []}
        self._sources[f"{kind} dots"].data = {"x": [], "y": []}
        place = style.pending_at if at is None else at
        self._sources[f"{kind} label"].data = {"x": [10.0**style.label_at], "y": [place], "text": [text]}

    def draw(self, kind: str, curve: Curve) -> None:
        """Draw the curve of `kind`; points without a value are left out of the line."""
        x, y = (np.asarray(values, dtype=float) for values in curve)
        y = np.where(y > 0, y, np.nan)
        self._make_room(y)
        decade = np.abs(np.log10(x) - np.round(np.log10(x))) < 1e-6
        nearest = self._label_index(kind, x, y)
        self._sources[kind].data = {"x": x, "y": y}
        self._sources[f"{kind} dots"].data = {"x": x[decade], "y": y[decade]}
        self._sources[f"{kind} label"].data = {
            "x": x[nearest : nearest + 1],
            "y": y[nearest : nearest + 1],
            "text": [self._names[kind]],
        }

    def table(self) -> Table:
        """Return the values of the curves at whole decades of stiffness."""
        curves = {self._names[kind]: (np.log10(self._sources[kind].data["x"]), self._sources[kind].data["y"]) for kind in self._styles}
        return table(strings.STIFFNESS_AXIS, np.arange(np.ceil(self._start), self._stop + 0.5), curves, decade)

    def _label_index(self, kind: str, x: np.ndarray, y: np.ndarray) -> int:
        """Return at which point of the curve its name stands."""
        return int(np.argmin(np.abs(np.log10(x) - self._styles[kind].label_at)))

    def _make_room(self, y: np.ndarray) -> None:
        """Widen the axis of values to whole decades when a curve needs it; never narrow it."""
        known = y[np.isfinite(y)]
        if known.size == 0:
            return
        before = self._low, self._high
        self._low = min(self._low, int(np.floor(np.log10(known.min()))))
        self._high = max(self._high, int(np.ceil(np.log10(known.max()) - 0.2)))
        if (self._low, self._high) == before:
            return
        self._range.update(start=10.0**self._low, end=10.0 ** (self._high + _HEADROOM))
        self._tick_values()
        self._lift_strip()
        self._put_marks()

    def _tick_values(self) -> None:
        self.figure.yaxis.ticker = FixedTicker(ticks=[10.0**d for d in range(self._low, self._high + 1, self._tick_every)])

    def mark(self, stiffness: float, marks: Iterable[tuple[str, float | None]]) -> None:
        """Mark the learner's position, `stiffness` (1/s^2), with the value read there on each curve named."""
        self._marked = stiffness, [(kind, read) for kind, read in marks if read]
        self._here_line.location = stiffness
        self._put_marks()

    _marked: tuple[float, list[tuple[str, float]]] = (1.0, [])

    def _put_marks(self) -> None:
        """Put the marks that lie in the frame, beyond which nothing cuts them off."""
        stiffness, marks = self._marked
        known = [(kind, read) for kind, read in marks if self._range.start <= read <= self._range.end]
        self._here_kinds = [kind for kind, _ in known]
        self._here.data = {
            "x": [stiffness] * len(known),
            "y": [read for _, read in known],
            "marker": [self._styles[kind].marker for kind, _ in known],
            "ink": self._here_inks(),
        }

    def _here_inks(self) -> list[str]:
        return [getattr(self._colours, self._styles[kind].ink) for kind in self._here_kinds]

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
        # As thick on a tall axis as on a short one.
        thickness = 0.02 * (self._high + _HEADROOM - self._low)
        self._visits.data = {
            "left": [10.0**left for left, _ in self._runs],
            "right": [10.0**right for _, right in self._runs],
            "bottom": [bottom] * len(self._runs),
            "top": [bottom * 10**thickness] * len(self._runs),
        }

    def paint(self, scheme: str) -> None:
        """Recolour the plot for `scheme`."""
        self._colours = colours = tokens(scheme)
        for kind in self._parts:
            self._paint_curve(kind)
        self._strip.glyph.fill_color = colours.accent
        self._here_line.line_color = colours.ink
        self._here_marks.glyph.line_color = colours.ink
        self._here_marks.glyph.fill_color = "ink"
        self._here.data = {**self._here.data, "ink": self._here_inks()}

    def _paint_curve(self, kind: str) -> None:
        line, dots, label = self._parts[kind]
        colour = getattr(self._colours, self._styles[kind].ink)
        line.glyph.line_color = colour
        dots.glyph.fill_color = colour
        label.glyph.text_color = colour
