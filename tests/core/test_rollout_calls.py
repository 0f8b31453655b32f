"""`rollout`, `jacobian`, `Settings`: shapes, broadcasting, refusals."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from ferrolab.audit import Settings, exponent, timing_term
from ferrolab.contact import KelvinVoigt, RigidImpact
from ferrolab.derivative import Autodiff, EventAware, FiniteDifference, jacobian, restitution, rollout
from ferrolab.integrate import DormandPrince, EventDriven, RungeKutta4, SemiImplicitEuler
from ferrolab.status import Status
from ferrolab.systems import BouncingMass
from ferrolab.validate import InvalidInput

STEP = SemiImplicitEuler(dt=1e-3)


@pytest.mark.parametrize("law_shape, start_shape, shape", [
    ((), (), ()), ((), (3,), (3,)), ((3,), (), (3,)), ((2, 1), (3,), (2, 3)), ((2, 3), (2, 3), (2, 3)), ((1,), (1, 1), (1, 1)),
])  # fmt: skip
@pytest.mark.parametrize("route", [Autodiff(), FiniteDifference(), EventAware()], ids=lambda route: route.name)
def test_lanes_of_law_and_start_broadcast_against_each_other(law_shape, start_shape, shape, route):
    k = np.geomspace(1e2, 1e4, max(1, int(np.prod(law_shape)))).reshape(law_shape)
    x0 = np.zeros((*start_shape, 2))
    x0[..., 0] = np.linspace(0.5, 1.0, max(1, int(np.prod(start_shape)))).reshape(start_shape)
    found = jacobian(BouncingMass(KelvinVoigt(k)), x0, 0.5, STEP, route)
    assert found.state.shape == (*shape, 2) and found.jacobian.shape == (*shape, 2, 2)
    assert found.status.shape == shape and found.stats.evaluations.shape == shape
    for index in np.ndindex(shape):
        one = jacobian(BouncingMass(KelvinVoigt(np.broadcast_to(k, shape)[index])), np.broadcast_to(x0, (*shape, 2))[index], 0.5, STEP, route)
        np.testing.assert_allclose(found.jacobian[index], one.jacobian, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("stepper", [STEP, RungeKutta4(1e-3), DormandPrince(rtol=1e-8), EventDriven()], ids=lambda stepper: stepper.name)
def test_rollout_and_jacobian_end_in_the_same_state(stepper):
    system = BouncingMass(KelvinVoigt([1e2, 1e4]))
    end = rollout(system, [1.0, 0.0], 0.8, stepper)
    found = jacobian(system, [1.0, 0.0], 0.8, stepper, Autodiff())
    np.testing.assert_array_equal(end.state, found.state)
    assert end.success and found.success and end.message == found.message == ""


def test_costs_are_counted_per_rollout_and_route():
    system = BouncingMass(KelvinVoigt(1e4))
    for stepper, per_step in ((SemiImplicitEuler(1e-4), 1), (RungeKutta4(1e-4), 4)):
        once = jacobian(system, [1.0, 0.0], 0.8, stepper, Autodiff()).stats
        assert (once.accepted, once.rejected, once.evaluations) == (8000, 0, 8000 * per_step)
        assert jacobian(system, [1.0, 0.0], 0.8, stepper, FiniteDifference()).stats.evaluations == 8 * 8000 * per_step
        assert jacobian(system, [1.0, 0.0], 0.8, stepper, FiniteDifference(richardson=False)).stats.evaluations == 4 * 8000 * per_step
        located = jacobian(system, [1.0, 0.0], 0.8, stepper, EventAware()).stats
        # Three events, each cut out of its step and found by a root: tens of evaluations more, not thousands.
        assert 8000 * per_step < located.evaluations < 8000 * per_step + 400
        assert located.accepted == 8000


def test_at_rest_is_named_and_says_what_to_do():
    found = jacobian(BouncingMass(RigidImpact(0.5)), [1.0, 0.0], 5.0, EventDriven(), EventAware())
    assert found.status == Status.AT_REST and not found.success
    assert "rest" in found.message and "horizon" in found.message


@pytest.mark.parametrize("call, name", [
    (lambda: rollout(BouncingMass(KelvinVoigt(1e4)), [1.0, 0.0, 0.0], 0.8, STEP), "x0"),
    (lambda: rollout(BouncingMass(KelvinVoigt(1e4)), 1.0, 0.8, STEP), "x0"),
    (lambda: rollout(BouncingMass(KelvinVoigt(1e4)), [np.nan, 0.0], 0.8, STEP), "x0"),
    (lambda: rollout(BouncingMass(KelvinVoigt([1e4, 1e5])), np.ones((3, 2)), 0.8, STEP), "x0"),
    (lambda: rollout(BouncingMass(KelvinVoigt(1e4)), [1.0, 0.0], 0.0, STEP), "horizon"),
    (lambda: rollout(BouncingMass(KelvinVoigt(1e4)), [1.0, 0.0], np.inf, STEP), "horizon"),
    (lambda: rollout(BouncingMass(KelvinVoigt(1e4)), [1.0, 0.0], 1e-5, STEP), "dt"),
    (lambda: SemiImplicitEuler(dt=0.0), "dt"),
    (lambda: RungeKutta4(dt=np.nan), "dt"),
    (lambda: SemiImplicitEuler(dt=1e-12).steps(1.0), "dt"),
    (lambda: DormandPrince(rtol=0.0), "rtol"),
    (lambda: DormandPrince(rtol=1.0), "rtol"),
    (lambda: DormandPrince(rtol=1e-6, atol=-1.0), "atol"),
    (lambda: DormandPrince(rtol=1e-6, first_step=0.0), "first_step"),
    (lambda: FiniteDifference(probe=0.0), "probe"),
    (lambda: timing_term(0.6, 0.0), "impact_speed"),
    (lambda: timing_term(-0.1, 1.0), "restitution"),
    (lambda: Settings(1e4, dt=1.0), "dt"),
    (lambda: Settings(1e20), "stiffness"),
    (lambda: Settings(1e4, law="glue"), "law"),
    (lambda: Settings(1e4, height=-0.1), "height"),
    (lambda: Settings(1e4, height=0.0), "height"),
])  # fmt: skip
def test_bad_arguments_are_refused_with_name_value_and_requirement(call, name):
    with pytest.raises(InvalidInput, match=rf"^{name} was .*; it must be .*\.$") as refused:
        call()
    assert refused.value.name == name


def test_a_stepper_without_its_step_or_tolerance_does_not_exist():
    for stepper in (SemiImplicitEuler, RungeKutta4, DormandPrince):
        with pytest.raises(TypeError, match="dt|rtol"):
            stepper()


def test_restitution_of_the_three_ways_to_drop_agree_in_the_limit():
    system, speed = BouncingMass(KelvinVoigt(1e5)), np.array([np.sqrt(2 * 9.81)])
    exact = restitution(system, speed, EventDriven())
    assert restitution(system, speed, DormandPrince(rtol=1e-11)) == pytest.approx(exact, abs=1e-9)
    assert restitution(system, speed, DormandPrince(rtol=1e-11), located=True) == pytest.approx(exact, abs=1e-9)
    assert restitution(system, speed, RungeKutta4(1e-5), located=True) == pytest.approx(exact, abs=1e-9)
    # First order: an error of the order of dt sqrt(k) = 3e-4.
    assert restitution(system, speed, SemiImplicitEuler(1e-6)) == pytest.approx(exact, abs=3e-4)


def test_settings_fill_in_the_published_pair_of_derivatives_and_are_frozen():
    assert Settings(1e4).derivative == "autodiff"
    assert Settings(1e4, stepping="tolerance").derivative == "finite-difference"
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings(1e4).dt = 1.0


def test_exponent_is_none_where_an_end_has_no_nonzero_entry():
    assert exponent(Settings(1e4, law="rigid")) is None
