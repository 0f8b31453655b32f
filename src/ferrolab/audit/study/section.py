"""What a part of the audit hands to the writers: tables, figures, and what was held and varied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ferrolab.audit.study.figure import Figure

Value = float | int | str | bool | None


@dataclass(frozen=True)
class Column:
    """A column of a table: `name` is the attribute of the row, `digits` the significant digits shown."""

    name: str
    label: str
    unit: str = ""
    digits: int = 5

    def shown(self, value: Value) -> str:
        """The cell as people read it."""
        if value is None:
            return "–"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int):
            return f"{value:,}".replace(",", "\u202f")
        return f"{value:.{self.digits}g}" if isinstance(value, float) else value


@dataclass(frozen=True)
class Table:
    """Rows (frozen dataclasses) and the columns read from them. The caption says what is held and what is varied.

    `for_reading` marks a table that only arranges another's values for the eye; data files leave it out. `folded`
    marks a long one, which the report shows when asked.
    """

    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: Sequence[object]
    for_reading: bool = False
    folded: bool = False

    def cells(self) -> list[list[Value]]:
        """Plain values, row by row."""
        return [[getattr(row, column.name) for column in self.columns] for row in self.rows]

    def shown(self) -> list[list[str]]:
        """The same as people read it."""
        return [[column.shown(value) for column, value in zip(self.columns, row)] for row in self.cells()]


@dataclass(frozen=True)
class Section:
    """One part, ready to be written.

    Attributes:
        id: its name in files and on the command line. title, question: for people.
        held, varied: what stays and what changes. findings: sentences with the measured figures in them.
        notes: definitions a reader needs to trust the numbers. commands: how to compute them again.
    """

    id: str
    title: str
    question: str
    held: str
    varied: str
    findings: tuple[str, ...]
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    commands: tuple[str, ...] = field(default=())


def plain(value: object) -> float | None:
    """A float, or None where the number is not finite."""
    number = float(value)
    return number if np.isfinite(number) else None


def sign_of(entry: float | None, exact: float | None) -> str:
    """The sign line of one entry."""
    if not entry or not exact:
        return "no sign"
    return "same sign" if np.sign(entry) == np.sign(exact) else "WRONG SIGN"
