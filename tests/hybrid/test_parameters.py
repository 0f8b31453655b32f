"""Derivatives by parameters: every route, and the two modes."""

import numpy as np
import pytest
from ferrolab.contact import ClampedDamper, HuntCrossley, KelvinVoigt, RigidImpact
from ferrolab.derivative import Autodiff, EventAware, FiniteDifference, jacobian, parameter_jacobian
from ferrolab.hybrid import forward_gradient, reverse_gradient
from ferrolab.integrate import DormandPrince, EventDriven, ExplicitEuler, RungeKutta4, SemiImplicitEuler
from ferrolab.systems import BouncingMass
from ferrolab.systems.bouncing_parameters import parametric_hybrid
from ferrolab.validate import InvalidInput

START, HORIZON = [1.0, 0.0], 0.8
SYSTEMS = {
    "kelvin-voigt": (BouncingMass(KelvinVoigt(1e4, 0.1606)), ("stiffness", "damping_ratio", "gravity")),
    "hunt-crossley": (BouncingMass(HuntCrossley(1e4, 0.12)), ("stiffness", "dissipation", "gravity")),
    "clamped damper": (BouncingMass(ClampedDamper(1e4, 30.0)), ("stiffness", "damping", "gravity")),
    "rigid": (BouncingMass(RigidImpact(0.6)), ("restitution", "gravity")),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_event_aware_under_a_tolerance_agrees_with_differences(name):
    system, names = SYSTEMS[name]
    stepper = DormandPrince(rtol=1e-12)
    aware = parameter_jacobian(system, names, START, HORIZON, stepper, EventAware())
    # Differences over the law as coded, events unlocated: noise 1e-12/probe, amplified by the contact.
    witness = parameter_jacobian(system, names, START, HORIZON, stepper, FiniteDifference(1e-4))
    np.testing.assert_allclose(aware.jacobian * _scales(system, names), witness.jacobian * _scales(system, names), atol=2e-4)


def _scales(system, names):
    """Parameters differ by orders of magnitude: compare the change per relative change of each."""
    return np.array([system.gravity if name == "gravity" else float(getattr(system.law, name)) for name in names])


def test_against_the_closed_form_flow():
    system, names = SYSTEMS["kelvin-voigt"]
    exact = parameter_jacobian(system, names, START, HORIZON, EventDriven(), FiniteDifference(1e-3))
    aware = parameter_jacobian(system, names, START, HORIZON, DormandPrince(rtol=1e-12), EventAware())
    np.testing.assert_allclose(aware.jacobian, exact.jacobian, rtol=1e-8)


def test_restitution_and_gravity_of_the_rigid_impact_in_closed_form():
    g, e, T = 9.81, 0.6, HORIZON
    t = np.sqrt(2 / g)
    # v(T) = e g t - g (T - t), with t = sqrt(2/g): dv/de = g t; dv/dg = e t/2 - T + t/2.
    found = parameter_jacobian(*SYSTEMS["rigid"], START, T, DormandPrince(rtol=1e-12), EventAware()).jacobian
    np.testing.assert_allclose(found[1], [g * t, (1 + e) * t / 2 - T], rtol=1e-12)


def test_autodiff_on_a_fixed_step_drops_the_term_for_parameters_too():
    system, names = SYSTEMS["kelvin-voigt"]
    tape = parameter_jacobian(system, names, START, HORIZON, SemiImplicitEuler(1e-4), Autodiff()).jacobian
    exact = parameter_jacobian(system, names, START, HORIZON, DormandPrince(rtol=1e-12), EventAware()).jacobian
    relative = np.abs(tape - exact) / np.abs(exact)
    assert relative[1, 2] > 0.5  # gravity moves the time of touch-down
    assert relative[1, 1] < 0.1  # the damping ratio does not


def test_the_parametric_rollout_is_the_rollout_autodiff_differentiates():
    system, names = SYSTEMS["kelvin-voigt"]
    tape = parameter_jacobian(system, names, START, HORIZON, SemiImplicitEuler(1e-4), Autodiff())
    plain = jacobian(system, START, HORIZON, SemiImplicitEuler(1e-4), Autodiff())
    np.testing.assert_allclose(tape.state, plain.state, rtol=1e-10)


def test_event_aware_converges_at_the_order_of_the_stepper():
    system, names = SYSTEMS["kelvin-voigt"]
    exact = parameter_jacobian(system, names, START, HORIZON, DormandPrince(rtol=1e-12), EventAware()).jacobian
    errors = [
        np.max(np.abs(parameter_jacobian(system, names, START, HORIZON, RungeKutta4(dt), EventAware()).jacobian - exact) / np.abs(exact))
        for dt in (1.6e-3, 8e-4)
    ]
    assert 8.0 < errors[0] / errors[1] < 32.0


@pytest.mark.parametrize("stepper", [SemiImplicitEuler(1e-3, positions=1), ExplicitEuler(1e-3), RungeKutta4(1e-3), DormandPrince(rtol=1e-10)])
@pytest.mark.parametrize("saltation", [True, False])
def test_reverse_mode_agrees_with_forward_mode_and_counts_fewer_products(stepper, saltation):
    system, names = SYSTEMS["kelvin-voigt"]
    hybrid, start = parametric_hybrid(system, names), np.array([*START, 1e4, 0.1606, 9.81])
    loss = lambda z: (z[0] - 0.3) ** 2 + 0.1 * z[1] ** 2  # noqa: E731
    forward = forward_gradient(hybrid, start, HORIZON, stepper, loss, saltation)
    reverse = reverse_gradient(hybrid, start, HORIZON, stepper, loss, saltation)
    np.testing.assert_allclose(reverse.gradient, forward.gradient, rtol=1e-10)
    assert reverse.products < forward.products / 3


def test_an_unknown_parameter_is_named():
    with pytest.raises(InvalidInput, match="among stiffness, damping_ratio, gravity"):
        parameter_jacobian(SYSTEMS["kelvin-voigt"][0], ["mass"], START, HORIZON, RungeKutta4(1e-3), EventAware())
