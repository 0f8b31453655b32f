"""An independent witness for the word "autodiff": the same rollouts, written plainly, differentiated by a tape.

The tape is the package `autograd`. The rollouts below share no code with ferrolab: floats, `if`, and the formulas.
"""

from __future__ import annotations

import autograd
import autograd.numpy as anp
import numpy as np
import pytest

from ferrolab.audit import Settings, readout
from ferrolab.contact import HuntCrossley, KelvinVoigt, RigidImpact
from ferrolab.derivative import Autodiff, base, jacobian
from ferrolab.integrate import FIXED_STEPPERS, DormandPrince
from ferrolab.systems import BouncingMass

G = 9.81
AGREEMENT = 1e-10  # relative to the largest entry: what the issue asks


def kelvin_voigt(k, zeta=0.1606):
    c = 2 * zeta * k**0.5

    def acceleration(h, v):
        if h < 0:
            push = -k * h - c * v
            if push > 0:
                return push - G
        return -G

    return acceleration


def hunt_crossley(k, a=0.12):
    def acceleration(h, v):
        if h < 0:
            push = k * (-h) * (1 - a * v)
            if push > 0:
                return push - G
        return -G

    return acceleration


def free(h, v):
    return -G


def semi_implicit(a, h, v, dt):
    v = v + dt * a(h, v)
    return h + dt * v, v


def explicit(a, h, v, dt):
    return h + dt * v, v + dt * a(h, v)


def classical(a, h, v, dt):
    h1, v1 = v, a(h, v)
    h2, v2 = v + dt / 2 * v1, a(h + dt / 2 * h1, v + dt / 2 * v1)
    h3, v3 = v + dt / 2 * v2, a(h + dt / 2 * h2, v + dt / 2 * v2)
    h4, v4 = v + dt * v3, a(h + dt * h3, v + dt * v3)
    return h + dt / 6 * (h1 + 2 * h2 + 2 * h3 + h4), v + dt / 6 * (v1 + 2 * v2 + 2 * v3 + v4)


STEPS = {"semi-implicit-euler": semi_implicit, "explicit-euler": explicit, "rk4": classical}


def taped(step, acceleration, dt, steps, restitution=None):
    def rollout(x):
        h, v = x[0], x[1]
        for _ in range(steps):
            if restitution is not None and h < 0 and v < 0:
                v = -restitution * v
            h, v = step(acceleration, h, v, dt)
        return anp.array([h, v])

    return rollout


def compare(found, rollout, x0):
    x0 = np.array(x0)
    expected = autograd.jacobian(rollout)(x0)
    scale = np.max(np.abs(expected))
    np.testing.assert_allclose(found.state, rollout(x0), rtol=0, atol=AGREEMENT)
    np.testing.assert_allclose(found.jacobian, expected, rtol=0, atol=AGREEMENT * scale)
    return expected


@pytest.mark.parametrize("name", sorted(STEPS))
@pytest.mark.parametrize("k, dt, steps, start", [
    (1e3, 1e-3, 800, (1.0, 0.0)),  # the lesson's drop, coarse
    (1e4, 4e-4, 600, (0.1, -1.0)),  # one stiff impact
    (1e3, 1e-3, 500, (0.02, -0.5)),  # several impacts
    (1e2, 2e-3, 100, (-0.02, -1.0)),  # starts in contact
])  # fmt: skip
def test_a_tape_through_the_spring_damper_rollout_returns_the_same_jacobian(name, k, dt, steps, start):
    found = jacobian(BouncingMass(KelvinVoigt(k)), start, steps * dt, FIXED_STEPPERS[name](dt), Autodiff())
    compare(found, taped(STEPS[name], kelvin_voigt(k), dt, steps), start)


@pytest.mark.parametrize("name", sorted(STEPS))
def test_a_tape_through_an_overdamped_rollout_returns_the_same_jacobian(name):
    found = jacobian(BouncingMass(KelvinVoigt(1e3, 1.7)), [0.1, -1.0], 0.25, FIXED_STEPPERS[name](5e-4), Autodiff())
    compare(found, taped(STEPS[name], kelvin_voigt(1e3, 1.7), 5e-4, 500), [0.1, -1.0])


