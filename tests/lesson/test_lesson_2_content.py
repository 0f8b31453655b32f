"""Lesson 2: its figures hold, its trails grade as their names say, its project runs, its picture shows the jump."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from places import ROOT
from page_text import Text

import ferrolab.hybrid
from ferrolab.bench import VIEWS
from ferrolab.contact import KelvinVoigt
from ferrolab.hybrid import Grazing, hybrid_jacobian
from ferrolab.lesson import Lesson, Trail, check_lesson, grade, load_lesson, render_index, render_page, values
from ferrolab.lesson.check import control_names
from ferrolab.lesson.model import BENCHES
from ferrolab.lesson.picture import draw
from ferrolab.lesson.prose import ProseCheck
from ferrolab.lesson.replay import compute, disagreements, record
from ferrolab.systems import BouncingMass

LESSON_TWO = ROOT / "lessons" / "who-is-to-blame"
LESSON = load_lesson(LESSON_TWO)
CHECKS = ["wrong-under-tolerance", "one-matrix", "exponents", "converges", "missing-term"]


def trail(name: str) -> Trail:
    return Trail.from_dict(json.loads((LESSON_TWO / "trails" / f"{name}.json").read_text()), LESSON.slug)


def test_the_lesson_has_no_fault() -> None:
    """Recomputes every figure in its prose and replays every trail."""
    assert [str(d) for d in check_lesson(LESSON_TWO)] == []


def test_a_core_that_computes_otherwise_makes_every_sentence_false(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure is really recomputed: with each number a tenth larger, each line that quotes one is named."""
    real = values.evaluate
    monkeypatch.setattr(values, "evaluate", lambda call: real(call) * 1.1)
    found = [d for d in check_lesson(LESSON_TWO) if d.code == "L021"]
    judge = ProseCheck(LESSON, control_names())
    judge.document()
    coarse = {"4"}  # one digit: a tenth does not show
    quoted = {p.line for p in judge.figures if p.figure.over is None and p.figure.text not in coarse}
    assert len(quoted) >= 20
    assert quoted <= {d.line for d in found if d.file == "lesson.md"}
    assert len([d for d in found if d.file == "lesson.toml"]) >= 12


@pytest.mark.parametrize("name", CHECKS)
def test_each_check_can_be_missed_alone(name: str) -> None:
    assert {c.id for c in grade(LESSON, trail(f"missing-{name}")).checks if not c.met} == {name}


def test_the_lesson_asks_for_what_the_brief_of_a_lesson_asks() -> None:
    assert [c.id for c in LESSON.checks] == CHECKS
    assert [s.id for s in LESSON.steps] == list("ABCDEFG")
    assert grade(LESSON, trail("passing")).steps == tuple("ABCDEFG")
    assert {q.kind for q in LESSON.questions} == {"choice", "numeric", "short"}
    assert len(LESSON.predict.choices) == 4 and LESSON.predict.revealed_by == "wrong-under-tolerance"
    assert LESSON.bench == "who-is-to-blame" and len(LESSON.controls) == 6


def test_the_climax_is_one_switch_between_two_events_of_the_passing_trail() -> None:
    """The same in every control but the matrix: the wrong answer and six right digits."""
    seen = trail("passing").seen
    [(out, put_in)] = {
        (round(a.get("entry"), 3), round(b.get("entry"), 5))
        for a, b in zip(seen, seen[1:], strict=False)
        if a.get("log_stiffness") == 6 and a.get("dt") == 1e-4 and {k for k in a.controls if a.controls[k] != b.controls[k]} == {"saltation"} and b.get("saltation")
    }
    assert (out, put_in) == (-199.417, 3.61466)


def test_a_trail_of_a_whole_lesson_is_small() -> None:
    passing = trail("passing")
    assert len(json.dumps(passing.to_dict(), separators=(",", ":"))) / len(passing.events) < 500, "a browser's storage holds thousands"
    assert set(passing.seen[0].readout) | set(passing.seen[0].controls) >= LESSON.quantities | {"entry_law"}


# The bench view a lesson names


def test_a_lesson_may_name_every_view_of_the_bench_and_no_other() -> None:
    assert set(BENCHES) == set(VIEWS)
    shipped = LESSON.to_dict()
    assert shipped["bench"] == "who-is-to-blame" and Lesson.from_dict(shipped).bench == "who-is-to-blame"
    with pytest.raises(ValueError, match="L005.*bench"):
        Lesson.from_dict({**shipped, "bench": "nobody"})
    del shipped["bench"]
    assert Lesson.from_dict(shipped).bench == "gradient-that-lies", "a lesson that names none has the first"


def test_a_trail_is_replayed_on_the_view_it_was_recorded_on() -> None:
    [event] = record(LESSON, [{"see": {"log_stiffness": 6}}]).seen
    assert event.controls == {"log_stiffness": 6, "dt": 1e-4, "stepping": "fixed", "derivative": "autodiff", "law": "kelvin-voigt", "saltation": True}
    assert event.get("entry") == pytest.approx(-196.334, abs=5e-4), "fourth order, not lesson 1's first"
    assert disagreements(event, LESSON.bench) == []
    assert any(fault.startswith("entry is recorded as -196.3") for fault in disagreements(event))
    assert compute(event.controls, LESSON.bench)["verdict"] == "wrong-sign"


