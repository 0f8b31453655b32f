"""The vocabulary of checks, steps and stuck rules, read from tables: see `model.Requirement` and `model.Condition`."""

from __future__ import annotations

from ferrolab.lesson.model import Condition, Ratio, Requirement, Where
from ferrolab.lesson.quantities import QUANTITIES
from ferrolab.lesson.reader import Path, Report, Table, closest, is_number, spell

QUANTITY = {"$ref": "#/$defs/quantity"}


def read_requirement(table: Table, in_check: bool) -> Requirement:
    """A table of `needs`, `done` or `when`; `in_check` forbids what could un-meet a check. Faults go to the report."""
    report = table.report
    if "answered" in table.given:
        out = Requirement(answered=table.text("answered"), correct=table.flag("correct", None))
        table.done()
        if in_check and out.correct is False:
            path = (*table.path, "correct")
            report.add(path, "L005", f"{spell(path)} is false, and nobody must be wrong to pass.", "Write correct = true.")
        return out
    where, beside = table.table("where"), table.table("beside", None)
    ratio = table.table("ratio", None)
    out = Requirement(
        where=read_where(where) if where else None,
        count=table.whole("count", default=1) or 1,
        distinct=_quantity(table, "distinct"),
        beside=read_where(beside) if beside else None,
        same=_quantities(table, "same"),
        less=_quantities(table, "less"),
        ratio=_ratio(ratio) if ratio else None,
    )
    table.done()
    if out.count > 1 and out.distinct is None:
        report.add(
            table.path, "L004", f"{spell(table.path)} counts {out.count} readouts without saying what must differ between them.",
            "Add distinct = the quantity whose different values are counted.",
        )
    if out.beside is None and (out.same or out.less or out.ratio):
        report.add(
            table.path, "L004", f"{spell(table.path)} compares readouts without saying with which one.",
            "Add beside = { … }, the readout to compare with.",
        )
    return out


def _quantity(table: Table, key: str) -> str | None:
    name = table.text(key, None, QUANTITY)
    if name is not None:
        _known_quantity(name, (*table.path, key), table.report)
    return name


def _quantities(table: Table, key: str) -> tuple[str, ...]:
    names = table.texts(key, [], {"type": "array", "items": QUANTITY})
    for name in names:
        _known_quantity(name, (*table.path, key), table.report)
    return names


def _known_quantity(name: str, path: Path, report: Report) -> None:
    if name not in QUANTITIES:
        report.add(path, "L007", f"{spell(path)} names {name!r}, which is not a quantity of the readout.", closest(name, QUANTITIES))


def _ratio(table: Table) -> Ratio:
    of = table.text("of", schema=QUANTITY)
    if of is not None:
        _known_quantity(of, (*table.path, "of"), table.report)
    out = Ratio(of, table.number("at_least", None), table.number("at_most", None))
    table.done()
    if of is not None and out.at_least is None and out.at_most is None:
        table.report.add(table.path, "L004", f"{spell(table.path)} has no bound.", "Add at_least, at_most or both.")
    return out


def read_where(table: Table) -> Where:
    """Quantities and what each must be."""
    out: dict[str, Condition] = {}
    for name, value in table.entries(QUANTITIES):
        path = (*table.path, name)
        _known_quantity(name, path, table.report)
        if isinstance(value, Table):
            out[name] = _condition(value)
        elif isinstance(value, (str, bool)) or is_number(value):
            out[name] = Condition(equals=value)
        else:
            fix = "Write a word, a number, true, false, or a table with at_least, at_most or within."
            table.report.add(path, "L005", f"{spell(path)} is {value!r}, which is not a condition.", fix)
    return out


def _condition(table: Table) -> Condition:
    of = _quantity(table, "of")
    out = Condition(None, table.number("at_least", None), table.number("at_most", None), table.number("within", None), of)
    before = len(table.report.faults)
    table.done()
    if len(table.report.faults) == before and (out.within is None) != (out.of is None):
        fix = "Write within = 0.01, of = \"entry_exact\" for 'within 1% of the exact entry'."
        table.report.add(table.path, "L004", f"{spell(table.path)} needs within and of together.", fix)
    elif len(table.report.faults) == before and out == Condition():
        table.report.add(table.path, "L004", f"{spell(table.path)} has no bound.", "Add at_least, at_most, or within and of.")
    return out
