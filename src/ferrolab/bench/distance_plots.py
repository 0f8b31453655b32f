"""The plots of lesson 3: four over the release height, the objective as noise sees it, the force and the creep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from bokeh.models import ColumnDataSource

from ferrolab.controls import CONTROLS

from . import distance_strings as strings
from .line_plot import Key, LinePlot, LineStyle
from .tokens import tokens

HEIGHT = CONTROLS["release_height"]

#: How far the axis of the release height reaches beyond the slider's ends (m).
PAD = 0.012

#: The contact models and the exact average, as every picture draws them.
STYLES = {
    "hard": LineStyle("exact", "solid", "square", 0),
    "soft": LineStyle("model", "dotted", "triangle", 30),
    "stochastic": LineStyle("fixed", "solid", "circle", 12),
    "smoothed": LineStyle("tolerance", "dashed", "square", 24),
    "average": LineStyle("event", "dotdash", "diamond", 34),
}
KINDS = tuple(STYLES)
MODELS = KINDS[:-1]

#: Heights of the plots in pixels: across the bench, and two side by side.
WIDE_HEIGHT, SMALL_HEIGHT = 180, 180
#: Of a label below an axis.
LABEL_HEIGHT = 16

#: Standard deviations of the noise to each side of the objective's window, and of the tangents drawn in it.
WINDOW, TANGENT = 4.0, 2.2

#: The objective's values (m/s): a landed mass stands, and none falls faster than it can in the horizon.
_VELOCITIES = (-2.35, 0.45)

#: Gaps (cm) the force at a distance is shown at.
_GAPS = (-2.0, 5.0)


def names() -> dict[str, str]:
    """Return what each curve is called."""
    return {**strings.MODELS, "average": strings.AVERAGE}


def over_height(scheme: str, kinds: Sequence[str], y: tuple[float, float], key: Key, height: int, label: str = "") -> LinePlot:
    """Make a plot of `kinds` over the release height, with its axis named by `label`."""
    return LinePlot(
        scheme, {kind: STYLES[kind] for kind in kinds}, names(),
        x=(HEIGHT.start - PAD, HEIGHT.stop + PAD), y=y, height=height, key=key, x_label=label, x_ticks=[0.0, 0.1, 0.2, 0.3, 0.4],
    )  # fmt: skip


class ObjectivePlot(LinePlot):
    """The hard objective around the learner, its average, the samples, and the slopes that each estimate gives."""

    def __init__(self, scheme: str) -> None:
        styles = {
            "step": LineStyle("exact", "solid", "square", 0),
            "average": LineStyle("event", "dotdash", "diamond", 0),
            "zeroth": LineStyle("fixed", [10, 3], "circle", 0),
            "first": LineStyle("soft", "dashed", "square", 0),
        }
        called = {
            "step": strings.STEP_CURVE, "average": strings.EXACT_SLOPE, "zeroth": strings.ZEROTH_SLOPE, "first": strings.FIRST_SLOPE,
        }  # fmt: skip
        self._samples = ColumnDataSource({"x": [], "y": []})
        self._wedge = ColumnDataSource({"x": [], "low": [], "high": []})
        super().__init__(scheme, styles, called, x=(0.2, 0.4), y=_VELOCITIES, height=WIDE_HEIGHT + LABEL_HEIGHT, key=Key(0.02, right=True), x_label=strings.HEIGHT_AXIS)

    def slopes(self, here: float, noise: float, average: float, readout: Mapping[str, Any]) -> None:
        """Draw through (`here` m, `average` m/s) the estimates of `readout`, the zeroth order with its standard error."""
        across = np.array([-1.0, 1.0]) * TANGENT * noise
        first, zeroth, error = (readout[name] for name in ("first_gradient", "zeroth_gradient", "zeroth_error"))
        self.draw("first", here + across, average + first * across)
        self.draw("zeroth", here + across, average + zeroth * across)
        places = np.array([-1.0, 0.0, 1.0]) * TANGENT * noise
        middle = average + zeroth * places
        self._wedge.data = {"x": here + places, "low": middle - error * abs(places), "high": middle + error * abs(places)}

    def samples(self, heights: Sequence[float], velocities: Sequence[float]) -> None:
        """Show samples: release heights (m) and what the hard contact made of them (m/s)."""
        self._samples.data = {"x": np.asarray(heights, dtype=float), "y": np.asarray(velocities, dtype=float)}

    def forget(self) -> None:
        """Take the samples and the estimates made of them away, if there are any."""
        self.clear("first")
        self.clear("zeroth")
        if len(self._wedge.data["x"]):
            self._wedge.data = {"x": [], "low": [], "high": []}
        if len(self._samples.data["x"]):
            self.samples((), ())

    def paint(self, scheme: str) -> None:
        """Recolour the plot for `scheme`."""
        if not hasattr(self, "_band"):  # drawn below everything else
            self._band = self.figure.varea("x", "low", "high", source=self._wedge, fill_alpha=0.22)
            self._points = self.figure.scatter("x", "y", source=self._samples, size=7, fill_alpha=0.35, line_alpha=0.7)
        super().paint(scheme)
        colours = tokens(scheme)
        self._band.glyph.fill_color = colours.fixed
        self._points.glyph.update(fill_color=colours.fixed, line_color=colours.fixed)


def force_plot(scheme: str) -> LinePlot:
    """Make the plot of the share of the impulse over the gap (cm)."""
    low, high = _GAPS
    styles = {"hard": LineStyle("exact", "solid", "square", 0), "smoothed": STYLES["smoothed"]}
    plot = LinePlot(scheme, styles, names(), x=(low, high), y=(-0.06, 1.12), height=SMALL_HEIGHT, key=Key(0.02, right=True), x_label=strings.FORCE_AXIS)
    plot.draw("hard", [low, 0.0, 0.0, high], [1.0, 1.0, 0.0, 0.0])
    return plot


def creep_plot(scheme: str) -> LinePlot:
    """Make the plot of the depth of a mass at rest (mm) over time (s)."""
    styles = {"simulated": STYLES["smoothed"], "closed": LineStyle("event", "dotdash", "diamond", 34)}
    called = {"simulated": strings.CREEP_SIMULATED, "closed": strings.CREEP_CLOSED}
    return LinePlot(scheme, styles, called, x=(0.0, 1.0), y=(0.0, 1.0), height=SMALL_HEIGHT, key=Key(0.02, right=True, bottom=True), x_label=strings.CREEP_AXIS)
