"""The event-aware route: what a saltation matrix is, how fast the route converges, and what it repairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ferrolab.contact import HuntCrossley, KelvinVoigt, RigidImpact
from ferrolab.derivative import Autodiff, EventAware, FiniteDifference, jacobian
from ferrolab.hybrid import located_fixed, saltation_matrix
from ferrolab.integrate import DormandPrince, EventDriven, ExplicitEuler, RungeKutta4, SemiImplicitEuler
from ferrolab.integrate.event_driven import exact_flow
from ferrolab.systems import BouncingMass

HEIGHT = np.array([1.0, 0.0])


@given(e=st.floats(0.0, 1.5), v=st.floats(-20.0, -1e-3), g=st.floats(0.1, 30.0))
def test_saltation_matrix_of_a_rigid_impact_is_the_published_one(e, v, g):
    reset = np.array([[1.0, 0.0], [0.0, -e]])
    found = saltation_matrix(np.array([v, -g]), np.array([-e * v, -g]), HEIGHT, reset)
    expected = [[-e, 0.0], [-(1 + e) * g / v, -e]]
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=4e-16 * (1 + e))  # the corner is 1 - (1 + e)


@given(log_k=st.floats(2.0, 8.0), zeta=st.floats(0.0, 3.0), v=st.floats(-20.0, -1e-3))
def test_saltation_matrix_of_touching_a_spring_damper_carries_minus_c_alone(log_k, zeta, v):
    law = KelvinVoigt(10.0**log_k, zeta)
    system = BouncingMass(law).hybrid(0, 1)
    x = np.array([0.0, v])
    found = saltation_matrix(system.modes["flight"].field(x), system.modes["contact"].field(x), HEIGHT)
    # The jump c |v| is read off two accelerations: rounding of their size, over v.
    np.testing.assert_allclose(found, [[1.0, 0.0], [-law.damping, 1.0]], rtol=1e-13, atol=1e-14 * 9.81 / abs(v))


@given(log_k=st.floats(2.0, 8.0), zeta=st.floats(0.01, 0.9), v=st.floats(0.1, 20.0))
def test_saltation_matrix_where_the_push_ends_is_the_identity(log_k, zeta, v):
    law = KelvinVoigt(10.0**log_k, zeta)
    system = BouncingMass(law).hybrid(0, 1)
    x = np.array([-float(law.damping / law.stiffness) * v, v])
    assume(float(law.damping) * v < 1e6)
    gradient = np.array(law.force_gradient(*x), dtype=float)
    found = saltation_matrix(system.modes["contact"].field(x), system.modes["parting"].field(x), gradient)
    # The force is zero there up to rounding of its two terms, each c v; ds/dx f is of the size k v.
    atol = 1e-15 * float(law.damping) * v * np.max(np.abs(gradient)) / abs(gradient @ system.modes["contact"].field(x))
    np.testing.assert_allclose(found, np.eye(2), rtol=0, atol=10 * atol + 1e-15)


def test_reported_events_of_the_drop_are_where_the_closed_form_puts_them():
    system, y = BouncingMass(KelvinVoigt(1e4)), np.column_stack([[1.0, 0.0], np.eye(2)])
    found = located_fixed(system.hybrid(0, 1), RungeKutta4(1e-4), y, 8000)
    flow = exact_flow(system, np.array([[1.0], [0.0]]), 0.8)
    touch, ends, leaves = found.events
    assert touch.time == pytest.approx(flow.first_event[0], abs=1e-13)
    assert ends.time - touch.time == pytest.approx(flow.contact_time[0], abs=1e-9)  # RK4 in contact, dt omega = 0.01
    assert touch.before[0] == pytest.approx(0.0, abs=1e-14) and leaves.before[0] == pytest.approx(0.0, abs=1e-14)


def worst_error(stepper, dt, k, heights=(0.83, 0.91, 1.0, 1.07, 1.13)) -> float:
    """Largest Jacobian error over several drops: where on the grid an event falls is luck, and averages out."""
    system, x0 = BouncingMass(KelvinVoigt(k)), np.array([[h, 0.0] for h in heights])
    found = jacobian(system, x0, 0.8, stepper(dt), EventAware()).jacobian
    exact = jacobian(system, x0, 0.8, EventDriven(), EventAware()).jacobian
    return float(np.max(np.abs(found - exact)))


@pytest.mark.parametrize("stepper, steps, slack", [
    # The finest step keeps truncation above rounding; slack is the next order plus the luck of the grid.
    (RungeKutta4, (1.6e-3, 8e-4, 4e-4, 2e-4), 0.5),
    (SemiImplicitEuler, (1e-4, 5e-5, 2.5e-5, 1.25e-5), 0.15),
    (ExplicitEuler, (1e-4, 5e-5, 2.5e-5, 1.25e-5), 0.15),
])  # fmt: skip
def test_event_aware_jacobian_converges_with_the_stepper_s_own_order(stepper, steps, slack):
    errors = [worst_error(stepper, dt, 1e4) for dt in steps]
    order = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert order == pytest.approx(stepper.order, abs=slack)


def test_without_the_matrix_no_refinement_helps():
    system, x0 = BouncingMass(KelvinVoigt(1e4)), [1.0, 0.0]
    exact = jacobian(system, x0, 0.8, EventDriven(), EventAware()).jacobian
    errors = [
        np.max(np.abs(jacobian(system, x0, 0.8, RungeKutta4(dt), EventAware(saltation=False)).jacobian - exact)) for dt in (1e-3, 1e-4, 1e-5)
    ]
    branch = exact_flow(system, np.array([[1.0], [0.0]]), 0.8).tangent_branch[..., 0]
    np.testing.assert_allclose(errors, np.max(np.abs(branch - exact)), rtol=1e-3)


def test_plain_autodiff_of_a_fixed_step_tends_to_the_branch_and_not_to_the_law():
    system, x0 = BouncingMass(KelvinVoigt(1e4)), [1.0, 0.0]
    flow = exact_flow(system, np.array([[1.0], [0.0]]), 0.8)
    for stepper in (SemiImplicitEuler, ExplicitEuler, RungeKutta4):
        J = jacobian(system, x0, 0.8, stepper(1e-6), Autodiff()).jacobian
        # First order in k dt = 1e-2 relative at most: the entry step starts up to one dt late.
        np.testing.assert_allclose(J, flow.tangent_branch[..., 0], rtol=2e-2)
        assert abs(J[1, 0] - flow.tangent[1, 0, 0]) > 20


@pytest.mark.parametrize("rtol, error", [(1e-6, 1e-4), (1e-9, 1e-7), (1e-12, 1e-9)])
def test_event_aware_route_under_a_tolerance_is_as_good_as_the_tolerance(rtol, error):
    system = BouncingMass(KelvinVoigt(1e6))
    found = jacobian(system, [1.0, 0.0], 0.8, DormandPrince(rtol=rtol), EventAware())
    exact = jacobian(system, [1.0, 0.0], 0.8, EventDriven(), EventAware())
    # Tangents are not controlled and are up to c = 321 times as large as the state on the way.
    assert np.max(np.abs(found.jacobian - exact.jacobian)) < error
    assert found.success


@pytest.mark.parametrize("stepper", [RungeKutta4(1e-3), DormandPrince(rtol=1e-9), EventDriven()], ids=lambda s: s.name)
def test_event_aware_route_is_exact_for_the_rigid_law_whatever_steps_the_parabola(stepper):
    system = BouncingMass(RigidImpact(0.6))
    found = jacobian(system, [1.0, 0.0], 0.8, stepper, EventAware())
    s = np.sqrt(2 * 9.81)
    t1, after = s / 9.81, 0.8 - s / 9.81
    impact = np.array([[-0.6, 0.0], [1.6 * 9.81 / s, -0.6]])
    by_hand = np.array([[1.0, after], [0.0, 1.0]]) @ impact @ np.array([[1.0, t1], [0.0, 1.0]])
    np.testing.assert_allclose(found.jacobian, by_hand, atol=1e-11)


def entry_term(system, flow_from_entry, t1):
    """[-(c) dq dout/dv+ at entry]: what the branch leaves out at one touch-down, as a matrix."""
    c = np.asarray(system.law.damping).ravel()[0]
    return -c * np.outer(flow_from_entry.tangent[:, 1, 0], [1.0, t1])


@settings(max_examples=80, deadline=None)
@given(log_k=st.floats(2.0, 7.0), zeta=st.floats(0.01, 2.0), h=st.floats(0.1, 2.0), v=st.floats(-3.0, 3.0), T=st.floats(0.2, 1.0))
def test_exact_minus_branch_is_the_entry_s_own_term(log_k, zeta, h, v, T):
    system = BouncingMass(KelvinVoigt(10.0**log_k, zeta))
    flow = exact_flow(system, np.array([[h], [v]]), T)
    assume(flow.events[0] == 1)
    t1 = flow.first_event[0]
    assume(T - t1 > 1e-6)
    rest = exact_flow(system, np.array([[0.0], [v - 9.81 * t1]]), T - t1)
    difference = flow.tangent[..., 0] - flow.tangent_branch[..., 0]
    scale = max(1.0, np.max(np.abs(flow.tangent_branch)))
    np.testing.assert_allclose(difference, entry_term(system, rest, t1), rtol=0, atol=1e-9 * scale)


@pytest.mark.parametrize("rtol, agreement", [(1e-7, 2e-2), (1e-9, 2e-2), (1e-11, 1e-3), (1e-13, 1e-4)])
def test_autodiff_plus_the_entry_s_term_is_exact_at_every_tolerance(rtol, agreement):
    system = BouncingMass(KelvinVoigt(1e6))
    flow = exact_flow(system, np.array([[1.0], [0.0]]), 0.8)
    t1 = flow.first_event[0]
    rest = exact_flow(system, np.array([[0.0], [-9.81 * t1]]), 0.8 - t1)
    taped = jacobian(system, [1.0, 0.0], 0.8, DormandPrince(rtol=rtol), Autodiff()).jacobian
    repaired = taped + entry_term(system, rest, t1)
    # Relative to the term added, 203: a step that straddles the jump blurs it by the step's own share of the contact.
    assert np.max(np.abs(repaired - flow.tangent[..., 0])) < agreement * 203


def test_route_on_the_exact_stepper_is_the_exact_jacobian_with_the_matrix_and_the_branch_without():
    system, x0 = BouncingMass(KelvinVoigt(1e5)), [1.0, 0.0]
    flow = exact_flow(system, np.array([[1.0], [0.0]]), 0.8)
    np.testing.assert_array_equal(jacobian(system, x0, 0.8, EventDriven(), EventAware()).jacobian, flow.tangent[..., 0])
    np.testing.assert_array_equal(jacobian(system, x0, 0.8, EventDriven(), Autodiff()).jacobian, flow.tangent_branch[..., 0])
    np.testing.assert_array_equal(
        jacobian(system, x0, 0.8, EventDriven(), EventAware(saltation=False)).jacobian, flow.tangent_branch[..., 0]
    )
    differences = jacobian(system, x0, 0.8, EventDriven(), FiniteDifference()).jacobian
    np.testing.assert_allclose(differences, flow.tangent[..., 0], atol=1e-8)


def test_lanes_are_independent_for_every_route_and_stepper():
    k, x0 = np.array([1e3, 1e5, 1e7]), np.array([[1.0, 0.0], [0.7, -1.0], [0.3, 1.0]])
    for law in (KelvinVoigt, HuntCrossley):
        for stepper in (SemiImplicitEuler(1e-3), RungeKutta4(1e-3), DormandPrince(rtol=1e-8)):
            for route in (Autodiff(), EventAware(), FiniteDifference()):
                soft = np.minimum(k, 1e5)
                together = jacobian(BouncingMass(law(soft)), x0, 0.7, stepper, route)
                for lane in range(3):
                    alone = jacobian(BouncingMass(law(soft[lane])), x0[lane], 0.7, stepper, route)
                    # The same operations on other array lengths: numpy may sum in another order.
                    np.testing.assert_allclose(together.jacobian[lane], alone.jacobian, rtol=1e-9, atol=1e-9)
                    np.testing.assert_allclose(together.state[lane], alone.state, rtol=1e-12, atol=1e-12)
                    assert together.stats.evaluations[lane] == alone.stats.evaluations
