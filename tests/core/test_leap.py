"""Leaping over steps against taking them one by one: the same states, tangents and counts, at a fraction of the work."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import ferrolab.integrate.leap as leaping
from ferrolab.contact import HuntCrossley, KelvinVoigt, RigidImpact
from ferrolab.derivative.base import seeded, unstable
from ferrolab.integrate import FIXED_STEPPERS, RungeKutta4, SemiImplicitEuler
from ferrolab.integrate.leap import leap, march, plain_step
from ferrolab.systems import BouncingMass

RELATIVE = 1e-9  # of the largest entry: what the issue asks of the fast path
ABOVE_AND_RISING = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))

steppers = st.sampled_from(sorted(FIXED_STEPPERS))
# Up to three lanes with their own stiffness and start; negative heights start in contact (or parting).
lanes = st.lists(
    st.tuples(st.floats(2.0, 6.0), st.floats(-0.05, 1.0), st.floats(-4.0, 4.0)), min_size=1, max_size=3
)
damping = st.one_of(st.just(0.0), st.floats(0.0, 0.98), st.floats(1.02, 3.0))


def relative(found, expected):
    scale = np.maximum(np.max(np.abs(expected), axis=(0, 1)), 1.0)
    return np.max(np.abs(found - expected) / scale)


def march_until(system, stepper, y, steps, until):
    """The definition of `until`: stop a lane at the first state where every function is positive."""
    left = np.full(y.shape[-1], float(steps))
    while True:
        x = y[:, 0]
        met = np.all([a * x[0] + b * x[1] + c > 0.0 for a, b, c in until], axis=0)
        left = np.where(met, 0.0, left)
        if not np.any(left > 0):
            return y, left
        y = np.where(left > 0, plain_step(system, stepper, y), y)
        left = np.maximum(left - 1, 0)


def well_posed(rollout, y) -> bool:
    """True where the definition answers alike for starts 2e-11 apart: there rounding cannot excuse a difference.

    It can where a state lies within rounding of the plane, or where undamped bounces on a coarse grid are chaotic.
    """
    answers = []
    for sign in (-1.0, 1.0):
        nudged = y.copy()
        nudged[:, 0] += sign * 1e-11
        answers.append(rollout(nudged))
    return bool(relative(answers[0], answers[1]) < RELATIVE)


def assert_same(rollout, found, y) -> None:
    if relative(found, rollout(y)) >= RELATIVE:
        assert not well_posed(rollout, y), f"differs by {relative(found, rollout(y)):.2g}, and not for rounding"


def stable_step(system, stepper_name, lanes_count) -> float:
    """A step as coarse as this stepper holds on these lanes, of the ones tried."""
    for dt in (2e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6):
        if not np.any(unstable(system, FIXED_STEPPERS[stepper_name](dt), lanes_count)):
            k = np.max(system.law.stiffness)
            if dt * np.sqrt(k) < 1.0 and dt * np.max(system.law.damping) < 1.0:
                return dt
    return 1e-6


def case_of(starts, zeta):
    log_k, h, v = np.array(starts).T
    # A start far below a stiff plane is shot up: keep the energy of the spring at a few metres' worth.
    h = np.where(h < 0.0, h * 10.0 ** (-(log_k - 2.0) / 2.0), h)
    return BouncingMass(KelvinVoigt(10.0**log_k, zeta)), seeded(np.stack([h, v]))


@settings(max_examples=120, deadline=None)
@given(starts=lanes, zeta=damping, name=steppers, steps=st.integers(1, 1500))
@example(starts=[(4.0, 0.02, 0.0)], zeta=0.01, name="rk4", steps=1500)  # several impacts
@example(starts=[(4.0, 0.02, 0.0)], zeta=0.01, name="explicit-euler", steps=1500)
@example(starts=[(2.0, -0.05, -1.0)], zeta=2.5, name="semi-implicit-euler", steps=1500)  # over-critical, starts pressed in
@example(starts=[(2.0, 0.0, -1.0)], zeta=0.1606, name="semi-implicit-euler", steps=900)  # starts on the plane
def test_leaping_agrees_with_marching_for_the_spring_damper(starts, zeta, name, steps):
    system, y = case_of(starts, zeta)
    stepper = FIXED_STEPPERS[name](stable_step(system, name, len(starts)))
    found, taken = leap(system, stepper, y, steps)
    np.testing.assert_array_equal(taken, steps)
    assert_same(lambda start: march(system, stepper, start, steps), found, y)


@settings(max_examples=40, deadline=None)
@given(starts=lanes, e=st.floats(0.0, 1.2), name=steppers, steps=st.integers(1, 800))
def test_leaping_agrees_with_marching_for_the_rigid_law(starts, e, name, steps):
    _, h, v = np.array(starts).T
    system, y, stepper = BouncingMass(RigidImpact(np.full(len(starts), e))), seeded(np.stack([h, v])), FIXED_STEPPERS[name](2e-3)
    found, _ = leap(system, stepper, y, steps)
    assert_same(lambda start: march(system, stepper, start, steps), found, y)


@settings(max_examples=30, deadline=None)
@given(starts=lanes, a=st.floats(0.0, 0.3), name=steppers, steps=st.integers(1, 800))
def test_leaping_agrees_with_marching_for_hunt_crossley(starts, a, name, steps):
    log_k, h, v = np.array(starts).T
    log_k, h = np.minimum(log_k, 4.0), np.maximum(h, -0.01)
    system, y = BouncingMass(HuntCrossley(10.0**log_k, a)), seeded(np.stack([h, v]))
    stepper = FIXED_STEPPERS[name](1e-3)
    found, _ = leap(system, stepper, y, steps)
    assert_same(lambda start: march(system, stepper, start, steps), found, y)


@pytest.mark.parametrize("name", sorted(FIXED_STEPPERS))
@pytest.mark.parametrize("zeta", [0.0, 0.05, 0.1606, 0.98, 2.0])
def test_leaping_over_the_lesson_s_drop_agrees_with_marching(name, zeta):
    # A fixed set beside the random one, with no way out: 1 m, three stiffnesses, one to three impacts.
    system = BouncingMass(KelvinVoigt([1e2, 1e4, 3e5], zeta))
    y = seeded(np.array([[1.0, 0.3, 0.05], [0.0, 1.0, -1.0]]))
    stepper = FIXED_STEPPERS[name](1e-4)
    assert relative(leap(system, stepper, y, 8000)[0], march(system, stepper, y, 8000)) < RELATIVE


@pytest.mark.parametrize("name", sorted(FIXED_STEPPERS))
@pytest.mark.parametrize(
    "law", [KelvinVoigt([1e3, 1e5], 0.1606), RigidImpact([0.3, 0.9])], ids=["kelvin-voigt", "rigid"]
)
def test_a_lane_stops_at_the_first_state_that_meets_the_condition(name, law):
    system, stepper = BouncingMass(law), FIXED_STEPPERS[name](1e-4)
    y = seeded(np.array([[0.0, 0.0], [-4.4, -4.4]]))
    found, taken = leap(system, stepper, y, 20_000, until=ABOVE_AND_RISING)
    expected, left = march_until(system, stepper, y, 20_000, ABOVE_AND_RISING)
    assert relative(found, expected) < RELATIVE
    x = found[:, 0]
    assert np.all((x[0] > 0) & (x[1] > 0))
    # Steps that were not taken are counted as taken when a lane is stopped: the definition here counts alike.
    np.testing.assert_array_equal(taken, 20_000 - left)


@settings(max_examples=40, deadline=None)
@given(starts=lanes, zeta=damping, name=steppers)
def test_stopping_early_agrees_with_marching_from_random_starts(starts, zeta, name):
    system, y = case_of(starts, zeta)
    stepper = FIXED_STEPPERS[name](stable_step(system, name, len(starts)))
    found, _ = leap(system, stepper, y, 1200, until=ABOVE_AND_RISING)
    assert_same(lambda start: march_until(system, stepper, start, 1200, ABOVE_AND_RISING)[0], found, y)


def test_each_lane_takes_its_own_number_of_steps():
    system, stepper = BouncingMass(KelvinVoigt([1e4, 1e4, 1e6, 1e2])), SemiImplicitEuler(dt=1e-4)
    y = seeded(np.array([[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0]]))
    steps = np.array([0, 4600, 8000, 5000])
    found, taken = leap(system, stepper, y, steps)
    np.testing.assert_array_equal(taken, steps)
    for lane, count in enumerate(steps):
        alone = BouncingMass(KelvinVoigt(system.law.stiffness[lane : lane + 1]))
        assert relative(found[..., lane : lane + 1], march(alone, stepper, y[..., lane : lane + 1], int(count))) < RELATIVE


def test_leaping_leaves_its_arguments_as_they_were():
    system, y = BouncingMass(KelvinVoigt([1e4])), seeded(np.array([[1.0], [0.0]]))
    before = y.copy()
    leap(system, RungeKutta4(dt=1e-3), y, 800)
    np.testing.assert_array_equal(y, before)


def plain_steps_of(monkeypatch, k: float, dt: float, name: str) -> int:
    """How many times the leap fell back on a plain step, over the lesson's horizon."""
    calls = 0
    real = plain_step

    def counting(*arguments):
        nonlocal calls
        calls += 1
        return real(*arguments)

    monkeypatch.setattr(leaping, "plain_step", counting)
    system = BouncingMass(KelvinVoigt(np.array([k])))
    leap(system, FIXED_STEPPERS[name](dt), seeded(np.array([[1.0], [0.0]])), round(0.8 / dt))
    monkeypatch.undo()
    return calls


