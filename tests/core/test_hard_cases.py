"""Hard cases: each was found wrong once, by attacking the core with odd inputs."""

import json
import subprocess
import sys

import numpy as np
import pytest

from ferrolab.audit import Settings, readout
from ferrolab.cli import main
from ferrolab.contact import HuntCrossley, KelvinVoigt, RigidImpact
from ferrolab.derivative import restitution, rollout
from ferrolab.derivative.base import seeded
from ferrolab.integrate import FIXED_STEPPERS, EventDriven
from ferrolab.integrate.event_driven import exact_flow, exact_restitution
from ferrolab.integrate.leap import leap, march, plain_step
from ferrolab.status import Status
from ferrolab.systems import BouncingMass


@pytest.mark.parametrize("law", ["kelvin-voigt", "hunt-crossley"])
@pytest.mark.parametrize("derivative", ["autodiff", "finite-difference", "event-aware"])
def test_the_default_stepper_beyond_its_limit_is_named_unstable(law, derivative):
    assert readout(Settings(1e8, dt=1e-3, law=law, derivative=derivative)).status in ("unstable-step", "diverged")


def test_overdamped_contact_the_step_cannot_hold_is_named_unstable():
    assert readout(Settings(1e4, dt=1e-3, damping_ratio=50.0)).status == "unstable-step"


@pytest.mark.parametrize("zeta", [0.5, 0.8])
def test_drop_test_under_a_tolerance_sees_a_short_flight(zeta):
    k = 10.0 ** np.arange(2, 8.01, 0.05)
    s = Settings(1e4, stepping="tolerance", damping_ratio=zeta)
    speed = np.full(len(k), s.impact_speed)
    np.testing.assert_allclose(
        restitution(s.system(k), speed, s.tolerance), exact_restitution(s.system(k), speed), atol=1e-7
    )


@pytest.mark.parametrize(
    "settings",
    [
        dict(horizon=5.0),
        dict(horizon=5.0, derivative="event-aware", stepper="rk4"),
        dict(damping_ratio=1.0),
        dict(stepping="tolerance", damping_ratio=1.0),
    ],
)
def test_a_reference_at_rest_is_named(settings):
    found = readout(Settings(1e4, **settings))
    assert found.gradient_error is not None or found.status != "ok"


def test_exact_flow_that_runs_out_of_events_says_so():
    assert exact_flow(BouncingMass(RigidImpact(1.0)), np.array([[1e-6], [0.0]]), 100.0).status[0] == Status.STEP_LIMIT


def test_rigid_mass_rising_from_below_the_plane_flies():
    s = BouncingMass(RigidImpact(0.5))
    np.testing.assert_allclose(
        rollout(s, [-0.1, 3.0], 0.5, EventDriven()).state, [-0.1 + 1.5 - 0.125 * 9.81, 3 - 0.5 * 9.81], atol=1e-12
    )


@pytest.mark.parametrize("name", sorted(FIXED_STEPPERS))
@pytest.mark.parametrize("zeta", [1.0, 1 - 1e-10, 1 - 1e-7, 1 + 1e-8])
def test_leaping_at_critical_damping(name, zeta):
    system = BouncingMass(KelvinVoigt([1e2, 1e4, 3e5], zeta))
    y = seeded(np.array([[1.0, 0.3, 0.05], [0.0, 1.0, -1.0]]))
    st = FIXED_STEPPERS[name](1e-4)
    a, b = leap(system, st, y, 8000)[0], march(system, st, y, 8000)
    assert np.max(np.abs(a - b) / np.maximum(np.abs(b).max(axis=(0, 1)), 1)) < 1e-9


@pytest.mark.parametrize("name", sorted(FIXED_STEPPERS))
def test_stopping_early_takes_no_step_too_many_for_hunt_crossley(name):
    up = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    system, st, y = BouncingMass(HuntCrossley([1e5])), FIXED_STEPPERS[name](1e-4), seeded(np.array([[0.0], [-4.4]]))
    e = y
    while not (e[0, 0, 0] > 0 and e[1, 0, 0] > 0):
        e = plain_step(system, st, e)
    np.testing.assert_allclose(leap(system, st, y, 20000, until=up)[0], e, rtol=1e-9)


def test_negative_number_with_an_exponent_is_a_number(capsys):
    assert main(["readout", "--log-stiffness", "4", "--velocity", "-5e-1", "--json"]) == 0


def test_sweep_names_what_was_given(capsys):
    assert main(["sweep", "--log-stiffness", "2:99:1"]) == 2
    assert "np.float64" not in capsys.readouterr().err


def test_absurd_velocity_is_refused_or_named(capsys):
    assert main(["readout", "--log-stiffness", "6", "--velocity", "1e300"]) in (0, 2)


def test_split_of_a_diverged_route_is_json(capsys):
    assert main(["split", "--stiffness", "1e8", "--dt", "1e-3", "--derivative", "event-aware", "--json"]) == 0
    json.loads(capsys.readouterr().out)


def test_no_numpy_warning_reaches_standard_error():
    r = subprocess.run(
        [
            sys.executable,
            "-m",
            "ferrolab.cli",
            "readout",
            "--log-stiffness",
            "4",
            "--damping-ratio",
            "5",
            "--stepper",
            "rk4",
            "--derivative",
            "event-aware",
        ],
        capture_output=True,
        text=True,
    )
    assert r.stderr == ""


def test_horizon_of_one_tiny_step_ends():
    p = subprocess.run(
        [
            sys.executable,
            "-m",
            "ferrolab.cli",
            "readout",
            "--log-stiffness",
            "6",
            "--horizon",
            "1e-9",
            "--dt",
            "1e-9",
            "--law",
            "hunt-crossley",
        ],
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert p.returncode in (0, 2)
