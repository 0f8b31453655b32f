"""Lesson 2's bench as an app: routes in, verdict, table, shares and pictures out."""

import json

import numpy as np
import pytest
from bokeh.document import Document

from ferrolab.audit import Settings
from ferrolab.audit.entry import force_near_entry
from ferrolab.audit.three_way import share_curves, three_way
from ferrolab.bench import VIEWS, Bench, blame_words
from ferrolab.bench.tokens import DARK, LIGHT
from ferrolab.controls import CONTROLS

AWARE = {"log_stiffness": 6.0, "derivative": "event-aware"}


@pytest.fixture
def bench():
    return Bench(view="who-is-to-blame")


@pytest.fixture
def heard(bench):
    """What a listener was told, oldest first."""
    told = []
    bench.on_readout(lambda controls, readout: told.append((controls, readout)))
    return told


def trial(**changed):
    return three_way(Settings(**{"stiffness": 1e6, "stepper": "rk4", "derivative": "autodiff", **changed})).as_dict()


def cell(bench, law="kelvin-voigt", stepping="fixed", derivative="autodiff"):
    return bench._parts.cells.cells[blame_words.CELLS.index((law, stepping, derivative))]


def test_a_view_is_chosen_by_name_and_an_unknown_one_is_refused_with_the_names():
    assert [type(Bench(view=name)) for name in VIEWS] == list(VIEWS.values())
    with pytest.raises(ValueError, match="gradient-that-lies, who-is-to-blame"):
        Bench(view="lesson-2")


def test_it_starts_at_the_declared_defaults(bench, heard):
    assert bench.controls == {name: CONTROLS[name].default for name in bench.CONTROL_IDS}
    assert heard == [(bench.controls, trial(stiffness=1e4))]


@pytest.mark.parametrize(
    ("controls", "settings"),
    [
        (AWARE, {"derivative": "event-aware"}),
        ({**AWARE, "saltation": False}, {"derivative": "event-aware", "saltation": False}),
        ({"log_stiffness": 6.0, "stepping": "tolerance"}, {"stepping": "tolerance"}),
        (
            {"log_stiffness": 6.0, "stepping": "tolerance", "derivative": "finite-difference"},
            {"stepping": "tolerance", "derivative": "finite-difference"},
        ),
        ({"log_stiffness": 6.0, "dt": 1e-5, "law": "hunt-crossley"}, {"dt": 1e-5, "law": "hunt-crossley"}),
    ],
)
def test_what_it_tells_is_the_audit_s_trial_of_the_route_on_screen(bench, heard, controls, settings):
    bench.set_controls(controls)
    bench.work()
    assert heard[-1] == (bench.controls, trial(**settings))
    assert bench._parts.sign.returned == blame_words.sign_line(trial(**settings), 1e-11)["returned"]
    assert bench._parts.entries.rows == blame_words.entries(trial(**settings))
    json.dumps(heard[-1], allow_nan=False)


def test_the_route_is_always_asked_for_explicitly(bench):
    """Under a tolerance the core would choose finite differences by itself."""
    bench.set_controls({"stepping": "tolerance"})
    assert bench.readout["derivative"] == "autodiff"
    assert bench.readout["stepper"] == "rk4"


def test_one_switch_turns_the_answer(bench, heard):
    bench.set_controls(AWARE)
    bench.saltation = False
    bench.saltation = True
    assert [readout["verdict"] for _, readout in heard[1:]] == ["right", "wrong-sign", "right"]
    assert bench._parts.sign.returned == bench._parts.sign.exact == "+3.61466"


def test_the_matrix_is_disabled_with_its_reason_where_no_route_can_apply_it(bench):
    toggle = bench._parts.saltation
    assert toggle.disabled and toggle.active and "event-aware" in toggle.hint
    bench.derivative = "event-aware"
    assert not toggle.disabled and toggle.hint.startswith("on")
    toggle.active = False
    assert bench.saltation is False and toggle.hint.startswith("off")
    bench.derivative = "autodiff"
    assert toggle.disabled and not toggle.active and "event-aware" in toggle.hint


