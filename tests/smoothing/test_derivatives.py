"""Forward, reverse and implicit derivatives of time stepping: with each other, and with differences."""

import numpy as np
import pytest

from ferrolab.contact import HardImpulse, SmoothedImpulse
from ferrolab.derivative.dual import Dual, seeded, tangents
from ferrolab.derivative.elementwise import PARTIALS
from ferrolab.derivative.tape import Tape
from ferrolab.derivative.time_stepping import (
    ImpulsesNotUnique,
    SweepsNotConverged,
    action_jacobian,
    march_jacobian,
)
from ferrolab.integrate.time_stepping import TimeStepping, march
from ferrolab.smoothing import iterations
from ferrolab.systems import Bar, FallingMass, SlidingBlock
from ferrolab.validate import InvalidInput

from .mechanisms import CASES, LAWS

STEPPER = TimeStepping(5e-3, sweeps=40)

every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)
every_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)


def differences(f, x, probe=1e-6):
    x = np.array(x, dtype=float)
    return np.stack([(f(x + d) - f(x - d)) / (2 * probe) for d in probe * np.eye(len(x))], axis=-1)


@every_law
@every_case
def test_forward_and_reverse_agree(case, law):
    mechanism, start = case
    forward = march_jacobian(mechanism, law, start, 12, STEPPER, "forward")
    reverse = march_jacobian(mechanism, law, start, 12, STEPPER, "reverse")
    assert reverse.jacobian == pytest.approx(forward.jacobian, rel=1e-10, abs=1e-10)
    assert reverse.state == pytest.approx(march(mechanism, law, start, 12, STEPPER).state, rel=1e-14)


@every_law
@every_case
def test_forward_agrees_with_central_differences(case, law):
    mechanism, start = case
    found = march_jacobian(mechanism, law, start, 12, STEPPER).jacobian
    expected = differences(lambda x: march(mechanism, law, x, 12, STEPPER).state, start)
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-6 * np.max(np.abs(expected)))


@pytest.mark.parametrize("law", ["hard", "smoothed", "smoothed in each sweep", "penalty"])
@every_case
def test_the_implicit_derivative_is_that_of_the_converged_sweeps_or_is_refused(case, law):
    mechanism, start = case
    try:
        implicit = march_jacobian(mechanism, LAWS[law], start, 12, STEPPER, "implicit").jacobian
    except (ImpulsesNotUnique, SweepsNotConverged):
        # A bar with both ends stuck has four impulses for its three coordinates, and nearly so when they are scaled.
        assert isinstance(mechanism, Bar) and mechanism.friction > 0.0
        return
    forward = march_jacobian(mechanism, LAWS[law], start, 12, STEPPER).jacobian
    assert implicit == pytest.approx(forward, rel=1e-8, abs=1e-8)


def test_the_implicit_route_exists_where_friction_and_two_contacts_are_scaled_in_each_sweep():
    mechanism, start = CASES["bar"]
    law, many = LAWS["smoothed in each sweep"], TimeStepping(5e-3, sweeps=150)
    implicit = march_jacobian(mechanism, law, start, 11, many, "implicit").jacobian
    assert implicit == pytest.approx(march_jacobian(mechanism, law, start, 11, many).jacobian, rel=1e-8, abs=1e-8)


def test_the_implicit_route_refuses_too_few_sweeps():
    state = [0.0, -0.01, 0.0, 0.5, -1.0, 0.3]
    with pytest.raises(SweepsNotConverged, match="step 0 .* after 2 sweeps .* Use more sweeps"):
        march_jacobian(Bar(), HardImpulse(), state, 1, TimeStepping(5e-3, 2), "implicit")


def test_the_implicit_route_refuses_impulses_that_are_not_unique():
    with pytest.raises(ImpulsesNotUnique, match="not unique in 1 of the lanes"):
        march_jacobian(Bar(friction=0.9), HardImpulse(), [0, -0.01, 0, 0.01, -1.0, 0.3], 1, TimeStepping(5e-3, 300), "implicit")


def test_lanes_are_differentiated_each_on_its_own():
    mechanism, start = CASES["block"]
    lanes = np.array(start) + np.linspace(-0.01, 0.01, 6).reshape(2, 3, 1)
    for route in ("forward", "reverse", "implicit"):
        together = march_jacobian(mechanism, SmoothedImpulse(), lanes, 5, STEPPER, route).jacobian
        assert together.shape == (2, 3, 6, 6)
        alone = march_jacobian(mechanism, SmoothedImpulse(), lanes[1, 2], 5, STEPPER, route).jacobian
        assert together[1, 2] == pytest.approx(alone, rel=1e-12)


