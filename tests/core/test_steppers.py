"""The steppers on smooth fields and across contacts, against exact solutions and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from ferrolab.contact import HuntCrossley, KelvinVoigt, RigidImpact
from ferrolab.derivative import rollout
from ferrolab.derivative.base import seeded
from ferrolab.integrate import FIXED_STEPPERS, DormandPrince, EventDriven, ExplicitEuler, RungeKutta4, SemiImplicitEuler
from ferrolab.integrate.dormand_prince import ERROR, FOURTH_ORDER, STAGES, adapt
from ferrolab.status import Status
from ferrolab.systems import BouncingMass


def pendulum(y):
    """q'' = -sin q: smooth, nonlinear, and of the form the semi-implicit method needs."""
    return np.stack([y[1], -np.sin(y[0])])


def march(stepper, y, steps, horizon):
    for _ in range(steps):
        y = y + stepper.increment(pendulum, y, horizon / steps)
    return y


@pytest.mark.parametrize("name", sorted(FIXED_STEPPERS))
def test_fixed_stepper_converges_with_its_stated_order_on_a_smooth_field(name):
    start, horizon = np.array([1.0, 0.5]), 2.0
    exact = solve_ivp(lambda t, y: pendulum(y), (0, horizon), start, method="DOP853", rtol=3e-14, atol=1e-15).y[:, -1]
    stepper = FIXED_STEPPERS[name](dt=1.0)
    errors = [np.max(np.abs(march(stepper, start, n, horizon) - exact)) for n in (80, 160, 320)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    # The next term of the error expansion is a factor 1/80 smaller: well below a tenth of an order.
    np.testing.assert_allclose(orders, stepper.order, atol=0.1)


def test_dormand_prince_converges_with_order_five_at_constant_steps():
    start, horizon = np.array([1.0, 0.5]), 2.0
    exact = solve_ivp(lambda t, y: pendulum(y), (0, horizon), start, method="DOP853", rtol=3e-14, atol=1e-15).y[:, -1]
    stepper = DormandPrince(rtol=1e-6)
    errors = [np.max(np.abs(march(stepper, start, n, horizon) - exact)) for n in (10, 20, 40)]
    np.testing.assert_allclose(np.log2(np.array(errors[:-1]) / errors[1:]), 5, atol=0.4)


def test_error_estimate_of_dormand_prince_is_of_order_five_in_the_step():
    y, stepper = np.array([1.0, 0.5]), DormandPrince(rtol=1e-6)
    sizes = [np.max(np.abs(stepper.attempt(pendulum, y, h)[1])) for h in (0.2, 0.1, 0.05)]
    np.testing.assert_allclose(np.log2(np.array(sizes[:-1]) / sizes[1:]), 5, atol=0.3)


def test_tableau_of_dormand_prince_is_the_one_scipy_uses_and_consistent():
    from scipy.integrate._ivp.rk import RK45

    for row, reference in zip(STAGES[:-1], RK45.A[1:]):
        np.testing.assert_allclose(row, reference[: len(row)], rtol=1e-15)
    np.testing.assert_allclose(STAGES[-1], RK45.B, rtol=1e-15)
    np.testing.assert_allclose(np.abs(ERROR), np.abs(RK45.E), atol=1e-15)
    assert sum(STAGES[-1]) == pytest.approx(1.0, abs=1e-15)
    assert sum(FOURTH_ORDER) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("rtol", [1e-6, 1e-9, 1e-12])
def test_dormand_prince_stays_within_its_tolerance_on_a_smooth_field(rtol):
    start, horizon = np.array([1.0, 0.5]), 5.0
    exact = solve_ivp(lambda t, y: pendulum(y), (0, horizon), start, method="DOP853", rtol=3e-14, atol=1e-15).y[:, -1]
    y, status, stats = adapt(DormandPrince(rtol=rtol), pendulum, start[:, None, None], horizon)
    assert status[0] == Status.OK
    # The tolerance is per step: the sum of a step's errors over the steps taken bounds the whole to a small factor.
    assert np.max(np.abs(y[:, 0, 0] - exact)) < 5 * rtol * stats.accepted[0]
    assert stats.evaluations[0] == 7 * (stats.accepted[0] + stats.rejected[0])


@pytest.mark.parametrize("law", [KelvinVoigt(1e4), KelvinVoigt(1e6), HuntCrossley(1e4), HuntCrossley(1e6)], ids=lambda law: f"{law.name},{law.stiffness:g}")
def test_tolerance_rollout_agrees_with_scipy_through_a_bounce(law):
    system = BouncingMass(law)
    found = rollout(system, [1.0, 0.0], 0.8, DormandPrince(rtol=1e-11))
    reference = solve_ivp(
        lambda t, y: system.field(y), (0, 0.8), [1.0, 0.0], method="DOP853", rtol=1e-12, atol=1e-14, max_step=1e-3
    )
    # Neither locates the touch-down: each step over the jump is repeated until its error is below the tolerance.
    np.testing.assert_allclose(found.state, reference.y[:, -1], atol=2e-8)
    assert found.success and found.message == ""


def test_located_events_agree_with_those_scipy_finds():
    from ferrolab.hybrid import located_adaptive

    law = KelvinVoigt(1e4)
    y = np.column_stack([[1.0, 0.0], np.eye(2)])
    found = located_adaptive(BouncingMass(law).hybrid(0, 1), DormandPrince(rtol=1e-12), y, 0.8)
    names = [event.guard for event in found.events]
    assert names == ["touch-down", "push ends", "leaves the plane"]
    k, c, g = float(law.stiffness), float(law.damping), 9.81
    touch = solve_ivp(lambda t, y: [y[1], -g], (0, 0.6), [1.0, 0.0], events=_ending(lambda t, y: y[0], -1), rtol=1e-12, atol=1e-14)
    push = solve_ivp(
        lambda t, y: [y[1], -k * y[0] - c * y[1] - g], (0, 0.1), touch.y_events[0][0],
        events=_ending(lambda t, y: -k * y[0] - c * y[1], -1), method="DOP853", rtol=1e-12, atol=1e-15,
    )  # fmt: skip
    times = [touch.t_events[0][0], touch.t_events[0][0] + push.t_events[0][0]]
    np.testing.assert_allclose([event.time for event in found.events[:2]], times, atol=1e-10)
    np.testing.assert_allclose(found.events[1].before, push.y_events[0][0], atol=1e-9)


def _ending(function, direction):
    function.terminal, function.direction = True, direction
    return function


@settings(max_examples=50, deadline=None)
@given(h=st.floats(0.1, 5.0), v=st.floats(-5.0, 5.0), g=st.floats(0.5, 20.0), share=st.floats(0.05, 0.95))
def test_every_stepper_is_exact_in_flight_up_to_its_order(h, v, g, share):
    system = BouncingMass(RigidImpact(0.5), gravity=g)
    lands = (v + np.sqrt(v * v + 2 * g * h)) / g
    T = share * lands
    exact = np.array([h + v * T - 0.5 * g * T * T, v - g * T])
    dt = T / 64
    for stepper in (RungeKutta4(dt), DormandPrince(rtol=1e-10), EventDriven()):
        # A parabola is inside the order of these: only rounding is left, 64 steps of it.
        np.testing.assert_allclose(rollout(system, [h, v], T, stepper).state, exact, atol=1e-12 * (1 + h + abs(v) + g))
    for stepper, side in ((SemiImplicitEuler(dt), -1.0), (ExplicitEuler(dt), 1.0)):
        # Both Euler methods miss the parabola by exactly g dt T / 2, to either side.
        if exact[0] > 0.5 * g * dt * T:
            missed = rollout(system, [h, v], T, stepper).state - exact
            np.testing.assert_allclose(missed, [side * 0.5 * g * dt * T, 0.0], atol=1e-11 * (1 + h + abs(v) + g))


def test_step_count_is_the_rounded_quotient_and_never_none():
    assert SemiImplicitEuler(dt=1e-4).steps(0.8) == 8000
    assert SemiImplicitEuler(dt=1e-6).steps(0.8) == 800_000
    assert SemiImplicitEuler(dt=0.3).steps(0.8) == 3


def test_lanes_of_a_tolerance_rollout_choose_their_own_steps():
    k = [1e2, 1e4, 1e6]
    together = rollout(BouncingMass(KelvinVoigt(k)), [1.0, 0.0], 0.8, DormandPrince(rtol=1e-9))
    for lane, stiffness in enumerate(k):
        alone = rollout(BouncingMass(KelvinVoigt(stiffness)), [1.0, 0.0], 0.8, DormandPrince(rtol=1e-9))
        np.testing.assert_array_equal(together.state[lane], alone.state)
        assert together.stats.accepted[lane] == alone.stats.accepted
        assert together.stats.evaluations[lane] == alone.stats.evaluations


def test_lane_that_runs_out_of_steps_says_so_and_keeps_a_finite_state():
    found = rollout(BouncingMass(KelvinVoigt(1e6)), [1.0, 0.0], 0.8, DormandPrince(rtol=1e-11, max_steps=50))
    assert found.status == Status.STEP_LIMIT
    assert np.all(np.isfinite(found.state))
    assert "steps" in found.message and "rtol" in found.message


def test_horizon_within_a_rounding_residue_of_the_last_step_ends_there_and_is_finite():
    # The published lab divided by a time residue below the smallest step here and returned NaN at 46 settings.
    for horizon in (0.8, np.nextafter(0.8, 1.0), np.nextafter(0.8, 0.0), 0.1 + 0.2 + 0.5):
        found = rollout(BouncingMass(KelvinVoigt(10.0 ** np.arange(2, 8.01, 0.25))), [1.0, 0.0], horizon, DormandPrince(rtol=1e-9))
        assert np.all(np.isfinite(found.state)) and found.success


def test_tangents_carried_under_a_tolerance_do_not_change_the_steps():
    system, stepper = BouncingMass(KelvinVoigt(np.array([1e4]))), DormandPrince(rtol=1e-9)
    x = np.array([[1.0], [0.0]])
    bare, _, bare_stats = adapt(stepper, system.variational_field, x[:, None], 0.8)
    with_tangents, _, stats = adapt(stepper, system.variational_field, seeded(x), 0.8)
    np.testing.assert_array_equal(bare[:, 0], with_tangents[:, 0])
    assert bare_stats.accepted == stats.accepted
