"""A lesson asks only for what its bench has, and a check is not met by the bench alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from places import LESSON_ONE

from ferrolab.bench import VIEWS
from ferrolab.controls import CONTROLS
from ferrolab.lesson import Diagnostic, Trail, check_lesson, grade, load_lesson
from ferrolab.lesson.on_bench import BENCH_CONTROLS, NOT_MEASURED
from ferrolab.lesson.quantities import QUANTITIES, quantity
from ferrolab.lesson.reader import closest
from ferrolab.lesson.replay import compute

Broken = Callable[..., tuple[list[Diagnostic], str]]


def test_the_controls_of_each_bench_are_those_of_its_view() -> None:
    assert {name: view.CONTROL_IDS for name, view in VIEWS.items()} == BENCH_CONTROLS


@pytest.mark.parametrize("bench", BENCH_CONTROLS)
def test_what_a_bench_does_not_measure_is_what_no_readout_of_it_holds(bench: str) -> None:
    opening = {name: CONTROLS[name].default for name in BENCH_CONTROLS[bench]}
    others = [{"stepping": stepping} for stepping in CONTROLS["stepping"].values] if "stepping" in opening else [{"model": "stochastic"}]
    readouts = [compute(opening | one, bench) for one in ({}, *others)]
    absent = {name for name in QUANTITIES if all(quantity(name, readout, opening) is None for readout in readouts)}
    assert absent == NOT_MEASURED[bench]


@pytest.mark.parametrize(
    ("file", "old", "new", "code", "words"),
    [
        ("lesson.toml", '"stepping"]', '"stepping", "derivative"]', "L008", "this bench has no derivative; who-is-to-blame has."),
        ("lesson.toml", "sign_agrees = false", "entry_law = { at_most = 3 }", "L007", "this bench has no entry_law; who-is-to-blame has."),
        ("lesson.md", "`5.67 | gradient_error log_stiffness=4`", "`-18.67 | entry_branch log_stiffness=4 stepper=rk4`", "L007", "no entry_branch"),
    ],
)
def test_what_another_bench_has_is_told_with_the_bench_that_has_it(broken: Broken, file: str, old: str, new: str, code: str, words: str) -> None:
    found, _ = broken(file, old, new)
    told = [one for one in found if one.code == code]
    assert len(told) == 1 and words in told[0].message and told[0].file == file, found


def test_a_check_that_the_bench_meets_by_itself_is_told_unless_it_is_allowed(broken: Broken) -> None:
    found, text = broken("lesson.toml", "opening = true\n", "")
    assert [(one.code, one.line) for one in found] == [("L035", text[: text.index("[[checks]]")].count("\n") + 1)]


def test_lesson_one_opens_on_two_of_its_checks_and_says_so() -> None:
    lesson = load_lesson(LESSON_ONE)
    assert [check.id for check in lesson.checks if check.opening] == ["wrong-sign", "exponent"]
    assert check_lesson(LESSON_ONE) == []


def test_a_readout_to_compare_with_is_not_the_one_that_met_a_check() -> None:
    folder = LESSON_ONE.parent / "the-slow-impact"
    lesson = load_lesson(folder)
    trail = Trail(lesson.slug)
    for place in (6, 2):
        controls = {"log_stiffness": place, "dt": 1e-4, "stepping": "tolerance"}
        trail = trail.append_seen(controls, compute(controls), lesson.quantities)
    details = {check.id: check.detail for check in grade(lesson, trail).checks}
    assert details["slow-in-disguise"] == "k = 10^2.00, error tolerance"


def test_a_long_list_is_not_read_out() -> None:
    said = closest("qqqq", QUANTITIES)
    assert said.count(",") == 2 and f"all {len(QUANTITIES)}" in said
    assert closest("qqqq", ["a", "b"]) == "It may be one of: a, b."