def test_a_press_of_each_widget_reaches_its_control(bench):
    bench._parts.law.value = "hunt-crossley"
    bench._parts.derivative.value = "event-aware"
    bench._parts.saltation.active = False
    assert (bench.law, bench.derivative, bench.saltation) == ("hunt-crossley", "event-aware", False)


def test_a_contact_that_is_stepped_through_is_told_when_it_is_there_and_not_before(bench, heard):
    document = Document()
    bench.view.server_doc(document, location=False)
    bench.law = "hunt-crossley"
    sign = bench._parts.sign
    assert (sign.busy, sign.words, sign.returned) == (True, "WORKING …", "…")
    assert not bench.settled and len(heard) == 1
    assert cell(bench, law="hunt-crossley")[:2] == ("…", "working")
    late = []
    bench.on_readout(lambda controls, readout: late.append(controls["law"]))
    assert late == []
    bench._parts.pacer.painted = bench._parts.pacer.asked
    assert (sign.busy, bench.settled) == (False, True)
    assert heard[-1] == (bench.controls, trial(stiffness=1e4, law="hunt-crossley"))
    assert late == ["hunt-crossley"]


def test_moving_on_drops_the_work_that_was_waiting(bench, heard):
    bench.law = "hunt-crossley"
    bench.law = "kelvin-voigt"
    assert bench.settled and heard[-1][1]["law"] == "kelvin-voigt"
    bench.work()
    assert {readout["law"] for _, readout in heard} == {"kelvin-voigt"}


def test_a_way_back_is_not_worked_on_again(bench):
    bench.law = "hunt-crossley"
    bench.work()
    bench.law = "kelvin-voigt"
    bench.law = "hunt-crossley"
    assert bench.settled and bench.readout["law"] == "hunt-crossley"


# The table of combinations


def test_the_learner_s_own_cell_shows_what_is_on_the_screen_and_the_others_nothing(bench):
    bench.log_stiffness = 6.0
    cells = bench._parts.cells
    assert cells.cells[cells.current] == ("−196.33", "wrong-sign", "✗ wrong sign", "6", "1e-4")
    assert [kind for _, kind, *_ in cells.cells].count("empty") == 11


def test_cells_come_back_from_what_a_trail_has_seen_and_the_last_visit_counts(bench):
    base = {"law": "kelvin-voigt", "stepping": "fixed", "derivative": "event-aware", "dt": 1e-4, "saltation": False}
    seen = [
        {"controls": {**base, "log_stiffness": 6.0}, "readout": {"entry": -199.4, "entry_law": 3.61}},
        {"controls": {**base, "log_stiffness": 5.5, "dt": 1e-5}, "readout": {"entry": -111.0, "entry_law": 3.61}},
        {
            "controls": {**base, "law": "hunt-crossley", "stepping": "tolerance", "log_stiffness": 6.0},
            "readout": {"entry": 3.4, "entry_law": 3.41},
        },
    ]
    bench.set_seen(seen)
    assert cell(bench, derivative="event-aware") == ("−111.00", "wrong-sign", "✗ wrong sign", "5.5", "1e-5, no Ξ")
    assert cell(bench, "hunt-crossley", "tolerance", "event-aware") == ("+3.40", "right", "✓ right", "6", "no Ξ")
    assert len(bench._parts.shares._visits.data["left"]) == 2
    bench.set_seen([])
    assert cell(bench, derivative="event-aware")[1] == "empty"
    assert len(bench._parts.shares._visits.data["left"]) == 0


def test_a_matrix_switched_off_is_said_only_of_the_route_that_misses_it(bench):
    bench.set_controls({**AWARE, "saltation": False})
    assert cell(bench, derivative="event-aware")[4] == "1e-4, no Ξ"
    bench.derivative = "autodiff"
    assert cell(bench)[4] == "1e-4"


@pytest.mark.parametrize(
    "one",
    [
        {"controls": {"log_stiffness": 4.0}, "readout": {}},
        {"controls": {"law": "glue", "stepping": "fixed", "derivative": "autodiff", "dt": 1e-4, "log_stiffness": 6, "saltation": True},
         "readout": {"entry": 1.0, "entry_law": 1.0}},
        {"controls": {"law": "kelvin-voigt", "stepping": "fixed", "derivative": "event-aware", "dt": None, "log_stiffness": 6, "saltation": True},
         "readout": {"entry": 1.0, "entry_law": 1.0}},
    ],
)  # fmt: skip
def test_a_trail_that_cannot_fill_a_cell_leaves_it_empty(bench, one):
    bench.set_seen([one])
    assert [kind for _, kind, *_ in bench._parts.cells.cells].count("empty") == 11


