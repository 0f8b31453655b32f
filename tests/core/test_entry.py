"""The moment of touch-down: the jump, the contact's length, the force around it."""

import numpy as np
import pytest

from ferrolab.audit import Settings
from ferrolab.audit.entry import entry, force_near_entry
from ferrolab.validate import InvalidInput

SPEED = np.sqrt(2 * 9.81)


@pytest.mark.parametrize("k", [1e2, 1e4, 1e6, 1e8])
def test_a_spring_damper_jumps_by_its_damping_times_the_speed_and_hunt_crossley_does_not(k):
    c = 2 * 0.1606 * np.sqrt(k)
    jumping, smooth = entry(Settings(stiffness=k)), entry(Settings(stiffness=k, law="hunt-crossley"))
    assert jumping.jump == pytest.approx(c * SPEED, rel=1e-12)
    assert jumping.saltation == [[1.0, 0.0], [pytest.approx(-c, rel=1e-12), 1.0]]
    assert (smooth.jump, smooth.saltation) == (0.0, [[1.0, 0.0], [0.0, 1.0]])
    assert jumping.impact_time == smooth.impact_time == pytest.approx(np.sqrt(2 / 9.81), rel=1e-14)


@pytest.mark.parametrize(("k", "dt", "steps"), [(1e4, 1e-4, 292), (1e6, 1e-4, 29), (1e8, 1e-4, 4), (1e8, 1e-5, 29)])
def test_the_steps_in_contact_are_the_published_ones(k, dt, steps):
    assert entry(Settings(stiffness=k)).steps(dt) == steps


def test_a_contact_is_over_once_the_force_has_gone_and_is_counted_once():
    """The horizon leaves time for one contact; what is reported is that one."""
    found = entry(Settings(stiffness=1e6))
    half_turn = np.pi / np.sqrt(1e6 * (1 - 0.1606**2))
    assert 0.8 * half_turn < found.contact_time < half_turn


@pytest.mark.parametrize("law", ["kelvin-voigt", "hunt-crossley"])
def test_the_force_sums_up_to_the_change_of_momentum(law):
    """Over the contact, the impulse is the change of velocity plus what gravity took."""
    settings = Settings(stiffness=1e4, law=law)
    lasts = entry(settings).contact_time
    time, force = force_near_entry(settings, (0.0, lasts), samples=4001)
    impulse = np.sum(0.5 * (force[1:] + force[:-1]) * np.diff(time))
    # The same flow, stepped finely by the definition.
    h, v, dt = 0.0, -SPEED, lasts / 40_000
    for _ in range(40_000):
        middle = h + 0.5 * dt * v
        push = float(np.maximum(settings.system(np.array([1e4])).law.unclamped_force(np.array([middle]), np.array([v]))[0], 0))
        v += dt * (push - 9.81)
        h = middle + 0.5 * dt * v
    assert impulse == pytest.approx(v + SPEED + 9.81 * lasts, rel=2e-4)


def test_the_samples_show_the_jump_as_two_forces_at_one_time():
    time, force = force_near_entry(Settings(stiffness=1e6), (-1e-3, 1e-3), samples=5)
    assert time.tolist()[:3] == [-1e-3, 0.0, 0.0]
    assert force.tolist()[:2] == [0.0, 0.0]
    assert force[2] == pytest.approx(321.2 * SPEED)
    smooth = force_near_entry(Settings(stiffness=1e6, law="hunt-crossley"), (-1e-3, 1e-3), samples=5)[1]
    assert smooth[2] == 0.0 and smooth[3] > 0.0


def test_no_force_acts_after_the_contact():
    time, force = force_near_entry(Settings(stiffness=1e6), (0.0, 0.01))
    assert np.all(force[time > 0.00287] == 0.0)


def test_a_drop_that_does_not_arrive_has_no_contact():
    assert entry(Settings(stiffness=1e6, horizon=0.3)).contact_time == 0.0


@pytest.mark.parametrize("window", [(0.0, 0.0), (1e-3, 2e-3), (np.nan, 1.0)])
def test_a_window_that_misses_touch_down_is_refused(window):
    with pytest.raises(InvalidInput, match="window"):
        force_near_entry(Settings(stiffness=1e6), window)


def test_a_rigid_impact_has_no_force_to_sample():
    rigid = Settings(stiffness=1e6, law="rigid")
    for call in (entry, lambda s: force_near_entry(s, (0.0, 1e-3))):
        with pytest.raises(InvalidInput, match="law"):
            call(rigid)
