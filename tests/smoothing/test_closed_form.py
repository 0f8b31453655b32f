"""Section by section, the closed forms of one-dimensional smoothed contact, against the general solver."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from ferrolab.contact import SmoothedImpulse
from ferrolab.contact.smoothed_impulse import sigmoid
from ferrolab.derivative.time_stepping import march_jacobian
from ferrolab.integrate.time_stepping import TimeStepping, march
from ferrolab.smoothing import creep, creep_depth, hover, sigma, smoothed_step, stopping_height
from ferrolab.smoothing.price import fall
from ferrolab.systems import FallingMass

DT = 5e-3


@given(q=st.floats(-0.05, 0.1), v=st.floats(-5.0, 0.04), kappa=st.floats(1.0, 3000.0))
@settings(max_examples=60, deadline=None)
def test_one_step_and_its_derivatives_are_the_closed_form(q, v, kappa):
    found = march_jacobian(FallingMass(), SmoothedImpulse(kappa), [q, v], 1, TimeStepping(DT))
    v_free = v - DT * 9.81
    after, by_q, by_v = smoothed_step(kappa, -(q + 0.5 * DT * v), v_free, DT)
    assert found.state[1] == pytest.approx(after, rel=1e-10, abs=1e-14)
    assert found.jacobian[1] == pytest.approx([by_q, by_v], rel=1e-10, abs=1e-12)
    # q' = q + dt (v + v') / 2
    assert found.state[0] == pytest.approx(q + 0.5 * DT * (v + after), rel=1e-10, abs=1e-15)
    assert found.jacobian[0] == pytest.approx([1.0 + 0.5 * DT * by_q, 0.5 * DT * (1.0 + by_v)], rel=1e-10, abs=1e-12)


def test_the_reach_at_the_published_sharpness():
    assert sigma(300.0, 0.01) == pytest.approx(1.0 / (1.0 + math.exp(3.0)), rel=1e-12)
    assert sigma(300.0, 0.01) == pytest.approx(0.0474, rel=1e-3)
    assert sigma(300.0, 0.05) == pytest.approx(3.1e-7, rel=2e-2)


def test_the_sigmoid_keeps_its_digits_at_both_ends():
    assert sigmoid(np.array([-700.0]))[0] == pytest.approx(math.exp(-700.0), rel=1e-12)
    assert 1.0 - sigmoid(np.array([30.0]))[0] == pytest.approx(math.exp(-30.0), rel=1e-2)


def test_creep_solves_its_equation():
    kappa, times = 300.0, np.linspace(0.1, 2.0, 7)
    solution = solve_ivp(
        lambda t, d: np.exp(-kappa * d) * 9.81 * DT, (0.0, 2.0), [0.0], "DOP853", times, rtol=1e-13, atol=1e-16
    )
    assert creep_depth(kappa, DT, times) == pytest.approx(solution.y[0], rel=1e-10)


def test_a_resting_mass_creeps_as_the_closed_form_says():
    assert creep_depth(300.0, DT, 1.0) == pytest.approx(9.2e-3, rel=5e-3)
    errors = []
    for dt in (4e-3, 2e-3):
        found = creep(300.0, dt)
        errors.append(np.abs(found.depth[-1] / found.closed_form[-1] - 1.0))
        # What the closed form leaves out: the first steps, and the sinking within a step.
        assert errors[-1] < dt / 1.0 + 300.0 * 9.81 * dt**2
    assert errors[1] < 0.5 * errors[0]


def test_the_creep_is_that_of_plain_steps():
    found = creep(100.0, 2e-3, samples=10)
    state = march(FallingMass(), SmoothedImpulse(100.0), [0.0, 0.0], 500, TimeStepping(2e-3)).state
    assert found.time[-1] == pytest.approx(1.0)
    assert found.depth[-1] == pytest.approx(-state[0], rel=1e-12)


@pytest.mark.parametrize("state", [(0.0, 0.0), (0.1, -1.0), (-0.01, 1.0), (0.3, -2.0)])
@pytest.mark.parametrize("gravity", [0.0, 9.81])
@pytest.mark.parametrize("kappa, dt", [(10.0, 1e-3), (300.0, 4e-3), (1e4, 1e-4)])
def test_the_steps_in_floats_are_those_of_the_solver(kappa, dt, gravity, state):
    expected = march(FallingMass(gravity=gravity), SmoothedImpulse(kappa), np.array(state), 300, TimeStepping(dt)).state
    assert fall(kappa, dt, gravity, state, 300) == pytest.approx(tuple(expected), rel=1e-12, abs=1e-14)


def test_a_finer_step_stops_the_mass_farther_from_the_ground():
    heights = []
    for dt in (1e-4, 1e-5, 1e-6):
        simulated, expected = hover(300.0, dt, 1.962)
        heights.append(simulated)
        # The step is short against 1/kappa: the way of one step is the error.
        assert simulated == pytest.approx(expected, abs=1.962 * dt)
    # Each tenth of the step adds ln(10) / kappa: it does not converge.
    assert np.diff(heights) == pytest.approx(math.log(10.0) / 300.0, rel=0.05)


def test_the_stopping_height_takes_all_of_the_speed():
    kappa, dt, speed = 120.0, 1e-5, 0.7
    h = stopping_height(kappa, dt, speed)
    assert math.log1p(math.exp(-kappa * h)) == pytest.approx(kappa * dt * speed, rel=1e-10)