# What the learner reads


def test_the_page_says_what_was_right_what_was_missed_and_what_to_vary() -> None:
    text = str(Text(render_page(LESSON)))
    for words in (
        "The measurement was right.", "The attribution was not.", "What would have shown it.",
        "Change one thing at a time, and check what you think you changed.", "\u2212199.417 without the matrix, 3.61466 with it", "grazing",
    ):  # fmt: skip
        assert words in text
    assert "{value}" not in text and "\\|" not in text


def test_the_term_and_its_trace_stand_in_a_table_with_their_figures() -> None:
    rows = re.findall(r"<tr>.*?</tr>", render_page(LESSON), re.DOTALL)
    [at_six] = [row for row in rows if "321.2" in row]
    assert at_six.count('class="living"') == 2 and "203.03" in at_six


def test_the_index_lists_both_lessons_in_order() -> None:
    first = load_lesson(ROOT / "lessons" / "the-gradient-that-lies")
    text = str(Text(render_index([LESSON, first])))
    assert 0 <= text.index("The gradient that lies") < text.index("Who is to blame?")


def test_the_picture_has_the_jump_of_one_law_and_the_continuous_start_of_the_other() -> None:
    svg = draw(LESSON.figures[0])
    start = {name: [tuple(map(float, p.split())) for p in d[1:].split("L")] for name, d in re.findall(r'class="(jumping|starting)" d="(.*?)"', svg)}
    [floor] = {float(y) for y in re.findall(r'class="floor"[^>]* y1="([\d.]+)"', svg)}
    [(foot, head)] = [(float(a), float(b)) for a, b in re.findall(r'class="jump" [^>]*y1="([\d.]+)" y2="([\d.]+)"', svg)]
    peak = min(y for _, y in start["jumping"])
    assert start["jumping"][0][1] == head and foot == floor
    assert 0.35 < (floor - head) / (floor - peak) < 0.42, "more than a third of the peak, as the alternative text says"
    assert start["starting"][0][1] == floor and max(abs(a[1] - b[1]) for a, b in zip(start["starting"], start["starting"][1:], strict=False)) < 20


def test_the_project_runs_as_printed_and_measures_the_term_of_the_lesson(capsys: pytest.CaptureFixture[str]) -> None:
    [code] = re.findall(r"```python\n(.*?)```", LESSON.prose, re.DOTALL)
    exec(compile(code, "lesson.md", "exec"), {})  # noqa: S102  # the reader is told to run it
    [jump, missing] = [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines()]
    exact = compute({"log_stiffness": 6}, LESSON.bench)
    assert missing == pytest.approx(exact["saltation_entry"][1][0], rel=1e-6)
    assert jump == pytest.approx(exact["jump"], rel=1e-3), "the speed is given to three digits"


def bounce(dt: float, repaired: bool) -> float:
    """dv/dh0 of a simulator written as the project asks: a plain loop, autodiff by hand, one line more if `repaired`."""
    k, c, gravity = 1e6, 2 * 0.1606 * 1e3, 9.81
    h, v, dh, dv, inside = 1.0, 0.0, 1.0, 0.0, False
    for _ in range(round(0.8 / dt)):
        push = -k * h - c * v
        touching = h < 0 and push > 0
        if repaired and touching and not inside:
            dv -= c * dh
        inside = touching
        v, dv = (v + dt * (push - gravity), dv + dt * (-k * dh - c * dv)) if touching else (v - dt * gravity, dv)
        h, dh = h + dt * v, dh + dt * dv
    return dv


@pytest.mark.parametrize("dt", [1e-4, 1e-5, 1e-6])
def test_the_one_line_of_the_project_repairs_a_plain_loop_up_to_k_dt(dt: float) -> None:
    exact = compute({"log_stiffness": 6}, LESSON.bench)["entry_law"]
    assert abs(bounce(dt, repaired=True) - exact) < 0.5 * 1e6 * dt
    assert abs(bounce(dt, repaired=False) - exact) > 160


def test_the_names_the_project_sends_the_reader_to_exist() -> None:
    for name in ("step_jump", "HybridSystem", "predict", "touch_down_jump"):
        assert f"`{name}`" in LESSON.prose or f"import {name}" in LESSON.prose
        assert hasattr(ferrolab.hybrid, name)


def test_a_touch_without_speed_is_refused_as_the_lesson_says() -> None:
    contact = BouncingMass(KelvinVoigt(np.array([1e6])), 9.81).hybrid(0, 1)
    with pytest.raises(Grazing) as refused:
        hybrid_jacobian(contact, np.array([1e-7, 0.0]), 0.001)
    assert refused.value.measured < refused.value.threshold and "measured" in str(refused.value)
