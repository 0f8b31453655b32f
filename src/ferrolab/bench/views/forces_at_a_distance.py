"""The bench of lesson 3: a mass let go above the ground, under four contact models, and what noise makes of it.

The readout is quick but for the samples. They are drawn after the paint, a chunk a turn, and the bench counts as
settled when the last one is in; the next move drops what is still to be drawn.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import param

from ferrolab import smoothing
from ferrolab.controls import CONTROLS, Control

from .. import distance_plots as plots
from .. import distance_strings as distance
from .. import distance_words as words
from .. import models, numerals, strings
from ..distance_pictures import OVER_HEIGHT, DistancePictures, Shown
from ..line_plot import Key, LinePlot
from ..parts import WIDE, board, choice_key, segmented
from ..tables import Table
from ..tokens import stylesheet
from ..view import Job, View

#: How often the pictures follow the samples (s): painting seven of them takes longer than drawing a chunk.
REDRAW_S = 0.4

#: How many complete readouts are kept, so that a way back is not worked on again.
KEPT_READOUTS = 200

HEIGHT = CONTROLS["release_height"]

#: What the sliders have buttons at, in the numbers they write (m, 1/m, mm, samples), and the slider's value there.
HEIGHT_MARKS = tuple((x, x) for x in (0.0, 0.1, 0.2, 0.3, 0.4))
KAPPA_MARKS = ((10.0, 1.0), (100.0, 2.0), (1000.0, 3.0))
NOISE_MARKS = ((1.0, -3.0), (10.0, -2.0), (100.0, -1.0))
SAMPLES_MARKS = ((10.0, 1.0), (100.0, 2.0), (1000.0, 3.0), (1e4, 4.0))


@dataclass(frozen=True)
class Parts:
    """Every model the view changes, and `root`, the one that holds them all."""

    sign: models.SignLine
    release: models.NumberSlider
    model: models.Segmented
    dt: models.Segmented
    kappa: models.NumberSlider
    noise: models.NumberSlider
    samples: models.NumberSlider
    progress: models.ProgressLine
    velocity: LinePlot
    velocity_caption: models.Caption
    slope: LinePlot
    slope_caption: models.Caption
    height: LinePlot
    height_caption: models.Caption
    height_slope: LinePlot
    height_slope_caption: models.Caption
    objective: plots.ObjectivePlot
    objective_caption: models.Caption
    force: LinePlot
    force_caption: models.Caption
    creep: LinePlot
    creep_caption: models.Caption
    estimates: models.ReadoutTable
    contact: models.ReadoutTable
    announcer: models.Announcer
    pacer: models.Pacer
    root: models.Board


def slider(
    control: Control,
    unit: str,
    spoken: str,
    marks: tuple[tuple[float, float], ...],
    **properties: Any,
) -> models.NumberSlider:
    """Make the slider of `control`; `properties` say how its number is written."""
    return models.NumberSlider(
        label=strings.label(control), decimal=strings.number("."), group=strings.number(","), unit=unit, spoken=spoken, start=control.start, end=control.stop, step=control.step,
        value=control.default, marks=[(value, _mark(written)) for written, value in marks], **properties, **WIDE,
    )  # fmt: skip


def _mark(value: float) -> str:
    """Return what stands on the button of a mark: long numbers as a power of ten."""
    return f"10{numerals.superscript(4)}" if value == 1e4 else numerals.short(value)


def caption(heading: str, note: str) -> models.Caption:
    """Make the caption of a picture."""
    return models.Caption(heading=heading, note=note, **WIDE)


def build(scheme: str) -> Parts:
    """Make the parts, with nothing computed yet."""
    logarithm = {"scale": "log", "digits": 2, "css_classes": ["free"]}
    parts: dict[str, Any] = {
        "sign": models.SignLine(
            title=distance.SIGN_TITLE,
            returned_label=distance.RETURNED,
            exact_label=distance.AVERAGE_GRADIENT,
            **WIDE,
        ),
        "release": slider(HEIGHT, "m", distance.HEIGHT_SPOKEN, HEIGHT_MARKS, digits=3, places=3),
        "model": segmented(CONTROLS["model"]),
        "dt": segmented(CONTROLS["drop_dt"]),
        "kappa": slider(
            CONTROLS["log_kappa"],
            "1/m",
            distance.KAPPA_SPOKEN,
            KAPPA_MARKS,
            **logarithm,
        ),
        "noise": slider(
            CONTROLS["log_noise"],
            distance.NOISE_UNIT,
            distance.NOISE_SPOKEN,
            NOISE_MARKS,
            factor=1e3,
            **logarithm,
        ),
        "samples": slider(CONTROLS["log_samples"], "", "", SAMPLES_MARKS, whole=True, **logarithm),
        "progress": models.ProgressLine(label=distance.PROGRESS, **WIDE),
        "velocity": plots.over_height(scheme, plots.KINDS, (-2.35, 0.45), Key(0.02, right=True), plots.WIDE_HEIGHT),
        "velocity_caption": caption(distance.OVER_HEIGHT["velocity"], distance.VELOCITY_NOTE),
        "slope": plots.over_height(scheme, plots.KINDS, (-50.0, 15.0), Key(0.04, bottom=True), plots.WIDE_HEIGHT + plots.LABEL_HEIGHT, distance.HEIGHT_AXIS),
        "slope_caption": caption(distance.OVER_HEIGHT["slope"], distance.SLOPE_NOTE),
        "height": plots.over_height(scheme, plots.MODELS, (-0.03, 0.23), Key(0.06), plots.SMALL_HEIGHT),
        "height_caption": caption(distance.OVER_HEIGHT["height"], distance.FINAL_HEIGHT_NOTE),
        "height_slope": plots.over_height(scheme, plots.MODELS, (-0.2, 1.35), Key(0.02, right=True, bottom=True), plots.SMALL_HEIGHT),
        "height_slope_caption": caption(distance.OVER_HEIGHT["height_slope"], distance.HEIGHT_SLOPE_NOTE),
        "objective": plots.ObjectivePlot(scheme),
        "objective_caption": caption(distance.OBJECTIVE_HEADING, distance.OBJECTIVE_NOTE),
        "force": plots.force_plot(scheme),
        "force_caption": caption(distance.FORCE_HEADING, distance.FORCE_NOTE),
        "creep": plots.creep_plot(scheme),
        "creep_caption": caption(distance.CREEP_HEADING, distance.CREEP_NOTE),
        "estimates": models.ReadoutTable(title=distance.ESTIMATES_TITLE, **WIDE),
        "contact": models.ReadoutTable(title=distance.CONTACT_TITLE, **WIDE),
        "announcer": models.Announcer(),
        "pacer": models.Pacer(),
    }

    def wide(name: str) -> list[Any]:
        return [board(["stack", "side"], parts[f"{name}_caption"]), parts[name].figure]

    def pair(*names: str) -> models.Board:
        sides = (
            board(
                ["stack"],
                board(["stack", "side"], parts[f"{name}_caption"]),
                parts[name].figure,
            )
            for name in names
        )
        return board(["pair", "below"], *sides)

    whole = board(
        ["stack"],
        parts["sign"],
        board(["row", "padded"], parts["model"], parts["dt"]),
        board(["trio", "side"], parts["kappa"], parts["noise"], parts["samples"]),
        board(["stack", "side", "below"], parts["progress"]),
        parts["release"],
        *wide("velocity"),
        *wide("slope"),
        board(["stack", "side", "below"], models.Caption(note=strings.STRIP_NOTE, **WIDE)),
        *wide("objective"),
        pair("height", "height_slope"),
        pair("force", "creep"),
        board(["pair", "padded", "ruled"], parts["estimates"], parts["contact"]),
        parts["announcer"],
        parts["pacer"],
        stylesheets=[stylesheet(HEIGHT.start, HEIGHT.stop, plots.PAD)],
    )
    return Parts(**parts, root=whole)


class ForcesAtADistance(View):
    """Lesson 3. Its readout is `smoothing.readout`'s, fuller with every chunk of samples, as `smoothing.refine` has it."""

    CONTROL_IDS: ClassVar[tuple[str, ...]] = (
        "release_height",
        "model",
        "drop_dt",
        "log_kappa",
        "log_noise",
        "log_samples",
    )
    PLACE: ClassVar[str] = "release_height"

    release_height = param.Number(
        default=HEIGHT.default,
        bounds=(HEIGHT.start, HEIGHT.stop),
        doc="Height the mass is let go at (m).",
    )
    model = param.Selector(
        default=CONTROLS["model"].default,
        objects=CONTROLS["model"].values,
        doc="The contact model.",
    )
    drop_dt = param.Selector(
        default=CONTROLS["drop_dt"].default,
        objects=CONTROLS["drop_dt"].values,
        doc="Time step in s.",
    )
    log_kappa = param.Number(
        default=CONTROLS["log_kappa"].default,
        bounds=(CONTROLS["log_kappa"].start, CONTROLS["log_kappa"].stop),
        doc="log10 of kappa (1/m).",
    )
    log_noise = param.Number(
        default=CONTROLS["log_noise"].default,
        bounds=(CONTROLS["log_noise"].start, CONTROLS["log_noise"].stop),
        doc="log10 of the noise (m).",
    )
    log_samples = param.Number(
        default=CONTROLS["log_samples"].default,
        bounds=(CONTROLS["log_samples"].start, CONTROLS["log_samples"].stop),
        doc="log10 of the number of samples.",
    )

    def _build(self) -> None:
        self._parts = build(self._scheme)
        self._pictures = DistancePictures(self._parts)
        self._known: dict[smoothing.Settings, smoothing.Refined] = {}
        self._redrawn = -REDRAW_S
        self._refining: tuple[smoothing.Settings, Iterator[smoothing.Refined]] | None = None

    def _follow_widgets(self) -> None:
        super()._follow_widgets()
        parts = self._parts
        self._follow_choice("model", parts.model)
        self._follow_choice("drop_dt", parts.dt)
        for name, widget in (
            ("release_height", parts.release),
            ("log_kappa", parts.kappa),
            ("log_noise", parts.noise),
            ("log_samples", parts.samples),
        ):
            self._follow_slider(name, widget)

    def _plots(self) -> tuple[LinePlot, ...]:
        parts = self._parts
        return (
            parts.velocity,
            parts.slope,
            parts.height,
            parts.height_slope,
            parts.objective,
            parts.force,
            parts.creep,
        )

    # The readout

    def _table_sources(self) -> dict[str, tuple[models.Caption, Callable[[], Table]]]:
        places = {"objective": distance.HEIGHT_AXIS, "force": distance.FORCE_AXIS, "creep": distance.CREEP_AXIS}
        places |= dict.fromkeys(OVER_HEIGHT, distance.HEIGHT_AXIS)
        parts = self._parts
        return {name: (getattr(parts, f"{name}_caption"), partial(getattr(parts, name).table, place)) for name, place in places.items()}

    def _settings(self) -> smoothing.Settings:
        return smoothing.Settings(
            model=self.model, kappa=10.0**self.log_kappa, noise=10.0**self.log_noise, samples=round(10.0**self.log_samples),
            release_height=self.release_height, dt=self.drop_dt,
        )  # fmt: skip

    @property
    def settled(self) -> bool:
        """Whether the readout is that of the controls, with every sample drawn."""
        return super().settled and bool(self._readout["complete"])

    def _compute(self, settings: smoothing.Settings) -> dict[str, Any]:
        self._refining = None
        return self._known[settings].readout if settings in self._known else smoothing.readout(settings)

    def _show_controls(self) -> None:
        parts = self._parts
        parts.model.update(value=self.model, hint=distance.HINTS[self.model])
        parts.dt.value = choice_key(self.drop_dt)
        parts.release.value = self.release_height
        parts.kappa.value = self.log_kappa
        parts.noise.value = self.log_noise
        parts.samples.value = self.log_samples

    def _show_readout(self, settings: smoothing.Settings) -> None:
        self._show_numbers(settings)
        self._shown = Shown(settings, self._readout, self._known.get(settings))
        self._pictures.begin(self._shown)

    def _show_numbers(self, settings: smoothing.Settings) -> None:
        parts, readout = self._parts, self._readout
        parts.sign.update(**words.gradient_line(readout, settings.horizon))
        parts.progress.update(**words.progress(readout))
        parts.estimates.rows = words.estimates(readout)
        parts.contact.rows = words.contact(readout)

    def _consequence(self) -> str:
        return words.consequence(self._readout)

    def set_visited(self, places: Any) -> None:
        """Show the release heights given as visited, in place of those before."""
        self._visited = [float(place) for place in places]
        for plot in (self._parts.velocity, self._parts.slope):
            plot.visit(self._visited, HEIGHT.step)

    # What follows the paint

    def _soon(self, settings: smoothing.Settings) -> Job | None:
        return self._pictures.job(self._shown)

    def _at_rest(self, settings: smoothing.Settings) -> Iterator[Job]:
        if not self._readout["complete"]:
            yield lambda: self._refine(settings)

    def _refine(self, settings: smoothing.Settings) -> None:
        """Draw the next chunk of samples and show what all so far say."""
        if self._refining is None or self._refining[0] != settings:
            self._refining = (settings, iter(smoothing.refine(settings)))
        refined = next(self._refining[1])
        self._readout = refined.readout
        self._show_numbers(settings)
        done = self._readout["complete"]
        if done or self._since(self._redrawn) >= REDRAW_S:
            self._redrawn = time.monotonic()
            self._shown = Shown(settings, self._readout, refined)
        if done:
            self._keep(settings, refined)
            self._announce(self._consequence())
            self._untold = True

    def _keep(self, settings: smoothing.Settings, refined: smoothing.Refined) -> None:
        self._refining = None
        if len(self._known) >= KEPT_READOUTS:
            self._known.pop(next(iter(self._known)))
        self._known[settings] = refined
