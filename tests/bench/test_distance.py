"""Lesson 3's bench as an app: settings in; numbers at once, pictures after the paint, samples while the learner rests."""

import json

import numpy as np
import pytest
from bokeh.document import Document

from ferrolab import smoothing
from ferrolab.bench import Bench, distance_words, numerals
from ferrolab.bench.distance_plots import STYLES, WINDOW
from ferrolab.bench.line_plot import nice
from ferrolab.bench.tokens import DARK, LIGHT
from ferrolab.bench.view import NEXT_MS, REST_MS
from ferrolab.controls import CONTROLS

#: Just above the height from which a hard mass still lands.
NEAR = {"release_height": 0.21}


@pytest.fixture
def bench():
    return Bench(view="forces-at-a-distance")


@pytest.fixture
def heard(bench):
    """What a listener was told, oldest first."""
    told = []
    bench.on_readout(lambda controls, readout: told.append((controls, readout)))
    return told


def settings(**changed):
    """What the bench asks of the library, from its opening position."""
    given = {"kappa": 10**2.48, "noise": 10**-1.7, "samples": 100, "release_height": 0.3, "dt": 1e-3}
    return smoothing.Settings(**{**given, **changed})


def complete(**changed):
    *_, last = smoothing.refine(settings(**changed))
    return last


def rows(table):
    return {id: (value, unit) for id, _, value, unit in table.rows}


def drawn(bench, plot, kind):
    data = getattr(bench._parts, plot)._sources[kind].data
    return np.asarray(data["x"]), np.asarray(data["y"])


def draw_pictures(bench):
    """Draw all that is behind, a piece at a time, and return how many pieces that took."""
    for pieces in range(20):
        if not bench._soon(bench._settings()):
            return pieces
        bench._step()
    raise AssertionError("the pictures never come up to the readout")


# Settings in, readout out


def test_it_starts_at_the_declared_defaults_on_a_hard_mass_that_has_not_landed(bench):
    assert bench.controls == {name: CONTROLS[name].default for name in bench.CONTROL_IDS}
    assert bench.readout == smoothing.readout(settings())
    assert (bench.readout["model"], bench.readout["before_contact"]) == ("hard", True)
    assert bench._parts.sign.words == "ZERO GRADIENT"


@pytest.mark.parametrize(
    ("controls", "changed"),
    [
        ({"model": "smoothed", **NEAR}, {"model": "smoothed", **NEAR}),
        ({"model": "soft", "release_height": 0.1}, {"model": "soft", "release_height": 0.1}),
        ({"model": "stochastic", "log_samples": 3.0, **NEAR}, {"model": "stochastic", "samples": 1000, **NEAR}),
        ({"log_kappa": 2.0, "drop_dt": 5e-3, **NEAR}, {"kappa": 100.0, "dt": 5e-3, **NEAR}),
        ({"log_noise": -2.0, "log_samples": 2.25, **NEAR}, {"noise": 0.01, "samples": 178, **NEAR}),
    ],
)
def test_the_complete_readout_is_the_library_s_for_what_is_on_screen(bench, heard, controls, changed):
    bench.set_controls(controls)
    bench.work()
    assert bench.settled
    assert heard[-1] == (bench.controls, complete(**changed).readout)
    json.dumps(heard[-1], allow_nan=False)


def test_each_widget_sets_its_control(bench):
    parts = bench._parts
    parts.release.value, parts.kappa.value, parts.noise.value, parts.samples.value = 0.2, 2.0, -2.0, 3.0
    parts.model.value, parts.dt.value = "smoothed", "5e-3"
    assert bench.controls == {
        "release_height": 0.2, "model": "smoothed", "drop_dt": 5e-3, "log_kappa": 2.0, "log_noise": -2.0, "log_samples": 3.0,
    }  # fmt: skip
    assert [one.answered for one in (parts.release, parts.kappa, parts.noise, parts.samples)] == [1, 1, 1, 1]


# Refined while it is watched


def turns(bench):
    """Give the bench its turns as a browser does, and yield after each."""
    document = Document()
    bench.view.server_doc(document, location=False)
    pacer = bench._parts.pacer
    while pacer.asked != pacer.painted:
        pacer.painted = pacer.asked
        yield


def test_the_first_readout_needs_no_samples_and_is_told_as_unsettled(bench, heard):
    assert not bench.settled and bench.readout["drawn"] == 0
    bench.set_controls(NEAR)
    assert [readout["complete"] for _, readout in heard] == [False, False], "the page's bar may show them"
    bench.work()
    assert [readout["complete"] for _, readout in heard] == [False, False, True]


