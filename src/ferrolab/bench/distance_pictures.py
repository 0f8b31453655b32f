"""What lesson 3 draws: the curves over the release height, the objective under noise, the force and the creep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ferrolab import smoothing

from . import distance_strings as strings
from . import distance_words
from .distance_plots import WINDOW, names
from .line_plot import nice
from .view import Job

if TYPE_CHECKING:
    from .views.forces_at_a_distance import Parts

#: The four pictures over the release height: the plot's name among the parts and the quantity drawn.
OVER_HEIGHT = {
    "velocity": "velocity",
    "slope": "velocity_gradient",
    "height": "height",
    "height_slope": "height_gradient",
}

#: The readout's name of each drawn quantity, behind the model's name.
_READ = {
    "velocity": "final_velocity", "velocity_gradient": "velocity_gradient",
    "height": "final_height", "height_gradient": "height_gradient",
}  # fmt: skip

#: The models whose curves are exact; the stochastic one is drawn as its samples come in.
_EXACT = ("hard", "soft", "smoothed")

#: Headroom above the steepest slope shown.
_ROOM = 1.15

#: The plots of each piece of drawing, in the order of the screen: so much is drawn before a move is looked at again.
_PIECES = (("velocity",), ("slope",), ("objective",), ("height", "height_slope"), ("force", "creep"))

#: The plots whose marks move with the learner at once; the others follow.
_NEAR = ("velocity", "slope")

#: The plots that samples have a say on.
_SAMPLED = (*OVER_HEIGHT, "objective")

Curve = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Shown:
    """What the pictures are to show: a readout and, once there are samples, what belongs to it to draw."""

    settings: smoothing.Settings
    readout: dict[str, Any]
    refined: smoothing.Refined | None = None

    @property
    def key(self) -> Any:
        """What sets this one apart from others."""
        return self.settings, self.readout["drawn"], self.readout["complete"]


class DistancePictures:
    """The plots of the view, brought up to what is to be shown a piece at a time."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._pieces = list(_PIECES)
        self._drawn: dict[tuple[str, str], Any] = {}
        self._curves: dict[str, dict[str, Curve]] = {name: {} for name in OVER_HEIGHT}

    def begin(self, shown: Shown) -> None:
        """Show at once what a move must not wait for: the nearest marks, and no sample of another place."""
        for plot in _NEAR:
            self._mark(plot, shown)
        if shown.refined is None:
            self._parts.objective.forget()
            self._drawn.pop(("objective", "estimates"), None)

    def job(self, shown: Shown) -> Job | None:
        """Return the job that draws the piece which has waited longest, or None when all show what they are to show."""
        for piece in self._pieces:
            if any(self._behind(plot, shown) for plot in piece):
                return lambda: self._bring_up(piece, shown)
        return None

    def _bring_up(self, piece: tuple[str, ...], shown: Shown) -> None:
        self._pieces.remove(piece)
        self._pieces.append(piece)
        for plot in piece:
            for what, key in self._behind(plot, shown).items():
                self._draw(plot, what, shown)
                self._drawn[plot, what] = key

    def _behind(self, plot: str, shown: Shown) -> dict[str, Any]:
        """Return what on a plot is behind, each with what it will have been drawn from."""
        return {what: key for what, key in self._wanted(plot, shown).items() if self._drawn.get((plot, what)) != key}

    def _wanted(self, plot: str, shown: Shown) -> dict[str, Any]:
        """Return what is on a plot, each with what it depends on; the place comes last, it stands on the curves."""
        s, refined = shown.settings, shown.refined
        wanted: dict[str, Any] = {}
        if plot in OVER_HEIGHT:
            wanted = {"hard": s.dt, "soft": s.dt, "smoothed": (s.kappa, s.dt)}
            if plot in _NEAR:
                wanted["average"] = (s.noise, s.dt)
            if refined:
                wanted["stochastic"] = (s.noise, s.dt, s.samples, refined.curve.drawn)
        elif plot == "objective":
            wanted = {"step": (s.release_height, s.noise, s.dt)}
            if refined:
                wanted["estimates"] = (s, refined.curve.drawn)
        elif plot == "force":
            wanted = {"force": s.kappa}
        else:
            wanted = {"creep": (s.kappa, s.dt)}
        return wanted | {"place": shown.key if plot in _SAMPLED else s}

    def _draw(self, plot: str, what: str, shown: Shown) -> None:
        if what == "place":
            self._mark(plot, shown)
            self._describe(plot, shown)
        elif plot in OVER_HEIGHT:
            self._draw_over_height(plot, what, shown)
        else:
            getattr(self, f"_draw_{what}")(shown)

    # The curves

    def _draw_over_height(self, plot: str, kind: str, shown: Shown) -> None:
        s = shown.settings
        if kind in _EXACT:
            found = smoothing.curves(kind, s.kappa, s.dt)
        else:
            found = smoothing.average_curve(s.noise, s.dt) if kind == "average" else shown.refined.curve
        curve = self._curves[plot][kind] = smoothing.HEIGHTS, getattr(found, OVER_HEIGHT[plot])
        getattr(self._parts, plot).draw(kind, *curve)
        if plot == "slope" and kind in ("smoothed", "average"):
            self._fit()

    def _fit(self) -> None:
        """Fit the axis of slopes to those of the average and of the smoothed contact."""
        known = [self._curves["slope"][kind][1].min() for kind in ("smoothed", "average") if kind in self._curves["slope"]]
        steepest = nice(_ROOM * max(1.0, -min(known)))
        self._parts.slope.span(-steepest, 0.3 * steepest)

    def _draw_step(self, shown: Shown) -> None:
        s, plot = shown.settings, self._parts.objective
        here, reach = s.release_height, WINDOW * s.noise
        plot.window(here - reach, here + reach)
        heights, velocities = smoothing.objective(s, here - reach, here + reach)
        plot.draw("step", heights, velocities)
        plot.draw("average", heights, smoothing.velocity_average(heights, s.noise, s.dt)[0])

    def _draw_estimates(self, shown: Shown) -> None:
        s, refined = shown.settings, shown.refined
        self._parts.objective.slopes(s.release_height, s.noise, shown.readout["average"], shown.readout)
        self._parts.objective.samples(refined.drawn_heights, refined.drawn_velocities)

    def _draw_force(self, shown: Shown) -> None:
        gap, share = smoothing.force_profile(shown.settings.kappa)
        self._parts.force.draw("smoothed", 1e2 * gap, share)

    def _draw_creep(self, shown: Shown) -> None:
        found = smoothing.creep_curve(shown.settings.kappa, shown.settings.dt)
        plot = self._parts.creep
        plot.draw("simulated", found.time, 1e3 * found.depth)
        plot.draw("closed", found.time, 1e3 * found.closed_form)
        plot.span(0.0, nice(_ROOM * 1e3 * float(found.depth[-1])))

    # Where the learner stands

    def _mark(self, plot: str, shown: Shown) -> None:
        """Mark the learner's position on a plot, the model in use drawn boldly."""
        parts, readout, here = self._parts, shown.readout, shown.settings.release_height
        if plot in OVER_HEIGHT:
            getattr(parts, plot).mark(here, self._marks(plot, readout), readout["model"])
        elif plot == "objective":
            parts.objective.mark(here, {"average": readout["average"]}, None)
        elif plot == "force":
            gap = readout["smoothed_final_height"]
            parts.force.mark(1e2 * gap, {"smoothed": readout["sigma"]}, "smoothed" if readout["model"] == "smoothed" else "hard")

    def _marks(self, plot: str, readout: dict[str, Any]) -> dict[str, float | None]:
        """Return what is read on each curve of a plot where the learner stands."""
        marks = {model: readout[f"{model}_{_READ[OVER_HEIGHT[plot]]}"] for model in _EXACT}
        if plot == "velocity":
            marks["average"] = readout["average"]
        if plot == "slope":
            marks |= {"average": readout["average_gradient"], "stochastic": readout["zeroth_gradient"]}
        return marks

    def _describe(self, plot: str, shown: Shown) -> None:
        """Say in words what a plot shows and where the learner stands on it."""
        settings, readout, called = shown.settings, shown.readout, names()
        if plot in OVER_HEIGHT:
            drawn = {called[kind]: curve for kind, curve in self._curves[plot].items()}
            marks = {called[kind]: value for kind, value in self._marks(plot, readout).items()}
            text = distance_words.curves(strings.OVER_HEIGHT[plot], settings.release_height, drawn, marks)
        elif plot == "objective":
            text = distance_words.objective(readout, smoothing.landing_height(settings.dt))
        elif plot == "force":
            shares = [smoothing.sigma(settings.kappa, gap) for gap in (0.01, 0.05)]
            text = distance_words.force(readout, *map(float, shares))
        else:
            text = distance_words.creep(readout)
        getattr(self._parts, f"{plot}_caption").description = text
