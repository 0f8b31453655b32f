"""The table of combinations: law × stepping × derivative, filled as the learner visits them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ferrolab.audit.three_way import verdict
from ferrolab.controls import CONTROLS

#: What tells two cells apart, and the order of the table: rows by the first two, columns by the last.
AXES = ("law", "stepping", "derivative")

Cell = tuple[str, str, str]
"""(law, stepping, derivative)."""


@dataclass(frozen=True)
class Visit:
    """The last look at a cell: the entry (1/s) or None, its verdict, and the settings it was seen at.

    `dt` is in s; `saltation` is False when the route is event-aware and left its matrix out.
    """

    entry: float | None
    verdict: str
    log_stiffness: float
    dt: float
    saltation: bool


def cell_of(controls: Mapping[str, Any]) -> Cell:
    """Return the cell that `controls` stand in."""
    return tuple(controls[axis] for axis in AXES)


def visit_of(controls: Mapping[str, Any], readout: Mapping[str, Any]) -> Visit:
    """Return what a readout under `controls` leaves in its cell; it takes `entry` and `entry_law` (1/s) of it."""
    return Visit(
        readout["entry"],
        verdict(readout["entry"], readout["entry_law"]),
        float(controls["log_stiffness"]),
        float(controls["dt"]),
        bool(controls["saltation"]) or controls["derivative"] != "event-aware",
    )


def visits(seen: Iterable[Mapping[str, Any]]) -> dict[Cell, Visit]:
    """Return the last visit of each cell in what a trail has seen, oldest first.

    What a trail kept without the quantities a cell shows, or with ones it cannot show, is left out.
    """
    found: dict[Cell, Visit] = {}
    for one in seen:
        try:
            cell, visit = cell_of(one["controls"]), visit_of(one["controls"], one["readout"])
        except (KeyError, TypeError, ValueError):
            continue
        if all(value in CONTROLS[axis].values for axis, value in zip(AXES, cell)):
            found[cell] = visit
    return found
