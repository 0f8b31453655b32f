"""Lesson 1: its figures hold, its trails grade as their names say, and a changed core would be noticed."""

from __future__ import annotations

import json

import pytest
from places import LESSON_ONE

from ferrolab.lesson import Lesson, Trail, check_lesson, grade, values
from ferrolab.lesson.check import control_names
from ferrolab.lesson.prose import ProseCheck


def test_the_lesson_has_no_fault() -> None:
    """Recomputes every figure in its prose and replays every trail."""
    assert [str(d) for d in check_lesson(LESSON_ONE)] == []


def test_a_core_that_computes_otherwise_makes_every_sentence_false(monkeypatch: pytest.MonkeyPatch, lesson: Lesson) -> None:
    """Every figure is really recomputed: with each number off by a tenth, each line that quotes one is named."""
    real = values.evaluate
    monkeypatch.setattr(values, "evaluate", lambda call: real(call) * (1.1 if call.name != "forward_error" else 0.9))
    found = [d for d in check_lesson(LESSON_ONE) if d.code == "L021"]
    judge = ProseCheck(lesson, control_names())
    judge.document()
    coarse = {"200", "3", "8", "90", "0.000"}  # one digit, or zero: a tenth does not show
    quoted = {p.line for p in judge.figures if p.figure.over is None and p.figure.text not in coarse}
    assert len(quoted) >= 12
    assert quoted <= {d.line for d in found if d.file == "lesson.md"}
    assert len([d for d in found if d.file == "lesson.toml"]) >= 20


@pytest.mark.parametrize("name", ["wrong-sign", "finer-no-better", "exponent", "tolerance"])
def test_each_check_can_be_missed(lesson: Lesson, name: str) -> None:
    trail = Trail.from_dict(json.loads((LESSON_ONE / "trails" / f"missing-{name}.json").read_text()), lesson.slug)
    missed = {c.id for c in grade(lesson, trail).checks if not c.met}
    # Without a wrong sign there is none to refine: the second check builds on the first, and falls with it.
    assert missed == ({"wrong-sign", "finer-no-better"} if name == "wrong-sign" else {name})


def test_the_lesson_asks_for_what_the_brief_of_a_lesson_asks(lesson: Lesson) -> None:
    assert [c.id for c in lesson.checks] == ["wrong-sign", "finer-no-better", "exponent", "tolerance"]
    assert [s.id for s in lesson.steps] == list("ABCDEF")
    assert len(lesson.stuck) == 7
    assert {q.kind for q in lesson.questions} == {"choice", "numeric", "short"}
    assert len(lesson.predict.choices) == 4


def test_a_trail_of_a_whole_lesson_is_small(lesson: Lesson) -> None:
    text = (LESSON_ONE / "trails" / "passing.json").read_text()
    trail = Trail.from_dict(json.loads(text))
    per_event = len(json.dumps(trail.to_dict(), separators=(",", ":"))) / len(trail.events)
    assert per_event < 400, "a browser's storage holds thousands of these"
    assert set(trail.seen[0].readout) | set(trail.seen[0].controls) >= lesson.quantities