def test_only_a_bench_on_its_own_remembers_cells_by_itself():
    for marks_rest in (False, True):
        bench = Bench(view="who-is-to-blame", marks_rest=marks_rest)
        bench._parts.announcer.spoken += 1
        bench.derivative = "finite-difference"
        assert (cell(bench)[1] == "wrong-sign") is marks_rest


def test_a_cell_says_it_in_words_and_by_a_glyph():
    verdicts = {blame_words.cell(None, "fixed")[2]}
    for verdict in ("right", "wrong-sign", "wrong", "none"):
        said = blame_words.strings.CELL_VERDICTS[verdict]
        assert not said[0].isalnum() and said[1] == " " and said[2].isalpha()
        verdicts.add(said)
    assert len(verdicts) == 5


# Shares, force and term


def curve(bench, kind):
    data = bench._parts.shares._sources[kind].data
    return np.asarray(data["x"]), np.asarray(data["y"])


@pytest.mark.parametrize(
    ("controls", "settings"),
    [({}, {}), ({"stepping": "tolerance"}, {"stepping": "tolerance"}), ({"derivative": "event-aware"}, {"derivative": "event-aware"})],
)
def test_the_drawn_curves_are_the_audit_s_shares(bench, controls, settings):
    bench.set_controls(controls)
    bench.work()
    log = np.arange(2, 8.01, 0.25)
    expected = share_curves(Settings(**{"stiffness": 1.0, "stepper": "rk4", "derivative": "autodiff", **settings}), log)
    for kind, share in (("own", expected.own), ("event", expected.event), ("contact_model", expected.contact_model)):
        x, y = curve(bench, kind)
        np.testing.assert_allclose(x, 10.0**log)
        np.testing.assert_allclose(y, share, rtol=1e-6, atol=1e-12)


def test_the_guides_have_the_slopes_they_name(bench):
    bench.work()
    for kind, slope in (("event", 0.5), ("contact_model", -0.5)):
        guide = bench._parts.shares._guide_sources[kind].data
        x, y = np.log10(guide["x"]), np.log10(guide["y"])
        assert (y[-1] - y[0]) / (x[-1] - x[0]) == pytest.approx(slope)
        assert f"{abs(slope):g}".replace("0.5", "1/2") in guide["text"][1]


def test_a_share_that_does_not_follow_a_slope_gets_no_guide_and_none_is_named(bench):
    bench.set_controls({"law": "hunt-crossley", "stepping": "tolerance"})
    bench.work()
    plot = bench._parts.shares
    assert len(plot._guide_sources["contact_model"].data["x"]) == 0
    assert plot._sources["event label"].data["text"] == ["event: none, nothing jumps"]
    assert curve(bench, "event")[0].size == 0


def test_every_point_of_the_other_law_is_drawn_at_the_finest_step_too(bench):
    bench.set_controls({"law": "hunt-crossley", "dt": 1e-6})
    bench.work()
    x, _ = curve(bench, "own")
    assert (x[0], x[-1], len(x)) == (1e2, 1e8, 13)


def test_the_learner_s_marks_stand_on_the_three_shares(bench):
    bench.log_stiffness = 6.0
    marks, readout = bench._parts.shares._here.data, bench.readout
    assert list(marks["y"]) == [readout["own_error"], readout["event_share"], readout["contact_model_share"]]
    assert len(set(marks["marker"])) == len(set(marks["ink"])) == 3


def test_a_route_that_carries_the_event_says_so_and_is_charged_its_own_error():
    bars, hollow = blame_words.bars(trial(derivative="event-aware"))
    assert [(id, label) for id, label, *_ in bars] == [("step", "integrator"), ("event", "event"), ("contact_model", "contact model")]
    assert bars[0][2] == "1.8 × 10⁻⁶"
    assert bars[1][2] == "carried by this route (203.03 avoided)" and hollow == ["event"]
    bars, hollow = blame_words.bars(trial(derivative="finite-difference"))
    assert bars[1][2] == "2.0 × 10²" and hollow == []


