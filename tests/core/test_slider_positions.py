"""Everything a learner can set: at every position each number is finite, or a status names why it is not."""

from __future__ import annotations

import json
import math
import warnings

import numpy as np
import pytest

from ferrolab.audit import STEPPINGS, Settings, measure, readout, split, sweep, trajectory
from ferrolab.contact import LAWS
from ferrolab.controls import CONTROLS
from ferrolab.derivative import ROUTES
from ferrolab.integrate import FIXED_STEPPERS
from ferrolab.status import Status

SLIDER = CONTROLS["log_stiffness"]
POSITIONS = np.round(np.arange(601) * SLIDER.step + SLIDER.start, 2)
BUTTONS = tuple(value for value, _ in CONTROLS["dt"].options)
COARSE = np.round(np.linspace(2.0, 8.0, 7), 2)
LABELS = {status.label for status in Status}


def numbers(value, path=""):
    """Every number (or None) of nested plain data, with its path."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from numbers(entry, f"{path}.{key}")
    elif isinstance(value, list):
        for i, entry in enumerate(value):
            yield from numbers(entry, f"{path}[{i}]")
    elif value is None or (isinstance(value, (int, float)) and not isinstance(value, bool)):
        yield path, value


def assert_sound(found) -> None:
    data = found.as_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["status"] in LABELS
    assert bool(data["message"]) == (data["status"] != "ok"), "a status other than ok has a reason, and only that"
    for path, value in numbers(data):
        assert value is None or math.isfinite(value), path
        # On a grid a rigid impact's dv/dh0 is exactly 0, of which there is no exponent.
        if data["status"] == "ok" and not (path == ".exponent" and data["law"] == "rigid"):
            assert value is not None, f"{path} is missing although the status is ok, at {data['log_stiffness']}"


def assert_all_sound(readouts, positions) -> None:
    assert [r.log_stiffness for r in readouts] == list(positions)
    for one in readouts:
        assert_sound(one)


@pytest.fixture(autouse=True)
def no_warnings():
    """A NaN on the way to a readout warns first."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_the_slider_has_601_positions_and_the_step_three_buttons():
    assert len(POSITIONS) == 601 and POSITIONS[0] == SLIDER.start and POSITIONS[-1] == SLIDER.stop
    assert BUTTONS == (1e-4, 1e-5, 1e-6)


@pytest.mark.parametrize("dt", BUTTONS)
@pytest.mark.parametrize("stepping", STEPPINGS)
def test_the_spring_damper_is_sound_at_every_position_button_and_stepping(dt, stepping):
    found = sweep(Settings(1e4, dt=dt, stepping=stepping), POSITIONS)
    assert_all_sound(found, POSITIONS)
    assert {r.status for r in found} == {"ok"}


@pytest.mark.parametrize("dt", BUTTONS)
@pytest.mark.parametrize("derivative", ROUTES)
@pytest.mark.parametrize("stepper", FIXED_STEPPERS)
def test_the_spring_damper_is_sound_at_every_position_with_every_stepper_and_route(dt, stepper, derivative):
    # Event-aware is located lane by lane: every tenth position there.
    positions = POSITIONS if derivative != "event-aware" else POSITIONS[::10]
    found = sweep(Settings(1e4, dt=dt, stepper=stepper, derivative=derivative), positions)
    assert_all_sound(found, positions)


@pytest.mark.parametrize("derivative", ROUTES)
def test_the_spring_damper_under_a_tolerance_is_sound_with_every_route(derivative):
    positions = POSITIONS if derivative != "event-aware" else POSITIONS[::10]
    assert_all_sound(sweep(Settings(1e4, stepping="tolerance", derivative=derivative), positions), positions)


@pytest.mark.slow
def test_the_rigid_law_under_a_tolerance_is_sound_at_every_position():
    assert_all_sound(sweep(Settings(1e4, law="rigid", stepping="tolerance"), POSITIONS), POSITIONS)


def test_the_rigid_law_on_a_grid_is_sound_at_every_tenth_position():
    # Its readout also runs the tolerance, lane by lane, to compare the cost; the next test measures all positions.
    assert_all_sound(sweep(Settings(1e4, law="rigid"), POSITIONS[::10]), POSITIONS[::10])


@pytest.mark.parametrize("dt", BUTTONS)
def test_the_rigid_law_is_measured_at_every_position_and_button(dt):
    found = measure(Settings(1e4, law="rigid", dt=dt), 10.0**POSITIONS)
    for name in ("restitution", "state", "jacobian", "jacobian_exact", "gradient_error", "forward_error"):
        assert np.all(np.isfinite(getattr(found, name))), name
    assert np.all(found.status == Status.OK)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("derivative", ROUTES)
@pytest.mark.parametrize("stepper", FIXED_STEPPERS)
@pytest.mark.parametrize("dt", [1e-4, 1e-5])
def test_every_law_stepper_and_route_is_sound_on_a_coarse_grid_under_a_fixed_step(law, derivative, stepper, dt):
    # Hunt-Crossley walks every step in contact: both ends and the middle only at the finer step.
    positions = COARSE if law != "hunt-crossley" or dt == 1e-4 else COARSE[::3]
    assert_all_sound(sweep(Settings(1e4, dt=dt, law=law, stepper=stepper, derivative=derivative), positions), positions)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("derivative", ROUTES)
