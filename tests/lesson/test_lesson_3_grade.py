"""Lesson 3's pass checks and stuck messages: each met, shown and gone exactly as the lesson says."""

from __future__ import annotations

import pytest
from places import ROOT
from graded import Graded, answer, looked
from hypothesis import given, settings
from hypothesis import strategies as st

from ferrolab.controls import CONTROLS
from ferrolab.lesson import load_lesson
from ferrolab.lesson.on_bench import BENCH_CONTROLS

LESSON = load_lesson(ROOT / "lessons" / "forces-at-a-distance")
OPENING = {name: CONTROLS[name].default for name in BENCH_CONTROLS[LESSON.bench]}
SMOOTHED, SOFT, STOCHASTIC = ({"model": model} for model in ("smoothed", "soft", "stochastic"))
FALLING = {"before_contact": True, "velocity_gradient": 0.0}
REACHING = {"before_contact": True, "velocity_gradient": -14.4}


def seen(height: float = 0.21, *parts: dict) -> dict:
    """A look from a release height: what differs from the bench's start, and what was read, all samples drawn."""
    controls, readout = {**OPENING, "release_height": height}, {"complete": True}
    return looked(controls, readout, *parts)


graded = Graded(LESSON)
met = graded.met


# Zero, and not zero: one height, two models

HARD, REACHED = seen(0.21, FALLING), seen(0.21, SMOOTHED, REACHING)


def test_nothing_and_something_must_be_seen_from_one_height() -> None:
    assert met(HARD, REACHED) == met(REACHED, HARD) == {"reaches-out"}
    assert met(HARD) == met(REACHED) == set()


@pytest.mark.parametrize(
    ("pair", "why"),
    [
        ((HARD, seen(0.212, SMOOTHED, REACHING)), "another height"),
        ((HARD, seen(0.21, SMOOTHED, REACHING, {"drop_dt": 5e-3})), "another time step"),
        ((seen(0.19, {"before_contact": False, "velocity_gradient": 0.0}), seen(0.19, SMOOTHED, {"before_contact": False, "velocity_gradient": -40.0})), "it has landed"),
        ((HARD, seen(0.21, SMOOTHED, {"before_contact": True, "velocity_gradient": -2e-11})), "no slope that anybody could use"),
        ((seen(0.21, SOFT, FALLING), REACHED), "soft is not hard"),
    ],
)  # fmt: skip
def test_what_does_not_show_the_reach(pair: tuple[dict, dict], why: str) -> None:
    assert met(*pair) == set(), why


# A sharpness for a noise

NOISY = seen(0.21, STOCHASTIC, {"mismatch_ratio": 1.15})


def matching(ratio: float, *parts: dict) -> dict:
    return seen(0.3, SMOOTHED, {"log_kappa": 2.27, "mismatch_ratio": ratio, "before_contact": True, "velocity_gradient": -1e-9}, *parts)


def test_the_match_wants_the_noise_seen_and_the_best_sharpness_of_that_noise() -> None:
    assert met(NOISY, matching(1.0)) == met(matching(1.02), NOISY) == {"matched"}
    assert met(matching(1.0)) == met(NOISY) == met(NOISY, matching(1.03)) == set()
    assert met(NOISY, matching(1.0, {"log_noise": -2.0})) == set(), "another noise"
    assert met(NOISY, matching(1.0, {"drop_dt": 2e-3})) == set(), "another time step"
    assert met(seen(0.21, STOCHASTIC, {"complete": False}), matching(1.0)) == set(), "samples were still to come"
    assert met(NOISY, matching(1.0, {"complete": False})) == set(), "the best sharpness was still looked for"


# The price of samples


def counted(samples: float, error: float, *parts: dict) -> dict:
    return seen(0.204, {"log_samples": samples, "zeroth_gradient": -50.0, "zeroth_error": error}, *parts)


STEADY = seen(0.204, {"sample_ratio": 16.0, "smoothed_first_gradient": -34.0})
FOUR = answer("twice-as-good", 4)


def test_the_price_of_samples_wants_two_counts_a_cheap_first_order_and_the_answer() -> None:
    few, many = counted(2.0, 11.3), counted(3.0, 3.6)
    assert met(few, many, STEADY, FOUR) == met(FOUR, STEADY, many, few) == {"samples"}
    for missing in range(4):
        assert met(*(event for place, event in enumerate((few, many, STEADY, FOUR)) if place != missing)) == set()


@pytest.mark.parametrize(
    ("pair", "why"),
    [
        ((counted(2.0, 11.3), counted(2.75, 4.6)), "not ten times the samples"),
        ((counted(2.0, 11.3), counted(3.0, 5.5)), "the error has hardly fallen"),
        ((counted(2.0, 11.3), counted(3.0, 3.6, {"release_height": 0.21})), "another height"),
        ((counted(2.0, 11.3), counted(3.0, 3.6, {"log_noise": -2.0})), "another noise"),
        ((counted(2.0, 11.3), counted(3.0, 3.6, {"complete": False})), "not all drawn"),
        ((counted(2.0, 0.0, {"zeroth_gradient": 0.0}), counted(3.0, 0.0, {"zeroth_gradient": 0.0})), "no sample met the jump"),
    ],
)
def test_what_is_no_measure_of_samples(pair: tuple[dict, dict], why: str) -> None:
    assert met(*pair, STEADY, FOUR) == set(), why


