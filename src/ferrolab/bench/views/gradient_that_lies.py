"""The bench of lesson 1: one slider, three time steps, one toggle, and what they do.

The bench shows; `ferrolab.audit` measures and `ferrolab.lesson` grades.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import param

from ferrolab import audit
from ferrolab.controls import CONTROLS

from .. import models, numerals, strings, words
from ..error_plot import ErrorPlot
from ..flight_plot import FlightPlot
from ..parts import WIDE, Common, board, common, root
from ..pictures import Pictures
from ..tables import Table
from ..stiffness_view import StiffnessView
from ..view import Job

#: Impact speeds (m/s) the timing term can be read at; the lesson quotes 4 and 0.01.
IMPACT_SPEEDS = (4.0, 1.0, 0.1, 0.01)

#: The numbers that stand under the slider, where they are in sight while it moves; the rest is below the pictures.
KEYS = ("errors.forward", "errors.gradient", "entry.exponent")

#: Shares of the two-way split, in the order of their bars.
SHARES = ("integrator", "contact_model")


@dataclass(frozen=True)
class Parts(Common):
    """Every model the view changes, and `root`, the one that holds them all."""

    speed: models.Segmented
    errors: ErrorPlot
    errors_caption: models.Caption
    flight: FlightPlot
    flight_caption: models.Caption
    contact_caption: models.Caption
    keys: models.ReadoutTable
    table: models.ReadoutTable
    split: models.SplitBars
    root: models.Board


def build(scheme: str) -> Parts:
    """Make the parts, with nothing computed yet."""
    shared, stiffness = common(), CONTROLS["log_stiffness"]
    speed = models.Segmented(
        label=strings.SPEED_LABEL,
        unit=strings.SPEED_UNIT,
        options=[(f"{v:g}", numerals.short(v)) for v in IMPACT_SPEEDS],
        value=f"{IMPACT_SPEEDS[0]:g}",
    )
    errors = ErrorPlot(stiffness.start, stiffness.stop, scheme)
    errors_caption = models.Caption(heading=strings.ERRORS_HEADING, note=strings.ERRORS_UNITS, **WIDE)
    errors_note = models.Caption(note=strings.STRIP_NOTE, **WIDE)
    flight = FlightPlot(scheme)
    flight_caption = models.Caption(heading=strings.FLIGHT_HEADING, note=strings.FLIGHT_NOTE, **WIDE)
    contact_caption = models.Caption(heading=strings.CONTACT_HEADING, note=strings.CONTACT_NOTE, **WIDE)
    keys = models.ReadoutTable(title=strings.KEYS_TITLE, css_classes=["keys"], **WIDE)
    table = models.ReadoutTable(title=strings.READOUT_TITLE, css_classes=["lead"], **WIDE)
    split = models.SplitBars(title=strings.SPLIT_TITLE, note=strings.SPLIT_NOTE, ticks=words.ticks(), **WIDE)
    whole = root(
        shared.sign,
        board(["strip", "padded"], shared.dt, shared.stepping),
        shared.slider,
        board(["stack", "side"], keys),
        board(["stack", "side"], errors_caption),
        errors.figure,
        board(["stack", "side", "below"], errors_note),
        board(
            ["pair", "below"],
            board(["stack"], board(["stack", "side"], flight_caption), flight.flight),
            board(["stack"], board(["stack", "side"], contact_caption), flight.contact),
        ),
        board(["flow", "padded", "ruled"], table, board(["stack", "spaced", "aside"], split, speed)),
        shared.announcer,
        shared.pacer,
    )
    return Parts(
        **vars(shared), speed=speed, errors=errors, errors_caption=errors_caption, flight=flight,
        flight_caption=flight_caption, contact_caption=contact_caption, keys=keys, table=table, split=split, root=whole,
    )  # fmt: skip


class GradientThatLies(StiffnessView):
    """Lesson 1. Its readout is `audit.Readout.as_dict()`, told again when its evaluations are all counted."""

    impact_speed = param.Selector(
        default=IMPACT_SPEEDS[0], objects=list(IMPACT_SPEEDS), doc="Speed in m/s the timing term is read at."
    )

    def _build(self) -> None:
        self._parts = build(self._scheme)
        self._pictures = Pictures(self._parts, self.param.dt.objects)
        self.param.watch(lambda *_: self._retime(), "impact_speed")

    def _follow_widgets(self) -> None:
        super()._follow_widgets()
        self._parts.speed.on_change("value", lambda attr, old, new: setattr(self, "impact_speed", float(new)))

    def _plots(self) -> tuple[ErrorPlot, FlightPlot]:
        return self._parts.errors, self._parts.flight

    def _table_sources(self) -> dict[str, tuple[models.Caption, Callable[[], Table]]]:
        parts = self._parts
        return {
            "errors": (parts.errors_caption, parts.errors.table),
            "flight": (parts.flight_caption, parts.flight.flight_table),
            "contact": (parts.contact_caption, parts.flight.contact_table),
        }

    def _settings(self) -> audit.Settings:
        return audit.Settings(stiffness=10.0**self.log_stiffness, dt=self.dt, stepping=self.stepping)

    def _compute(self, settings: audit.Settings) -> dict[str, Any]:
        """Measure, without what takes longest: see `_count_costs`."""
        return audit.readout(settings, costs=False).as_dict()

    def _show_readout(self, settings: audit.Settings) -> None:
        parts, readout = self._parts, self._readout
        parts.sign.update(**words.sign_line(readout, settings.rtol))
        parts.split.bars = words.bars(readout, SHARES)
        self._show_table()
        self._pictures.describe(readout)
        parts.errors.move(self.stepping, settings.stiffness, readout["gradient_error"], readout["forward_error"])

    def _show_table(self) -> None:
        restitution = self._readout["restitution"]
        timing = None if restitution is None else audit.timing_term(restitution, self.impact_speed)
        self._timing = timing
        self._parts.speed.hint = words.timing_formula(timing)
        rows = words.table(self._readout, self.impact_speed, timing)
        self._parts.keys.rows = [row for row in rows if row[0] in KEYS]
        self._parts.table.rows = [row for row in rows if row[0] not in KEYS]

    def _retime(self) -> None:
        with self._held():
            self._parts.speed.value = f"{self.impact_speed:g}"
            self._show_table()
            self._announce(words.timing(self._timing))

    def _consequence(self) -> str:
        return words.consequence(self._readout)

    def _spoken_controls(self) -> dict[str, Any]:
        return {**self.controls, "impact_speed": self.impact_speed}

    def _soon(self, settings: audit.Settings) -> Job | None:
        return self._pictures.flight_job(settings)

    def _at_rest(self, settings: audit.Settings) -> Iterator[Job]:
        if self._readout["evaluations"]["ratio"] is None:
            yield self._count_costs
        yield from self._pictures.curve_jobs(settings, self._readout)

    def _count_costs(self) -> None:
        """Complete the readout with the work of the stepping that is not in use, which must be run to be counted."""
        self._readout = audit.readout(self._settings()).as_dict()
        self._show_table()
        self._untold = True
