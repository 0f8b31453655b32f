"""Living figures: reading them, rounding to the digits quoted, and finding numbers that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrolab.lesson.bare import bare_numbers, is_lone_number
from ferrolab.lesson.remedy import remedy
from ferrolab.lesson.values import EXAMPLE, ValueSyntaxError, parse_value


def figure(text: str, options: str = ""):
    return parse_value(f"{text} | gradient_error log_stiffness=4 {options}")


@pytest.mark.parametrize(
    ("text", "options", "inside", "outside"),
    [
        ("45.3", "", (45.251, 45.349), (45.249, 45.351)),
        ("45", "", (44.51, 45.49), (44.49, 45.51)),
        ("-160.86", "", (-160.864, -160.856), (-160.866, -160.854)),
        ("\u2212161", "", (-161.4, -160.6), (161, -162)),
        ("+3.63", "", (3.626, 3.634), (3.624, -3.63)),
        ("1.6e2", "", (156, 164.9), (154, 166)),
        ("1.06e-2", "", (0.010551, 0.010649), (0.010549, 0.010651)),
        ("14,800", "digits=3", (14751, 14849), (14749, 14851)),
        ("14,800", "", (14799.6, 14800.4), (14799.4, 14801)),
        ("200", "digits=1", (151, 249), (149, 251)),
        ("14,800", "within=0.02", (14520, 15090), (14500, 15110)),
        ("0.00", "", (-0.004, 0.004), (0.006, -0.006)),
        ("3.75 m/s", "", (3.746, 3.754), (3.744, 3.756)),
    ],
)
def test_a_figure_holds_when_the_number_rounds_to_the_quoted_digits(
    text: str, options: str, inside: tuple[float, float], outside: tuple[float, float]
) -> None:
    quoted = figure(text, options)
    assert all(quoted.holds(value) for value in inside)
    assert not any(quoted.holds(value) for value in outside)


@given(st.floats(1e-6, 1e6), st.integers(0, 6))
def test_a_number_holds_as_written_with_any_number_of_digits(value: float, digits: int) -> None:
    assert figure(f"{value:.{digits}e}").holds(value)
    assert not figure(f"{value:.{digits}e}").holds(value * 3)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("45.3", "a bar and the call"),
        ("| entry log_stiffness=6", "a bar and the call"),
        ("45.3 |", "a bar and the call"),
        ("about 45 | entry log_stiffness=6", "begin with a number"),
        ("45 | entri log_stiffness=6", "Did you mean 'entry'"),
        ("45 | entry log_stiffness", "must be key=value"),
        ("45 | entry log_stiffness=6 log_stiffness=5", "given twice"),
        ("45 | entry log_stiffness=6 digits=0", "above zero"),
        ("45 | entry log_stiffness=6 speed=3", "'speed' is not a setting"),
        ("4 | timing_term restitution=0.6 speed=3", "'speed' is not a setting of timing_term"),
        ("9 | contact_steps log_stiffness=4 height=2", "'height' is not a setting of contact_steps"),
    ],
)
def test_a_figure_written_wrongly_is_refused_with_a_sentence(source: str, words: str) -> None:
    with pytest.raises(ValueSyntaxError, match=words):
        parse_value(source)


@pytest.mark.parametrize(
    ("source", "value", "within"),
    [
        ("1 | timing_term restitution=0.6 impact_speed=4", 3.924, 1e-12),
        ("1 | timing_term restitution=0.6 impact_speed=0.01", 1569.6, 1e-12),
        ("1 | timing_term impact_speed=1 log_stiffness=6 stepping=tolerance", (1 + 0.6311) * 9.81, 1e-4),
        ("1 | closed.jacobian_penalty.1.0 log_stiffness=6", 3.61465950922, 1e-9),
        ("1 | closed.jacobian_branch.1.0 log_stiffness=6", -199.4172168, 1e-8),
        ("1 | entry log_stiffness=6", -160.86, 1e-4),
        ("1 | split.event log_stiffness=6 over split.event log_stiffness=4", 10.016, 1e-3),
        ("1 | state.0 log_stiffness=2 scale=-100", 7.891, 1e-3),
        ("1 | contact_steps log_stiffness=4 dt=1e-4", 291.38, 1e-4),
    ],
)  # fmt: skip
def test_calls_compute_what_they_name(source: str, value: float, within: float) -> None:
    """Expected values: closed forms at 50 digits and the published sweep, see tests/data."""
    assert parse_value(source).compute() == pytest.approx(value, rel=within)


def test_a_call_without_a_number_says_so() -> None:
    with pytest.raises(ValueError, match="not a number"):
        parse_value("1 | status log_stiffness=6").compute()
    with pytest.raises(ValueError, match="needs log_stiffness or stiffness"):
        parse_value("1 | entry dt=1e-4").compute()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("timing_term impact_speed=1", "timing_term also needs restitution=…"),
        ("timing_term restitution=0.6", "timing_term also needs impact_speed=…"),
        ("contact_steps", "contact_steps also needs log_stiffness=…, dt=…"),
        ("timing_term impact_speed=1 restitution=0.6 log_stiffness=6", "both are given"),
    ],
)
def test_a_call_that_cannot_be_computed_says_what_it_needs(call: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_value(f"1 | {call}").compute()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("45.28 | gradient_eror log_stiffness=6", "`45.28 | gradient_error log_stiffness=6`"),
        ("46 | gradient_eror log_stifness=6", "`45.3 | gradient_error log_stiffness=6`"),
        ("about 45 | gradient_error log_stiffness=6", "`45.3 | gradient_error log_stiffness=6`"),
        ("90 | forward_eror log_stiffness=2 over forward_error log_stiffness=6", "`90 | forward_error log_stiffness=2 over"),
        ("7 | qqqqq log_stiffness=6", f"`{EXAMPLE}`"),
        ("", f"`{EXAMPLE}`"),
    ],
)
def test_the_remedy_is_the_authors_own_call_or_an_example_and_holds(source: str, words: str) -> None:
    said = remedy(source)
    assert words in said
    figure = parse_value(said.split("`")[1])
    assert figure.holds(figure.compute())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The error is 45.3.", ["45.3"]),
        ("It reads -160.86 here", ["-160.86"]),
        ("It reads \u2212161", ["\u2212161"]),
        ("about 1.6e2", ["1.6e2"]),
        ("about 3 × 10", ["3 × 10"]),
        ("14,800 evaluations", ["14,800"]),
        ("a fall of 25%", ["25%"]),
        ("at 4 m/s", ["4 m/s"]),
        ("5 times worse", ["5 times"]),
        ("it took 199 of them", ["199"]),
        ("lesson 2 has 3 parts", []),
        ("ten times, a hundredfold", []),
        ("at 9.81 m/s² the ball", []),
        ("v2.0beta", []),
    ],
)
def test_bare_numbers_are_found_and_constants_are_let_through(text: str, found: list[str]) -> None:
    assert bare_numbers(text, ["9.81 m/s²"]) == found


@pytest.mark.parametrize(("latex", "lone"), [("5.67", True), ("-1.6 \\times 10^2", True), ("10^4", False), ("k = 0.5", False), ("2", False)])
def test_an_equation_that_is_only_a_decimal_number_is_a_bare_number(latex: str, lone: bool) -> None:
    assert is_lone_number(latex) == lone
