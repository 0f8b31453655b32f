"""Lesson 2's pass checks and stuck messages: each met, shown and gone exactly as the lesson says."""

from __future__ import annotations

import pytest
from places import ROOT
from graded import Graded, answer, looked
from hypothesis import given, settings
from hypothesis import strategies as st

from ferrolab.lesson import load_lesson

LESSON = load_lesson(ROOT / "lessons" / "who-is-to-blame")
AUTODIFF = {"derivative": "autodiff"}
DIFFERENCE = {"derivative": "finite-difference"}
AWARE = {"derivative": "event-aware"}
TOLERANCE = {"stepping": "tolerance"}
HUNT = {"law": "hunt-crossley"}
OUT = {"saltation": False}
RIGHT = {"entry": 3.6146, "entry_law": 3.6146595, "law_error": 1e-5}
WRONG = {"entry": -199.4, "entry_law": 3.6146595, "law_error": 56.0}


def seen(k: float = 6.0, dt: float = 1e-4, *parts: dict) -> dict:
    """A look at stiffness 10^k: what differs from the bench's start, and what was read."""
    controls = {"log_stiffness": k, "dt": dt, "stepping": "fixed", "derivative": "autodiff", "law": "kelvin-voigt", "saltation": True}
    return looked(controls, {}, *parts)


graded = Graded(LESSON)
met = graded.met


# Wrong under a tolerance: a pair that differs in the derivative alone

KEPT = seen(6, 1e-4, TOLERANCE, DIFFERENCE, RIGHT)
CHANGED = seen(6, 1e-4, TOLERANCE, AUTODIFF, WRONG)


def test_the_tolerance_must_be_seen_right_and_wrong_at_one_stiffness() -> None:
    assert met(KEPT, CHANGED) == met(CHANGED, KEPT) == {"wrong-under-tolerance"}
    assert met(KEPT) == met(CHANGED) == set()
    assert met(seen(6, 1e-6, TOLERANCE, DIFFERENCE, RIGHT), CHANGED) == {"wrong-under-tolerance"}, "the time step is not used"


@pytest.mark.parametrize(
    ("pair", "why"),
    [
        ((KEPT, seen(5, 1e-4, TOLERANCE, AUTODIFF, WRONG)), "the stiffness changed as well"),
        ((KEPT, seen(6, 1e-4, AUTODIFF, WRONG)), "the stepping changed as well"),
        ((KEPT, seen(6, 1e-4, TOLERANCE, AUTODIFF, WRONG, HUNT)), "the law changed as well"),
        ((KEPT, seen(6, 1e-4, TOLERANCE, AUTODIFF, RIGHT)), "the answer was not wrong"),
        ((seen(6, 1e-4, TOLERANCE, DIFFERENCE, WRONG), CHANGED), "nothing was right to begin with"),
        ((seen(3.9, 1e-4, TOLERANCE, DIFFERENCE, RIGHT), seen(3.9, 1e-4, TOLERANCE, AUTODIFF, WRONG)), "too soft"),
    ],
)  # fmt: skip
def test_what_is_no_answer_to_the_tolerance(pair: tuple[dict, dict], why: str) -> None:
    assert met(*pair) == set(), why


# Right under a fixed step: a pair that differs in the matrix alone


def test_the_matrix_must_be_seen_out_and_in_with_nothing_else_changed() -> None:
    out, put_in = seen(6, 1e-4, AWARE, OUT, WRONG), seen(6, 1e-4, AWARE, RIGHT)
    assert met(out, put_in) == met(put_in, out) == {"one-matrix"}
    assert met(put_in) == met(out) == set()
    assert met(out, seen(6, 1e-5, AWARE, RIGHT)) == set(), "the time step changed as well"
    assert met(seen(6.01, 1e-4, AWARE, OUT, WRONG), put_in) == set(), "the stiffness changed as well"
    assert met(out, seen(6, 1e-4, AWARE, RIGHT, TOLERANCE)) == set(), "a tolerance is no fixed step"
    assert met(out, seen(6, 1e-4, DIFFERENCE, RIGHT)) == set(), "another derivative"
    assert met(out, seen(6, 1e-4, AWARE, RIGHT | {"entry": 3.61})) == set(), "right to a thousandth, not to a hundredth"


# Both exponents: two places, and two answers

EXPONENTS = {"event_exponent": 0.50018, "contact_model_exponent": -0.5018}
FIRST, SECOND = seen(4, 1e-4, EXPONENTS, {"event_share": 20.27}), seen(6, 1e-4, EXPONENTS, {"event_share": 203.03})
READ = (answer("event-exponent", 0.5), answer("model-exponent", -0.5))


def test_the_exponents_want_two_places_and_both_answers() -> None:
    assert met(FIRST, SECOND, *READ) == met(*READ, SECOND, FIRST) == {"exponents"}
    assert met(FIRST, SECOND) == met(FIRST, *READ) == met(FIRST, SECOND, READ[0]) == set()
    assert met(FIRST, SECOND, READ[0], answer("model-exponent", 0.5)) == set(), "the sign matters"
    assert met(FIRST, seen(5, 1e-4, EXPONENTS, {"event_share": 64.1}), *READ) == set(), "one decade is too short"
    assert met(FIRST, seen(6, 1e-4, EXPONENTS, HUNT, {"event_share": 203.03}), *READ) == set(), "another law"


# A law that converges


