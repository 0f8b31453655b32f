"""Who is to blame: the verdict on a route, and the three shares of its error."""

import json

import numpy as np
import pytest

from ferrolab.audit import Settings, readout, split
from ferrolab.audit.three_way import exponents, share_curves, three_way, verdict

STIFF = {"stiffness": 1e6, "stepper": "rk4"}


def trial(**changed):
    return three_way(Settings(**{**STIFF, **changed}))


def test_the_decisive_pair_differs_by_one_matrix_alone():
    without = trial(derivative="event-aware", saltation=False)
    with_it = trial(derivative="event-aware", saltation=True)
    assert without.readout.entry == pytest.approx(-199.4175, abs=5e-5)
    assert with_it.readout.entry == pytest.approx(3.6146612817, abs=5e-11)
    assert with_it.entry_error == pytest.approx(1.8e-6, abs=5e-8)
    assert (without.verdict, with_it.verdict) == ("wrong-sign", "right")
    assert (without.carries_event, with_it.carries_event) == (False, True)
    assert without.readout.state == with_it.readout.state
    assert without.readout.evaluations == with_it.readout.evaluations


def test_the_law_is_compared_with_its_own_closed_form():
    found, exact = trial(derivative="autodiff"), split(Settings(**STIFF))
    assert found.entry_law == exact.jacobian_penalty[1][0] == pytest.approx(3.61465950922, abs=1e-11)
    assert found.entry_branch == pytest.approx(-199.4172168, abs=1e-7)
    assert found.event_share_signed == pytest.approx(-203.03188, abs=1e-5)
    off = np.abs(np.array(found.readout.jacobian) - exact.jacobian_penalty).max()
    assert found.law_error == off / np.abs(exact.jacobian_penalty).max()


@pytest.mark.parametrize(
    ("changed", "carries"),
    [
        ({"derivative": "autodiff"}, False),
        # Declared to see the event, and blind to it on a grid: a probe this small never moves the step of touch-down.
        ({"derivative": "finite-difference"}, False),
        ({"derivative": "finite-difference", "stepping": "tolerance"}, True),
        ({"derivative": "autodiff", "stepping": "tolerance"}, False),
        ({"derivative": "event-aware", "stepping": "tolerance"}, True),
        ({"derivative": "autodiff", "law": "hunt-crossley"}, None),
    ],
)
def test_whether_a_route_carries_the_event_is_measured(changed, carries):
    found = trial(**changed)
    assert found.carries_event is carries
    assert found.own_error < 5.0


def test_the_exponents_of_the_two_shares_are_plus_and_minus_a_half():
    event, model = exponents(Settings(**STIFF))
    assert event == pytest.approx(0.5, abs=5e-4)
    assert model == pytest.approx(-0.5, abs=5e-3)


def test_where_nothing_jumps_there_is_no_event_share_and_no_exponent():
    found = trial(law="hunt-crossley")
    assert (found.event_share, found.event_share_signed, found.event_exponent) == (0.0, 0.0, None)
    # Its restitution falls with the speed, so that no rigid impact is its limit and this share does not shrink.
    assert found.contact_model_exponent == pytest.approx(0.0, abs=0.01)


def test_autodiff_converges_on_a_law_without_a_jump_once_the_contact_is_resolved():
    errors = [trial(stiffness=1e4, law="hunt-crossley", dt=dt).law_error for dt in (1e-4, 1e-5, 1e-6)]
    assert errors[0] > 10 * errors[1] > 100 * errors[2]
    assert [trial(stiffness=1e4, law="hunt-crossley", dt=dt).verdict for dt in (1e-4, 1e-5)] == ["wrong", "right"]


@pytest.mark.parametrize("log_stiffness", [2.0, 5.0, 8.0])
def test_the_curves_are_the_trials_in_a_row(log_stiffness):
    settings = Settings(**STIFF, derivative="event-aware")
    curves, one = share_curves(settings, [log_stiffness]), trial(stiffness=10**log_stiffness, derivative="event-aware")
    assert curves.own[0] == pytest.approx(one.own_error, rel=1e-6, abs=1e-13)
    assert curves.event[0] == one.event_share == one.readout.split.event
    assert curves.contact_model[0] == one.contact_model_share == one.readout.split.contact_model


@pytest.mark.parametrize(
    ("found", "exact", "expected"),
    [(3.63, 3.6, "right"), (3.64, 3.6, "wrong"), (-3.6, 3.6, "wrong-sign"), (0.0, 3.6, "wrong-sign"), (None, 3.6, "none"), (-3.6, -3.61, "right")],
)
def test_the_verdict_is_right_within_one_percent(found, exact, expected):
    assert verdict(found, exact) == expected


def test_a_tolerance_has_no_steps_of_dt_in_contact():
    assert trial(stepping="tolerance").steps_in_contact is None
    assert trial().steps_in_contact == 29


def test_its_dictionary_holds_the_whole_readout_and_is_plain():
    found = trial(derivative="event-aware").as_dict()
    plain = readout(Settings(**STIFF, derivative="event-aware"), costs=False).as_dict()
    assert plain.items() <= found.items()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
