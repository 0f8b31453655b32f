"""Trajectories for the pictures, the controls, and the names of outcomes."""

from __future__ import annotations

import numpy as np
import pytest

from ferrolab.audit import STEPPINGS, Settings, readout, trajectory
from ferrolab.contact import LAWS
from ferrolab.controls import CONTROLS
from ferrolab.derivative import ROUTES
from ferrolab.integrate.leap import plain_step
from ferrolab.status import Status
from ferrolab.validate import InvalidInput


def test_a_picture_under_a_fixed_step_shows_states_of_the_grid():
    setting = Settings(1e4, dt=1e-3)
    drawn = trajectory(setting, samples=81)
    system, y = setting.system(np.array([1e4])), setting.start[:, None, None]
    heights = [1.0]
    for _ in range(800):
        y = plain_step(system, setting.fixed, y)
        heights.append(y[0, 0, 0])
    steps = np.round(drawn.time / 1e-3).astype(int)
    np.testing.assert_allclose(drawn.time, steps * 1e-3, atol=1e-15)
    np.testing.assert_allclose(drawn.height, np.array(heights)[steps], atol=1e-10)


@pytest.mark.parametrize("law", ["kelvin-voigt", "hunt-crossley", "rigid"])
@pytest.mark.parametrize("stepping", STEPPINGS)
def test_a_picture_starts_at_the_start_and_ends_where_the_readout_ends(law, stepping):
    setting = Settings(1e5, law=law, stepping=stepping)
    drawn, found = trajectory(setting, samples=50), readout(setting)
    assert (drawn.time[0], drawn.time[-1]) == (0.0, pytest.approx(0.8, abs=1e-15))
    assert drawn.height[0] == drawn.height_rigid[0] == 1.0
    # Under a tolerance, laws with a closed form are drawn from it: the rollout is that close, no closer.
    assert drawn.height[-1] == pytest.approx(found.state[0], abs=1e-7)
    assert drawn.height_rigid[-1] == pytest.approx(found.state_rigid[0], abs=1e-12)
    assert drawn.impact_time == pytest.approx(np.sqrt(2 / 9.81), rel=1e-14)


def test_a_picture_of_a_window_shows_that_window_alone():
    drawn = trajectory(Settings(1e4, stepping="tolerance"), samples=20, window=(0.44, 0.5))
    np.testing.assert_allclose(drawn.time, np.linspace(0.44, 0.5, 20))
    assert np.min(drawn.height) < 0 < np.max(drawn.height)
    assert 0.02 < drawn.contact_time < 0.04


def test_a_drop_that_does_not_land_has_no_impact_time():
    assert trajectory(Settings(1e4, horizon=0.3), samples=5).impact_time == np.inf


@pytest.mark.parametrize("window", [(0.5, 0.5), (0.5, 0.1), (-0.1, 0.5), (0.0, np.nan)])
def test_a_window_that_is_none_is_refused(window):
    with pytest.raises(InvalidInput, match="^window was"):
        trajectory(Settings(1e4), window=window)


def test_controls_offer_what_settings_accept():
    settings = {"dt": {}, "stepping": {}, "derivative": {}, "law": {}}
    for name in settings:
        for value in CONTROLS[name].values:
            assert readout(Settings(1e3, **{name: value})).status == "ok"
    assert set(CONTROLS["derivative"].values) == set(ROUTES)
    assert set(CONTROLS["law"].values) <= set(LAWS)
    slider = CONTROLS["log_stiffness"]
    assert (slider.label, slider.start, slider.stop, slider.step, slider.default) == ("Contact stiffness", 2.0, 8.0, 0.01, 4.0)
    assert [label for _, label in CONTROLS["dt"].options] == ["1e-4 s", "1e-5 s", "1e-6 s"]


def test_every_control_is_found_under_its_own_id_and_starts_inside_its_range():
    for name, control in CONTROLS.items():
        assert control.id == name
        if control.kind == "slider":
            assert control.start <= control.default <= control.stop
        else:
            assert control.default in control.values


def test_every_outcome_but_ok_says_what_happened_and_what_to_change():
    assert Status.OK.label == "ok" and Status.OK.remedy == ""
    for status in set(Status) - {Status.OK}:
        assert status.remedy.count(". ") >= 1 or ", " in status.remedy
        assert status.remedy.split(". ")[-1].startswith("Use "), "the last sentence says what to do"
        assert status.label == status.label.lower() and " " not in status.label


def test_the_most_severe_outcome_of_a_lane_wins_by_its_order():
    assert Status.OK < Status.AT_REST < Status.UNSTABLE_STEP < Status.STEP_LIMIT < Status.DIVERGED
