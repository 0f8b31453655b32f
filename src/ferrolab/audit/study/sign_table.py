"""Part 2: where the sign of dv/dh0 is wrong. Decades of stiffness by time step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.audit.readout import measure
from ferrolab.audit.study.options import Options
from ferrolab.audit.study.progress import Tell, quiet
from ferrolab.audit.study.section import Column, Section, Table, plain, sign_of

ID = "sign-table"


@dataclass(frozen=True)
class Cell:
    """One decade under one stepping; `dt` is None under the tolerance."""

    log_stiffness: float
    dt: float | None
    entry: float | None
    entry_exact: float | None
    sign: str


@dataclass(frozen=True)
class Wrong:
    """How many decades have the wrong sign, for one stepping."""

    stepping: str
    wrong: int
    decades: int


@dataclass(frozen=True)
class SignTable:
    """cells: by stepping (fixed steps coarse to fine, then the tolerance), then by decade."""

    options: Options
    cells: tuple[Cell, ...]
    counts: tuple[Wrong, ...]

    def wrong_decades(self, dt: float | None) -> tuple[float, ...]:
        """Decades (log10 of 1/s^2) with the wrong sign under one stepping."""
        return tuple(c.log_stiffness for c in self.cells if c.dt == dt and c.sign == "WRONG SIGN")

    def section(self) -> Section:
        return _section(self)


def run(options: Options, tell: Tell = quiet) -> SignTable:
    """The sign of dv/dh0 against that of the rigid impact at the same restitution."""
    logs = np.array(options.decades)
    cells, counts = [], []
    for dt in (*options.dts, None):
        name = f"tolerance {options.rtol:g}" if dt is None else f"dt {dt:g} s"
        tell(name)
        settings = options.settings(stepping="tolerance") if dt is None else options.settings(dt=dt)
        found = measure(settings, 10.0**logs)
        pairs = [(plain(a), plain(b)) for a, b in zip(found.entry, found.entry_exact)]
        row = [Cell(float(log), dt, a, b, sign_of(a, b)) for log, (a, b) in zip(logs, pairs)]
        cells += row
        counts.append(Wrong(name, sum(cell.sign == "WRONG SIGN" for cell in row), len(row)))
    return SignTable(options, tuple(cells), tuple(counts))


def _grid(found: SignTable) -> Table:
    """A row for each decade, a column for each stepping, made for reading: the cells are the entry and its sign."""
    steppings = (*found.options.dts, None)
    names = [f"s{i}" for i in range(len(steppings))]
    by_place = {(c.log_stiffness, c.dt): c for c in found.cells}
    rows = []
    for log in found.options.decades:
        cells = [by_place[log, dt] for dt in steppings]
        shown = [c.sign if c.entry is None else f"{c.entry:.4g} {'✗' if c.sign == 'WRONG SIGN' else '✓'}" for c in cells]
        rows.append(_Row(log, plain(cells[0].entry_exact or 0.0), shown))
    columns = (
        Column("log_stiffness", "log10 k"), Column("exact", "rigid dv/dh0", "1/s", 5),
        *(Column(name, count.stepping) for name, count in zip(names, found.counts)),
    )  # fmt: skip
    return Table(
        f"{ID}-grid",
        "dv/dh0 (1/s) and whether its sign is right (✓) or wrong (✗). Held: the drop and the law. Varied: stiffness down, "
        "stepping across (fixed steps with autodiff, the tolerance with finite differences).",
        columns,
        rows,
        for_reading=True,
    )


class _Row:
    """A row of the grid; as many cells as there are steppings."""

    def __init__(self, log_stiffness: float, exact: float | None, shown: list[str]) -> None:
        self.log_stiffness, self.exact = log_stiffness, exact
        for i, text in enumerate(shown):
            setattr(self, f"s{i}", text)


def _section(found: SignTable) -> Section:
    options = found.options
    return Section(
        ID,
        "Sign table",
        "Does the gradient at least point the right way?",
        f"the drop, damping ratio {options.damping_ratio:g}, stepper {options.stepper}",
        "stiffness by decades; stepping",
        tuple(f"{count.stepping}: the sign is wrong at {count.wrong} of {count.decades} decades." for count in found.counts),
        (
            _grid(found),
            Table(
                f"{ID}-counts",
                "Decades with the wrong sign. Held: the drop. Varied: stepping.",
                (Column("stepping", "stepping"), Column("wrong", "wrong"), Column("decades", "of")),
                found.counts,
            ),
            Table(
                f"{ID}-cells",
                "The same, as data. dt is missing under the tolerance. Held: the drop and the law. Varied: stiffness and stepping.",
                (
                    Column("dt", "dt", "s"), Column("log_stiffness", "log10 k"), Column("entry", "dv/dh0", "1/s", 8),
                    Column("entry_exact", "rigid dv/dh0", "1/s", 8), Column("sign", "sign"),
                ),
                found.cells,
                folded=True,
            ),
        ),
        commands=(options.command(ID),),
    )
