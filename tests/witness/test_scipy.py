"""scipy's `solve_ivp` with events, phase by phase: flows, event times and Jacobians that share no code with ours."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from ferrolab.audit import Settings
from ferrolab.audit.reference import reference
from ferrolab.contact import HuntCrossley, KelvinVoigt, RigidImpact
from ferrolab.derivative import EventAware, jacobian
from ferrolab.integrate import DormandPrince, EventDriven, RungeKutta4
from ferrolab.integrate.event_driven import exact_flow, exact_restitution
from ferrolab.systems import BouncingMass

GRAVITY, ZETA, DISSIPATION = 9.81, 0.1606, 0.12
TIGHT = {"method": "DOP853", "rtol": 1e-13, "atol": 1e-15}
DROPS = [(1.0, 0.0, 0.8), (0.7, 0.4, 0.75), (1.3, -0.9, 0.8)]
STIFFNESSES = [1e3, 1e4, 1e6]


def kelvin_voigt(k):
    damping = 2.0 * ZETA * np.sqrt(k)
    return lambda h, v: -k * h - damping * v, lambda h, v: (-k, -damping)


def hunt_crossley(k):
    return (
        lambda h, v: -k * h * (1.0 - DISSIPATION * v),
        lambda h, v: (-k * (1.0 - DISSIPATION * v), k * DISSIPATION * h),
    )


def phase(push, gradient, y, start, stop, event, direction):
    """One smooth phase of the state and its variational equation, to the event or to `stop`."""

    def field(t, y):
        h, v = y[:2]
        force, (along_h, along_v) = (push(h, v), gradient(h, v)) if push else (0.0, (0.0, 0.0))
        X = y[2:].reshape(2, 2)
        return np.concatenate([[v, force - GRAVITY], X[1], along_h * X[0] + along_v * X[1]])

    def stops(t, y):
        return event(y[0], y[1])

    stops.terminal, stops.direction = True, direction
    found = solve_ivp(field, (start, stop), y, events=stops, **TIGHT)
    return found.y[:, -1], found.t[-1], found.status == 1


def bounce(law, h0, v0, horizon):
    """State, Jacobian with the saltation matrix of touch-down, without it, and the times of the three events."""
    push, gradient = law
    ends = []
    for with_matrix in (True, False):
        y = np.array([h0, v0, 1.0, 0.0, 0.0, 1.0])
        y, fall, hit = phase(None, None, y, 0.0, horizon, lambda h, v: h, -1)
        assert hit
        if with_matrix:
            jump = push(0.0, y[1])
            y[2:] = (np.array([[1.0, 0.0], [jump / y[1], 1.0]]) @ y[2:].reshape(2, 2)).ravel()
        # The first instants are stepped without the event: the force of Hunt-Crossley is zero there too.
        y, early, _ = phase(push, gradient, y, fall, fall + 1e-6, lambda h, v: 1.0, 0)
        y, release, left = phase(push, gradient, y, early, horizon, push, -1)
        assert left
        y, _, _ = phase(None, None, y, release, horizon, lambda h, v: 1.0, 0)
        ends.append(y)
    return ends[0][:2], ends[0][2:].reshape(2, 2), ends[1][2:].reshape(2, 2), fall, release


@pytest.mark.parametrize("h0, v0, horizon", DROPS)
@pytest.mark.parametrize("k", STIFFNESSES)
def test_exact_spring_damper_flow(k, h0, v0, horizon):
    state, J, branch, fall, release = bounce(kelvin_voigt(k), h0, v0, horizon)
    flow = exact_flow(BouncingMass(KelvinVoigt(np.array([k]))), np.array([[h0], [v0]]), horizon)
    np.testing.assert_allclose(flow.state[:, 0], state, atol=1e-10)
    np.testing.assert_allclose(flow.tangent[..., 0], J, atol=1e-8)
    np.testing.assert_allclose(flow.tangent_branch[..., 0], branch, rtol=1e-9, atol=1e-8)
    assert flow.first_event[0] == pytest.approx(fall, abs=1e-12)
    assert flow.contact_time[0] == pytest.approx(release - fall, abs=1e-11)


@pytest.mark.parametrize("h0, v0, horizon", DROPS)
def test_hunt_crossley_reference_and_its_missing_jump(h0, v0, horizon):
    k = 1e6
    state, J, branch, *_ = bounce(hunt_crossley(k), h0, v0, horizon)
    settings = Settings(stiffness=k, law=HuntCrossley.name, height=h0, velocity=v0, horizon=horizon)
    ours = reference(settings, np.array([k]))
    np.testing.assert_allclose(ours.state[0], state, atol=1e-9)
    np.testing.assert_allclose(ours.jacobian_law[0], J, atol=1e-7)
    np.testing.assert_allclose(J, branch, atol=1e-9)


@pytest.mark.parametrize("stepper, atol", [(RungeKutta4(1e-5), 1e-7), (DormandPrince(rtol=1e-12), 1e-8)])
def test_event_aware_steppers(stepper, atol):
    state, J, *_ = bounce(kelvin_voigt(1e6), *DROPS[0])
    found = jacobian(BouncingMass(KelvinVoigt(1e6)), DROPS[0][:2], DROPS[0][2], stepper, EventAware())
    np.testing.assert_allclose(found.state, state, atol=atol)
    np.testing.assert_allclose(found.jacobian, J, atol=atol)


@pytest.mark.parametrize("k", STIFFNESSES)
def test_restitution_is_the_rebound_of_the_continuous_spring(k):
    push, gradient = kelvin_voigt(k)
    speed = np.sqrt(2.0 * GRAVITY)
    y, _, left = phase(push, gradient, np.array([0.0, -speed, 1.0, 0.0, 0.0, 1.0]), 0.0, 1.0, push, -1)
    assert left
    rebound = np.sqrt(y[1] ** 2 + 2.0 * GRAVITY * y[0]) / speed
    assert exact_restitution(BouncingMass(KelvinVoigt(np.array([k]))), np.array([speed]))[0] == pytest.approx(rebound, abs=1e-11)


def test_rigid_bounces_are_solve_ivp_with_resets():
    h0, v0, horizon, e = 1.0, 0.3, 1.7, 0.6
    y, time, bounces = np.array([h0, v0, 1.0, 0.0, 0.0, 1.0]), 0.0, 0
    while True:
        y, time, hit = phase(None, None, y, time, horizon, lambda h, v: h, -1)
        if not hit:
            break
        v = y[1]
        X = np.array([[-e, 0.0], [-(1.0 + e) * GRAVITY / v, -e]]) @ y[2:].reshape(2, 2)
        y, bounces = np.concatenate([[1e-300, -e * v], X.ravel()]), bounces + 1
    assert bounces == 5
    found = jacobian(BouncingMass(RigidImpact(e)), [h0, v0], horizon, EventDriven(), EventAware())
    np.testing.assert_allclose(found.state, y[:2], atol=1e-10)
    np.testing.assert_allclose(found.jacobian, y[2:].reshape(2, 2), atol=1e-8)