def test_hard_contact_is_flat_on_both_sides_of_touch_down_and_the_smoothed_one_is_not():
    for height in (0.19, 0.2):  # landed by 0.2 s, and not yet
        hard = march_jacobian(FallingMass(), HardImpulse(), [height, 0.0], 200, TimeStepping(1e-3)).jacobian
        smoothed = march_jacobian(FallingMass(), SmoothedImpulse(), [height, 0.0], 200, TimeStepping(1e-3)).jacobian
        assert hard[1, 0] == 0.0
        assert smoothed[1, 0] < -10.0


def test_the_derivative_by_actions_agrees_with_differences():
    block, law, start = SlidingBlock(0.4), SmoothedImpulse(), [0, 0, 0.005, 0.3, 0.1, -0.5]
    actions = np.random.default_rng(5).normal(size=(4, 3))
    found = action_jacobian(block, law, start, actions, 3, STEPPER)

    def end(flat):
        return march(block, law, start, 12, STEPPER, np.repeat(flat.reshape(4, 3), 3, axis=0)).state

    assert found.state == pytest.approx(end(actions.ravel()), rel=1e-14)
    assert found.jacobian == pytest.approx(differences(end, actions.ravel()), rel=1e-6, abs=1e-9)


def test_the_gradient_converges_with_the_sweeps_and_needs_more_of_them_than_the_state():
    found = iterations(Bar(friction=0.3), HardImpulse(), [0, 0, 0, 0.5, -1.0, 0.3], 5e-3)
    assert np.all(np.diff(found.state_error[:7]) < 0.0)
    assert np.all(np.diff(found.gradient_error[:7]) < 0.0)
    assert found.state_error[0] > 0.1 and found.gradient_error[0] > 0.1
    assert found.state_error[-1] < 1e-10 and found.gradient_error[-1] < 1e-10
    assert found.change[-1] < 1e-14


def test_an_unknown_route_is_refused():
    with pytest.raises(InvalidInput, match="route was 'backwards'; it must be one of forward, reverse, implicit"):
        march_jacobian(FallingMass(), HardImpulse(), [0.0, 0.0], 1, STEPPER, "backwards")


# The numbers themselves

ARGUMENTS = {1: (np.array([0.3, 1.7]),), 2: (np.array([0.3, -1.7]), np.array([0.9, 0.4]))}


@pytest.mark.parametrize("ufunc", PARTIALS, ids=lambda ufunc: ufunc.__name__)
def test_each_partial_agrees_with_differences(ufunc):
    arguments = ARGUMENTS[ufunc.nin]
    h = 1e-6
    for i, partial in enumerate(PARTIALS[ufunc]):
        def moved(by):
            return ufunc(*(a + by if j == i else a for j, a in enumerate(arguments)))

        expected = (moved(h) - moved(-h)) / (2 * h)
        assert partial(ufunc(*arguments), *arguments) * np.ones(2) == pytest.approx(expected, rel=1e-8, abs=1e-9)


def test_forward_and_reverse_numbers_agree_on_a_function_that_uses_everything():
    def f(x, y):
        a = np.sqrt(np.exp(x) + y * y) / (1.0 + np.cos(y))
        b = np.maximum(a - x, 0.5) + np.minimum(np.sin(a), 2.0) - np.logaddexp(x, -y)
        return [a * b, 3.0 - b / x]

    x = [np.array([0.3, 1.1]), np.array([-0.7, 0.2])]
    forward = tangents(f(*seeded(x)))
    tape = Tape()
    variables = [tape.variable(value) for value in x]
    outputs = f(*variables)
    rows = [np.array([[1.0, 1.0], [0.0, 0.0]]), np.array([[0.0, 0.0], [1.0, 1.0]])]
    pulled = tape.pull_back(outputs, rows, variables)
    assert np.moveaxis(np.array(pulled), (0, 1, 2), (2, 1, 0)) == pytest.approx(forward, rel=1e-13)


def test_a_function_without_a_partial_is_named():
    with pytest.raises(NotImplementedError, match="arctan has no derivative here"):
        np.arctan(Dual(np.array(1.0), np.array([1.0])))


def test_comparisons_look_at_the_value():
    assert list(seeded([np.array([1.0, 2.0])])[0] > 1.5) == [False, True]
