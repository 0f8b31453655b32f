"""What lesson 3 draws: the curves over the release height, the objective under noise, the force and the creep."""

from __future__ import annotations

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

Curve = tuple[np.ndarray, np.ndarray]


class DistancePictures:
    """The plots of the view, and which of their curves are behind the settings."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._drawn: dict[str, Any] = {}
        self._curves: dict[str, dict[str, Curve]] = {name: {} for name in OVER_HEIGHT}

    # What follows a paint at once

    def job(self, settings: smoothing.Settings, readout: dict[str, Any]) -> Job | None:
        """Return the job that draws what is behind `settings`, or None when nothing is."""
        behind = [name for name, key in self._keys(settings).items() if self._drawn.get(name) != key]
        return (lambda: self._draw(behind, settings, readout)) if behind else None

    def _keys(self, settings: smoothing.Settings) -> dict[str, Any]:
        """Return what each picture depends on."""
        noise, dt = settings.noise, settings.dt
        return {
            "hard": dt,
            "soft": dt,
            "smoothed": (settings.kappa, dt),
            "average": (noise, dt),
            "objective": (settings.release_height, noise, dt),
            "force": settings.kappa,
            "creep": (settings.kappa, dt),
            "words": settings,
        }

    def _draw(self, behind: list[str], settings: smoothing.Settings, readout: dict[str, Any]) -> None:
        for name in behind:
            if name in _EXACT:
                self._draw_model(name, settings)
            elif name != "words":
                getattr(self, f"_draw_{name}")(settings)
        self._drawn |= {name: key for name, key in self._keys(settings).items() if name in behind}
        self._fit()
        self.describe(settings, readout)

    def _draw_model(self, model: str, settings: smoothing.Settings) -> None:
        found = smoothing.curves(model, settings.kappa, settings.dt)
        for plot, quantity in OVER_HEIGHT.items():
            self._set(plot, model, smoothing.HEIGHTS, getattr(found, quantity))

    def _draw_average(self, settings: smoothing.Settings) -> None:
        found = smoothing.average_curve(settings.noise, settings.dt)
        for plot in ("velocity", "slope"):
            self._set(plot, "average", smoothing.HEIGHTS, getattr(found, OVER_HEIGHT[plot]))

    def _set(self, plot: str, kind: str, x: np.ndarray, y: np.ndarray) -> None:
        self._curves[plot][kind] = (x, y)
        getattr(self._parts, plot).draw(kind, x, y)

    def _fit(self) -> None:
        """Fit the axis of slopes to those of the average and of the smoothed contact."""
        known = [self._curves["slope"][kind][1].min() for kind in ("smoothed", "average") if kind in self._curves["slope"]]
        steepest = nice(_ROOM * max(1.0, -min(known)))
        self._parts.slope.span(-steepest, 0.3 * steepest)

    def _draw_objective(self, settings: smoothing.Settings) -> None:
        plot, here, reach = self._parts.objective, settings.release_height, WINDOW * settings.noise
        plot.window(here - reach, here + reach)
        heights, velocities = smoothing.objective(settings, here - reach, here + reach)
        plot.draw("step", heights, velocities)
        plot.draw("average", heights, smoothing.velocity_average(heights, settings.noise, settings.dt)[0])

    def _draw_force(self, settings: smoothing.Settings) -> None:
        gap, share = smoothing.force_profile(settings.kappa)
        self._parts.force.draw("smoothed", 1e2 * gap, share)

    def _draw_creep(self, settings: smoothing.Settings) -> None:
        found = smoothing.creep_curve(settings.kappa, settings.dt)
        plot = self._parts.creep
        plot.draw("simulated", found.time, 1e3 * found.depth)
        plot.draw("closed", found.time, 1e3 * found.closed_form)
        plot.span(0.0, nice(_ROOM * 1e3 * float(found.depth[-1])))

    # What follows the samples

    def refine(self, settings: smoothing.Settings, refined: smoothing.Refined) -> None:
        """Draw what the samples drawn so far say: the stochastic curves, the samples and the slopes."""
        curve = refined.curve
        key = (settings.noise, settings.dt, settings.samples, curve.drawn)
        if self._drawn.get("stochastic") != key:
            for plot, quantity in OVER_HEIGHT.items():
                self._set(plot, "stochastic", smoothing.HEIGHTS, getattr(curve, quantity))
            self._drawn["stochastic"] = key
        asked = (settings, curve.drawn)
        if self._drawn.get("estimates") == asked:
            return
        self.slopes(settings, refined.readout)
        self._drawn["estimates"] = asked
        self._parts.objective.samples(refined.drawn_heights, refined.drawn_velocities)

    def slopes(self, settings: smoothing.Settings, readout: dict[str, Any]) -> None:
        """Draw the slopes of the estimates through the learner's place; no samples stand there before they are drawn."""
        self._parts.objective.slopes(settings.release_height, settings.noise, readout["average"], readout)
        self._drawn["estimates"] = None
        if not readout["drawn"]:
            self._parts.objective.samples((), ())

    # Where the learner stands

    def mark(self, settings: smoothing.Settings, readout: dict[str, Any]) -> None:
        """Mark the learner's position on every picture, the model in use drawn boldly."""
        parts, here = self._parts, settings.release_height
        for plot, quantity in OVER_HEIGHT.items():
            getattr(parts, plot).mark(here, self._marks(plot, quantity, readout), readout["model"])
        parts.objective.mark(here, {"average": readout["average"]}, None)
        gap = readout["smoothed_final_height"]
        parts.force.mark(1e2 * gap, {"smoothed": readout["sigma"]}, "smoothed" if readout["model"] == "smoothed" else "hard")

    def _marks(self, plot: str, quantity: str, readout: dict[str, Any]) -> dict[str, float | None]:
        """Return what is read on each curve of a plot where the learner stands."""
        marks = {model: readout[f"{model}_{_READ[quantity]}"] for model in _EXACT}
        if plot == "velocity":
            marks["average"] = readout["average"]
        if plot == "slope":
            marks |= {"average": readout["average_gradient"], "stochastic": readout["zeroth_gradient"]}
        return marks

    def describe(self, settings: smoothing.Settings, readout: dict[str, Any]) -> None:
        """Say in words what the pictures show and where the learner stands on them."""
        parts, here, called = self._parts, settings.release_height, names()
        headings = strings.OVER_HEIGHT
        for plot, quantity in OVER_HEIGHT.items():
            drawn = {called[kind]: curve for kind, curve in self._curves[plot].items()}
            marks = {called[kind]: value for kind, value in self._marks(plot, quantity, readout).items()}
            getattr(parts, f"{plot}_caption").description = distance_words.curves(headings[plot], here, drawn, marks)
        parts.objective_caption.description = distance_words.objective(readout, smoothing.landing_height(settings.dt))
        shares = [smoothing.sigma(settings.kappa, gap) for gap in (0.01, 0.05)]
        parts.force_caption.description = distance_words.force(readout, *map(float, shares))
        parts.creep_caption.description = distance_words.creep(readout)
