"""From the tables of lesson.toml (or lesson.json) to a `Lesson`, refusing what it does not understand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from ferrolab.lesson.diagnostics import Diagnostic, LessonError
from ferrolab.lesson.model import (
    BENCHES,
    FORMAT,
    PREDICT,
    Check,
    Choice,
    Constant,
    Figure,
    Lesson,
    Predict,
    Question,
    Step,
    Stuck,
    StuckRule,
)
from ferrolab.lesson.reader import Path, Report, Table, closest, is_number, spell
from ferrolab.lesson.requirements import read_requirement, read_where

KINDS = ("choice", "numeric", "short")
# Each with the key that says where it is drawn.
FIGURE_KINDS = {"height": "log_stiffness", "force-at-entry": "log_stiffness", "reach": "log_kappa"}
_ID = re.compile(r"[A-Za-z][A-Za-z0-9-]*\Z")
_ID_SCHEMA = {"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9-]*$"}


def parse_lesson(
    value: Any, *, slug: str | None = None, prose: str = "", file: str = "lesson.json", line: Callable[[Path], int] | None = None
) -> Lesson:
    """A `Lesson` from parsed TOML or JSON.

    `slug` is the folder's name, taken from the data when None; `line` maps a path into the data to a line of `file`.
    Raises `LessonError` with every fault found.
    """
    report = Report()
    root = Table(value, (), report)
    lesson = read_lesson(root, slug, prose)
    if not report.faults:
        _references(lesson, report)
    if report.faults:
        where = line or (lambda path: 0)
        raise LessonError([Diagnostic(file, where(p), code, message, fix) for p, code, message, fix in report.faults])
    return lesson


def read_lesson(root: Table, slug: str | None, prose: str) -> Lesson:
    """A `Lesson` from the table `root`; what is wrong goes to its report, and the lesson is then not to be used."""
    report = root.report
    root.get("format", f"{FORMAT}, the version of the lesson format", lambda v: v == FORMAT and type(v) is int, schema={"const": FORMAT})
    if slug is None:
        slug = root.text("slug")
    predict = root.table("predict")
    lesson = Lesson(
        slug=slug or "",
        title=root.text("title"),
        number=root.whole("number"),
        topic=root.text("topic"),
        minutes=root.whole("minutes"),
        language=root.text("language", "en"),
        summary=root.text("summary"),
        authors=root.texts("authors", []),
        bench=root.one_of("bench", BENCHES, BENCHES[0]),
        controls=root.texts("controls"),
        predict=_predict(predict) if predict else None,  # type: ignore[arg-type]  # a fault is on record
        checks=tuple(_check(t) for t in root.tables("checks", 1)),
        steps=tuple(_step(t) for t in root.tables("steps")),
        stuck=tuple(_stuck(t) for t in root.tables("stuck")),
        questions=tuple(_question(t) for t in root.tables("questions")),
        figures=tuple(_figure(t) for t in root.tables("figures")),
        constants=tuple(_constant(t) for t in root.tables("constants")),
        prose=prose,
    )
    root.done()
    for group in ("checks", "steps", "stuck", "questions", "figures"):
        _unique(getattr(lesson, group), (group,), report)
    return lesson


def _id(table: Table) -> Any:
    return table.get("id", "letters, digits and hyphens, a letter first", lambda v: isinstance(v, str) and bool(_ID.match(v)), schema=_ID_SCHEMA)


def _unique(items: Iterable[Any], path: Path, report: Report) -> None:
    first: dict[str, int] = {}
    for i, item in enumerate(items):
        if item.id in first and item.id is not None:
            message = f"{spell((*path, i))} has the id {item.id!r}, which {spell((*path, first[item.id]))} already has."
            report.add((*path, i, "id"), "L006", message, "Give one of them another id.")
        first.setdefault(item.id, i)


def _choices(table: Table, path: Path) -> tuple[Choice, ...]:
    choices = []
    for t in table.tables("choices", 2):
        choices.append(Choice(_id(t), t.text("text"), bool(t.flag("correct", False))))
        t.done()
    _unique(choices, (*path, "choices"), table.report)
    if len(choices) >= 2 and sum(c.correct for c in choices) != 1:
        path = (*path, "choices")
        message = f"{spell(path)} marks {sum(c.correct for c in choices)} choices as correct and must mark one."
        table.report.add(path, "L005", message, "Write correct = true in exactly one choice.")
    return tuple(choices)


def _predict(table: Table) -> Predict:
    out = Predict(table.text("ask"), _choices(table, table.path), table.text("explain"), table.text("revealed_by"))
    table.done()
    return out


def _question(table: Table) -> Question:
    kind = table.one_of("kind", KINDS)
    common = {"id": _id(table), "kind": kind, "ask": table.text("ask"), "right": table.text("right"), "wrong": table.text("wrong")}
    if kind == "choice":
        common["choices"] = _choices(table, table.path)
    elif kind == "numeric":
        common["answer"] = table.number("answer")
        common["tolerance"] = table.get("tolerance", "a number above zero", lambda v: is_number(v) and v > 0, schema={"type": "number", "exclusiveMinimum": 0})
        common["unit"] = table.text("unit", "")
        common["value"] = table.text("value", None)
    elif kind == "short":
        common["accept"] = table.texts("accept")
    table.done(all_known=kind is not None)  # without a kind, which keys belong is unknown
    return Question(**common)


def _figure(table: Table) -> Figure:
    kind = table.one_of("kind", tuple(FIGURE_KINDS))
    given: dict[str, Any] = {"id": _id(table), "kind": kind, "alt": table.text("alt")}
    if kind is not None:
        given[FIGURE_KINDS[kind]] = table.number(FIGURE_KINDS[kind])
    table.done(all_known=kind is not None)  # without a kind, which keys belong is unknown
    return Figure(**given)


def _constant(table: Table) -> Constant:
    out = Constant(table.text("text"), table.text("why"))
    table.done()
    return out


def _check(table: Table) -> Check:
    needs = tuple(read_requirement(t, in_check=True) for t in table.tables("needs", 1))
    out = Check(_id(table), table.text("label"), table.text("hint"), needs, table.texts("builds_on", []), bool(table.flag("opening", False)))
    table.done()
    return out


def _step(table: Table) -> Step:
    done = tuple(read_requirement(t, in_check=True) for t in table.tables("done", 1))
    out = Step(_id(table), table.text("title"), done)
    table.done()
    return out


def _stuck(table: Table) -> Stuck:
    until = table.table("until", None)
    met = answered = None
    if until is not None:
        met, answered = until.text("met", None), until.text("answered", None)
        until.done()
    rules = []
    for t in table.tables("when", 1):
        if "now" in t.given:
            now = t.table("now")
            rules.append(StuckRule(now=read_where(now) if now else None, last=t.whole("last", default=1) or 1))
            t.done()
        else:
            rules.append(StuckRule(seen=read_requirement(t, in_check=False)))
    out = Stuck(_id(table), table.text("title"), tuple(rules), met, answered)
    table.done()
    return out


def _references(lesson: Lesson, report: Report) -> None:
    checks = {c.id for c in lesson.checks}
    questions = {q.id for q in lesson.questions} | {PREDICT}

    def must_be(name: str | None, known: set[str], what: str, path: Path) -> None:
        if name is not None and name not in known:
            report.add(path, "L008", f"{spell(path)} names the {what} {name!r}, which lesson.toml does not declare.", closest(name, known))

    must_be(lesson.predict.revealed_by, checks, "check", ("predict", "revealed_by"))
    for i, check in enumerate(lesson.checks):
        for other in check.builds_on:
            must_be(other, checks - {check.id}, "check", ("checks", i, "builds_on"))
    for group, key in (("checks", "needs"), ("steps", "done")):
        for i, item in enumerate(getattr(lesson, group)):
            for j, need in enumerate(getattr(item, key)):
                must_be(need.answered, questions, "question", (group, i, key, j, "answered"))
    for i, stuck in enumerate(lesson.stuck):
        must_be(stuck.until_met, checks, "check", ("stuck", i, "until", "met"))
        must_be(stuck.until_answered, questions, "question", ("stuck", i, "until", "answered"))
        for j, rule in enumerate(stuck.when):
            if rule.seen is not None:
                must_be(rule.seen.answered, questions, "question", ("stuck", i, "when", j, "answered"))
    if PREDICT in {q.id for q in lesson.questions}:
        report.add(("questions",), "L006", f"the question id {PREDICT!r} belongs to the prediction.", "Give the question another id.")