def test_a_ratio_where_there_is_nothing_to_differentiate_does_not_count() -> None:
    few, many = counted(2.0, 11.3), counted(3.0, 3.6)
    assert met(few, many, FOUR, seen(0.3, {"sample_ratio": 16.0, "smoothed_first_gradient": -1e-8})) == set()
    assert met(few, many, FOUR, seen(0.204, {"sample_ratio": 9.0, "smoothed_first_gradient": -34.0})) == set()
    assert met(few, many, FOUR, seen(0.204, {"sample_ratio": None, "smoothed_first_gradient": -34.0})) == set()
    assert met(few, many, answer("twice-as-good", 2), STEADY) == set()


# The price of smoothing


def crept(dt: float, creep: float, *parts: dict) -> dict:
    return seen(0.3, SMOOTHED, {"drop_dt": dt, "creep": creep, "creep_closed_form": creep * 0.999}, *parts)


THREE = crept(5e-3, 9.15e-3), crept(2e-3, 6.41e-3), crept(1e-3, 4.56e-3)
SINKS = answer("at-rest", "sinks")


def test_the_price_of_smoothing_wants_three_time_steps_at_one_sharpness_and_the_answer() -> None:
    assert met(*THREE, SINKS) == met(SINKS, *reversed(THREE)) == {"the-price"}
    assert met(*THREE[:2], SINKS) == met(*THREE[1:], SINKS) == met(*THREE) == set()
    assert met(*THREE[:2], crept(1e-3, 4.6e-3, {"log_kappa": 2.4}), SINKS) == set(), "another sharpness"
    assert met(*THREE[:2], crept(1e-3, 4.6e-3, {"model": "hard"}), SINKS) == set(), "hard contact does not creep"
    assert met(*THREE[:2], seen(0.3, SMOOTHED, {"creep": 4.56e-3, "creep_closed_form": 3e-3}), SINKS) == set(), "not its closed form"
    assert met(*THREE, answer("at-rest", "settles")) == set()


looks = st.builds(
    lambda height, parts: seen(height, *parts),
    st.sampled_from([0.19, 0.204, 0.21, 0.3]),
    st.tuples(*(st.sampled_from([{}, *options]) for options in (
        [SMOOTHED, STOCHASTIC, SOFT], [FALLING, REACHING], [{"mismatch_ratio": 1.0}, {"mismatch_ratio": 2.0}], [{"complete": False}],
        [{"log_samples": 2.0, "zeroth_gradient": -50.0, "zeroth_error": 11.0}, {"log_samples": 3.0, "zeroth_gradient": -50.0, "zeroth_error": 3.0}],
        [{"sample_ratio": 16.0, "smoothed_first_gradient": -34.0}], [{"drop_dt": dt, "creep": c, "creep_closed_form": c} for dt, c in ((5e-3, 9e-3), (2e-3, 6e-3), (1e-3, 4e-3))],
    ))),
)  # fmt: skip
answers = st.sampled_from([FOUR, SINKS, answer("twice-as-good", 2), answer("predict", "ground")])


@settings(max_examples=200)
@given(st.lists(looks | answers, max_size=14), looks | answers)
def test_looking_and_answering_further_never_unmeets_a_check_or_a_step(events: list, more: dict) -> None:
    before, after = graded(*events), graded(*events, more)
    assert {c.id for c in before.checks if c.met} <= {c.id for c in after.checks if c.met}
    assert set(before.steps) <= set(after.steps)


# Ways of getting stuck

NEARBY = seen(0.21, SMOOTHED, REACHING, {"mismatch_ratio": 1.15, "sample_ratio": 5.0})
STUCK = {
    "blind-error-bar": ([seen(0.24, STOCHASTIC, {"zeroth_error": 0.0, "average_gradient": -3.2})], [NEARBY]),
    "too-high": ([seen(0.3, SMOOTHED, {"before_contact": True, "velocity_gradient": -2e-11})], [NEARBY]),
    "landed": ([seen(0.1, {"before_contact": False})], [HARD]),
    "soft-enough": ([seen(0.21, SOFT, FALLING)], [NEARBY]),
    "mismatch-not-zero": ([matching(1.0), matching(1.0, {"log_samples": 3.0}), matching(1.0)], [answer("what-remains", "shape")]),
    "sharper-is-better": ([seen(0.21, SMOOTHED, {"log_kappa": k}) for k in (3.0, 3.4)], [NEARBY]),
    "first-is-cheaper": ([seen(0.21, {"log_samples": n, "sample_ratio": 1.7}) for n in (3.0, 4.0)], [NEARBY]),
    "few-samples": ([seen(0.21, STOCHASTIC, {"log_samples": n}) for n in (1.0, 1.25, 1.5)], [NEARBY]),
    "only-one-step": ([seen(0.21 + i / 500, SMOOTHED) for i in range(8)], [THREE[0]]),
}  # fmt: skip


def test_every_message_of_the_lesson_has_its_case_here() -> None:
    assert set(STUCK) == {s.id for s in LESSON.stuck}


@pytest.mark.parametrize("name", STUCK)
def test_a_message_appears_where_the_learner_is_stuck_and_goes_when_they_move_on(name: str) -> None:
    there, on = STUCK[name]
    assert name not in graded().stuck
    assert name in graded(*there).stuck
    assert name not in graded(*there, *on).stuck