def hunt(dt: float, error: float, k: float = 4.0, *parts: dict) -> dict:
    return seen(k, dt, HUNT, {"entry": 3.4 * (1 + error), "entry_law": 3.4, "law_error": error}, *parts)


def test_convergence_wants_all_three_steps_and_an_answer_that_comes_close() -> None:
    three = hunt(1e-4, 0.04), hunt(1e-5, 0.002), hunt(1e-6, 0.0001)
    assert met(*three) == met(*reversed(three)) == {"converges"}
    assert met(*three[:2]) == set()
    assert met(hunt(1e-4, 0.28, 6), hunt(1e-5, 0.49, 6), hunt(1e-6, 0.061, 6)) == set(), "never within a hundredth"
    assert met(hunt(1e-4, 0.0001), hunt(1e-5, 0.0001), hunt(1e-6, 0.0001)) == set(), "nothing falls"
    assert met(three[0], hunt(1e-5, 0.002, 4.5), hunt(1e-6, 0.0001, 5)) == set(), "three stiffnesses"
    assert met(*(hunt(dt, e, 4, AWARE) for dt, e in ((1e-4, 0.04), (1e-5, 0.002), (1e-6, 0.0001)))) == set(), "not plain autodiff"
    assert met(*(hunt(dt, e, 4, {"law": "kelvin-voigt"}) for dt, e in ((1e-4, 0.04), (1e-5, 0.002), (1e-6, 0.0001)))) == set()


def test_the_missing_term_is_answered() -> None:
    assert met(answer("missing-term", "moment")) == met(answer("missing-term", "moment"), answer("missing-term", "force")) == {"missing-term"}
    assert all(met(answer("missing-term", other)) == set() for other in ("force", "release", "truncation", None, 1))


looks = st.builds(
    lambda k, dt, parts: seen(k, dt, *parts),
    st.sampled_from([4.0, 6.0, 8.0]),
    st.sampled_from([1e-4, 1e-5, 1e-6]),
    st.tuples(*(st.sampled_from([{}, *options]) for options in ([TOLERANCE], [DIFFERENCE, AWARE], [HUNT], [OUT], [RIGHT, WRONG, hunt(1e-4, 0.1)["readout"], {"entry": None}], [EXPONENTS], [{"event_share": 20.27}, {"event_share": 203.03}]))),
)
answers = st.sampled_from([*READ, answer("missing-term", "moment"), answer("missing-term", "force"), answer("predict", "stays")])


@settings(max_examples=200)
@given(st.lists(looks | answers, max_size=14), looks | answers)
def test_looking_and_answering_further_never_unmeets_a_check_or_a_step(events: list, more: dict) -> None:
    before, after = graded(*events), graded(*events, more)
    assert {c.id for c in before.checks if c.met} <= {c.id for c in after.checks if c.met}
    assert set(before.steps) <= set(after.steps)


# Ways of getting stuck

FEW = {"steps_in_contact": 4}
MANY = {"steps_in_contact": 29}
STUCK = {
    "two-at-once": ([seen(4, 1e-4, HUNT, AWARE, MANY)], [seen(4, 1e-4, HUNT)]),
    "too-stiff-for-the-grid": ([seen(6, 1e-5, HUNT)], [seen(4, 1e-5, HUNT)]),
    "another-exact": ([seen(4, 1e-4, HUNT)], [hunt(1e-4, 0.04), hunt(1e-5, 0.002), hunt(1e-6, 0.0001)]),
    "matrix-out": ([seen(6, 1e-4, AWARE, OUT, WRONG, MANY)], [seen(6, 1e-4, AWARE, RIGHT, MANY)]),
    "right-but-why": ([seen(6, 1e-4, AWARE, RIGHT, MANY)], [seen(6, 1e-4, AWARE, OUT, WRONG, MANY)]),
    "tolerance-repaired-it": ([KEPT], [CHANGED]),
    "tighter-tolerance": ([CHANGED], [seen(6, 1e-4, AWARE, MANY)]),
    "differences-repair-it": ([seen(6, 1e-4, DIFFERENCE, WRONG)], [seen(6)]),
    "waiting-for-finer": ([seen(6, 1e-5)], [seen(6, 1e-4, AWARE, MANY)]),
    "soft-end": ([seen(2), seen(2.5)], [seen(6)]),
    "one-place": ([seen(6 + i / 100, 1e-4, AWARE, EXPONENTS, {"event_share": 203.0}) for i in range(8)], [FIRST, SECOND, *READ]),
    "under-resolved": ([seen(8, 1e-4, AWARE, FEW)], [seen(8, 1e-5, AWARE, MANY)]),
    "which-term": ([answer("missing-term", "release")], [answer("missing-term", "moment")]),
}  # fmt: skip


def test_every_message_of_the_lesson_has_its_case_here() -> None:
    assert set(STUCK) == {s.id for s in LESSON.stuck}


@pytest.mark.parametrize("name", STUCK)
def test_a_message_appears_where_the_learner_is_stuck_and_goes_when_they_move_on(name: str) -> None:
    there, on = STUCK[name]
    assert name not in graded().stuck
    assert name in graded(*there).stuck
    assert name not in graded(*there, *on).stuck


def test_a_law_changed_with_any_other_thing_is_two_things_at_once() -> None:
    for part in (TOLERANCE, DIFFERENCE, AWARE | MANY):
        assert graded(seen(4, 1e-4, HUNT, part)).stuck[0] == "two-at-once"
    assert "two-at-once" not in graded(seen(8, 1e-4, HUNT, AWARE, FEW)).stuck, "step G sends the learner there"