def test_the_term_is_the_matrix_and_the_sum_it_makes():
    shown = blame_words.term(trial(derivative="event-aware", saltation=False))
    assert shown["matrix"] == [["1", "0"], ["−321.2", "1"]]
    assert [value for *_, value in shown["lines"]] == ["+3.61466", "−203.032", "−199.417"]
    assert shown["state"] == "missing"
    assert blame_words.term(trial(derivative="event-aware"))["state"] == "applied"
    smooth = blame_words.term(trial(law="hunt-crossley"))
    assert (smooth["matrix"], smooth["state"]) == ([["1", "0"], ["0", "1"]], "none")


def test_the_force_is_the_audit_s_and_shows_the_jump(bench):
    bench.log_stiffness = 6.0
    bench.work()
    plot = bench._parts.force
    for law in ("kelvin-voigt", "hunt-crossley"):
        drawn = plot._sources[law].data
        window = 1e-3 * drawn["t"][0], 1e-3 * drawn["t"][-1]
        time, force = force_near_entry(Settings(stiffness=1e6, law=law), window, len(drawn["t"]) - 2)
        np.testing.assert_allclose(drawn["f"], force)
        np.testing.assert_allclose(drawn["t"], 1e3 * time)
    assert list(plot._jump.data["f"]) == [0.0, pytest.approx(1422.738, abs=1e-3)]
    assert "1,423" in plot._jump_point.data["text"][0]


def test_a_move_changes_few_things_and_no_curve(bench):
    document = Document()
    bench.view.server_doc(document, location=False)
    bench.work()
    events = []
    document.on_change(events.append)
    bench.log_stiffness = 6.0
    touched = [(type(event.model).__name__, event.attr) for event in events]
    assert ("SignLine", "returned") in touched
    assert sum(1 for name, _ in touched if name == "ColumnDataSource") == 1
    assert len(events) <= 24


def test_a_scheme_recolours_widgets_and_plots(bench):
    assert bench._parts.shares._parts["event"][0].glyph.line_color == LIGHT.event
    bench.set_scheme("dark")
    assert bench._parts.shares._parts["event"][0].glyph.line_color == DARK.event
    assert bench._parts.force._lines["kelvin-voigt"].glyph.line_color == DARK.model


# What is said


def test_an_under_resolved_contact_is_named_with_its_steps():
    assert blame_words.message(trial(stiffness=1e8)).startswith("A contact of 4 steps: under-resolved.")
    assert blame_words.message(trial()) == ""
    assert blame_words.message(trial(stiffness=1e8, stepping="tolerance")) == ""


def test_a_wrong_value_of_the_right_sign_is_not_called_right():
    line = blame_words.sign_line(trial(law="hunt-crossley"), 1e-11)
    assert (line["verdict"], line["words"], line["directions"]) == ("off", "WRONG VALUE", (1, 1))


def test_a_route_without_an_answer_gives_its_reason_and_no_number():
    lost = trial() | {
        "status": "unstable-step", "message": "Too long a step.", "entry": None, "entry_error": None, "law_error": None,
        "verdict": "none", "own_error": None, "carries_event": None,
    }  # fmt: skip
    line = blame_words.sign_line(lost, 1e-11)
    assert (line["verdict"], line["returned"], line["message"]) == ("none", "–", "Too long a step.")
    assert blame_words.consequence(lost) == "No answer: Too long a step."
    assert blame_words.bars(lost)[0][0][2] == "–"
    assert blame_words.term(lost)["state"] == "none"


def test_the_live_region_tells_the_change_and_its_consequence(bench):
    bench.set_controls(AWARE)
    bench.saltation = False
    assert bench._parts.announcer.text == (
        "Saltation matrix off. Wrong sign: returned minus 199.417, exact 3.61466, off by 203.03."
    )


def test_numbers_are_set_as_they_are_read():
    assert blame_words.numerals.precise(-199.4174720) == "−199.417"
    assert blame_words.numerals.precise(3.6146612) == "+3.61466"
    assert blame_words.numerals.precise(None) == "–"
