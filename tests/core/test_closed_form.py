"""The exact flows: against 50 digits, against differences of themselves, and their statuses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ferrolab.contact import HuntCrossley, KelvinVoigt, RigidImpact
from ferrolab.integrate.event_driven import exact_flow, exact_restitution
from ferrolab.status import Status
from ferrolab.systems import BouncingMass

from .fifty_digits import bounce

# name: stiffness, damping ratio, height, velocity, horizon, touch-downs
CASES = {
    "no impact": (1e4, 0.1606, 1.0, 0.0, 0.3, 0),
    "thrown up, no impact": (1e4, 0.1606, 0.5, 3.0, 0.6, 0),
    "horizon during contact": (1e2, 0.1606, 1.0, 0.0, 0.6, 1),
    "horizon while parting": (1e2, 0.5, 1.0, 0.0, 0.7043, 1),
    "one impact": (1e6, 0.1606, 1.0, 0.0, 0.8, 1),
    "undamped": (1e5, 0.0, 0.7, -1.0, 0.6, 1),
    "several impacts": (1e4, 0.05, 0.3, 0.5, 2.0, 5),
    "many impacts, nearly undamped": (1e6, 1e-3, 0.2, 0.0, 3.0, 7),
    "just below critical": (1e2, 1.0 - 1e-9, 1.0, 0.0, 0.6, 1),
    "critical": (1e2, 1.0, 1.0, 0.0, 0.6, 1),
    "just above critical": (1e2, 1.0 + 1e-9, 1.0, 0.0, 0.6, 1),
    "overdamped": (1e4, 2.0, 1.0, 0.0, 0.8, 1),
    "far overdamped": (1e6, 20.0, 1.0, 0.0, 0.8, 1),
    "stiffest": (1e8, 0.1606, 1.0, 0.0, 0.8, 1),
    "softest": (1e2, 0.3, 1.0, -2.0, 1.5, 2),
    "on the plane, moving down": (1e4, 0.1606, 0.0, -3.0, 0.3, 1),
}


def flow_of(k, zeta, h, v, T):
    return exact_flow(BouncingMass(KelvinVoigt(k, zeta)), np.array([[h], [v]]), T)


@pytest.mark.parametrize("name", CASES)
def test_spring_damper_flow_and_both_jacobians_agree_with_fifty_digits(name):
    k, zeta, h, v, T, impacts = CASES[name]
    witness = bounce(k, zeta, h, v, T)
    exact = flow_of(k, zeta, h, v, T)
    assert witness.touch_downs == impacts, "the case is not the one it claims to be"
    assert exact.events[0] == impacts
    assert exact.status[0] == Status.OK
    # A double carries the impact time to 1e-16 s; the contact turns that into c * 1e-16 of velocity, and each further
    # bounce into as much again: 1e-10 of the largest entry leaves two digits.
    for found, expected in [
        (exact.state[:, 0], witness.state),
        (exact.tangent[..., 0], witness.jacobian),
        (exact.tangent_branch[..., 0], witness.branch),
    ]:
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10 * max(1.0, np.max(np.abs(expected))))
    assert exact.contact_time[0] == pytest.approx(witness.contact_time, rel=1e-10, abs=1e-14)


@pytest.mark.parametrize("seed", range(12))
def test_spring_damper_flow_agrees_with_fifty_digits_at_random_settings(seed):
    random = np.random.default_rng(seed)
    k, h, v = 10.0 ** random.uniform(2, 7), random.uniform(0.05, 2.0), random.uniform(-3.0, 3.0)
    zeta, T = [random.uniform(0.0, 0.95), random.uniform(1.05, 5.0)][seed % 2], random.uniform(0.2, 1.5)
    witness, found = bounce(k, zeta, h, v, T), flow_of(k, zeta, h, v, T)
    np.testing.assert_allclose(found.state[:, 0], witness.state, rtol=0, atol=1e-10)
    scale = max(1.0, np.max(np.abs(witness.jacobian)))
    np.testing.assert_allclose(found.tangent[..., 0], witness.jacobian, rtol=0, atol=1e-9 * scale)
    assert found.events[0] == witness.touch_downs


def test_restitution_of_the_continuous_law_agrees_with_fifty_digits_on_either_side_of_critical():
    # Energy at the first instant of flight after one bounce, from the witness's own state there.
    for zeta in (0.05, 0.1606, 0.5, 0.9):
        speed, k = 4.0, 1e5
        e = exact_restitution(BouncingMass(KelvinVoigt(k, zeta)), np.array([speed]))[0]
        witness = bounce(k, zeta, 0.0, -speed, 0.05)
        rebound = np.sqrt(witness.state[1] ** 2 + 2 * 9.81 * witness.state[0])
        assert e == pytest.approx(rebound / speed, rel=1e-11)


def differences(flow, x, probe=1e-4):
    """Central differences of a flow, extrapolated once; its own error is of order probe^4."""

    def plain(step):
        columns = [(flow(x + step * axis) - flow(x - step * axis)) / (2 * step) for axis in np.eye(2)]
        return np.stack(columns, axis=1)

    return (4 * plain(probe / 2) - plain(probe)) / 3


@settings(max_examples=60, deadline=None)
@given(
    log_k=st.floats(2.0, 6.0), zeta=st.floats(0.0, 3.0), h=st.floats(0.05, 2.0), v=st.floats(-3.0, 3.0), T=st.floats(0.1, 1.2)
)
def test_spring_damper_jacobian_is_the_derivative_of_its_flow(log_k, zeta, h, v, T):
    flow = lambda x: flow_of(10.0**log_k, zeta, *x, T).state[:, 0]  # noqa: E731
    count = lambda x: (flow_of(10.0**log_k, zeta, *x, T).events[0], flow_of(10.0**log_k, zeta, *x, T).contact_time[0])  # noqa: E731
    x = np.array([h, v])
    found = flow_of(10.0**log_k, zeta, h, v, T)
    # Where the horizon falls inside a contact or within the probe of an event, the flow has a kink there.
    offsets = [1e-3 * s * a for s in (1, -1) for a in np.eye(2)]
    assume(all(count(x + d)[0] == found.events[0] for d in offsets))
    assume(all(abs(count(x + d)[1] - found.contact_time[0]) < 0.2 * found.contact_time[0] + 1e-12 for d in offsets))
    J = found.tangent[..., 0]
    # Third derivatives of the flow in contact grow as k; the extrapolation leaves probe^4 of the fifth.
    np.testing.assert_allclose(differences(flow, x), J, rtol=0, atol=2e-6 * max(1.0, np.max(np.abs(J))))


@settings(max_examples=60, deadline=None)
@given(e=st.floats(0.3, 0.95), h=st.floats(0.1, 2.0), v=st.floats(-3.0, 3.0), T=st.floats(0.1, 1.5))
def test_rigid_jacobian_is_the_derivative_of_its_flow(e, h, v, T):
    system = BouncingMass(RigidImpact(e))
    at = lambda x: exact_flow(system, x[:, None], T)  # noqa: E731
    x = np.array([h, v])
    found = at(x)
    assume(found.status[0] == Status.OK and found.events[0] <= 4)
    assume(all(at(x + 1e-3 * s * a).events[0] == found.events[0] for s in (1, -1) for a in np.eye(2)))
    J = found.tangent[..., 0]
    # Parabolas and square roots of the impact energy: smooth, so 1e-16/1e-4 of rounding, growing with the bounces.
    np.testing.assert_allclose(differences(lambda y: at(y).state[:, 0], x), J, rtol=0, atol=1e-8 * max(1.0, np.max(np.abs(J))))


def test_rigid_impacts_that_accumulate_before_the_horizon_end_at_rest():
    # y = 0, vy = 1 over a floor at -1: first impact after 0.565176 s, all of them by 1.491446 s (closed form:
    # t1 + 2 e s / (g (1 - e)) with s the impact speed).
    system = BouncingMass(RigidImpact(0.5), gravity=9.8)
    rest = exact_flow(system, np.array([[1.0], [1.0]]), 2.0)
    assert rest.status[0] == Status.AT_REST
    assert rest.first_event[0] == pytest.approx(0.565176, abs=5e-7)
    np.testing.assert_array_equal(rest.state[:, 0], [0.0, 0.0])
    np.testing.assert_array_equal(rest.tangent[..., 0], np.zeros((2, 2)))
    assert exact_flow(system, np.array([[1.0], [1.0]]), 1.4914).status[0] == Status.OK
    assert exact_flow(system, np.array([[1.0], [1.0]]), 1.4915).status[0] == Status.AT_REST


def test_rigid_flow_through_several_impacts_has_the_right_sensitivities():
    # z0 = 5, v0 = -0.1, g = 10, e = 0.8, T = 1.9: z = 3.139919, dz/d(z0, v0) = (0.837828, 0.101532).
    flow = exact_flow(BouncingMass(RigidImpact(0.8), gravity=10.0), np.array([[5.0], [-0.1]]), 1.9)
    assert flow.state[0, 0] == pytest.approx(3.139919, abs=5e-7)
    np.testing.assert_allclose(flow.tangent[0, :, 0], [0.837828, 0.101532], atol=5e-7)


def test_drop_lands_when_and_as_fast_as_free_fall_says():
    # h = 10, g = 8: lands at 1.58114 s with v = -12.6491.
    system = BouncingMass(RigidImpact(0.5), gravity=8.0)
    flow = exact_flow(system, np.array([[10.0], [0.0]]), 1.6)
    assert flow.first_event[0] == pytest.approx(1.58114, abs=5e-6)
    before = exact_flow(system, np.array([[10.0], [0.0]]), flow.first_event[0] - 1e-9)
    assert before.state[1, 0] == pytest.approx(-12.6491, abs=5e-5)


def test_horizons_may_differ_by_lane_and_a_law_without_closed_form_is_refused_by_name():
    system = BouncingMass(KelvinVoigt([1e4, 1e6]))
    x = np.array([[1.0, 1.0], [0.0, 0.0]])
    both = exact_flow(system, x, np.array([0.3, 0.8]))
    np.testing.assert_array_equal(both.state[:, 0], flow_of(1e4, 0.1606, 1.0, 0.0, 0.3).state[:, 0])
    np.testing.assert_array_equal(both.state[:, 1], flow_of(1e6, 0.1606, 1.0, 0.0, 0.8).state[:, 0])
    with pytest.raises(TypeError, match="hunt-crossley.*DormandPrince"):
        exact_flow(BouncingMass(HuntCrossley(1e4)), np.array([[1.0], [0.0]]), 0.8)