@pytest.mark.parametrize("name", sorted(STEPS))
def test_a_tape_through_the_hunt_crossley_rollout_returns_the_same_jacobian(name):
    found = jacobian(BouncingMass(HuntCrossley(1e4)), [0.1, -1.0], 0.24, FIXED_STEPPERS[name](4e-4), Autodiff())
    compare(found, taped(STEPS[name], hunt_crossley(1e4), 4e-4, 600), [0.1, -1.0])


@pytest.mark.parametrize("name", sorted(STEPS))
def test_a_tape_through_rigid_impacts_on_a_grid_returns_the_same_jacobian(name):
    found = jacobian(BouncingMass(RigidImpact(0.7)), [0.1, -1.0], 0.5, FIXED_STEPPERS[name](1e-3), Autodiff())
    J = compare(found, taped(STEPS[name], free, 1e-3, 500, restitution=0.7), [0.1, -1.0])
    assert J[1, 0] == 0.0  # the tape does not see the impact time at all


def test_a_tape_returns_the_wrong_sign_the_readout_shows():
    # 8000 steps through a tape are slow; ten times the step shows the same sign at a hundredth of the stiffness.
    setting = Settings(1e4, dt=1e-3)
    rollout = taped(semi_implicit, kelvin_voigt(1e4), 1e-3, 800)
    expected = autograd.jacobian(rollout)(np.array([1.0, 0.0]))
    found = readout(setting)
    assert found.entry == pytest.approx(expected[1, 0], rel=AGREEMENT)
    assert found.sign_agrees is False and expected[1, 0] < 0 < found.entry_exact


DP_ROWS = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
)
DP_FIFTH = (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)


def fifth_order(a, h, v, dt):
    slopes = [(v, a(h, v))]
    for row in DP_ROWS:
        hs = h + dt * sum(w * s[0] for w, s in zip(row, slopes))
        vs = v + dt * sum(w * s[1] for w, s in zip(row, slopes))
        slopes.append((vs, a(hs, vs)))
    return h + dt * sum(w * s[0] for w, s in zip(DP_FIFTH, slopes)), v + dt * sum(w * s[1] for w, s in zip(DP_FIFTH, slopes))


@pytest.mark.parametrize("law, acceleration", [
    (KelvinVoigt(1e4), kelvin_voigt(1e4)),
    (HuntCrossley(1e4), hunt_crossley(1e4)),
], ids=["kelvin-voigt", "hunt-crossley"])  # fmt: skip
def test_a_tape_through_the_accepted_steps_of_the_tolerance_returns_the_same_jacobian(monkeypatch, law, acceleration):
    sizes = []
    real = DormandPrince.error_ratio

    def recording(stepper, x, new, error):
        ratio = real(stepper, x, new, error)
        if ratio[0] <= 1.0:
            sizes.append(recording.h)
        return ratio

    attempt = DormandPrince.attempt

    def watched(stepper, field, y, h):
        recording.h = float(np.atleast_1d(h)[0])
        return attempt(stepper, field, y, h)

    monkeypatch.setattr(DormandPrince, "error_ratio", recording)
    monkeypatch.setattr(DormandPrince, "attempt", watched)
    monkeypatch.setattr(base, "fits", lambda system, lanes: False)  # the definition, which the lanes in floats are held to
    found = jacobian(BouncingMass(law), [1.0, 0.0], 0.8, DormandPrince(rtol=1e-8), Autodiff())
    assert sum(sizes) == pytest.approx(0.8, abs=1e-13) and len(sizes) == found.stats.accepted

    def rollout(x):
        h, v = x[0], x[1]
        for size in sizes:
            h, v = fifth_order(acceleration, h, v, size)
        return anp.array([h, v])

    compare(found, rollout, [1.0, 0.0])