def test_the_estimate_refines_turn_by_turn_and_says_how_far_it_is(bench, heard):
    bench.set_controls({"model": "stochastic", "log_samples": 3.0, **NEAR})
    seen = []
    for _ in turns(bench):
        progress = bench._parts.progress
        seen.append((bench.readout["drawn"], progress.fraction, rows(bench._parts.estimates)["hard.zeroth"][0]))
    counts = [count for count, *_ in seen]
    assert counts == sorted(counts) and len(set(counts)) > 10 and counts[-1] == 1000
    assert len({text for *_, text in seen}) > 10, "the number on the screen moves with them"
    assert progress.text == "all 1,000 samples drawn" and seen[-1][1] == 1.0
    assert bench.settled and [readout["complete"] for _, readout in heard] == [False, False, True]


def test_a_move_drops_what_was_still_to_be_drawn(bench):
    bench.set_controls({"log_samples": 4.0, **NEAR})
    for _ in turns(bench):
        if bench.readout["drawn"] and len(drawn(bench, "objective", "zeroth")[0]):
            break
    assert 0 < bench.readout["drawn"] < 10_000
    bench.set_controls({"log_samples": 2.0, "release_height": 0.2})
    assert bench.readout["drawn"] == 0 and not bench.settled
    assert rows(bench._parts.estimates)["hard.zeroth"] == (numerals.PENDING, "")
    assert len(drawn(bench, "objective", "zeroth")[0]) == 0
    bench.work()
    assert bench.readout == complete(release_height=0.2).readout


def test_a_way_back_is_complete_at_once(bench):
    bench.work()
    bench.set_controls(NEAR)
    bench.work()
    bench.set_controls({"release_height": 0.3})
    assert bench.settled and bench.readout == complete().readout


# The gradient line


@pytest.mark.parametrize(
    ("controls", "words", "returned", "directions"),
    [
        ({**NEAR}, "ZERO GRADIENT", "0", (0, -1)),
        ({"model": "soft", **NEAR}, "ZERO GRADIENT", "0", (0, -1)),
        ({"model": "smoothed", **NEAR}, "REACHES OUT", "−14.45", (-1, -1)),
        ({"model": "smoothed", "release_height": 0.3}, "ALMOST ZERO", "−2.4 × 10⁻¹¹", (0, 0)),
        ({"model": "smoothed", "release_height": 0.19}, "NOT ZERO", "−50.85", (-1, -1)),
        ({"model": "stochastic", **NEAR}, "WORKING …", "…", (0, -1)),
    ],
)
def test_the_gradient_line_tells_nothing_from_little_and_reach_from_touch(bench, controls, words, returned, directions):
    bench.set_controls(controls)
    sign = bench._parts.sign
    assert (sign.words, sign.returned, sign.directions) == (words, returned, directions)
    assert sign.exact == distance_words.slope(bench.readout["average_gradient"])
    assert sign.busy is (controls.get("model") == "stochastic")


def test_a_landed_mass_and_a_falling_one_are_told_apart(bench):
    assert bench._parts.sign.note.startswith("Still falling at 0.2 s")
    bench.set_controls({"release_height": 0.1})
    assert bench._parts.sign.note.startswith("Landed before 0.2 s")


# Pictures


def test_every_curve_is_the_library_s(bench):
    bench.set_controls({"model": "smoothed", **NEAR})
    bench.work()
    wanted = {"velocity": "velocity", "slope": "velocity_gradient", "height": "height", "height_slope": "height_gradient"}
    asked = settings()
    last = complete(**NEAR)
    for plot, quantity in wanted.items():
        curves = {model: getattr(smoothing.curves(model, asked.kappa, asked.dt), quantity) for model in ("hard", "soft", "smoothed")}
        curves["stochastic"] = getattr(last.curve, quantity)
        if plot in ("velocity", "slope"):
            curves["average"] = getattr(smoothing.average_curve(asked.noise, asked.dt), quantity)
        for kind, values in curves.items():
            x, y = drawn(bench, plot, kind)
            np.testing.assert_array_equal(x, smoothing.HEIGHTS)
            np.testing.assert_allclose(y, values)


def test_curves_differ_by_dash_or_marker_as_well_as_by_colour(bench):
    for plot in bench._plots():
        looks = [(str(style.dash), style.marker if style.every else "") for style in plot._styles.values()]
        inks = [style.ink for style in plot._styles.values()]
        assert len(set(looks)) == len(looks) and len(set(inks)) == len(inks)
        assert len({style.dash if isinstance(style.dash, str) else tuple(style.dash) for style in STYLES.values()}) >= 4


