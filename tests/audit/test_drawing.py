"""Scales, ticks, typesetting and the SVG writer."""

import math
import re

import pytest
from hypothesis import given, strategies as st

from ferrolab.audit.study.figure import SCALES, Axis, Cells, Figure, Series
from ferrolab.audit.study.scale import MOST_TICKS, Scale, power_label, showable
from ferrolab.audit.study.section import Column, sign_of
from ferrolab.audit.study.svg import draw
from ferrolab.audit.study.typeset import as_label, as_markup

positive = st.floats(1e-14, 1e14)
any_sign = st.one_of(positive, positive.map(lambda x: -x), st.just(0.0))


@given(st.lists(positive, min_size=1), st.sampled_from(SCALES))
def test_every_value_has_a_place_on_a_fitted_scale(values, kind):
    scale = Scale.fitted(Axis("x", kind), values)
    assert all(-1e-9 <= scale.place(value) <= 1.0 + 1e-9 for value in values)


@given(any_sign, any_sign)
def test_symlog_keeps_the_order_of_both_signs(a, b):
    scale = Scale.fitted(Axis("x", "symlog", linear_up_to=10.0), [-1e14, 1e14])
    low, high = sorted((a, b))
    assert scale.place(low) <= scale.place(high)
    assert scale.place(a) + scale.place(-a) == pytest.approx(1.0)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_linear_ticks_are_few_inside_and_labelled_with_their_value(start, span):
    scale = Scale.fitted(Axis("x"), [start, start + span])
    ticks = scale.ticks()
    assert 2 <= len(ticks) <= MOST_TICKS
    step = ticks[1][0] - ticks[0][0]
    for value, label in ticks:
        assert -1e-6 <= scale.place(value) <= 1.0 + 1e-6
        assert float(label.replace("\u2212", "-")) == pytest.approx(value, abs=0.51 * step)


def test_log_axis_has_whole_decades_and_no_place_for_zero():
    scale = Scale.fitted(Axis("x", "log"), [2e-3, 40.0, None, 0.0])
    assert [label for _, label in scale.ticks()] == ["10⁻³", "10⁻²", "10⁻¹", "1", "10¹", "10²"]
    assert not showable(scale.axis, 0.0) and not showable(scale.axis, None) and not showable(scale.axis, math.inf)
    assert showable(Axis("x", "symlog"), -3.0)
    assert (power_label(0), power_label(-12)) == ("1", "10⁻¹²")


def test_reversed_axis_runs_the_other_way():
    scale = Scale.fitted(Axis("x", "log", reversed=True), [1e-4, 1.0])
    assert (scale.place(1.0), scale.place(1e-4)) == (0.0, 1.0)


@pytest.mark.parametrize(
    "plain, markup, label",
    [
        ("1e-05 s", "10<sup>−5</sup> s", "10⁻⁵ s"),
        ("at k = 1e+06.", "at k = 10<sup>6</sup>.", "at k = 10⁶."),
        ("-1.5e-12", "−1.5×10<sup>−12</sup>", "−1.5×10⁻¹²"),
        ("k^0.5286, 10^4", "k<sup>0.5286</sup>, 10<sup>4</sup>", "k^0.5286, 10⁴"),
        ("k^-0.5", "k<sup>−0.5</sup>", "k^−0.5"),
        ("from -3 to 3", "from −3 to 3", "from −3 to 3"),
        ("finite-difference, 5-4", "finite-difference, 5-4", "finite-difference, 5-4"),
        ("a < b & c", "a &lt; b &amp; c", "a &lt; b &amp; c"),
        ("rk4, 3.1e", "rk4, 3.1e", "rk4, 3.1e"),
        ("dv/dh0 at v0 = 0", "dv/dh<sub>0</sub> at v<sub>0</sub> = 0", "dv/dh₀ at v₀ = 0"),
        ("log10 k", "log<sub>10</sub> k", "log₁₀ k"),
        ("J_law", "J<sub>law</sub>", "J_law"),
    ],
)
def test_numbers_are_typeset(plain, markup, label):
    assert as_markup(plain) == markup
    assert as_label(plain) == label


def figure(**changes):
    parts = dict(
        id="f", caption="Held: a. Varied: b.", x=Axis("x", "log"), y=Axis("y", "log"),
        series=(Series("one", [1.0, 10.0, 100.0, 1000.0], [1.0, None, 5.0, 20.0], 0), Series("two <&>", [1.0, 10.0], [0.0, 3.0], 1)),
    )  # fmt: skip
    return Figure(**(parts | changes))


def test_a_gap_is_left_where_there_is_no_value():
    drawing = draw(figure())
    first = re.search(r"<title>one</title>(.*?)</g>", drawing)[1]
    assert first.count("<circle") == 3
    path = re.search(r'd="([^"]*)"', first)[1]
    assert path.count("M") == 1 and path.count("L") == 1  # the lone first point is a marker, not a line
    second = re.search(r"<title>two &lt;&amp;&gt;</title>(.*?)</g>", drawing)[1]
    assert 'class="line"' not in second and second.count("<path") == 1  # zero has no place on a log axis


def test_every_series_has_its_own_marker_and_dash():
    many = tuple(Series(str(i), [1.0, 2.0], [1.0, 2.0], i) for i in range(8))
    drawing = draw(figure(series=many, x=Axis("x"), y=Axis("y")))
    groups = re.findall(r"<title>\d</title>(.*?)</g>", drawing)
    shapes = {re.sub(r"[-\d. ]+", "#", group.split("/>")[1]) for group in groups}
    dashes = {re.search(r'stroke-dasharray="[^"]*"|$', group)[0] for group in groups}
    assert len(shapes) >= 7 and len(dashes) == 8


def test_cells_are_darker_where_smaller_and_white_where_missing():
    cells = Cells("z", [0.0, 1.0], [0.0, 1.0], [[1.0, 10.0], [100.0, None]])
    axis = Axis("x", limits=(-0.5, 1.5))
    drawing = draw(figure(series=(), cells=cells, x=axis, y=axis))
    shades = [int(value) for value in re.findall(r"fill=\"rgb\((\d+),", drawing)]
    assert len(shades) == 3 and shades == sorted(shades)


def test_cells_of_tables_and_signs():
    column = Column("a", "A", digits=3)
    assert [column.shown(value) for value in (None, True, False, 12345, 3.14159, "x")] == ["–", "yes", "no", "12\u202f345", "3.14", "x"]
    assert [sign_of(*pair) for pair in ((1.0, 2.0), (-1.0, 2.0), (0.0, 1.0), (None, 1.0))] == ["same sign", "WRONG SIGN", "no sign", "no sign"]
