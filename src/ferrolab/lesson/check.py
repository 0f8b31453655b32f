"""`check_lesson`: everything that must be true of a lesson folder, each fault as one coded diagnostic."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ferrolab.controls import CONTROLS
from ferrolab.lesson.diagnostics import Diagnostic, LessonError, sentence
from ferrolab.lesson.fit import misfit
from ferrolab.lesson.grade import grade
from ferrolab.lesson.load import load_lesson
from ferrolab.lesson.locate import line_of
from ferrolab.lesson.model import Check, Lesson
from ferrolab.lesson.on_bench import figure_lacking, lacking
from ferrolab.lesson.opening import opened
from ferrolab.lesson.prose import Place, ProseCheck
from ferrolab.lesson.remedy import remedy
from ferrolab.lesson.replay import disagreements
from ferrolab.lesson.trail import Seen, Trail, TrailError
from ferrolab.lesson.values import ValueSyntaxError, parse_value
from ferrolab.words import DEFAULT, control_label, control_options, load


def check_lesson(path: str | Path) -> list[Diagnostic]:
    """Every fault of the lesson in the folder `path`, in the order of files and lines; an empty list when there is none."""
    folder = Path(path)
    try:
        lesson = load_lesson(folder)
    except LessonError as error:
        return sorted(error.diagnostics)
    source = (folder / "lesson.toml").read_text(encoding="utf-8")
    return sorted([
        *lacking(lesson, source), *_prose(lesson, source), *_answers(lesson, source), *opened(lesson, source),
        *_trails(lesson, folder / "trails"),
    ])


def first_look(path: str | Path) -> tuple[Lesson | None, list[Diagnostic]]:
    """The lesson in the folder `path`, and what would keep its page from being shown: its files and their form.

    Nothing is computed, so this takes a moment where `check_lesson` takes seconds. The lesson is None when it cannot be
    read at all.
    """
    folder = Path(path)
    try:
        lesson = load_lesson(folder)
    except LessonError as error:
        return None, sorted(error.diagnostics)
    source = (folder / "lesson.toml").read_text(encoding="utf-8")
    judge = ProseCheck(lesson, control_names(lesson.language))
    judge.document()
    _texts(lesson, source, judge)
    return lesson, sorted([*lacking(lesson, source), *judge.diagnostics])


def control_names(language: str = DEFAULT) -> frozenset[str]:
    """The names a lesson in `language` may put into {control}: labels of controls and of their positions."""
    words, controls = load(language), CONTROLS.values()
    labels = {control_label(control, words) for control in controls}
    return frozenset(labels | {label for control in controls for _, label in control_options(control, words)})


def _prose(lesson: Lesson, source: str) -> Iterator[Diagnostic]:
    judge = ProseCheck(lesson, control_names(lesson.language))
    judge.document()
    _texts(lesson, source, judge)
    yield from judge.diagnostics
    for place in judge.figures:
        yield from figure_lacking(place.figure, lesson, place.file, place.line)
        yield from _figure(place)


def _texts(lesson: Lesson, source: str, judge: ProseCheck) -> None:
    """The texts of lesson.toml that a learner reads."""

    def text(value: str, *path: str | int, numbers: bool = True, inline: bool = True) -> None:
        judge.text(value, line_of(source, path), "lesson.toml", numbers=numbers, inline=inline)

    text(lesson.summary, "summary", inline=False)
    text(lesson.predict.ask, "predict", "ask")
    text(lesson.predict.explain, "predict", "explain")
    for i, choice in enumerate(lesson.predict.choices):
        text(choice.text, "predict", "choices", i, "text", numbers=choice.correct)
    for i, check in enumerate(lesson.checks):
        text(check.hint, "checks", i, "hint", inline=False)
        text(check.label, "checks", i, "label", inline=False)
    for group in ("steps", "stuck"):
        for i, item in enumerate(getattr(lesson, group)):
            text(item.title, group, i, "title")
    for i, figure in enumerate(lesson.figures):
        text(figure.alt, "figures", i, "alt", inline=False)
    for i, question in enumerate(lesson.questions):
        for key in ("ask", "right", "wrong"):
            text(getattr(question, key), "questions", i, key)
        for j, choice in enumerate(question.choices):
            text(choice.text, "questions", i, "choices", j, "text", numbers=choice.correct)


def _figure(place: Place) -> Iterator[Diagnostic]:
    figure = place.figure
    try:
        computed = figure.compute()
    except (ValueError, TypeError) as error:
        yield Diagnostic(place.file, place.line, "L020", f"{figure.text!r} cannot be computed: {sentence(error)}", "Correct the call.")
        return
    if not figure.holds(computed):
        message = f"the text quotes {figure.text!r} for {figure.call}, and the library computes {computed:.6g}."
        yield Diagnostic(place.file, place.line, "L021", message, "Quote what is computed, or fewer digits of it.")


def _answers(lesson: Lesson, source: str) -> Iterator[Diagnostic]:
    """A numeric question that names its call must have the answer the library gives."""
    for i, question in enumerate(lesson.questions):
        if question.value is None or question.answer is None or question.tolerance is None:
            continue
        line = line_of(source, ("questions", i, "value"))
        try:
            computed = parse_value(f"0 | {question.value}").compute()
        except ValueSyntaxError as error:
            yield Diagnostic("lesson.toml", line, "L020", sentence(error), remedy(f"{question.answer:g} | {question.value}").replace("Write {value}`", "Write the call as in {value}`"))
        except (ValueError, TypeError) as error:
            yield Diagnostic("lesson.toml", line, "L020", f"{question.value!r} cannot be computed: {sentence(error)}", "Correct the call.")
        else:
            if abs(computed - question.answer) > question.tolerance:
                message = f"the answer of {question.id!r} is {question.answer:g}, and the library computes {computed:.6g}."
                yield Diagnostic("lesson.toml", line, "L021", message, "Correct the answer.")


# -- trails ---------------------------------------------------------------------------------------------------------


def _trails(lesson: Lesson, folder: Path) -> Iterator[Diagnostic]:
    wanted = ["passing", "failing", *(f"missing-{check.id}" for check in lesson.checks)]
    found = {file.stem: file for file in sorted(folder.glob("*.json"))} if folder.is_dir() else {}
    for stem in wanted:
        if stem not in found:
            yield Diagnostic(
                f"trails/{stem}.json", 0, "L033", "the lesson has no such trail.",
                "Record one: a trail that passes, one that fails, and for each check one that misses it.",
            )  # fmt: skip
    for stem, file in found.items():
        if not any(stem == name or (name in ("passing", "failing") and stem.startswith(f"{name}-")) for name in wanted):
            fix = "Name it passing, failing, or missing- and the id of a check; passing-… and failing-… may follow."
            yield Diagnostic(f"trails/{file.name}", 0, "L032", "its name does not say what it must grade to.", fix)
            continue
        yield from _trail(lesson, file)


def _trail(lesson: Lesson, file: Path) -> Iterator[Diagnostic]:
    name = f"trails/{file.name}"
    try:
        trail = Trail.from_dict(json.loads(file.read_text(encoding="utf-8")), lesson.slug)
    except json.JSONDecodeError as error:
        yield Diagnostic(name, error.lineno, "L002", f"{error.msg}.", "Correct the JSON at this place.")
        return
    except RecursionError:
        yield Diagnostic(name, 0, "L030", "the file is nested too deeply to be a trail.", "Record the trail again.")
        return
    except (TrailError, UnicodeDecodeError) as error:
        yield Diagnostic(name, 0, "L030", f"{error}", "Record the trail again.")
        return
    misfits = [(number, found) for number, event in enumerate(trail.events, 1) if (found := misfit(lesson, event)) is not None]
    for number, (what, fix) in misfits:
        yield Diagnostic(name, 0, "L034", f"event {number}: {what}.", fix)
    if misfits:
        return  # what it would grade to says nothing
    for number, event in enumerate(trail.events, 1):
        faults = disagreements(event, lesson.bench) if isinstance(event, Seen) else []
        if faults:
            more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
            yield Diagnostic(name, 0, "L031", f"event {number}: {faults[0]}{more}.", "Record the trail again, or find out what changed.")
    met = {check.id for check in grade(lesson, trail).checks if check.met}
    missed = {check.id for check in lesson.checks} - met
    if file.stem.startswith("passing") and missed:
        yield Diagnostic(name, 0, "L032", f"it must pass and misses {_names(missed)}.", "Record it again, or correct the check.")
    elif file.stem.startswith("failing") and not missed:
        yield Diagnostic(name, 0, "L032", "it must fail and passes.", "Record it again, or make the checks stricter.")
    elif file.stem.startswith("missing-"):
        target = file.stem.removeprefix("missing-")
        expected = _without(lesson.checks, target)
        if missed != expected:
            message = f"it must miss exactly {_names(expected)} and misses {_names(missed) if missed else 'nothing'}."
            yield Diagnostic(name, 0, "L032", message, "Record it again, or correct the check.")


def _without(checks: tuple[Check, ...], target: str) -> set[str]:
    """The check `target` and every check that builds on it: those cannot be met without it."""
    out = {target}
    while more := {c.id for c in checks if c.id not in out and out & set(c.builds_on)}:
        out |= more
    return out


def _names(ids: set[str]) -> str:
    return ", ".join(sorted(ids))