def test_every_key_fits_the_frame_of_a_narrow_phone(bench):
    frame, letter = 245, 6.6  # pixels: the frame on a screen of 320, and a letter of the key, bold at 11 pixels
    for plot in bench._plots():
        longest = letter * max(len(plot._names[kind]) for kind in plot._styles)
        for *_, name in plot._lines.values():
            [start] = name.data_source.data["x"]
            inside = frame * (start if name.glyph.text_align == "right" else 1.0 - start)
            assert longest < inside, plot._names


def test_the_learner_stands_on_every_curve_and_the_model_in_use_is_bold(bench):
    bench.set_controls({"model": "smoothed", **NEAR})
    bench.work()
    plot, readout = bench._parts.slope, bench.readout
    marks = dict(zip(plot._here_kinds, plot._here.data["y"], strict=True))
    assert plot._here_line.location == 0.21
    assert marks == {
        "hard": 0.0, "soft": readout["soft_velocity_gradient"], "smoothed": readout["smoothed_velocity_gradient"],
        "average": readout["average_gradient"], "stochastic": readout["zeroth_gradient"],
    }  # fmt: skip
    widths = {kind: parts[0].glyph.line_width for kind, parts in plot._lines.items()}
    assert widths["smoothed"] > max(width for kind, width in widths.items() if kind != "smoothed")


def test_the_slopes_fit_the_frame_whatever_the_sharpness(bench):
    for log_kappa in (1.0, 2.0, 3.5):
        bench.set_controls({"log_kappa": log_kappa})
        bench.work()
        frame = bench._parts.slope.figure.y_range
        for kind in ("smoothed", "average"):
            assert frame.start < drawn(bench, "slope", kind)[1].min()
    assert [nice(x) for x in (0.9, 1.0, 43.9, 44.0, 1e-3)] == [1.0, 1.0, 50.0, 50.0, 1e-3]


def test_the_objective_is_drawn_as_wide_as_the_noise_with_the_slopes_of_the_readout(bench):
    bench.set_controls(NEAR)
    bench.work()
    plot, readout, noise = bench._parts.objective, bench.readout, 10**-1.7
    assert (plot.figure.x_range.start, plot.figure.x_range.end) == pytest.approx((0.21 - WINDOW * noise, 0.21 + WINDOW * noise))
    for kind, name in (("zeroth", "zeroth_gradient"), ("first", "first_gradient")):
        x, y = drawn(bench, "objective", kind)
        assert (y[1] - y[0]) / (x[1] - x[0]) == pytest.approx(readout[name])
        assert y.mean() == pytest.approx(readout["average"])
    wedge = plot._wedge.data
    assert (wedge["high"][0] - wedge["low"][0]) / (2 * (0.21 - wedge["x"][0])) == pytest.approx(readout["zeroth_error"])
    heights, velocities = plot._samples.data["x"], plot._samples.data["y"]
    assert 50 <= len(heights) <= 60
    np.testing.assert_allclose(velocities, np.where(heights > smoothing.landing_height(1e-3), -1.962, 0.0))


def test_the_force_and_the_creep_are_the_library_s(bench):
    bench.set_controls({"log_kappa": 2.0, **NEAR})
    bench.work()
    gap, share = drawn(bench, "force", "smoothed")
    np.testing.assert_allclose(share, [smoothing.sigma(100.0, g / 100) for g in gap])
    creep = smoothing.creep_curve(100.0, 1e-3)
    np.testing.assert_allclose(drawn(bench, "creep", "simulated")[1], 1e3 * creep.depth)
    np.testing.assert_allclose(drawn(bench, "creep", "closed")[1], 1e3 * creep.closed_form)
    table = rows(bench._parts.contact)
    assert table["price.creep"] == (numerals.quantity(1e3 * float(creep.depth[-1])), "mm")


def test_a_moved_sharpness_redraws_only_what_depends_on_it(bench):
    bench.work()
    document = Document()
    bench.view.server_doc(document, location=False)
    plots = {id(source): (name, kind) for name in ("velocity", "slope", "height", "height_slope", "objective", "force", "creep")
             for kind, source in getattr(bench._parts, name)._sources.items()}  # fmt: skip
    events = []
    document.on_change(events.append)
    bench.log_kappa = 2.3
    assert not {id(event.model) for event in events} & {key for key, (name, _) in plots.items() if name != "objective"}, "no curve before the paint"
    assert len(events) <= 60
    events.clear()
    draw_pictures(bench)
    redrawn = {plots[id(event.model)] for event in events if id(event.model) in plots}
    assert redrawn == {(plot, "smoothed") for plot in ("velocity", "slope", "height", "height_slope", "force")} | {("creep", "simulated"), ("creep", "closed")}


