"""Curves over a linear axis, told apart by dash and marker as well as by colour, with their key inside the frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from bokeh.core.properties import value
from bokeh.models import ColumnDataSource, FixedTicker, Range1d, Span
from bokeh.plotting import figure

from .curve_plot import ABOVE, bare_figure
from .tables import Table, spread, table
from .tokens import SANS, tokens

#: Name of the axes from 0 to 1 over the frame, on which the key and the strip stand.
_FRAME = "frame"

#: Pixels of a plot's height that are not its frame: tick labels, and the label of the axis where there is one.
_AROUND, _AXIS_LABEL = 30, 16

#: Pixels between two lines of the key.
_KEY_STEP = 16

#: Line widths: the chosen curve, the others.
_CHOSEN, _OTHER = 3.0, 1.7

#: Widths of an axis of values that starts or ends where it must: mantissas.
_NICE = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


@dataclass(frozen=True)
class LineStyle:
    """How a curve is drawn: colour key, dash, marker; a marker stands at every so many points, none at 0."""

    ink: str
    dash: Any
    marker: str
    every: int = 20


@dataclass(frozen=True)
class Key:
    """Where the key stands: `inset`, a share of the frame's width, from the left or, with `right`, from the right.

    It hangs from the top or, with `bottom`, stands on the bottom. Names run away from the edge it stands at, so that
    on a narrow screen they are not cut off.
    """

    inset: float
    right: bool = False
    bottom: bool = False

    def across(self, share: float) -> float:
        """Return the place that lies `share` of the frame's width further in."""
        return 1.0 - self.inset - share if self.right else self.inset + share


