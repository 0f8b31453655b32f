"""The numbers behind a picture, as the rows of a table: a few places, and the value of each curve there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from . import numerals, strings
from .models import Caption

#: Curve by its name: places and values, NaN where there is none.
Curves = Mapping[str, tuple[Sequence[float], Sequence[float]]]

#: Places in a table of a curve that has no marks of its own.
PLACES = 9


@dataclass(frozen=True)
class Table:
    """Columns by name, the first of which is the place; rows of text."""

    columns: list[str]
    rows: list[list[str]]


def table(place: str, places: Iterable[float], curves: Curves, write: Callable[[float], str] = numerals.quantity) -> Table:
    """Return the values of `curves` at `places`, in the order given.

    A curve is read by straight lines between its points; beyond its ends, and where a point beside has no value, there
    is none. `place` names the first column, and `write` says how a place is written.
    """
    places = np.asarray(list(places), dtype=float)
    values = [_read(places, np.asarray(x, dtype=float), np.asarray(y, dtype=float)) for x, y in curves.values()]
    rows = [[write(float(at)), *(numerals.quantity(v) for v in row)] for at, *row in zip(places, *values)]
    return Table([place, *curves], rows)


def spread(curves: Curves) -> np.ndarray:
    """Return `PLACES` places from the first to the last point of all curves."""
    ends = [float(end) for x, _ in curves.values() if len(x) for end in (x[0], x[-1])]
    return np.linspace(min(ends), max(ends), PLACES) if ends else np.array([])


def decade(power: float) -> str:
    """Return ten to `power`, a whole number, as text."""
    return f"10{numerals.superscript(round(power))}"


def _read(places: np.ndarray, x: np.ndarray, y: np.ndarray) -> list[float | None]:
    if not len(x):
        return [None] * len(places)
    read = np.interp(places, x, y, left=np.nan, right=np.nan)
    return [float(value) if np.isfinite(value) else None for value in read]


class Tables:
    """The tables of a view: each is filled when it is opened, and kept up to date while it is open."""

    def __init__(self, sources: Mapping[str, tuple[Caption, Callable[[], Table]]]) -> None:
        """`sources` has, by any name, the caption of a picture and what makes its table."""
        self._sources = dict(sources)
        for caption, _ in self._sources.values():
            caption.offer = strings.SHOW_TABLE

    def follow(self, refresh: Callable[[], None]) -> None:
        """Call `refresh` when a table is opened or closed."""
        for caption, _ in self._sources.values():
            caption.on_change("open", lambda attr, old, new: refresh())

    def refresh(self) -> None:
        """Bring the tables that are open up to their pictures."""
        for caption, make in self._sources.values():
            if caption.open:
                made = make()
                caption.update(columns=made.columns, rows=made.rows)