@pytest.mark.parametrize("name", sorted(FIXED_STEPPERS))
@pytest.mark.parametrize("log_k", [2.0, 4.0, 6.0, 7.0])
def test_a_hundred_times_finer_step_costs_at_most_twice_the_array_operations(monkeypatch, name, log_k):
    coarse, fine = (plain_steps_of(monkeypatch, 10.0**log_k, dt, name) for dt in (1e-4, 1e-6))
    assert fine <= max(2 * coarse, 8), f"{fine} plain steps at 1e-6, {coarse} at 1e-4"
    assert fine < 40  # of 800,000: per event, not per step


def test_a_sweep_of_all_slider_positions_costs_per_event_too(monkeypatch):
    calls = 0
    real = plain_step

    def counting(*arguments):
        nonlocal calls
        calls += 1
        return real(*arguments)

    monkeypatch.setattr(leaping, "plain_step", counting)
    k = 10.0 ** np.linspace(2, 8, 601)
    counts = []
    for dt in (1e-4, 1e-6):
        calls = 0
        leap(BouncingMass(KelvinVoigt(k)), SemiImplicitEuler(dt=dt), seeded(np.stack([np.ones(601), np.zeros(601)])), round(0.8 / dt))
        counts.append(calls)
    assert counts[1] <= 2 * counts[0]


# One tape of the definition: a step written out by hand, at a state in flight and at one in contact.
@pytest.mark.parametrize("h, v", [(0.5, -1.0), (-1e-3, -1.0)])
def test_a_plain_step_of_semi_implicit_euler_is_the_published_formula(h, v):
    k, zeta, dt, g = 1e4, 0.1606, 1e-4, 9.81
    c = 2 * zeta * np.sqrt(k)
    push = max(0.0, -k * h - c * v) if h < 0 else 0.0
    faster = v + dt * (push - g)
    y = plain_step(BouncingMass(KelvinVoigt(np.array([k]), zeta)), SemiImplicitEuler(dt=dt), seeded(np.array([[h], [v]])))
    np.testing.assert_allclose(y[:, 0, 0], [h + dt * faster, faster], rtol=1e-15)
    on = float(push > 0)
    row = np.array([-dt * k * on, 1 - dt * c * on])
    np.testing.assert_allclose(y[:, 1:, 0], np.array([np.array([1.0, 0.0]) + dt * row, row]), rtol=1e-15)
