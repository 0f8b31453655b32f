"""The contact force at touch-down, magnified, of both laws: one jumps, the other starts from zero."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource, Range1d, Span
from bokeh.plotting import figure

from . import numerals, strings
from .curve_plot import NAME, bare_figure, numeral_ticks
from .tables import Table, spread, table
from .tokens import tokens

#: (time after touch-down in s, force per unit mass in m/s^2), as `audit.entry.force_near_entry` samples them.
Samples = tuple[np.ndarray, np.ndarray]

_HEIGHT = 220

#: The law in use is drawn boldly, the other for comparison.
_IN_USE, _OTHER = 2.8, 1.4

#: How each law is told apart besides its colour: dash and marker, which every so many samples bear.
_DRESS: dict[str, tuple[Any, str]] = {"kelvin-voigt": ("solid", "circle"), "hunt-crossley": ([7, 4], "triangle")}
_EVERY = 15

#: Where the name of each law stands: share of its samples, side of the point, pixels right and down. A force that
#: rises leaves room above on its left and below on its right.
_NAMES: dict[str, tuple[float, str, int, int]] = {
    "kelvin-voigt": (0.3, "right", -10, -8),
    "hunt-crossley": (0.42, "left", 9, 12),
}


class ForcePlot:
    """The figure and its sources; the law that jumps comes first in `laws`."""

    def __init__(self, scheme: str) -> None:
        self._law = next(iter(_NAMES))
        self.figure: figure = bare_figure(_HEIGHT, x_range=Range1d(-1.0, 1.0), y_range=Range1d(-1.0, 10.0))
        self.figure.xgrid.visible = False
        self.figure.yaxis.formatter = numeral_ticks("0,0")
        self.figure.yaxis.ticker.desired_num_ticks = 4
        self.figure.xaxis.axis_label = strings.FORCE_TIME_AXIS
        self._touch = Span(dimension="height", location=0.0, line_dash=[1, 3], line_width=1.2)
        self.figure.add_layout(self._touch)
        self._sources = {law: ColumnDataSource({"t": [], "f": []}) for law in _NAMES}
        self._lines = {law: self.figure.line("t", "f", source=source, line_dash=_DRESS[law][0]) for law, source in self._sources.items()}
        self._marks = {law: ColumnDataSource({"t": [], "f": []}) for law in _NAMES}
        self._markers = {
            law: self.figure.scatter("t", "f", source=source, marker=_DRESS[law][1], size=6, line_color=None)
            for law, source in self._marks.items()
        }
        self._points = {law: ColumnDataSource({"t": [], "f": [], "text": []}) for law in _NAMES}
        self._labels = {law: self._text(self._points[law], *_NAMES[law][1:]) for law in _NAMES}
        self._jump = ColumnDataSource({"t": [], "f": []})
        self._jump_line = self.figure.line("t", "f", source=self._jump, line_width=6, line_alpha=0.3)
        self._jump_ends = self.figure.scatter("t", "f", source=self._jump, size=8, line_width=2)
        self._jump_point = ColumnDataSource({"t": [], "f": [], "text": []})
        self._jump_label = self._text(self._jump_point, "right", -10, 0)
        self.paint(scheme)

    def _text(self, source: ColumnDataSource, align: str, right: int, down: int) -> Any:
        return self.figure.text(
            "t", "f", source=source, text_align=align, text_baseline="middle", x_offset=right, y_offset=down, **NAME
        )

    def draw(self, law: str, samples: Mapping[str, Samples], jump: float) -> None:
        """Draw the force of each law, `law` in front; `jump` (m/s^2) is that of the spring-damper at entry."""
        self._law = law
        top = max(float(force.max()) for _, force in samples.values())
        for name, (time, force) in samples.items():
            milliseconds = 1e3 * time
            self._sources[name].data = {"t": milliseconds, "f": force}
            self._marks[name].data = {"t": milliseconds[_EVERY // 2 :: _EVERY], "f": force[_EVERY // 2 :: _EVERY]}
            at = int(_NAMES[name][0] * (len(time) - 1))
            self._points[name].data = {"t": milliseconds[[at]], "f": force[[at]], "text": [strings.LAWS[name]]}
            self.figure.x_range.update(start=float(milliseconds[0]), end=float(milliseconds[-1]))
        self.figure.y_range.update(start=-0.07 * top, end=1.1 * top)
        self._jump.data = {"t": [0.0, 0.0], "f": [0.0, jump]}
        text = strings.JUMP_LABEL.format(jump=numerals.count(jump))
        self._jump_point.data = {"t": [0.0], "f": [0.5 * jump], "text": [text]}
        self._paint_laws()

    def table(self) -> Table:
        """Return the force of each law (m/s^2) at a few times (ms) around touch-down."""
        curves = {strings.LAWS[law]: (source.data["t"], source.data["f"]) for law, source in self._sources.items()}
        return table(strings.FORCE_TIME_AXIS, spread(curves), curves)

    def paint(self, scheme: str) -> None:
        """Recolour the plot for `scheme`."""
        self._colours = tokens(scheme)
        self._touch.line_color = self._colours.soft
        self._paint_laws()

    def _paint_laws(self) -> None:
        for law, line in self._lines.items():
            colour = self._colours.model if law == self._law else self._colours.soft
            line.glyph.update(line_color=colour, line_width=_IN_USE if law == self._law else _OTHER)
            self._markers[law].glyph.fill_color = colour
            self._labels[law].glyph.text_color = colour
        jumping = self._colours.event if self._law == next(iter(_NAMES)) else self._colours.soft
        self._jump_line.glyph.line_color = self._jump_ends.glyph.line_color = jumping
        self._jump_ends.glyph.fill_color = self._colours.card
        self._jump_label.glyph.text_color = jumping
