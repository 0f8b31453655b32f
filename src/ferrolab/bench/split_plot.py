"""The three shares of the error over stiffness, log–log, with the slopes they are held against.

Lengths on a logarithmic scale do not add up, so the shares are not stacked: each is a curve of its own, and how far
apart two of them are is how many times one outweighs the other.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from bokeh.models import ColumnDataSource

from . import strings
from .curve_plot import NAME, Curve, CurvePlot, CurveStyle

#: Decades of the axis. What is smaller is drawn nowhere and named at the lower edge.
LOWEST, HIGHEST = -8, 4

_STYLES = {
    "own": CurveStyle("fixed", "solid", "circle", 7, 6.4, -15, "left", 3e-5),
    "event": CurveStyle("event", "solid", "diamond", 10, 2.12, 15, "left", 30.0),
    "contact_model": CurveStyle("model", [2, 3], "triangle", 8, 2.6, -19, "left", 0.1),
}

#: Where a share that is not drawn is named: a decade of stiffness, and a height for each.
_NOTE_AT = 2.12
_NOTES = {"own": 10.0 ** (LOWEST + 1.4), "event": 10.0 ** (LOWEST + 0.4), "contact_model": 10.0 ** (LOWEST + 3.5)}

#: How the share of the steps is drawn under each stepping: colour key, dash, marker.
_STEPPING = {"fixed": ("fixed", "solid", "circle"), "tolerance": ("tolerance", [7, 4], "square")}

#: A guide is drawn so many decades above its curve, over these decades of stiffness with this slope, and only where the
#: curve follows it to within the misfit in decades.
_GUIDE_LIFT, _GUIDE_MISFIT = 0.75, 0.15
_GUIDES = {"event": (5.6, 7.2, 0.5), "contact_model": (6.4, 8.0, -0.5)}


class SplitPlot(CurvePlot):
    """The curves "own" (what the steps did), "event" and "contact_model", and a guide of slope ±1/2 at two of them."""

    def __init__(self, start: float, stop: float, scheme: str) -> None:
        """Build an empty plot over `start` to `stop` decades of stiffness."""
        self._guides: dict[str, list] = {}
        super().__init__(start, stop, scheme, _STYLES, strings.SHARE_CURVES, (LOWEST, HIGHEST), tick_every=2)
        self._guide_sources = {kind: ColumnDataSource({"x": [], "y": [], "text": []}) for kind in _GUIDES}
        for kind, source in self._guide_sources.items():
            self._guides[kind] = [
                self.figure.line("x", "y", source=source, line_width=1.2, line_dash=[5, 3]),
                self.figure.text("x", "y", source=source, y_offset=-9, text_align="center", text_baseline="middle", **NAME),
            ]
        self.paint(scheme)

    def suit(self, stepping: str, name: str) -> None:
        """Dress the curve "own" as that of `stepping` and call it `name`."""
        ink, dash, marker = _STEPPING[stepping]
        self._styles["own"] = replace(_STYLES["own"], ink=ink, dash=dash, marker=marker)
        line, dots, _ = self._parts["own"]
        line.glyph.line_dash, dots.glyph.marker = dash, marker
        self._paint_curve("own")
        label = self._sources["own label"]
        text = [text.replace(self._names["own"], name, 1) for text in label.data["text"]]
        if text != label.data["text"]:
            label.data = {**label.data, "text": text}
        self._names["own"] = name

    def draw(self, kind: str, curve: Curve) -> None:
        """Draw a share; one that is nowhere large enough to be drawn is named instead."""
        share = np.asarray(curve[1], dtype=float)
        known = share[np.isfinite(share)]
        if np.any(known >= 10.0**LOWEST):
            super().draw(kind, curve)
            self._draw_guide(kind, curve)
        else:
            text = strings.NO_CURVE if not known.size else strings.TOO_SMALL if np.any(known) else strings.NOT_DRAWN
            self.note(kind, text.format(label=self._names[kind]), _NOTES[kind])

    def note(self, kind: str, text: str, at: float | None = None) -> None:
        """See `CurvePlot.note`; a curve that is not drawn has no guide either."""
        super().note(kind, text, at)
        label = self._sources[f"{kind} label"]
        label.data = {**label.data, "x": [10.0**_NOTE_AT]}
        if kind in self._guides:
            self._guide_sources[kind].data = {"x": [], "y": [], "text": []}

    def _label_index(self, kind: str, x: np.ndarray, y: np.ndarray) -> int:
        """Return the point nearest to where the name should stand, among those in view."""
        log = np.where(y >= 10.0**LOWEST, np.log10(x), np.inf)
        return int(np.argmin(np.abs(log - self._styles[kind].label_at)))

    def _make_room(self, y: np.ndarray) -> None:
        """The axis stays, so that a share that falls is seen to fall."""

    def _draw_guide(self, kind: str, curve: Curve) -> None:
        """Draw the slope above a curve that follows it, so that the eye can compare."""
        if kind not in self._guides:
            return
        first, last, slope = _GUIDES[kind]
        x, y = (np.log10(np.asarray(values, dtype=float)) for values in curve)
        at = [int(np.argmin(np.abs(x - end))) for end in (first, last)]
        follows = abs(y[at[1]] - y[at[0]] - slope * (x[at[1]] - x[at[0]])) < _GUIDE_MISFIT
        ends = np.array([first, 0.5 * (first + last), last]) if follows else np.array([])
        self._guide_sources[kind].data = {
            "x": 10.0**ends,
            "y": 10.0 ** (y[at[0]] + _GUIDE_LIFT + (ends - x[at[0]]) * slope),
            "text": ["", strings.GUIDES[kind], ""] if follows else [],
        }

    def paint(self, scheme: str) -> None:
        """Recolour the plot for `scheme`."""
        super().paint(scheme)
        for line, name in self._guides.values():
            line.glyph.line_color = name.glyph.text_color = self._colours.soft
            name.glyph.text_font_style = "normal"