@pytest.mark.parametrize("saltation", [True, False])
def test_every_law_and_route_is_sound_on_a_coarse_grid_under_a_tolerance(law, derivative, saltation):
    assert_all_sound(sweep(Settings(1e4, law=law, stepping="tolerance", derivative=derivative, saltation=saltation), COARSE), COARSE)


@pytest.mark.slow
@pytest.mark.parametrize("log_k", [2.0, 8.0])
@pytest.mark.parametrize("stepper", FIXED_STEPPERS)
def test_hunt_crossley_at_the_finest_button_is_sound_at_both_ends(log_k, stepper):
    assert_sound(readout(Settings(10.0**log_k, dt=1e-6, law="hunt-crossley", stepper=stepper)))


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("log_k", [2.0, 6.0, 8.0])
def test_splits_and_pictures_are_finite_for_every_law(law, log_k):
    setting = Settings(10.0**log_k, law=law)
    for path, value in numbers(split(setting).as_dict()):
        assert value is not None and math.isfinite(value), path
    for stepping in STEPPINGS:
        drawn = trajectory(Settings(10.0**log_k, law=law, stepping=stepping), samples=60)
        assert np.all(np.isfinite(drawn.height)) and np.all(np.isfinite(drawn.height_rigid))


@pytest.mark.parametrize("derivative", ROUTES)
@pytest.mark.parametrize("law", ["kelvin-voigt", "hunt-crossley"])
def test_a_step_too_large_for_the_contact_is_named_as_such(law, derivative):
    found = readout(Settings(1e8, stepper="explicit-euler", law=law, derivative=derivative))
    assert found.status == "unstable-step"
    assert "dt" in found.message and "smaller" in found.message
    assert readout(Settings(1e8, stepper="explicit-euler", law=law, derivative=derivative, dt=1e-5)).status == "ok"


@pytest.mark.parametrize("stepper", FIXED_STEPPERS)
@pytest.mark.parametrize("law", ["kelvin-voigt", "hunt-crossley"])
@pytest.mark.parametrize("derivative", ["autodiff", "finite-difference"])
def test_a_step_ten_times_too_large_is_named_for_every_stepper(stepper, law, derivative):
    # dt sqrt(k) = 10. Semi-implicit Euler fails by overshooting: its eigenvalue there is real and below -1.
    assert readout(Settings(1e8, dt=1e-3, stepper=stepper, law=law, derivative=derivative)).status == "unstable-step"


def test_semi_implicit_euler_is_called_unstable_exactly_beyond_its_limit():
    # Its step has determinant 1 - 2 zeta z and trace 2 - 2 zeta z - z^2 with z = dt sqrt(k): an eigenvalue passes -1 where
    # z^2 + 4 zeta z = 4.
    zeta = 0.1606
    z = -2 * zeta + np.sqrt(4 * zeta**2 + 4)
    assert readout(Settings((z * 0.999 / 1e-4) ** 2)).status == "ok"
    assert readout(Settings((z * 1.001 / 1e-4) ** 2)).status == "unstable-step"


def test_a_damper_the_step_cannot_hold_is_named_even_when_the_spring_is_soft():
    # c dt = 10: the damper alone overshoots.
    assert readout(Settings(1e4, dt=1e-3, damping_ratio=50.0)).status == "unstable-step"


def test_explicit_euler_is_called_unstable_exactly_beyond_its_limit():
    # An eigenvalue of the step is 1 + dt lambda, lambda = omega (-zeta +- i sqrt(1 - zeta^2)): at dt omega = 2 zeta it
    # leaves the unit circle.
    k = (2 * 0.1606 / 1e-4) ** 2
    assert readout(Settings(k * 0.999, stepper="explicit-euler")).status == "ok"
    assert readout(Settings(k * 1.001, stepper="explicit-euler")).status == "unstable-step"


@pytest.mark.parametrize("stepping", STEPPINGS)
def test_sweep_and_readout_agree_position_by_position(stepping):
    positions = [2.0, 3.37, 6.0, 8.0]
    for one, log_k in zip(sweep(Settings(1e4, dt=1e-5, stepping=stepping), positions), positions):
        alone = readout(Settings(10.0**log_k, dt=1e-5, stepping=stepping))
        assert (one.status, one.sign_agrees, one.accepted_steps) == (alone.status, alone.sign_agrees, alone.accepted_steps)
        for (path, together), (_, single) in zip(numbers(one.as_dict()), numbers(alone.as_dict())):
            # Array lengths change the order of numpy's sums: a few units in the last place of the largest entry.
            assert together == pytest.approx(single, rel=1e-11, abs=1e-12), path


def test_the_published_position_that_was_nan_in_a_browser_is_a_number():
    found = readout(Settings(1e6, stepping="tolerance"))
    assert found.status == "ok" and found.split.integrator is not None
