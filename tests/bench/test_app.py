"""The bench as an app: controls in, readout and pictures out."""

import numpy as np
import pytest
from bokeh.document import Document

from ferrolab import audit
from ferrolab.bench import Bench, words
from ferrolab.bench.view import HURRY_MS, PICTURE_S, REST_MS, SOON_MS
from ferrolab.bench.views.gradient_that_lies import KEYS
from ferrolab.bench.tokens import DARK, LIGHT
from ferrolab.controls import CONTROLS


@pytest.fixture
def bench():
    return Bench()


@pytest.fixture
def heard(bench):
    """What a listener was told, oldest first."""
    told = []
    bench.on_readout(lambda controls, readout: told.append((controls, readout)))
    return told


def shown(document):
    """Models of a document by the name of their class."""
    return {type(model).__name__: model for model in document.models}


@pytest.fixture
def screen(bench):
    """The bench in a document, as a page holds it, with its document's models by class."""
    document = Document()
    bench.view.server_doc(document, location=False)
    return document, shown(document)


def readout_tables(document):
    """The key numbers, and the table of the others."""
    tables = [model for model in document.models if type(model).__name__ == "ReadoutTable"]
    return sorted(tables, key=lambda table: "keys" not in table.css_classes)


def cells(table):
    return {id: value for id, _, value, _ in table.rows}


def test_it_starts_at_the_declared_defaults(bench, heard):
    assert bench.controls == {name: CONTROLS[name].default for name in ("log_stiffness", "dt", "stepping")}
    assert heard == [(bench.controls, audit.readout(audit.Settings(stiffness=1e4), costs=False).as_dict())]


@pytest.mark.parametrize(
    ("controls", "settings"),
    [
        ({"log_stiffness": 6.0}, {"stiffness": 1e6}),
        ({"log_stiffness": 5.37, "dt": 1e-5}, {"stiffness": 10**5.37, "dt": 1e-5}),
        ({"log_stiffness": 8.0, "dt": 1e-6}, {"stiffness": 1e8, "dt": 1e-6}),
        ({"log_stiffness": 6.0, "stepping": "tolerance"}, {"stiffness": 1e6, "stepping": "tolerance"}),
    ],
)
def test_what_it_shows_is_what_the_audit_measures(bench, heard, screen, controls, settings):
    bench.set_controls(controls)
    bench.work()
    expected = audit.readout(audit.Settings(**settings)).as_dict()
    assert heard[-1] == (bench.controls, expected)
    parts = screen[1]
    assert parts["SignLine"].verdict == words.verdict(expected)
    assert parts["SignLine"].returned == words.sign_line(expected, 1e-11)["returned"]
    keys, table = readout_tables(screen[0])
    assert [row[0] for row in keys.rows] == list(KEYS)
    assert sorted(keys.rows + table.rows) == sorted(words.table(expected, 4.0, audit.timing_term(expected["restitution"], 4.0)))
    assert parts["SplitBars"].bars == words.bars(expected, ("integrator", "contact_model"))


def test_several_controls_set_at_once_are_one_recomputation(bench, heard):
    bench.set_controls({"log_stiffness": 6.0, "dt": 1e-5, "stepping": "tolerance"})
    assert [controls for controls, _ in heard[1:]] == [{"log_stiffness": 6.0, "dt": 1e-5, "stepping": "tolerance"}]


def test_a_widget_s_move_is_one_recomputation_and_one_answer(heard, screen):
    parts = screen[1]
    answered = parts["StiffnessSlider"].answered
    parts["StiffnessSlider"].value = 6.0
    assert [controls["log_stiffness"] for controls, _ in heard[1:]] == [6.0]
    assert parts["StiffnessSlider"].answered == answered + 1


def test_a_fixed_readout_is_told_again_once_its_costs_are_counted(bench, heard):
    bench.set_controls({"log_stiffness": 6.0})
    bench.work()
    quick, complete = heard[-2][1], heard[-1][1]
    assert quick["evaluations"]["ratio"] is None
    assert complete["evaluations"]["ratio"] == pytest.approx(1.85, abs=0.02)
    assert quick | {"evaluations": None} == complete | {"evaluations": None}


def test_restored_controls_are_on_the_widgets(bench, screen):
    bench.set_controls({"log_stiffness": 2.5, "dt": 1e-6, "stepping": "tolerance"})
    parts = screen[1]
    dt = next(m for m in screen[0].models if type(m).__name__ == "Segmented" and m.label == "Time step")
    assert parts["StiffnessSlider"].value == 2.5
    assert (dt.value, dt.idle) == ("1e-6", True)
    assert parts["ToggleButton"].active is True


def test_a_press_of_each_widget_reaches_its_control(bench, screen):
    parts = screen[1]
    segmented = {m.label: m for m in screen[0].models if type(m).__name__ == "Segmented"}
    segmented["Time step"].value = "1e-5"
    parts["ToggleButton"].active = True
    segmented["Impact speed"].value = "0.01"
    assert (bench.dt, bench.stepping, bench.impact_speed) == (1e-5, "tolerance", 0.01)
    e = bench.readout["restitution"]
    assert cells(readout_tables(screen[0])[1])["timing.term"] == f"{(1 + e) * 9.81 / 0.01:,.0f}"


