"""The bench of lesson 2: law × stepping × derivative, one variable at a time, and whose error it is.

The fixed stepper of this view is classical Runge-Kutta, so that a step share cannot hide behind a crude step. Every
number is held against the contact law's own exact answer, with the rigid impact named beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import param

from ferrolab import audit
from ferrolab.audit.three_way import three_way
from ferrolab.controls import CONTROLS

from .. import blame_words, models, strings, words
from ..blame_pictures import BlamePictures
from ..cells import Cell, Visit, cell_of, visit_of, visits
from ..force_plot import ForcePlot
from ..parts import WIDE, Common, board, common, root, segmented, toggle
from ..split_plot import SplitPlot
from ..tables import Table
from ..stiffness_view import StiffnessView
from ..view import Job

STEPPER = "rk4"

#: How many readouts are kept, so that a way back is not worked on again.
KEPT_READOUTS = 400


@dataclass(frozen=True)
class Parts(Common):
    """Every model the view changes, and `root`, the one that holds them all."""

    law: models.Segmented
    derivative: models.Segmented
    saltation: models.ToggleButton
    cells: models.CellTable
    shares: SplitPlot
    shares_caption: models.Caption
    shares_note: models.Caption
    force: ForcePlot
    force_caption: models.Caption
    term: models.TermCard
    bars: models.SplitBars
    entries: models.ReadoutTable
    errors: models.ReadoutTable
    root: models.Board


def build(scheme: str) -> Parts:
    """Make the parts, with nothing computed yet."""
    shared, stiffness = common(strings.EXACT_LAW), CONTROLS["log_stiffness"]
    law, derivative = segmented(CONTROLS["law"]), segmented(CONTROLS["derivative"])
    saltation = toggle(CONTROLS["saltation"], strings.SALTATION_LEGEND)
    cells = models.CellTable(
        title=strings.CELLS_TITLE,
        note=strings.CELLS_NOTE,
        corner=strings.CELLS_CORNER,
        base=strings.CELL_BASE,
        here=strings.CELL_HERE,
        unvisited=strings.CELL_UNVISITED,
        columns=[label for _, label in strings.options(CONTROLS["derivative"])],
        rows=[
            (label, strings.CELLS_STEPPING[stepping])
            for _, label in strings.options(CONTROLS["law"])
            for stepping in CONTROLS["stepping"].values
        ],
        **WIDE,
    )
    shares = SplitPlot(stiffness.start, stiffness.stop, scheme)
    shares_caption = models.Caption(heading=strings.SHARES_HEADING, note=strings.SHARES_UNITS, **WIDE)
    shares_note = models.Caption(note=strings.SHARES_NOTE, **WIDE)
    force = ForcePlot(scheme)
    force_caption = models.Caption(heading=strings.FORCE_HEADING, note=strings.FORCE_NOTE, **WIDE)
    term = models.TermCard(title=strings.TERM_TITLE, symbol=strings.TERM_SYMBOL, subscript=strings.TERM_SUBSCRIPT, **WIDE)
    bars = models.SplitBars(title=strings.BARS_TITLE, note=strings.BARS_NOTE, ticks=words.ticks(blame_words.BAR_DECADES, 4), **WIDE)
    entries = models.ReadoutTable(title=strings.ENTRIES_TITLE, **WIDE)
    errors = models.ReadoutTable(title=strings.ERRORS_TITLE, **WIDE)
    whole = root(
        shared.sign,
        board(["row", "padded"], law, shared.stepping, derivative, saltation, shared.dt),
        shared.slider,
        board(["stack", "side", "cells", "below"], cells),
        board(["stack", "side"], shares_caption),
        shares.figure,
        board(["stack", "side", "below"], shares_note),
        board(["stack", "side"], force_caption),
        force.figure,
        board(["pair", "padded", "ruled"], term, bars),
        board(["pair", "padded", "ruled"], entries, errors),
        shared.announcer,
        shared.pacer,
    )
    return Parts(
        **vars(shared), law=law, derivative=derivative, saltation=saltation, cells=cells, shares=shares,
        shares_caption=shares_caption, shares_note=shares_note, force=force, force_caption=force_caption, term=term,
        bars=bars, entries=entries, errors=errors, root=whole,
    )  # fmt: skip


class WhoIsToBlame(StiffnessView):
    """Lesson 2. Its readout is `audit.three_way.ThreeWay.as_dict()`: see there for every key."""

    CONTROL_IDS: ClassVar[tuple[str, ...]] = ("log_stiffness", "dt", "stepping", "derivative", "law", "saltation")

    derivative = param.Selector(
        default=CONTROLS["derivative"].default, objects=CONTROLS["derivative"].values, doc="How the rollout is differentiated."
    )
    law = param.Selector(default=CONTROLS["law"].default, objects=CONTROLS["law"].values, doc="The contact law.")
    saltation = param.Boolean(
        default=CONTROLS["saltation"].default, doc="Whether the event-aware derivative applies its saltation matrix."
    )

    def _build(self) -> None:
        self._parts = build(self._scheme)
        self._pictures = BlamePictures(self._parts)
        self._cells: dict[Cell, Visit] = {}
        self._known: dict[audit.Settings, dict[str, Any]] = {}

    def _follow_widgets(self) -> None:
        super()._follow_widgets()
        self._follow_choice("law", self._parts.law)
        self._follow_choice("derivative", self._parts.derivative)
        self._follow_toggle("saltation", self._parts.saltation)

    def _plots(self) -> tuple[SplitPlot, ForcePlot]:
        return self._parts.shares, self._parts.force

    def _table_sources(self) -> dict[str, tuple[models.Caption, Callable[[], Table]]]:
        parts = self._parts
        return {"shares": (parts.shares_caption, parts.shares.table), "force": (parts.force_caption, parts.force.table)}

    # The readout

    def _settings(self) -> audit.Settings:
        return audit.Settings(
            stiffness=10.0**self.log_stiffness, dt=self.dt, law=self.law, stepping=self.stepping,
            derivative=self.derivative, saltation=self.saltation, stepper=STEPPER,
        )  # fmt: skip

    def _takes_long(self, settings: audit.Settings) -> bool:
        """The spring-damper has a closed form within a step; the other law is stepped through."""
        return settings.law == "hunt-crossley" and settings not in self._known

    def _compute(self, settings: audit.Settings) -> dict[str, Any]:
        if settings not in self._known:
            if len(self._known) >= KEPT_READOUTS:
                self._known.pop(next(iter(self._known)))
            self._known[settings] = three_way(settings).as_dict()
        return self._known[settings]

    def _hints(self) -> tuple[Mapping[str, str], str]:
        return strings.STEPPING_HINTS, strings.RK4_HINT

    def _show_controls(self) -> None:
        super()._show_controls()
        parts, aware = self._parts, self.derivative == "event-aware"
        parts.law.value = self.law
        parts.derivative.value = self.derivative
        hint = strings.SALTATION_ON if self.saltation else strings.SALTATION_OFF
        parts.saltation.update(active=self.saltation, disabled=not aware, hint=hint if aware else strings.SALTATION_IDLE)

    def _show_readout(self, settings: audit.Settings) -> None:
        parts, readout = self._parts, self._readout
        parts.sign.update(**blame_words.sign_line(readout, settings.rtol))
        parts.entries.rows = blame_words.entries(readout)
        parts.errors.rows = blame_words.errors(readout)
        bars, hollow = blame_words.bars(readout)
        parts.bars.update(bars=bars, hollow=hollow)
        parts.term.update(**blame_words.term(readout))
        marks = (("own", "own_error"), ("event", "event_share"), ("contact_model", "contact_model_share"))
        parts.shares.mark(settings.stiffness, [(kind, readout[key]) for kind, key in marks])
        self._pictures.follow(settings, readout)
        self._show_cells()

    def _show_working(self) -> None:
        parts = self._parts
        parts.sign.update(**blame_words.working(self.controls, self._waiting.rtol))
        for table in (parts.entries, parts.errors):
            table.rows = blame_words.pending(table.rows)
        parts.shares.mark(self._waiting.stiffness, [])
        self._show_cells()

    def _consequence(self) -> str:
        return blame_words.consequence(self._readout)

    def _soon(self, settings: audit.Settings) -> Job | None:
        return self._pictures.force_job(settings)

    def _at_rest(self, settings: audit.Settings) -> Iterator[Job]:
        yield from self._pictures.curve_jobs(settings, self._readout)

    # The table of combinations

    def set_visited_cells(self, seen: Iterable[Mapping[str, Any]]) -> None:
        """Fill the table with the last visit of each cell in `seen`, oldest first, in place of what it held.

        Each is `{"controls": ..., "readout": ...}`; the readout's `entry` and `entry_law` are what it takes. The
        learner's own cell always shows what is on the screen.
        """
        self._cells = visits(seen)
        self._show_cells()

    def _show_cells(self) -> None:
        here = cell_of(self.controls)
        shown = dict(self._cells)
        if self.settled:
            shown[here] = visit_of(self.controls, self._readout)
        cells = blame_words.cells(shown)
        at = blame_words.CELLS.index(here)
        if not self.settled:
            cells[at] = blame_words.working_cell()
        self._parts.cells.update(cells=cells, current=at)

    def _rest(self) -> None:
        """A bench on its own remembers the cell as well as the place."""
        super()._rest()
        if self._marks_rest and self.settled:
            self._cells[cell_of(self.controls)] = visit_of(self.controls, self._readout)
