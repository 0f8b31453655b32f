"""Numbers as the bench writes them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrolab.bench import numerals


@pytest.mark.parametrize(
    ("value", "text"),
    [(45.2825, "45.3"), (3.7547, "3.75"), (0.04184, "0.0418"), (1528.2, "1,528"), (9.996, "10.0"), (-199.42, "−199"),
     (0.0, "0"), (2.3e-5, "2.30 × 10⁻⁵"), (4.5e7, "4.50 × 10⁷"), (None, "–")],
)  # fmt: skip
def test_a_quantity_has_three_significant_digits(value, text):
    assert numerals.quantity(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(-160.8576, "−160.86"), (3.6325, "+3.63"), (2180.31, "+2,180.3"), (-0.004, "−0.0040"), (1.5e-7, "+1.5 × 10⁻⁷"), (None, "–")],
)
def test_an_entry_always_shows_its_sign(value, text):
    assert numerals.signed(value) == text


@pytest.mark.parametrize(("value", "text"), [(164.47, "1.6 × 10²"), (0.010608, "1.1 × 10⁻²"), (1.66, "1.7"), (0.0, "0")])
def test_a_share_is_written_as_a_power_of_ten(value, text):
    assert numerals.power(value) == text


@pytest.mark.parametrize(("value", "text"), [(1e-4, "1e-4"), (1e-11, "1e-11"), (2.5e-6, "2.5e-6"), (1.0, "1e0")])
def test_a_step_is_written_as_it_is_typed(value, text):
    assert numerals.scientific(value) == text


@given(st.floats(min_value=1e-9, max_value=1e9))
def test_a_quantity_reads_back_to_its_digits(value):
    digits = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    text = numerals.quantity(value).replace(",", "")
    mantissa, _, exponent = text.partition(" × 10")
    assert float(mantissa) * 10.0 ** int(exponent.translate(digits) or 0) == pytest.approx(value, rel=5.01e-3)


@given(st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: x != 0))
def test_the_written_sign_is_the_number_s_own(value):
    assert numerals.signed(value)[0] == ("+" if math.copysign(1, value) > 0 else numerals.MINUS)