@pytest.mark.parametrize(
    "controls", [{"stiffness": 6.0}, {"log_stiffness": 9.0}, {"dt": 1e-3}, {"stepping": "loose"}]
)  # fmt: skip
def test_a_control_it_does_not_have_is_refused_by_name(bench, controls):
    with pytest.raises(ValueError, match=next(iter(controls))):
        bench.set_controls(controls)


@pytest.mark.parametrize("by", ["control", "widget"])
def test_a_listener_finds_on_the_screen_what_it_is_told(bench, screen, by):
    document, parts = screen
    seen = []

    def listen(_, readout):
        seen.append((readout["entry"], parts["SignLine"].returned, document.callbacks.hold_value))

    bench.on_readout(listen)
    if by == "control":
        bench.set_controls({"log_stiffness": 6.0})
    else:
        parts["StiffnessSlider"].value = 6.0
    assert seen[1:] == [(pytest.approx(-160.857575, abs=1e-6), "−160.86", None)]


def test_a_move_changes_few_things_and_no_picture(bench, screen):
    document, _ = screen
    bench.work()
    events = []
    document.on_change(events.append)
    bench.log_stiffness = 6.0
    touched = {(type(event.model).__name__, event.attr) for event in events}
    assert len(events) <= 16
    assert ("SignLine", "returned") in touched
    # The one source that moves with the slider is the learner's mark.
    assert sum(1 for name, _ in touched if name == "ColumnDataSource") == 1


def test_pictures_wait_for_the_browser_s_paint_one_piece_a_turn(bench, screen, monkeypatch):
    parts = screen[1]
    calls = []
    trajectory, measure = audit.trajectory, audit.measure
    monkeypatch.setattr(audit, "trajectory", lambda *a, **k: calls.append("picture") or trajectory(*a, **k))
    monkeypatch.setattr(audit, "measure", lambda s, k: calls.append(f"curve {s.stepping} {s.dt:g}") or measure(s, k))
    pacer = parts["Pacer"]
    assert calls == [] and pacer.asked == pacer.painted + 1
    turns = []
    while pacer.asked != pacer.painted:
        before = len(calls)
        pacer.painted = pacer.asked
        turns.append(calls[before:])
    flat = [turn[-1] for turn in turns if turn]
    assert flat == ["picture", "curve fixed 0.0001", "curve tolerance 0.0001", "curve fixed 1e-05", "curve fixed 1e-06"]
    assert max(len([c for c in turn if c.startswith("curve")]) for turn in turns) == 1


def test_pictures_wait_while_moves_hurry_and_come_every_so_often_all_the_same(bench, screen, monkeypatch):
    pacer, now = screen[1]["Pacer"], [1e9]
    monkeypatch.setattr("ferrolab.bench.view.time.monotonic", lambda: now[0])
    bench.work()
    drawn = []
    monkeypatch.setattr(bench._pictures, "_draw_flight", lambda settings: drawn.append(now[0]) or setattr(bench._pictures, "_pictured", settings))

    def move(to, painted=True):
        now[0] += 0.05
        bench.log_stiffness = to
        if pacer.delay == 0 and painted:
            pacer.painted = pacer.asked  # the browser takes its turn at once; another one comes before it is over

    now[0] += 10.0
    began = now[0]
    move(4.9)
    assert pacer.delay == SOON_MS, "the first move of a drag waits for the second"
    move(4.95)
    assert pacer.delay == HURRY_MS
    for i in range(60):
        move(5.0 + 0.01 * i)
    assert 4 <= len(drawn) <= 60 * 0.05 / PICTURE_S
    assert all(later - before >= PICTURE_S for before, later in zip([began, *drawn], drawn))
    drawn.clear()
    pacer.painted = pacer.asked  # the pause is over
    assert drawn == [now[0]]


def test_a_bench_restored_under_an_earlier_clock_waits_no_longer_than_any(monkeypatch):
    """The memory snapshot is made minutes after its clock began; a page's clock begins with the page."""
    now = [1e9]
    monkeypatch.setattr("ferrolab.bench.view.time.monotonic", lambda: now[0])
    bench = Bench()
    document = Document()
    bench.view.server_doc(document, location=False)
    pacer = bench._parts.pacer
    now[0] = 1.0
    pacer.painted = pacer.asked  # the flight is drawn; the curves are asked for
    assert pacer.asked != pacer.painted and pacer.delay <= REST_MS
    bench.log_stiffness = 5.0
    assert pacer.delay == SOON_MS, "no move came before in this page"


def test_a_turn_asked_for_before_the_last_move_is_not_taken(bench, screen, monkeypatch):
    pacer = screen[1]["Pacer"]
    bench.work()
    drawn = []
    monkeypatch.setattr(bench._pictures, "_draw_flight", lambda settings: drawn.append(settings))
    bench.log_stiffness = 5.0
    late = pacer.asked
    bench.log_stiffness = 6.0
    assert pacer.asked == late + 1
    pacer.painted = late
    assert drawn == []
    pacer.painted = pacer.asked
    assert [settings.stiffness for settings in drawn] == [1e6]


