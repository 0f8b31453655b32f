"""Many steps of a bilinear contact at once are held to the walk through every one of them."""

import numpy as np
import pytest
from ferrolab.contact import HuntCrossley
from ferrolab.integrate import ExplicitEuler, RungeKutta4, SemiImplicitEuler
from ferrolab.integrate.glide import cross, glide
from ferrolab.integrate.walk import one_sided, step_of, walk

GRAVITY, MOST = 9.81, 40_000


def contact(stiffness, dissipation, stepper):
    law = HuntCrossley(stiffness, dissipation)
    push = one_sided(law.in_floats())
    return law.bilinear(), step_of(stepper, push, GRAVITY), lambda h, v: push(h, v)[0] > 0.0


@pytest.mark.parametrize("past", [True, False])
@pytest.mark.parametrize("dissipation", [0.0, 0.12, 0.6])
@pytest.mark.parametrize("stiffness, dt", [(1e2, 1e-5), (1e4, 1e-6)])
@pytest.mark.parametrize("start", [(-1e-6, -4.43), (-3e-3, 1.1), (-0.02, 0.0)])
def test_a_glide_ends_where_the_walk_ends(start, stiffness, dt, dissipation, past):
    bilinear, step, going = contact(stiffness, dissipation, RungeKutta4(dt))
    y = np.array([[start[0], 1.0, 0.0], [start[1], 0.0, 1.0]])
    glided, _ = glide(bilinear, GRAVITY, RungeKutta4(dt), going, y, MOST)
    assert glided > 100, "or nothing is tested"
    taken, end = cross(bilinear, GRAVITY, RungeKutta4(dt), step, going, y, MOST, past)
    walked, expected = walk(step, going, y, MOST, past)
    assert taken == walked
    np.testing.assert_allclose(end, expected, rtol=1e-11, atol=1e-11)


def test_a_mass_at_rest_in_contact_glides_to_the_end():
    stepper = RungeKutta4(1e-5)
    bilinear, step, going = contact(1e2, 0.12, stepper)
    y = np.array([[-GRAVITY / 1e2 - 0.01], [0.05]])
    taken, end = cross(bilinear, GRAVITY, stepper, step, going, y, MOST, True)
    _, expected = walk(step, going, y, MOST, True)
    assert taken == MOST == glide(bilinear, GRAVITY, stepper, going, y, MOST)[0]
    np.testing.assert_allclose(end, expected, rtol=1e-12)


@pytest.mark.parametrize("stepper", [SemiImplicitEuler(1e-6), ExplicitEuler(1e-6), RungeKutta4(1e-4)])
def test_steps_whose_own_error_can_be_seen_are_walked(stepper):
    bilinear, _, going = contact(1e4, 0.12, stepper)
    y = np.array([[-1e-4], [-4.0]])
    taken, same = glide(bilinear, GRAVITY, stepper, going, y, MOST)
    assert taken == 0
    np.testing.assert_array_equal(same, y)


def test_a_fast_entry_makes_the_flow_steeper_and_is_walked():
    bilinear, _, going = contact(1e2, 0.12, RungeKutta4(1e-5))
    assert glide(bilinear, GRAVITY, RungeKutta4(1e-5), going, np.array([[-1e-6], [-4.0]]), MOST)[0] > 0
    assert glide(bilinear, GRAVITY, RungeKutta4(1e-5), going, np.array([[-1e-6], [-4000.0]]), MOST)[0] == 0