class LinePlot:
    """The figure and its sources; every method changes the picture in place."""

    def __init__(
        self, scheme: str, styles: Mapping[str, LineStyle], names: Mapping[str, str], *,
        x: tuple[float, float], y: tuple[float, float], height: int, key: Key,
        x_label: str = "", x_ticks: Sequence[float] | None = None,
    ) -> None:  # fmt: skip
        """Build an empty plot over the ranges `x` and `y`; `styles` and `names` hold the curves by kind."""
        self._styles, self._names = dict(styles), dict(names)
        self._chosen: str | None = None
        self.figure: figure = bare_figure(height, x_range=Range1d(*x), y_range=Range1d(*y))
        self.figure.extra_x_ranges = {_FRAME: Range1d(0.0, 1.0)}
        self.figure.extra_y_ranges = {_FRAME: Range1d(0.0, 1.0)}
        self._inside = height - _AROUND - (_AXIS_LABEL if x_label else 0)
        if x_label:
            self.figure.xaxis.axis_label = x_label
        if x_ticks is not None:
            self.figure.xaxis.ticker = FixedTicker(ticks=list(x_ticks))
        self.figure.yaxis.ticker.desired_num_ticks = 4
        self._visits = ColumnDataSource({"left": [], "right": []})
        self._strip = self.figure.quad(
            "left", "right", 0.0, 0.025, source=self._visits, line_color=None, fill_alpha=0.45, y_range_name=_FRAME
        )
        self._here_line = Span(dimension="height", location=x[0], line_dash=[1, 3], line_width=1.5, level=ABOVE)
        self.figure.add_layout(self._here_line)
        self._sources = {kind: ColumnDataSource({"x": [], "y": []}) for kind in self._styles}
        self._dots = {kind: ColumnDataSource({"x": [], "y": []}) for kind in self._styles}
        self._lines: dict[str, list[Any]] = {}
        for place, kind in enumerate(self._styles):
            self._add_curve(kind, place, key)
        self._here = ColumnDataSource({"x": [], "y": [], "marker": [], "ink": []})
        self._here_kinds: list[str] = []
        self._here_marks = self.figure.scatter(
            "x", "y", source=self._here, marker="marker", size=9, line_width=1.8, level=ABOVE
        )
        self.paint(scheme)

    def _add_curve(self, kind: str, place: int, key: Key) -> None:
        style, sample = self._styles[kind], {"x_range_name": _FRAME, "y_range_name": _FRAME}
        rows = len(self._styles)
        down = _KEY_STEP / self._inside
        level = 1.0 - (place + 0.7) * down if not key.bottom else (rows - place - 0.5) * down + 0.03
        line, dots = self._sources[kind], self._dots[kind]
        self._lines[kind] = [
            self.figure.line("x", "y", source=line, line_width=_OTHER, line_dash=style.dash),
            self.figure.scatter("x", "y", source=dots, marker=style.marker, size=6, line_color=None),
            self.figure.line([key.across(0.0), key.across(0.07)], [level, level], line_width=_OTHER, line_dash=style.dash, **sample),
            self.figure.scatter([key.across(0.035)], [level], marker=style.marker, size=6 if style.every else 0, line_color=None, **sample),
            self.figure.text(
                [key.across(0.085)], [level], [self._names[kind]], text_baseline="middle", text_font=value(SANS),
                text_align="right" if key.right else "left", text_font_size="11px", text_font_style="bold", **sample,
            ),
        ]  # fmt: skip

    def draw(self, kind: str, x: Sequence[float], y: Sequence[float]) -> None:
        """Draw the curve of `kind`."""
        x, y, every = np.asarray(x, dtype=float), np.asarray(y, dtype=float), self._styles[kind].every
        self._sources[kind].data = {"x": x, "y": y}
        chosen = slice(every // 2, None, every) if every else slice(0, 0)
        self._dots[kind].data = {"x": x[chosen], "y": y[chosen]}

    def table(self, place: str) -> Table:
        """Return the values of the curves at a few places; `place` names what they are places of."""
        curves = {self._names[kind]: (source.data["x"], source.data["y"]) for kind, source in self._sources.items()}
        return table(place, spread(curves), curves)

    def clear(self, kind: str) -> None:
        """Take the curve of `kind` away, if there is one."""
        if len(self._sources[kind].data["x"]):
            self.draw(kind, (), ())

    def mark(self, x: float, marks: Mapping[str, float | None], chosen: str | None) -> None:
        """Mark the learner's position `x` on each curve with the value read there; `chosen` is drawn boldly."""
        self._marked = x, [(kind, read) for kind, read in marks.items() if read is not None]
        self._here_line.location = x
        self._put_marks()
        if chosen != self._chosen:
            self._chosen = chosen
            for kind, (line, *_) in self._lines.items():
                line.glyph.line_width = _CHOSEN if kind == chosen else _OTHER

    _marked: tuple[float, list[tuple[str, float]]] = (0.0, [])

    def _put_marks(self) -> None:
        """Put the marks that lie in the frame, beyond which nothing cuts them off."""
        (x, marks), across, up = self._marked, self.figure.x_range, self.figure.y_range
        inside = across.start <= x <= across.end
        known = [(kind, read) for kind, read in marks if inside and up.start <= read <= up.end]
        self._here_kinds = [kind for kind, _ in known]
        data = {
            "x": [x] * len(known),
            "y": [read for _, read in known],
            "marker": [self._styles[kind].marker for kind, _ in known],
            "ink": self._here_inks(),
        }
        if data != dict(self._here.data):  # a move need not repaint what it does not move
            self._here.data = data

    def _here_inks(self) -> list[str]:
        return [getattr(self._colours, self._styles[kind].ink) for kind in self._here_kinds]

    def visit(self, places: Iterable[float], half: float) -> None:
        """Draw the strip on the axis at `places`, each reaching `half` to both sides."""
        runs: list[list[float]] = []
        for place in sorted(places):
            if runs and place - half <= runs[-1][1]:
                runs[-1][1] = place + half
            else:
                runs.append([place - half, place + half])
        self._visits.data = {"left": [left for left, _ in runs], "right": [right for _, right in runs]}

    def span(self, low: float, high: float) -> None:
        """Show the values from `low` to `high`."""
        self.figure.y_range.update(start=low, end=high)
        self._put_marks()

    def window(self, low: float, high: float) -> None:
        """Show the places from `low` to `high`."""
        self.figure.x_range.update(start=low, end=high)
        self._put_marks()

    def paint(self, scheme: str) -> None:
        """Recolour the plot for `scheme`."""
        self._colours = colours = tokens(scheme)
        for kind, (line, dots, sample, mark, name) in self._lines.items():
            colour = getattr(colours, self._styles[kind].ink)
            for glyph in (line.glyph, sample.glyph):
                glyph.line_color = colour
            for glyph in (dots.glyph, mark.glyph):
                glyph.fill_color = colour
            name.glyph.text_color = colour
        self._strip.glyph.fill_color = colours.accent
        self._here_line.line_color = colours.ink
        self._here_marks.glyph.update(line_color=colours.ink, fill_color="ink")
        self._here.data = {**self._here.data, "ink": self._here_inks()}


def nice(largest: float) -> float:
    """Return a round number not below `largest`, which is above zero."""
    power = 10.0 ** np.floor(np.log10(largest))
    return float(power * next(one for one in _NICE if one >= largest / power - 1e-9))