def test_a_mark_beyond_the_frame_waits_until_the_frame_holds_it(bench):
    plot = bench._parts.errors
    plot.mark(1e4, [("fixed", 1e-7), ("trajectory", 0.1)])
    assert list(plot._here.data["y"]) == [0.1]
    plot.draw("fixed", ([1e2, 1e4], [1e-7, 1e-7]))
    assert sorted(plot._here.data["y"]) == [1e-7, 0.1]


def test_curves_are_computed_once_and_the_tolerance_s_for_every_time_step(bench, monkeypatch):
    bench.work()
    asked = []
    monkeypatch.setattr(audit, "measure", lambda s, k: asked.append(s))
    for dt in CONTROLS["dt"].options:
        bench.set_controls({"dt": dt[0], "log_stiffness": 7.0})
        bench.work()
    assert asked == []


def curve(bench, kind):
    data = bench._parts.errors._sources[kind].data
    return np.asarray(data["x"]), np.asarray(data["y"])


@pytest.mark.parametrize("stepping", ["fixed", "tolerance"])
def test_the_drawn_curves_are_the_audit_s(bench, stepping):
    bench.set_controls({"dt": 1e-5, "stepping": stepping})
    bench.work()
    log_stiffness = np.arange(2, 8.01, 0.25)
    chosen = audit.measure(audit.Settings(stiffness=1.0, dt=1e-5, stepping=stepping), 10.0**log_stiffness)
    x, y = curve(bench, stepping)
    np.testing.assert_allclose(x, 10.0**log_stiffness)
    np.testing.assert_allclose(y, chosen.gradient_error)
    np.testing.assert_allclose(curve(bench, "trajectory")[1], chosen.forward_error)


def test_a_curve_not_computed_yet_is_named_with_an_ellipsis_and_not_drawn(bench):
    assert curve(bench, "tolerance")[0].size == 0
    assert bench._parts.errors._sources["tolerance label"].data["text"] == ["gradient, tolerance …"]


def test_the_learner_s_marks_stand_at_the_readout(bench):
    bench.set_controls({"log_stiffness": 6.0})
    marks = bench._parts.errors._here.data
    readout = bench.readout
    assert list(marks["x"]) == [1e6, 1e6]
    assert list(marks["y"]) == [readout["forward_error"], readout["gradient_error"]]
    assert list(marks["marker"]) == ["triangle", "circle"]


def test_visited_places_are_merged_into_a_strip(bench):
    bench.set_visited([6.0, 4.0, 4.02, 4.04])
    strip = bench._parts.errors._visits.data
    np.testing.assert_allclose(np.log10(strip["left"]), [3.97, 5.97])
    np.testing.assert_allclose(np.log10(strip["right"]), [4.07, 6.03])
    bench.set_visited([])
    assert len(bench._parts.errors._visits.data["left"]) == 0


def test_only_a_bench_on_its_own_marks_where_the_learner_rests(bench):
    alone = Bench(marks_rest=True)
    for each in (bench, alone):
        each._parts.announcer.spoken += 1
    assert len(bench._parts.errors._visits.data["left"]) == 0
    assert len(alone._parts.errors._visits.data["left"]) == 1


def test_a_scheme_recolours_widgets_and_plots(bench):
    assert bench._parts.root.html_attributes["data-scheme"] == "light"
    assert bench._parts.errors._parts["fixed"][0].glyph.line_color == LIGHT.fixed
    bench.set_scheme("dark")
    assert bench._parts.root.html_attributes["data-scheme"] == "dark"
    assert bench._parts.errors._parts["fixed"][0].glyph.line_color == DARK.fixed
    assert bench._parts.flight.flight.xaxis[0].major_label_text_color == DARK.soft


def test_the_theme_outlives_the_document_s_own(bench, screen):
    axis = bench._parts.errors.figure.xaxis[0]
    assert axis.axis_line_color is None
    assert bench._parts.errors.figure.toolbar_location is None


def test_an_unknown_scheme_is_refused(bench):
    with pytest.raises(ValueError, match="'light' or 'dark'"):
        bench.set_scheme("sepia")
    with pytest.raises(ValueError, match="'light' or 'dark'"):
        Bench(scheme="sepia")


def test_the_live_region_tells_the_change_and_its_consequence(bench, screen):
    bench.set_controls({"log_stiffness": 6.0})
    assert screen[1]["Announcer"].text.startswith("Stiffness ten to the 6.00. Wrong sign: returned minus 160.86")
    bench.impact_speed = 0.01
    assert screen[1]["Announcer"].text.startswith("Impact speed 0.01 m/s. ")


def test_a_page_with_a_bench_asks_for_no_foreign_file(screen):
    from bokeh.core.json_encoder import serialize_json

    text = serialize_json(screen[0].to_json())
    assert "http:" not in text and "https:" not in text and ".css" not in text
