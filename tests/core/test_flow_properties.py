"""What must hold of any drop: energy, scaling, composition in time, area, and the flow's own direction."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ferrolab.audit import Settings, measure
from ferrolab.contact import HuntCrossley, KelvinVoigt, RigidImpact
from ferrolab.derivative import Autodiff, EventAware, FiniteDifference, jacobian, restitution
from ferrolab.integrate import DormandPrince, EventDriven, ExplicitEuler, RungeKutta4, SemiImplicitEuler
from ferrolab.integrate.event_driven import exact_flow, exact_restitution
from ferrolab.status import Status
from ferrolab.systems import BouncingMass

log_stiffness = st.floats(2.0, 7.0)
damping = st.one_of(st.just(0.0), st.floats(1e-3, 3.0))
heights, velocities, horizons = st.floats(0.05, 2.0), st.floats(-3.0, 3.0), st.floats(0.1, 1.2)


def flow(system, h, v, T):
    return exact_flow(system, np.array([[h], [v]]), T)


def field(system, x):
    return system.field(np.asarray(x))


@settings(max_examples=100, deadline=None)
@given(p=st.floats(2.0, 8.0), zeta=st.floats(0.0, 5.0), speed=st.floats(0.05, 20.0), g=st.floats(0.1, 30.0))
def test_restitution_of_the_exact_contact_is_between_zero_and_one(p, zeta, speed, g):
    e = exact_restitution(BouncingMass(KelvinVoigt(10.0**p, zeta), g), np.array([speed]))[0]
    assert 0.0 <= e <= 1.0 + 1e-12


@settings(max_examples=50, deadline=None)
@given(p=st.floats(2.0, 8.0), speed=st.floats(0.05, 20.0))
def test_undamped_contact_gives_everything_back(p, speed):
    assert exact_restitution(BouncingMass(KelvinVoigt(10.0**p, 0.0)), np.array([speed]))[0] == pytest.approx(1.0, abs=1e-12)


@settings(max_examples=50, deadline=None)
@given(p=st.floats(3.0, 8.0), low=st.floats(0.0, 0.9), more=st.floats(0.01, 0.5), speed=st.floats(0.5, 10.0))
def test_more_damping_returns_less(p, low, more, speed):
    e = [exact_restitution(BouncingMass(KelvinVoigt(10.0**p, zeta)), np.array([speed]))[0] for zeta in (low, low + more)]
    assert e[1] < e[0] or e == [0.0, 0.0]  # a slow enough, damped enough landing stays


@settings(max_examples=100, deadline=None)
@given(p=log_stiffness, zeta=damping, h=heights, v=velocities, T=horizons)
def test_energy_of_the_exact_spring_damper_never_grows(p, zeta, h, v, T):
    k = 10.0**p
    system = BouncingMass(KelvinVoigt(k, zeta))
    times = np.linspace(0.0, T, 60)[1:]
    end = exact_flow(system, np.repeat([[h], [v]], len(times), axis=1), times).state
    energy = 0.5 * end[1] ** 2 + 9.81 * end[0] + 0.5 * k * np.minimum(end[0], 0.0) ** 2
    start = 0.5 * v * v + 9.81 * h
    # Parting leaves the spring's energy behind: it only falls. Rounding: a contact multiplies by c at most.
    assert np.all(np.diff(np.concatenate([[start], energy])) <= 1e-9 * start + 1e-12)


@settings(max_examples=60, deadline=None)
@given(p=log_stiffness, zeta=st.floats(0.01, 3.0), h=heights, v=velocities, first=horizons, second=horizons)
def test_exact_flow_and_its_jacobian_compose_in_time(p, zeta, h, v, first, second):
    system = BouncingMass(KelvinVoigt(10.0**p, zeta))
    whole, one = flow(system, h, v, first + second), flow(system, h, v, first)
    two = exact_flow(system, one.state, second)
    # A cut within rounding of an event may count it on either side.
    assume(whole.events[0] == one.events[0] + two.events[0])
    assume(abs(one.state[0, 0]) > 1e-9)
    np.testing.assert_allclose(two.state, whole.state, rtol=0, atol=1e-9)
    for name in ("tangent", "tangent_branch"):
        product = getattr(two, name)[..., 0] @ getattr(one, name)[..., 0]
        expected = getattr(whole, name)[..., 0]
        size = np.max(np.abs(getattr(two, name))) * np.max(np.abs(getattr(one, name)))
        np.testing.assert_allclose(product, expected, rtol=0, atol=1e-9 * max(1.0, size))


@settings(max_examples=60, deadline=None)
@given(e=st.floats(0.1, 1.0), h=heights, v=velocities, first=horizons, second=horizons)
def test_rigid_flow_and_its_jacobian_compose_in_time(e, h, v, first, second):
    system = BouncingMass(RigidImpact(e))
    whole, one = flow(system, h, v, first + second), flow(system, h, v, first)
    assume(whole.status[0] == Status.OK and whole.events[0] < 20)
    two = exact_flow(system, one.state, second)
    assume(whole.events[0] == one.events[0] + two.events[0])
    size = np.max(np.abs(two.tangent)) * np.max(np.abs(one.tangent))
    np.testing.assert_allclose(two.state, whole.state, rtol=0, atol=1e-10 * max(1.0, size))
    np.testing.assert_allclose(two.tangent[..., 0] @ one.tangent[..., 0], whole.tangent[..., 0], rtol=0, atol=1e-9 * max(1.0, size))


@settings(max_examples=100, deadline=None)
@given(p=log_stiffness, zeta=damping, h=heights, v=velocities, T=horizons)
def test_exact_jacobian_carries_the_field_along_and_the_branch_does_not(p, zeta, h, v, T):
    # The flow is autonomous, so starting later is ending later: J f(x0) = f(x(T)), through every event.
    system = BouncingMass(KelvinVoigt(10.0**p, zeta))
    end = flow(system, h, v, T)
    assume(abs(end.state[0, 0]) > 1e-9)
    before, after = field(system, [h, v]), field(system, end.state[:, 0])
    carried = end.tangent[..., 0] @ before
    # Twenty is twice the size of the two fields; what has come to rest keeps rounding of its force, EPS g.
    size = np.max(np.abs(end.tangent)) * 20 + np.max(np.abs(after))
    np.testing.assert_allclose(carried, after, rtol=0, atol=1e-9 * size + 1e-14)
    c = float(system.law.damping)
    if end.events[0] == 1 and end.state[0, 0] > 0 and c * abs(v - 9.81 * end.first_event[0]) > 1.0:
        assert np.max(np.abs(end.tangent_branch[..., 0] @ before - after)) > 1e-6


@pytest.mark.parametrize("law", [KelvinVoigt(1e4), HuntCrossley(1e4), RigidImpact(0.6)], ids=lambda law: law.name)
def test_event_aware_jacobian_carries_the_field_along_for_every_law(law):
    system = BouncingMass(law)
    found = jacobian(system, [1.0, 0.5], 0.9, DormandPrince(rtol=1e-12), EventAware())
    np.testing.assert_allclose(found.jacobian @ field(system, [1.0, 0.5]), field(system, found.state), atol=1e-8)


@settings(max_examples=100, deadline=None)
@given(p=log_stiffness, zeta=damping, h=heights, v=velocities, T=horizons)
def test_area_shrinks_by_the_damping_over_the_time_in_contact_alone(p, zeta, h, v, T):
    # Liouville: the divergence of the field is -c in contact and 0 elsewhere; a saltation matrix has determinant 1.
    system = BouncingMass(KelvinVoigt(10.0**p, zeta))
    end = flow(system, h, v, T)
    expected = np.exp(-float(system.law.damping) * end.contact_time[0])
    for J in (end.tangent[..., 0], end.tangent_branch[..., 0]):
        # A determinant is a difference of two products.
        assert np.linalg.det(J) == pytest.approx(expected, rel=1e-9, abs=1e-12 * np.max(np.abs(J)) ** 2 + 1e-15)


@settings(max_examples=60, deadline=None)
@given(e=st.floats(0.1, 1.0), h=heights, v=velocities, T=horizons)
def test_each_rigid_impact_shrinks_area_by_the_square_of_its_restitution(e, h, v, T):
    end = flow(BouncingMass(RigidImpact(e)), h, v, T)
    assume(end.status[0] == Status.OK and end.events[0] < 10)
    J = end.tangent[..., 0]
    assert np.linalg.det(J) == pytest.approx(e ** (2 * end.events[0]), rel=1e-9, abs=1e-13 * np.max(np.abs(J)) ** 2)


# Length and time scaled by powers of two: floating point scales along, bit by bit, except in square roots of k.
scales = st.tuples(st.integers(-3, 3), st.integers(-2, 2)).map(lambda pair: (2.0 ** pair[0], 2.0 ** pair[1]))


def scaled_jacobian(J, time):
    return J * np.array([[1.0, time], [1.0 / time, 1.0]])


@settings(max_examples=50, deadline=None)
@given(p=st.floats(2.0, 5.0), zeta=st.floats(0.0, 2.0), h=heights, v=velocities, scale=scales)
def test_exact_flow_knows_no_units(p, zeta, h, v, scale):
    length, time = scale
    k = 10.0**p
    one = flow(BouncingMass(KelvinVoigt(k, zeta)), h, v, 0.8)
    other = flow(BouncingMass(KelvinVoigt(k / time**2, zeta), 9.81 * length / time**2), h * length, v * length / time, 0.8 * time)
    np.testing.assert_allclose(other.state[:, 0], one.state[:, 0] * [length, length / time], rtol=1e-9, atol=1e-10 * length * max(1, 1 / time))
    J, other_J = one.tangent[..., 0], other.tangent[..., 0]
    np.testing.assert_allclose(other_J, scaled_jacobian(J, time), rtol=1e-8, atol=1e-9 * np.max(np.abs(J)) * max(time, 1 / time))


@settings(max_examples=40, deadline=None)
@given(
    p=st.floats(2.0, 5.0), h=heights, v=velocities, scale=scales,
    stepper=st.sampled_from([SemiImplicitEuler, ExplicitEuler, RungeKutta4]), law=st.sampled_from(["kelvin-voigt", "hunt-crossley"]),
)  # fmt: skip
def test_fixed_step_autodiff_knows_no_units(p, h, v, scale, stepper, law):
    length, time = scale
    k, dt = 10.0**p, 2.0**-11
    if law == "kelvin-voigt":
        laws = KelvinVoigt(k, 0.1606), KelvinVoigt(k / time**2, 0.1606)
    else:
        laws = HuntCrossley(k, 0.12), HuntCrossley(k / time**2, 0.12 * time / length)
    one = jacobian(BouncingMass(laws[0]), [h, v], 0.75, stepper(dt), Autodiff())
    other = jacobian(
        BouncingMass(laws[1], 9.81 * length / time**2), [h * length, v * length / time], 0.75 * time, stepper(dt * time), Autodiff()
    )
    size = np.max(np.abs(one.jacobian))
    np.testing.assert_allclose(other.state, one.state * [length, length / time], rtol=1e-8, atol=1e-9 * length * max(1, 1 / time))
    np.testing.assert_allclose(other.jacobian, scaled_jacobian(one.jacobian, time), rtol=1e-7, atol=1e-8 * size * max(time, 1 / time))


@settings(max_examples=30, deadline=None)
@given(order=st.permutations(range(6)))
def test_order_of_lanes_does_not_matter(order):
    k, order = np.geomspace(1e2, 1e7, 6), list(order)
    plain, shuffled = measure(Settings(1e4), k), measure(Settings(1e4), k[order])
    for name in ("restitution", "state", "jacobian", "gradient_error"):
        np.testing.assert_array_equal(getattr(plain, name)[order], getattr(shuffled, name))


@settings(max_examples=25, deadline=None)
@given(k=st.lists(st.floats(1e2, 1e5), min_size=2, max_size=5), h=heights, v=velocities)
def test_lanes_advanced_together_end_as_they_do_alone(k, h, v):
    for stepper, route in [(SemiImplicitEuler(1e-3), Autodiff()), (RungeKutta4(1e-3), FiniteDifference()), (EventDriven(), EventAware())]:
        together = jacobian(BouncingMass(KelvinVoigt(np.array(k))), [h, v], 0.7, stepper, route)
        for lane, stiffness in enumerate(k):
            alone = jacobian(BouncingMass(KelvinVoigt(stiffness)), [h, v], 0.7, stepper, route)
            size = max(1.0, np.max(np.abs(alone.jacobian)))
            # Differences divide rounding of the state, about 1e-15, by the probe of 5e-7.
            atol = 1e-7 if isinstance(route, FiniteDifference) else 1e-10
            np.testing.assert_allclose(together.jacobian[lane], alone.jacobian, rtol=0, atol=atol * size)


@settings(max_examples=40, deadline=None)
@given(p=st.floats(3.0, 6.0), zeta=st.floats(0.05, 0.3), speed=st.floats(3.0, 8.0))
def test_drop_test_of_every_stepping_tends_to_the_exact_restitution(p, zeta, speed):
    system, s = BouncingMass(KelvinVoigt(10.0**p, zeta)), np.array([speed])
    exact = exact_restitution(system, s)[0]
    assume(exact > 0.01)
    assert restitution(system, s, DormandPrince(rtol=1e-10))[0] == pytest.approx(exact, abs=1e-7)
    # First order in the number of steps a contact takes: dt sqrt(k) = 1e-3.
    dt = 1e-3 / 10.0 ** (p / 2)
    assert restitution(system, s, SemiImplicitEuler(dt))[0] == pytest.approx(exact, abs=2e-2)


@settings(max_examples=30, deadline=None)
@given(h=heights, v=velocities, p=st.floats(3.0, 7.0))
def test_deep_in_time_a_stiff_contact_approaches_the_rigid_one(h, v, p):
    # The model share falls as k^-1/2: a hundred times the stiffness, at most a fifth of the difference.
    impact = (v + np.sqrt(v * v + 2 * 9.81 * h)) / 9.81
    T = impact + 0.2
    gaps = []
    for k in (10.0**p, 10.0 ** (p + 2)):
        spring = BouncingMass(KelvinVoigt(k))
        e = exact_restitution(spring, np.array([np.sqrt(v * v + 2 * 9.81 * h)]))
        soft, hard = flow(spring, h, v, T), flow(BouncingMass(RigidImpact(e)), h, v, T)
        assume(soft.events[0] == hard.events[0] == 1)
        gaps.append(np.max(np.abs(soft.tangent - hard.tangent)))
    assert gaps[1] < gaps[0] / 5
