"""Height over time, rigid impact and spring, and the contact magnified.

Both plots draw what `audit.trajectory` samples (s and m); the second in ms and
mm around the contact, which at a useful stiffness is far too short and too
shallow to be seen in the first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from bokeh.models import BoxAnnotation, ColumnDataSource, FixedTicker, GlyphRenderer, Range1d, SingleIntervalTicker, Span
from bokeh.plotting import figure

from ferrolab.audit import Trajectory

from . import strings
from .curve_plot import NAME, bare_figure
from .tables import Table, spread, table
from .tokens import tokens

_HEIGHT = 200

#: Heights (m) the flight always has in view.
_FLOOR, _CEILING = -0.14, 1.08

#: Up to this many steps in view, each is drawn as a dot: a coarse step should look coarse.
_MOST_DOTS = 32

_DASH: dict[str, Any] = {"fixed": "solid", "tolerance": [7, 4], "event": "solid"}
_MARKER = {"fixed": "circle", "tolerance": "square", "event": "circle"}

#: The rigid impact is told apart by dash and marker too; every so many samples of a line bear a marker.
_RIGID_DASH, _RIGID_MARKER, _EVERY = "dotdash", "diamond", 32


class FlightPlot:
    """The two figures and their sources."""

    def __init__(self, scheme: str) -> None:
        self._ink = "fixed"
        self._flight = ColumnDataSource({"t": [], "spring": [], "rigid": []})
        self._contact = ColumnDataSource({"t": [], "spring": [], "rigid": []})
        self._steps = ColumnDataSource({"t": [], "spring": []})
        self._names = ColumnDataSource({"t": [], "h": [], "text": []})
        self._rigid_name = ColumnDataSource({"t": [], "h": [], "text": []})
        self._grounds: list[tuple[BoxAnnotation, Span]] = []
        self._rigid: list[GlyphRenderer] = []
        self._spring: list[GlyphRenderer] = []
        self._marks: dict[ColumnDataSource, ColumnDataSource] = {}
        self._spring_marks: list[GlyphRenderer] = []
        self._rigid_marks: list[GlyphRenderer] = []

        self.flight = self._figure(Range1d(0, 1), Range1d(_FLOOR, _CEILING), self._flight)
        self.flight.xaxis.ticker = SingleIntervalTicker(interval=0.2, num_minor_ticks=0)
        self.flight.yaxis.ticker = FixedTicker(ticks=[0, 0.5, 1])
        self.contact = self._figure(Range1d(-1, 1), Range1d(-1, 1), self._contact)
        self._dots = self.contact.scatter("t", "spring", source=self._steps, size=6, line_color=None)
        self._key()
        self._contact_names = self.contact.text(
            "t", "h", source=self._names, text_align="left", text_baseline="middle", **NAME
        )
        self._contact_rigid_name = self.contact.text(
            "t", "h", source=self._rigid_name, text_align="right", text_baseline="middle", x_offset=-10, y_offset=-8, **NAME
        )
        self.paint(scheme)

    def _figure(self, x_range: Range1d, y_range: Range1d, source: ColumnDataSource) -> figure:
        plot = bare_figure(_HEIGHT, x_range=x_range, y_range=y_range)
        plot.xgrid.visible = False
        ground = BoxAnnotation(top=0, line_color=None, fill_alpha=0.55, level="underlay")
        floor = Span(location=0, dimension="width", line_width=1.3, level="underlay")
        plot.add_layout(ground)
        plot.add_layout(floor)
        self._grounds.append((ground, floor))
        self._spring.append(plot.line("t", "spring", source=source, line_width=2.6))
        self._rigid.append(plot.line("t", "rigid", source=source, line_width=1.4, line_dash=_RIGID_DASH))
        marks = ColumnDataSource({"t": [], "spring": [], "rigid": []})
        self._marks[source] = marks
        self._spring_marks.append(plot.scatter("t", "spring", source=marks, size=6, line_color=None))
        self._rigid_marks.append(plot.scatter("t", "rigid", source=marks, size=7, marker=_RIGID_MARKER, line_color=None))
        return plot

    def _key(self) -> None:
        """Name the two lines in the corner the falling mass always leaves empty."""
        ends = {"t": [0.46, 0.46], "h": [0.96, 0.8], "text": [strings.RIGID, strings.SPRING], "ink": ["", ""]}
        self._key_source = ColumnDataSource(ends)
        self._key_lines = [
            self.flight.segment([0.36], [h], [0.43], [h], line_width=width) for h, width in ((0.96, 1.4), (0.8, 2.6))
        ]
        self._key_lines[0].glyph.line_dash = _RIGID_DASH
        self.flight.text(
            "t", "h", source=self._key_source, text_color="ink", text_align="left", text_baseline="middle", **NAME
        )

    def draw(self, flight: Trajectory, contact: Trajectory | None, ink: str) -> None:
        """Draw the whole `flight` and its `contact`; `ink` is the colour key of the spring's route."""
        self._ink = ink
        self.flight.x_range.end = float(flight.time[-1])
        self.flight.y_range.start = min(_FLOOR, 1.12 * float(flight.height.min()))
        self._set(self._flight, flight.time, flight.height, flight.height_rigid)
        if contact is None:
            self._set(self._contact, [], [], [])
            self._steps.data = {"t": [], "spring": []}
            self._names.data = {"t": [], "h": [], "text": []}
            self._rigid_name.data = {"t": [], "h": [], "text": []}
        else:
            self._magnify(contact)
        for line, marks in zip(self._spring, self._spring_marks):
            line.glyph.line_dash, marks.glyph.marker = _DASH[ink], _MARKER[ink]
        self._key_lines[1].glyph.line_dash = _DASH[ink]
        self._paint_route()

    def _set(self, source: ColumnDataSource, time: Any, spring: Any, rigid: Any) -> None:
        """Draw both lines of a plot, and the markers that tell them apart."""
        source.data = {"t": time, "spring": spring, "rigid": rigid}
        chosen = slice(_EVERY // 2, None, _EVERY)
        self._marks[source].data = {"t": time[chosen], "spring": spring[chosen], "rigid": rigid[chosen]}

    def _magnify(self, contact: Trajectory) -> None:
        time = 1e3 * (contact.time - contact.impact_time)
        spring, rigid = 1e3 * contact.height, 1e3 * contact.height_rigid
        low, high = float(spring.min()), float(max(spring.max(), rigid.max()))
        room = 0.1 * (high - low)
        self.contact.x_range.update(start=float(time[0]), end=float(time[-1]))
        self.contact.y_range.update(start=low - room, end=high + room)
        self._set(self._contact, time, spring, rigid)
        steps = np.unique(np.column_stack((time, spring)), axis=0)
        few = self._ink == "fixed" and len(steps) <= _MOST_DOTS
        self._steps.data = {"t": steps[:, 0], "spring": steps[:, 1]} if few else {"t": [], "spring": []}
        # The spring's name stands left of its dip, below the ground, where no line goes.
        edge = float(time[0] + 0.03 * (time[-1] - time[0]))
        self._names.data = {"t": [edge], "h": [0.6 * low], "text": [strings.SPRING]}
        rising = len(time) * 4 // 5
        self._rigid_name.data = {"t": time[[rising]], "h": rigid[[rising]], "text": [strings.RIGID]}

    def flight_table(self) -> Table:
        """Return the heights (m) at a few times (s)."""
        return self._table(self._flight, strings.FLIGHT_TIME)

    def contact_table(self) -> Table:
        """Return the heights (mm) at a few times (ms) from touch-down on."""
        return self._table(self._contact, strings.CONTACT_TIME)

    def _table(self, source: ColumnDataSource, time: str) -> Table:
        names = {"spring": strings.SPRING, "rigid": strings.RIGID}
        curves = {name: (source.data["t"], source.data[kind]) for kind, name in names.items()}
        return table(time, spread(curves), curves)

    def paint(self, scheme: str) -> None:
        """Recolour both plots for `scheme`."""
        self._colours = colours = tokens(scheme)
        for ground, floor in self._grounds:
            ground.fill_color = colours.line
            floor.line_color = colours.soft
        for line in (*self._rigid, self._key_lines[0]):
            line.glyph.line_color = colours.exact
        for marks in self._rigid_marks:
            marks.glyph.fill_color = colours.exact
        self._paint_route()

    def _paint_route(self) -> None:
        colour = getattr(self._colours, self._ink)
        for line in (*self._spring, self._key_lines[1]):
            line.glyph.line_color = colour
        for marks in (*self._spring_marks, self._dots):
            marks.glyph.fill_color = colour
        self._contact_names.glyph.text_color = colour
        self._contact_rigid_name.glyph.text_color = self._colours.exact
        inks = [self._colours.exact, colour]
        if self._key_source.data["ink"] != inks:
            self._key_source.data = {**self._key_source.data, "ink": inks}
