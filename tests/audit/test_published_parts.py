"""The parts of the audit that measure what the published lesson shows, against its figures."""

import pytest

from ferrolab.audit.study import sign_table, stiffness_sweep
from ferrolab.audit.study.options import Options


def at(curve, log):
    return next(point for point in curve if point.log_stiffness == log)


def test_forward_error_falls_then_rises_at_the_coarsest_step(audit):
    curve = audit["stiffness-sweep"].curve(1e-4)
    assert at(curve, 2.0).forward_error == pytest.approx(3.76, abs=0.01)
    assert at(curve, 2.0).forward_error / at(curve, 6.0).forward_error == pytest.approx(90.0, rel=0.02)
    assert at(curve, 8.0).forward_error > 10.0 * at(curve, 6.0).forward_error


def test_gradient_error_grows(audit):
    curve = audit["stiffness-sweep"].curve(1e-4)
    assert at(curve, 2.0).gradient_error == pytest.approx(0.48, abs=0.005)
    assert at(curve, 6.0).gradient_error == pytest.approx(45.28, abs=0.01)
    assert at(curve, 4.0).entry_exact == pytest.approx(3.59, abs=0.005)


def test_shrinking_the_step_leaves_the_error_where_it_is(audit):
    sweep = audit["stiffness-sweep"]
    coarse = at(sweep.curve(1e-4), 6.0).gradient_error
    for dt in (1e-5, 1e-6):
        assert at(sweep.curve(dt), 6.0).gradient_error == pytest.approx(coarse, rel=0.25)


def test_exponent_is_near_one_half(audit):
    exponents = {row.dt: row.exponent for row in audit["stiffness-sweep"].exponents}
    assert exponents[1e-4] == pytest.approx(0.5286, abs=1e-4)
    assert all(abs(value - 0.5) < 0.03 for value in exponents.values())


def test_tolerance_lands_within_one_percent_from_a_hundred_thousand_on(audit):
    curve = audit["stiffness-sweep"].curve(None)
    assert all(point.gradient_error < 0.01 for point in curve if point.log_stiffness >= 5.0)
    assert all(point.status == "ok" for point in audit["stiffness-sweep"].points)


def test_sign_is_wrong_at_five_of_seven_decades(audit):
    signs = audit["sign-table"]
    assert signs.wrong_decades(1e-4) == (3.0, 4.0, 5.0, 6.0, 7.0)
    assert signs.wrong_decades(1e-5) == signs.wrong_decades(1e-6) == (3.0, 4.0, 5.0, 6.0, 7.0, 8.0)
    assert signs.wrong_decades(None) == ()
    assert [count.wrong for count in signs.counts] == [5, 6, 6, 0]


def test_sweep_and_signs_agree_where_they_meet(audit):
    for cell in audit["sign-table"].cells:
        point = at(audit["stiffness-sweep"].curve(cell.dt), cell.log_stiffness)
        assert (cell.entry, cell.sign) == (pytest.approx(point.entry, rel=1e-9), point.sign)


def test_options_reach_the_sweep():
    options = Options(dts=(1e-4,), start=3.0, stop=4.0, gravity=9.0, height=0.8)
    sweep = stiffness_sweep.run(options)
    assert {point.log_stiffness for point in sweep.points} == {3.0, 3.25, 3.5, 3.75, 4.0}
    assert sweep.exponent_range == (3.0, 4.0)
    assert at(sweep.curve(1e-4), 4.0).entry != pytest.approx(-16.759, abs=0.01)
    assert len(sign_table.run(options).cells) == 4
