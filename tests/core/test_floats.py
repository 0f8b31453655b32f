"""The plain-float paths are held to the numpy definitions beside them."""

import numpy as np
import pytest
from ferrolab.contact import ClampedDamper, HuntCrossley, KelvinVoigt
from ferrolab.derivative import restitution
from ferrolab.derivative.base import seeded
from ferrolab.integrate import FIXED_STEPPERS, DormandPrince
from ferrolab.integrate.adapt_lane import adapt_lanes, fits
from ferrolab.integrate.dormand_prince import adapt
from ferrolab.integrate.leap import plain_step
from ferrolab.integrate.walk import one_sided, step_of, walk
from ferrolab.status import Status
from ferrolab.systems import BouncingMass

LAWS = {"kelvin-voigt": KelvinVoigt(3e4, 0.3), "hunt-crossley": HuntCrossley(3e4, 0.12)}


@pytest.mark.parametrize("damping_ratio", [0.0, 0.1606, 0.7, 1.5])
@pytest.mark.parametrize("rtol", [1e-4, 1e-8, 1e-11])
def test_lanes_in_floats_take_the_very_steps_of_the_definition(rtol, damping_ratio):
    # To the last digit: at such a tolerance a step rounded in another way is followed by another one.
    k = 10.0 ** np.linspace(2, 8, 9)
    # An overdamped mass ends on the plane, where the products of hundreds of clattering steps cancel.
    same_as_the_definition(BouncingMass(KelvinVoigt(k, damping_ratio)), DormandPrince(rtol=rtol), tangents=damping_ratio < 1.0)


@pytest.mark.parametrize("rtol", [1e-4, 1e-8, 1e-11])
def test_so_do_lanes_of_a_law_without_a_closed_form(rtol):
    same_as_the_definition(BouncingMass(HuntCrossley(10.0 ** np.linspace(2, 8, 9), 0.12)), DormandPrince(rtol=rtol))


def same_as_the_definition(system, stepper, tangents=True):
    x = np.stack([np.linspace(0.9, 1.1, 9), np.linspace(-0.1, 0.1, 9)])
    assert fits(system, 9)
    y, status, stats = adapt_lanes(system, stepper, seeded(x), 0.8)
    defined, defined_status, defined_stats = adapt(stepper, system.variational_field, seeded(x), 0.8)
    np.testing.assert_array_equal(y[:, 0], defined[:, 0])
    np.testing.assert_array_equal(status, defined_status)
    for name in ("accepted", "rejected", "evaluations"):
        np.testing.assert_array_equal(getattr(stats, name), getattr(defined_stats, name))
    if not tangents:
        return
    # They decide nothing, so their order of summing is free; what cancels in them sets their scale.
    scale = np.maximum(np.abs(defined[:, 1:]).max(axis=(0, 1)), 1e3)
    np.testing.assert_allclose(y[:, 1:] / scale, defined[:, 1:] / scale, rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("law", [KelvinVoigt(1e6), HuntCrossley(1e6)], ids=["kelvin-voigt", "hunt-crossley"])
def test_lanes_in_floats_give_up_as_the_definition_does(law):
    system, stepper = BouncingMass(law), DormandPrince(rtol=1e-11, max_steps=50)
    y = seeded(np.array([[1.0], [0.0]]))
    ours, defined = adapt_lanes(system, stepper, y, 0.8), adapt(stepper, system.variational_field, y, 0.8)
    np.testing.assert_array_equal(ours[0][:, 0], defined[0][:, 0])
    assert ours[1] == defined[1] == Status.STEP_LIMIT
    far = seeded(np.array([[-1e300], [-1e300]]))
    with np.errstate(over="ignore", invalid="ignore"):
        ours, defined = adapt_lanes(system, stepper, far, 0.8), adapt(stepper, system.variational_field, far, 0.8)
    assert ours[1] == defined[1] and ours[2] == defined[2]


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("stepper", FIXED_STEPPERS)
def test_a_walk_is_the_plain_steps_with_their_jacobian(name, stepper):
    law, method = LAWS[name], FIXED_STEPPERS[stepper](1e-4)
    system = BouncingMass(law)
    push = one_sided(law.in_floats())
    y = np.array([[-1e-6, 1.0, 0.0], [-3.0, 0.0, 1.0]])
    taken, walked = walk(step_of(method, push, system.gravity), lambda h, v: push(h, v)[0] > 0.0, y, 10_000, past=True)
    marched = y[..., None]
    for _ in range(taken):
        assert system.touching(marched[:, 0])[0]
        marched = plain_step(system, method, marched)
    assert not system.touching(marched[:, 0])[0]
    np.testing.assert_allclose(walked, marched[..., 0], rtol=1e-10, atol=1e-12)


def test_stopping_in_front_leaves_the_last_state_in_contact():
    law, method = LAWS["hunt-crossley"], FIXED_STEPPERS["rk4"](1e-4)
    push = law.in_floats()
    step, going = step_of(method, push, 9.81), lambda h, v: push(h, v)[0] > 0.0
    y = np.array([[-1e-6], [-3.0]])
    short, before = walk(step, going, y, 10_000, past=False)
    long, after = walk(step, going, y, 10_000, past=True)
    assert long == short + 1
    assert going(*before[:, 0]) and not going(*after[:, 0])


def test_the_drop_test_is_the_same_in_floats_and_in_numpy():
    # Forty lanes are dropped together in numpy, one lane alone in floats.
    k = 10.0 ** np.linspace(2, 8, 40)
    speed, stepper = np.full(40, 4.4), DormandPrince(rtol=1e-11)
    assert not fits(BouncingMass(KelvinVoigt(k)), 40)
    together = restitution(BouncingMass(KelvinVoigt(k)), speed, stepper)
    alone = [restitution(BouncingMass(KelvinVoigt(one)), speed[:1], stepper)[0] for one in k]
    np.testing.assert_array_equal(alone, together)


def test_a_law_without_floats_still_drops():
    law = ClampedDamper(1e4, 30.0)
    e = restitution(BouncingMass(law), np.array([4.4]), DormandPrince(rtol=1e-10))
    assert 0.0 < e[0] < 1.0