def test_pictures_come_up_a_piece_at_a_time_and_each_gets_its_turn_while_moves_go_on(bench):
    bench.work()
    bench.set_controls(NEAR)
    assert 4 <= draw_pictures(bench) <= 6
    for place in np.linspace(0.25, 0.35, 6):
        bench.set_controls({"release_height": float(place)})
        bench._step()  # the next move comes after a single piece

    def marked():
        return {name: getattr(bench._parts, name)._here_line.location for name in ("velocity", "slope", "objective", "height", "height_slope")}

    assert all(0.25 <= place <= 0.35 for place in marked().values()), f"one never had its turn: {marked()}"
    draw_pictures(bench)
    assert set(marked().values()) == {0.35}


def test_drawing_between_chunks_of_samples_does_not_count_as_a_move(bench):
    """The next chunk is asked for as of one who rests, not after another rest."""
    bench.set_controls({"log_samples": 4.0, **NEAR})
    delays = []
    for _ in turns(bench):
        if bench.readout["drawn"]:
            delays.append(bench._parts.pacer.delay)
        if bench.readout["drawn"] >= 5000:
            break
    assert len(delays) >= 8 and max(delays) <= NEXT_MS


def test_the_time_a_picture_takes_counts_as_standing_still(bench, monkeypatch):
    now = [1e9]
    monkeypatch.setattr("ferrolab.bench.view.time.monotonic", lambda: now[0])
    bench.set_controls(NEAR)
    visit = turns(bench)
    while bench._soon(bench._settings()):
        now[0] += 0.02
        next(visit)
    assert NEXT_MS <= bench._parts.pacer.delay <= REST_MS - 80, "four pieces or more have been drawn since the move"


def test_visited_heights_come_back_from_a_trail(bench):
    seen = [{"controls": {"release_height": place}, "readout": {}} for place in (0.1, 0.102, 0.3)]
    bench.set_seen(seen)
    for plot in (bench._parts.velocity, bench._parts.slope):
        assert len(plot._visits.data["left"]) == 2, "neighbours run together"


def test_a_scheme_recolours_every_plot(bench):
    bench.work()
    assert bench._parts.velocity._lines["smoothed"][0].glyph.line_color == LIGHT.tolerance
    bench.set_scheme("dark")
    for plot in bench._plots():
        for kind, (line, *_) in plot._lines.items():
            assert line.glyph.line_color == getattr(DARK, plot._styles[kind].ink)
    assert bench._parts.objective._band.glyph.fill_color == DARK.fixed


# What is said


def test_every_picture_has_its_words_and_the_words_hold_the_numbers(bench):
    bench.set_controls({"model": "smoothed", **NEAR})
    bench.work()
    parts = bench._parts
    captions = {name: getattr(parts, f"{name}_caption").description for name in ("velocity", "slope", "height", "height_slope", "objective", "force", "creep")}
    assert all(captions.values())
    assert "You are at 0.210 m: hard 0, soft 0, smoothed minus 14.4" in captions["slope"]
    assert "exact average: lowest minus 39.2 at 0.196 m" in captions["slope"]
    assert "step down at 0.195 m" in captions["objective"] and f"from 100 samples is minus {numerals.signed(-bench.readout['zeroth_gradient'])[1:]}" in captions["objective"]
    assert "0.0465 at a centimetre above it" in captions["force"]
    assert captions["creep"].startswith("A smoothed mass at rest sinks by 4.56 mm in a second; the closed form gives 4.56 mm.")


def test_the_live_region_tells_the_change_and_then_that_the_samples_are_in(bench):
    bench.work()
    bench.set_controls({"model": "smoothed", **NEAR})
    told = bench._parts.announcer.text
    assert told.startswith("Release height 0.210 metres, Contact model smoothed. Smoothed: gradient minus 14.45, of the average minus 29.82.")
    bench.work()
    assert bench._parts.announcer.text.endswith("All 100 samples drawn.")


def test_what_no_sample_has_seen_is_shown_as_it_is(bench):
    """Far from the jump every term is zero: the estimate, and the error made of the same terms."""
    bench.set_controls({"model": "stochastic", "log_samples": 1.0, "log_noise": -3.0})
    bench.work()
    table = rows(bench._parts.estimates)
    assert table["hard.zeroth"] == ("0 ± 0", "1/s") and table["hard.first"] == ("0 ± 0", "1/s")
    assert bench._parts.sign.words == "ZERO GRADIENT"
