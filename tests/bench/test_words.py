"""From a readout to the sentences, rows and bars of the bench."""

import pytest

from ferrolab import audit
from ferrolab.bench import numerals, strings, words

STIFF = audit.Settings(stiffness=1e6)


@pytest.fixture(scope="module")
def wrong():
    return audit.readout(STIFF).as_dict()


@pytest.fixture(scope="module")
def right():
    return audit.readout(audit.Settings(stiffness=1e6, stepping="tolerance")).as_dict()


def rows(readout):
    return {id: (label, value, unit) for id, label, value, unit in words.table(readout, 4.0, 3.9)}


def test_the_sign_line_says_wrong_with_both_numbers_and_two_directions(wrong):
    line = words.sign_line(wrong, STIFF.rtol)
    assert (line["verdict"], line["words"]) == ("wrong", "WRONG SIGN")
    assert (line["returned"], line["exact"]) == ("−160.86", "+3.63")
    assert line["directions"] == (-1, 1)
    assert line["route"] == "autodiff, fixed step 1e-4 s"
    assert line["message"] == ""


def test_the_sign_line_names_the_tolerance_route(right):
    line = words.sign_line(right, STIFF.rtol)
    assert (line["verdict"], line["route"], line["ink"]) == ("same", "finite differences, tolerance 1e-11", "tolerance")
    assert line["directions"] == (1, 1)


def test_a_route_without_an_answer_gives_its_reason_and_no_number(wrong):
    lost = wrong | {"status": "unstable-step", "message": "Too long a step.", "sign_agrees": None, "entry": None}
    line = words.sign_line(lost, STIFF.rtol)
    assert (line["verdict"], line["returned"], line["message"]) == ("none", numerals.DASH, "Too long a step.")
    assert words.consequence(lost) == "No answer: Too long a step."


def test_a_status_without_a_message_is_named(wrong):
    assert "unstable-step" in words.status_message(wrong | {"status": "unstable-step", "message": ""})


def test_more_work_is_never_called_a_saving(wrong):
    assert rows(wrong)["cost.ratio"][1] == "1.85 times more"
    fine = rows(wrong | {"evaluations": {"fixed": 80_000, "tolerance": 14_770, "ratio": 0.184625}})
    assert fine["cost.ratio"][1] == "0.185 times as many"


def test_evaluations_not_counted_yet_are_pending_and_not_a_number():
    quick = rows(audit.readout(STIFF, costs=False).as_dict())
    assert quick["cost.fixed"][1] == "8,000"
    assert quick["cost.tolerance"][1] == quick["cost.ratio"][1] == numerals.PENDING


def test_the_bars_hold_the_shares_on_one_logarithmic_scale(wrong):
    integrator, model = words.bars(wrong, ("integrator", "contact_model"))
    assert integrator[1:3] == ("integrator", "1.6 × 10²")
    assert model[1:3] == ("contact model", "1.1 × 10⁻²")
    decades = words.SHARE_DECADES[1] - words.SHARE_DECADES[0]
    assert (integrator[3] - model[3]) * decades == pytest.approx(4.19, abs=0.01)


@pytest.mark.parametrize(("value", "place"), [(1.0, 0.5), (1e4, 1.0), (1e9, 1.0), (1e-4, 0.0), (0.0, 0.0), (None, 0.0)])
def test_a_share_off_the_scale_stands_at_its_end(value, place):
    assert words.fraction(value) == place


def test_a_change_is_told_with_what_follows_from_it(wrong):
    before = {"log_stiffness": 4.0, "dt": 1e-4, "stepping": "fixed", "impact_speed": 4.0}
    assert words.change(None, before) == strings.READY
    assert words.change(before, before | {"log_stiffness": 6.0}) == "Stiffness ten to the 6.00."
    assert words.change(before, before | {"dt": 1e-5, "stepping": "tolerance"}) == "Time step 1e-5 s, Error tolerance on."
    assert words.consequence(wrong) == (
        "Wrong sign: returned minus 160.86, exact 3.63. Gradient error 45.3, forward error 0.0418."
    )


def test_the_error_plot_is_described_in_words(wrong):
    text = words.errors(wrong, {"fixed": (0.482, 518.0)})
    assert "gradient, fixed step: 0.482 at the soft end, 518 at the stiff end." in text
    assert "gradient, tolerance: not computed yet." in text
    assert "You are at ten to the 6.00: forward error 0.0418, gradient error 45.3." in text


def test_the_contact_is_described_in_words():
    text = words.contact(audit.trajectory(STIFF, 400, (0.45, 0.456)))
    assert text.startswith("The contact lasts 2.86 ms and presses the spring in by 3.4")
    assert words.contact(None) == strings.CONTACT_NONE
