"""Lesson 3: its figures hold, its trails grade as their names say, its project runs, and it says what smoothing costs."""

from __future__ import annotations

import json
import re

import pytest
from places import ROOT
from page_text import Text

from ferrolab import smoothing
from ferrolab.lesson import Trail, check_lesson, grade, load_lesson, render_page, values
from ferrolab.lesson.check import control_names
from ferrolab.lesson.drop import FUNCTIONS
from ferrolab.lesson.picture import draw
from ferrolab.lesson.prose import ProseCheck
from ferrolab.lesson.values import ValueSyntaxError, evaluate, parse_call, parse_value

LESSON_THREE = ROOT / "lessons" / "forces-at-a-distance"
LESSON = load_lesson(LESSON_THREE)
CHECKS = ["reaches-out", "matched", "samples", "the-price"]


def trail(name: str) -> Trail:
    return Trail.from_dict(json.loads((LESSON_THREE / "trails" / f"{name}.json").read_text()), LESSON.slug)


def test_the_lesson_has_no_fault() -> None:
    """Recomputes every figure in its prose and replays every trail."""
    assert [str(d) for d in check_lesson(LESSON_THREE)] == []


def test_a_core_that_computes_otherwise_makes_every_sentence_false(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure is really recomputed: with each number a tenth larger, each line that quotes one is named."""
    real = values.evaluate
    monkeypatch.setattr(values, "evaluate", lambda call: real(call) * 1.1)
    found = [d for d in check_lesson(LESSON_THREE) if d.code == "L021"]
    judge = ProseCheck(LESSON, control_names())
    judge.document()
    sure = {p.line for p in judge.figures if p.figure.quoted != 0 and p.figure.last_digit < 0.15 * abs(p.figure.quoted)}
    assert len(sure) >= 30
    assert sure <= {d.line for d in found if d.file == "lesson.md"}
    assert len([d for d in found if d.file == "lesson.toml"]) >= 5


@pytest.mark.parametrize("name", CHECKS)
def test_each_check_can_be_missed_alone(name: str) -> None:
    assert {c.id for c in grade(LESSON, trail(f"missing-{name}")).checks if not c.met} == {name}


def test_the_lesson_asks_for_what_the_brief_of_a_lesson_asks() -> None:
    assert [c.id for c in LESSON.checks] == CHECKS and not any(c.opening for c in LESSON.checks)
    assert [s.id for s in LESSON.steps] == list("ABCDE")
    assert grade(LESSON, trail("passing")).steps == tuple("ABCDE")
    assert {q.kind for q in LESSON.questions} == {"choice", "numeric", "short"}
    assert len(LESSON.predict.choices) == 4 and LESSON.predict.revealed_by == "the-price"
    assert (LESSON.number, LESSON.bench, len(LESSON.controls)) == (3, "forces-at-a-distance", 6)


def test_every_readout_of_a_trail_had_all_its_samples() -> None:
    assert {event.get("complete") for name in ("passing", "failing") for event in trail(name).seen} == {True}
    assert "velocity_gradient" in LESSON.quantities and "entry" not in LESSON.quantities


# What the learner reads


def test_the_page_says_what_smoothing_costs_and_does_not_sell_it() -> None:
    text = str(Text(render_page(LESSON)))
    for words in (
        "What smoothing costs", "it is not free", "bias", "creep", "no limit", "a short reach", "A first-order estimate is biased at a jump.",
        "Noise does not repair that", "Half the error, four times the samples.", "A question that is open", "We could not find out from the text.",
        "Scaling at the end does not have hard contact as its limit.", "Refining the step does not make the smoothed contact converge.", "arXiv 2404.02887",
    ):  # fmt: skip
        assert words in text, words
    assert "{value}" not in text and "\\|" not in text


def test_the_table_of_samples_shows_the_root_law() -> None:
    """Quoted errors against what a hundredfold more samples leave of them."""
    page = render_page(LESSON)
    errors = [float(re.findall(r'data class="living" value="([\d.]+)" title="computed: zeroth_error[^"]*samples=%s"' % count, page)[0]) for count in (100, 10000)]
    assert errors[0] / errors[1] == pytest.approx(10, rel=0.15)


def test_the_picture_is_a_step_and_a_sigmoid_that_reaches_over_it() -> None:
    svg = draw(LESSON.figures[0])
    curves = {name: [tuple(map(float, p.split())) for p in d[1:].split("L")] for name, d in re.findall(r'class="(rigid|starting)" d="(.*?)"', svg)}
    [(x, y)] = [(float(a), float(b)) for a, b in re.findall(r'class="reach-end" cx="([\d.]+)" cy="([\d.]+)"', svg)]
    top, bottom = curves["rigid"][0][1], curves["rigid"][-1][1]
    assert (bottom - y) / (bottom - top) == pytest.approx(smoothing.sigma(10**2.48, 0.01), abs=2e-3), "about a twentieth, as the alternative text says"
    corner = curves["rigid"][1][0]
    crossing = min(curves["starting"], key=lambda point: abs(point[1] - (top + bottom) / 2))
    assert crossing[0] == pytest.approx(corner, abs=2), "a half at the ground"
    assert x > corner
    assert re.findall(r'text-anchor="middle">([^<]+)</text>', svg)[:3] == ["\u22122", "\u22121", "0"]


def test_the_project_runs_as_printed_and_one_of_the_two_finds_the_slope(capsys: pytest.CaptureFixture[str]) -> None:
    [code] = re.findall(r"```python\n(.*?)```", LESSON.prose, re.DOTALL)
    exec(compile(code, "lesson.md", "exec"), {})  # noqa: S102  # the reader is told to run it
    zeroth, first = capsys.readouterr().out.splitlines()
    slope, error = float(zeroth.split()[1]), float(zeroth.split()[-1])
    assert zeroth.startswith("zeroth-order") and first.startswith("first-order 0.0")
    assert abs(slope - 3.98942) < 4 * error < 0.5


# Figures only this bench has


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("sigma_at kappa=300 gap=0.01", 0.0474259),
        ("creep_at kappa=300 dt=5e-3 time=1", 9.182e-3),
        ("landing_height dt=1e-3", 0.5 * 9.81 * 1e-6 * 199 * 200),
        ("average_gradient release_height=0.21 log_noise=-1.7", -29.815),
        ("velocity_gradient model=smoothed release_height=0.21 log_kappa=2.48", -14.4485),
    ],
)
def test_a_figure_of_the_falling_mass(call: str, value: float) -> None:
    assert evaluate(parse_call(call)[0]) == pytest.approx(value, rel=1e-4)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("hover kapa=300", "'kapa' is not a setting of hover. Did you mean 'kappa'?"),
        ("sigma_at kappa=300 gap=1 gap=2", "'gap' is given twice"),
        ("sigma_at time=3", "'time' is not a setting of sigma_at"),
    ],
)
def test_a_call_of_the_falling_mass_that_is_misspelt_is_corrected(call: str, words: str) -> None:
    with pytest.raises(ValueSyntaxError, match=re.escape(words)):
        parse_value(f"1 | {call}")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("sigma_at kappa=300", "sigma_at also needs gap=…"),
        ("hover log_kappa=12", "kappa"),
        ("estimate_at order=second model=soft release_height=0.2 noise=0.02 dt=1e-3 samples=10 damping_ratio=1", "order is 'second' and must be first or zeroth"),
    ],
)
def test_a_call_that_cannot_be_computed_says_why(call: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        evaluate(parse_call(call)[0])


def test_every_function_says_what_it_is() -> None:
    assert all((function.__doc__ or "").strip() for function in FUNCTIONS.values())
