"""The plain-float paths are held to the numpy definitions beside them."""

import numpy as np
import pytest
from ferrolab.contact import ClampedDamper, HuntCrossley, KelvinVoigt
from ferrolab.derivative import restitution
from ferrolab.integrate import FIXED_STEPPERS, DormandPrince
from ferrolab.integrate.dormand_prince import adapt, adapt_in_floats
from ferrolab.integrate.leap import plain_step
from ferrolab.integrate.walk import one_sided, step_of, walk
from ferrolab.systems import BouncingMass

LAWS = {"kelvin-voigt": KelvinVoigt(3e4, 0.3), "hunt-crossley": HuntCrossley(3e4, 0.12)}


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("rtol", [1e-6, 1e-9, 1e-11])
def test_the_adaptive_rollout_agrees_to_its_tolerance(name, rtol):
    law, stepper, start = LAWS[name], DormandPrince(rtol=rtol), (0.01, -3.0)
    system = BouncingMass(law)
    above = lambda h, v: (h > 0.0) & (v > 0.0)  # noqa: E731
    floats = adapt_in_floats(stepper, one_sided(law.in_floats()), system.gravity, start, 0.2, above)
    y = np.array(start)[:, None, None]
    arrays, _, _ = adapt(stepper, system.variational_field, y, 0.2, until=lambda x: above(x[0], x[1]))
    # In flight the error estimate is pure rounding, so the step sizes part there and the end is met at another
    # moment; the energy of the flight is the same at every moment.
    energy = [v * v + 2.0 * system.gravity * h for h, v in (floats, arrays[:, 0, 0])]
    assert energy[0] == pytest.approx(energy[1], rel=1e3 * rtol)


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
    # Nine lanes are dropped together in numpy, one lane alone in floats.
    k = 10.0 ** np.linspace(2, 8, 9)
    speed, stepper = np.full(9, 4.4), DormandPrince(rtol=1e-11)
    together = restitution(BouncingMass(KelvinVoigt(k)), speed, stepper)
    alone = [restitution(BouncingMass(KelvinVoigt(one)), speed[:1], stepper)[0] for one in k]
    np.testing.assert_allclose(alone, together, rtol=1e-8)


def test_a_law_without_floats_still_drops():
    law = ClampedDamper(1e4, 30.0)
    e = restitution(BouncingMass(law), np.array([4.4]), DormandPrince(rtol=1e-10))
    assert 0.0 < e[0] < 1.0
