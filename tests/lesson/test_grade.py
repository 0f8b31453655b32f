"""The grade: pure, monotone, and each check met exactly by what the lesson says."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

import pytest
from places import LESSON_ONE
from hypothesis import given, settings
from hypothesis import strategies as st

from ferrolab.lesson import Lesson, Trail, grade, load_lesson
from ferrolab.lesson.grade import Grade

LESSON = load_lesson(LESSON_ONE)
IDS = [check.id for check in LESSON.checks]


def seen(log_stiffness: float = 4.0, dt: float = 1e-4, stepping: str = "fixed", **readout: Any) -> dict:
    return {"kind": "seen", "controls": {"log_stiffness": log_stiffness, "dt": dt, "stepping": stepping}, "readout": readout}


def graded(*events: dict) -> Grade:
    return grade(LESSON, Trail.from_dict({"version": 1, "lesson": LESSON.slug, "events": list(events)}))


def met(*events: dict) -> set[str]:
    return {check.id for check in graded(*events).checks if check.met}


# Few values, so that random trails meet checks often.
random_seen = st.builds(
    seen,
    log_stiffness=st.sampled_from([2.0, 3.9, 4.0, 5.0, 6.0, 8.0]),
    dt=st.sampled_from([1e-4, 1e-5, 1e-6]),
    stepping=st.sampled_from(["fixed", "tolerance"]),
    sign_agrees=st.sampled_from([True, False, None]),
    gradient_error=st.sampled_from([None, 0.0, 1.0, 1.3, 40.0]),
    exponent=st.sampled_from([None, 0.0, 0.45, 0.5, 0.55, 0.56]),
    entry=st.sampled_from([None, 3.61, 3.65, -160.0]),
    entry_exact=st.sampled_from([3.61, None]),
)
random_answer = st.builds(
    lambda question, response: {"kind": "answered", "question": question, "response": response},
    st.sampled_from(["predict", "cost", "exponent", "shares", "no-such-question"]),
    st.sampled_from(["more", "less", 0.5, None, "integrator", True]),
)
random_events = st.lists(random_seen | random_answer, max_size=12)


@settings(max_examples=300)
@given(random_events, random_seen | random_answer)
def test_looking_further_never_unmeets_a_check_or_a_step(events: list, more: dict) -> None:
    before, after = graded(*events), graded(*events, more)
    assert {c.id for c in before.checks if c.met} <= {c.id for c in after.checks if c.met}
    assert set(before.steps) <= set(after.steps)


@settings(max_examples=300)
@given(random_events, st.randoms(use_true_random=False))
def test_checks_and_steps_do_not_depend_on_the_order_of_looking(events: list, shuffle: random.Random) -> None:
    mixed = list(events)
    shuffle.shuffle(mixed)
    assert met(*events) == met(*mixed)
    assert graded(*events).steps == graded(*mixed).steps


@given(random_events)
def test_a_grade_is_json_and_repeats_to_the_byte(events: list) -> None:
    text = json.dumps(graded(*events).to_dict(), allow_nan=False)
    assert text == json.dumps(graded(*events).to_dict(), allow_nan=False)
    assert json.loads(text)["passed"] == (met(*events) == set(IDS))


def test_an_empty_trail_meets_nothing_and_says_what_to_look_for() -> None:
    result = graded()
    assert not result.passed and result.stuck == () and result.steps == ()
    assert [c.detail for c in result.checks] == [c.hint for c in LESSON.checks]


def test_a_trail_of_another_lesson_is_refused() -> None:
    with pytest.raises(ValueError, match="its own lesson"):
        grade(LESSON, Trail("another"))


# (a) a stiffness where the sign line says wrong


def test_a_wrong_sign_counts_under_a_fixed_step_only() -> None:
    assert met(seen(sign_agrees=False)) == {"wrong-sign"}
    assert met(seen(sign_agrees=True)) == set()
    assert met(seen(sign_agrees=None)) == set()
    assert met(seen(stepping="tolerance", sign_agrees=False)) == set()


# (b) at that same stiffness two finer steps, the gradient error not falling by more than a quarter


def wrong(log_stiffness: float, dt: float, error: float, agrees: bool = False) -> dict:
    return seen(log_stiffness, dt, sign_agrees=agrees, gradient_error=error)


def test_two_finer_steps_with_an_error_that_does_not_fall_are_needed() -> None:
    coarse, finer, finest = wrong(6, 1e-4, 40), wrong(6, 1e-5, 31), wrong(6, 1e-6, 49)
    assert "finer-no-better" in met(coarse, finer, finest)
    assert "finer-no-better" in met(finest, coarse, finer)
    assert "finer-no-better" not in met(coarse, finer)
    assert "finer-no-better" not in met(coarse, finer, finer)
    assert "finer-no-better" not in met(finer, finest)


@pytest.mark.parametrize(
    ("finest", "why"),
    [
        (wrong(6, 1e-6, 29), "the error fell by more than a quarter"),
        (wrong(6.01, 1e-6, 40), "another stiffness"),
        (seen(6, 1e-6, "tolerance", sign_agrees=False, gradient_error=40), "a tolerance is no finer step"),
        (seen(6, 1e-6, gradient_error=None), "no error on record"),
    ],
)
def test_what_does_not_count_as_finer_and_no_better(finest: dict, why: str) -> None:
    assert "finer-no-better" not in met(wrong(6, 1e-4, 40), wrong(6, 1e-5, 40), finest), why


def test_the_sign_must_be_wrong_at_that_same_stiffness() -> None:
    right_here = [wrong(2, 1e-4, 0.5, agrees=True), wrong(2, 1e-5, 0.5, agrees=True), wrong(2, 1e-6, 0.5, agrees=True)]
    assert met(wrong(6, 1e-4, 40), *right_here) == {"wrong-sign"}


def test_settings_equal_to_rounding_are_the_same_stiffness() -> None:
    """Just below and just above a value that a grouping by digits would part."""
    for value in (4.0000005, 5.1234565, 6.0):
        near = value * (1 + 4e-10)
        assert "finer-no-better" in met(wrong(value, 1e-4, 40), wrong(near, 1e-5, 40), wrong(value, 1e-6, 40))
        assert "finer-no-better" not in met(wrong(value, 1e-4, 40), wrong(value * (1 + 1e-8), 1e-5, 40), wrong(value, 1e-6, 40))


# (c) the exponent near one half, inside the range it is taken over


@pytest.mark.parametrize(("value", "counts"), [(0.449, False), (0.45, True), (0.5286, True), (0.55, True), (0.551, False), (None, False)])
def test_the_exponent_counts_near_one_half(value: float | None, counts: bool) -> None:
    assert ("exponent" in met(seen(6, exponent=value))) == counts


def test_the_exponent_counts_where_the_law_holds_and_under_a_fixed_step() -> None:
    assert met(seen(4, exponent=0.5)) == met(seen(8, exponent=0.5)) == {"exponent"}
    assert met(seen(3.99, exponent=0.5), seen(6, stepping="tolerance", exponent=0.5)) == set()


# (d) the tolerance on, at 1e5 or more, within 1% of exact


@pytest.mark.parametrize(
    ("log_stiffness", "stepping", "entry", "exact", "counts"),
    [
        (5, "tolerance", 3.61, 3.61, True),
        (6, "tolerance", 3.645, 3.61, True),
        (6, "tolerance", 3.647, 3.61, False),
        (6, "tolerance", 3.573, 3.61, False),
        (4.99, "tolerance", 3.61, 3.61, False),
        (6, "fixed", 3.61, 3.61, False),
        (6, "tolerance", None, 3.61, False),
        (6, "tolerance", 3.61, None, False),
        (6, "tolerance", -3.61, -3.61, True),
    ],
)
def test_the_tolerance_route_must_land_within_one_percent(
    log_stiffness: float, stepping: str, entry: float | None, exact: float | None, counts: bool
) -> None:
    assert ("tolerance" in met(seen(log_stiffness, stepping=stepping, entry=entry, entry_exact=exact))) == counts


# Ways of getting stuck: each message appears on a trail that is stuck there, and goes when the learner moves on


def stuck(*events: dict) -> tuple[str, ...]:
    return graded(*events).stuck


def answer(question: str, response: Any) -> dict:
    return {"kind": "answered", "question": question, "response": response}


STUCK = {
    "soft-end": ([seen(2, sign_agrees=True), seen(2.3, sign_agrees=True)], [seen(4, sign_agrees=False)]),
    "waiting-for-finer": ([wrong(6, 1e-4, 40), wrong(6, 1e-5, 40)], [wrong(6, 1e-6, 40)]),
    "tolerance-first": ([seen(6, stepping="tolerance", sign_agrees=True)], [seen(6, sign_agrees=False)]),
    "stiff-end": ([seen(8, sign_agrees=True)], [seen(8, 1e-5, sign_agrees=False)]),
    "exponent-of-the-spring": ([answer("whose-exponent", "spring")], [answer("whose-exponent", "route")]),
    "steps-are-not-cost": ([seen(6, stepping="tolerance")], [answer("cost", "more")]),
    "shares": ([answer("shares", "model")], [answer("shares", "integrator")]),
}


def test_every_message_of_the_lesson_has_its_case_here() -> None:
    assert set(STUCK) == {s.id for s in LESSON.stuck} and len(STUCK) == 7


@pytest.mark.parametrize("name", STUCK)
def test_a_message_appears_where_the_learner_is_stuck_and_goes_when_they_move_on(name: str) -> None:
    there, on = STUCK[name]
    assert name not in stuck()
    assert name in stuck(*there)
    assert name not in stuck(*there, *on)


def test_walking_along_the_slider_to_watch_the_exponent_is_a_way_of_being_stuck() -> None:
    walk = [seen(4 + i / 2, sign_agrees=False, exponent=0.5286) for i in range(6)]
    assert "exponent-of-the-spring" in stuck(*walk)
    assert "exponent-of-the-spring" not in stuck(*walk[:5])


def test_comparing_the_tolerance_at_three_stiffnesses_asks_about_the_shares() -> None:
    looks = [seen(k, stepping="tolerance") for k in (5, 6, 7)]
    assert "shares" in stuck(*looks) and "shares" not in stuck(*looks[:2], looks[0])


def test_grading_needs_the_standard_library_alone() -> None:
    """The worker has no Markdown parser, and must not wait for numpy to read a trail."""
    code = (
        "import sys, ferrolab.lesson as l; l.grade; "
        "bad = {'numpy', 'markdown_it', 'latex2mathml', 'jinja2', 'panel', 'bokeh', 'ferrolab.audit'} & set(sys.modules); "
        "sys.exit(', '.join(sorted(bad)) or 0)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_a_lesson_shipped_as_json_grades_the_same(lesson: Lesson) -> None:
    shipped = Lesson.from_dict(json.loads(json.dumps(lesson.to_dict())))
    for path in sorted((LESSON_ONE / "trails").glob("*.json")):
        trail = Trail.from_dict(json.loads(path.read_text()))
        assert grade(shipped, trail) == grade(lesson, trail)
