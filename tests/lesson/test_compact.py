"""A trail within the 4096 characters of a learning management system: it comes back with what was met still met."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from places import LESSON_ONE, ROOT
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ferrolab.controls import CONTROLS
from ferrolab.lesson import Lesson, Trail, TrailError, grade, load_lesson
from ferrolab.lesson.compact import LIMIT, compact, expand
from ferrolab.lesson.positions import index_of, off_the_bench, value_at

TRAILS = sorted(ROOT.glob("lessons/*/trails/*.json"))
LESSON = load_lesson(LESSON_ONE)


def read(path: Path) -> tuple[Lesson, Trail]:
    return load_lesson(path.parents[1]), Trail.from_dict(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", TRAILS, ids=lambda path: f"{path.parents[1].name}/{path.stem}")
def test_every_trail_of_every_lesson_comes_back_with_its_grade(path: Path) -> None:
    lesson, trail = read(path)
    text = compact(lesson, trail)
    assert text.isascii() and len(text) <= LIMIT
    assert grade(lesson, expand(lesson, text)).to_json() == grade(lesson, trail).to_json()
    assert compact(lesson, expand(lesson, text)) == text


STIFFNESS = st.integers(0, 600).map(lambda i: round(2 + i / 100, 2))
seen = st.builds(
    lambda k, dt, wrong, error: {
        "kind": "seen", "controls": {"log_stiffness": k, "dt": dt, "stepping": "fixed"},
        "readout": {"sign_agrees": not wrong, "gradient_error": error, "exponent": 0.5, "entry": 1.0, "entry_exact": 1.0, "status": "ok"},
    },
    STIFFNESS, st.sampled_from([1e-4, 1e-5, 1e-6]), st.booleans(), st.sampled_from([0.1, 40.0]),
)  # fmt: skip
TYPED = [q.id for q in LESSON.questions if q.kind == "short"]
answered = st.builds(
    lambda question, response: {"kind": "answered", "question": question, "response": response},
    st.sampled_from(TYPED), st.text(max_size=300) | st.sampled_from(["the timing term", "rigid " * 50, "€" * 300]),
) | st.builds(lambda n: {"kind": "answered", "question": "exponent", "response": n}, st.floats(-1e9, 1e9) | st.integers(-5, 5))  # fmt: skip


class Remembered:
    """Stands in for the core: answers with what was recorded, so that invented readouts can come back too."""

    def __init__(self, trail: Trail) -> None:
        self.known = {tuple(sorted(e.controls.items())): dict(e.readout) for e in trail.seen}

    def __call__(self, controls: dict[str, Any], bench: str, costs: bool | None = None) -> dict[str, Any]:
        return self.known[tuple(sorted(controls.items()))]


def back(monkeypatch: pytest.MonkeyPatch, trail: Trail, limit: int) -> Trail:
    text = compact(LESSON, trail, limit)
    assert len(text) <= limit and text.isascii()
    monkeypatch.setattr("ferrolab.lesson.compact.compute", Remembered(trail))
    return expand(LESSON, text)


def distinct(events: list[dict]) -> Trail:
    """A trail in which one position always reads the same."""
    first: dict[Any, dict] = {}
    for event in events:
        if event["kind"] == "seen":
            event["readout"] = first.setdefault(tuple(sorted(event["controls"].items())), event["readout"])
    trail = Trail(LESSON.slug)
    for event in events:
        trail = trail.append(event)
    return trail


@settings(max_examples=60, deadline=None)
@given(st.lists(seen | answered, max_size=60), st.sampled_from([LIMIT, 700, 500]))
@example([{"kind": "answered", "question": TYPED[0], "response": "x;~%é " * 40}], LIMIT)
def test_what_was_met_stays_met_at_any_limit(events: list[dict], limit: int) -> None:
    trail = distinct(events)
    with pytest.MonkeyPatch.context() as monkeypatch:
        again = back(monkeypatch, trail, limit)
    before, after = grade(LESSON, trail), grade(LESSON, again)
    assert [c.met for c in after.checks] == [c.met for c in before.checks]
    assert after.steps == before.steps
    if len(compact(LESSON, trail, 10**6)) <= limit:
        assert again == trail


def test_a_long_visit_fits_with_its_latest_readouts(monkeypatch: pytest.MonkeyPatch) -> None:
    events = []
    for i in range(1500):
        events.append({
            "kind": "seen", "controls": {"log_stiffness": round(2 + i % 601 / 100, 2), "dt": [1e-4, 1e-5, 1e-6][i // 601 % 3], "stepping": "fixed"},
            "readout": {"sign_agrees": i % 601 < 50, "gradient_error": 40.0, "exponent": 0.5, "entry": 1.0, "entry_exact": 1.0, "status": "ok"},
        })  # fmt: skip
    events += [{"kind": "answered", "question": name, "response": "timing " + "x" * 290} for name in TYPED]
    trail = distinct(events)
    again = back(monkeypatch, trail, LIMIT)
    assert len(compact(LESSON, trail)) > LIMIT - 10
    assert again.seen[-1].controls == trail.seen[-1].controls
    assert [c.met for c in grade(LESSON, again).checks] == [c.met for c in grade(LESSON, trail).checks]
    assert any(c.met for c in grade(LESSON, again).checks)


def test_what_was_written_for_another_version_of_the_lesson_is_refused() -> None:
    text = compact(LESSON, Trail(LESSON.slug))
    other = Lesson.from_dict({**LESSON.to_dict(), "questions": LESSON.to_dict()["questions"][1:]})
    with pytest.raises(TrailError, match="another version"):
        expand(other, text)


@given(st.text(max_size=30))
def test_rubbish_after_a_good_head_is_refused_or_is_a_trail(body: str) -> None:
    head = compact(LESSON, Trail(LESSON.slug))
    try:
        expand(LESSON, head + body)
    except TrailError as error:
        assert str(error).endswith("begins anew.")


def test_a_limit_without_room_is_an_error() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        compact(LESSON, Trail(LESSON.slug), 3)


@pytest.mark.parametrize("control", CONTROLS.values(), ids=lambda control: control.id)
def test_a_position_has_a_number_and_the_number_its_position(control: Any) -> None:
    last = round((control.stop - control.start) / control.step) if control.kind == "slider" else len(control.values) - 1
    assert [index_of(control, value_at(control, i)) for i in range(last + 1)] == list(range(last + 1))
    with pytest.raises(IndexError):
        value_at(control, last + 1)


@pytest.mark.parametrize(
    "controls",
    [{}, {"log_stiffness": 1.99}, {"log_stiffness": 4.005}, {"log_stiffness": "4"}, {"log_stiffness": True}, {"log_stiffness": 4, "dt": 1e-9},
     {"log_stiffness": 4, "law": ["rigid"]}, {"log_stiffness": 4, "gravity": 1}, {"log_stiffness": 4, "saltation": 1}],
)  # fmt: skip
def test_what_is_no_position_of_the_bench_is_named(controls: dict) -> None:
    assert off_the_bench(controls, "log_stiffness")
    assert off_the_bench({"log_stiffness": 4, "dt": 1e-4, "stepping": "fixed", "saltation": True}, "log_stiffness") is None
