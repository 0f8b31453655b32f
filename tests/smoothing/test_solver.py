"""The contact solver against independent references: least squares, Coulomb's conditions, textbook impacts."""

import numpy as np
import pytest
from .mechanisms import CASES, LAWS
from scipy.optimize import nnls

from ferrolab.contact import HardImpulse, PenaltyImpulse, SmoothedImpulse
from ferrolab.integrate.gauss_seidel import ContactProblem, solve, solve_with_history
from ferrolab.integrate.time_stepping import TimeStepping, march
from ferrolab.smoothing import readings
from ferrolab.status import Status
from ferrolab.systems import Bar, FallingMass, SlidingBlock
from ferrolab.validate import InvalidInput

DT = 2e-3


def random_problem(rng, contacts, directions, friction):
    """A dense problem as matrices, and as the solver takes it."""
    n = contacts * directions
    root = rng.normal(size=(n, n + 2))
    G, b = root @ root.T + 0.1 * np.eye(n), rng.normal(size=n)
    split = lambda a: [list(row) for row in a.reshape(contacts, directions)]
    delassus = [[split(G[i * directions + a]) for a in range(directions)] for i in range(contacts)]
    ones = [1.0] * contacts
    return G, b, ContactProblem(split(b), delassus, ones, ones, "converged", friction)


@pytest.mark.parametrize("seed", range(8))
def test_without_friction_it_solves_the_complementarity_problem(seed):
    G, b, problem = random_problem(np.random.default_rng(seed), 4, 1, 0.0)
    found = np.ravel(solve(problem, 4000))
    # p >= 0, G p + b >= 0, p (G p + b) = 0 is the least squares problem over p >= 0 of a square root of G.
    root = np.linalg.cholesky(G).T
    expected, _ = nnls(root, -np.linalg.solve(root.T, b))
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("directions", [2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_with_friction_it_satisfies_coulomb(seed, directions):
    mu = 0.5
    G, b, problem = random_problem(np.random.default_rng(seed), 2, directions, mu)
    # Coupling this strong may leave the cone without a solution; weaken what lies off the diagonal blocks.
    blocks = np.kron(np.eye(2), np.ones((directions, directions)))
    G = np.where(blocks > 0, np.where(np.eye(len(b)) > 0, G, 0.1 * G), 0.1 * G)
    split = lambda a: [list(row) for row in a.reshape(2, directions)]
    delassus = [[split(G[i * directions + a]) for a in range(directions)] for i in range(2)]
    problem = ContactProblem(problem.free, delassus, [1.0, 1.0], [1.0, 1.0], "converged", mu)
    p = np.array(solve(problem, 3000))
    u = (G @ p.ravel() + b).reshape(2, directions)
    for impulse, velocity in zip(p, u):
        pushed, slid = np.linalg.norm(impulse[1:]), np.linalg.norm(velocity[1:])
        assert impulse[0] >= 0.0 and velocity[0] > -1e-9
        assert impulse[0] * velocity[0] == pytest.approx(0.0, abs=1e-9)
        assert pushed <= mu * impulse[0] + 1e-9
        if slid > 1e-7:
            assert impulse[1:] == pytest.approx(-mu * impulse[0] * velocity[1:] / slid, abs=1e-7)


def test_the_change_of_each_sweep_falls_and_the_last_one_is_told():
    _, _, problem = random_problem(np.random.default_rng(3), 4, 1, 0.0)
    impulses, changes = solve_with_history(problem, 300)
    assert changes.shape == (300,)
    assert changes[-1] < 1e-6 * changes[0]
    assert np.ravel(impulses) == pytest.approx(np.ravel(solve(problem, 300)), abs=0.0)


def test_a_mass_is_stopped_or_thrown_back():
    for restitution in (0.0, 0.6, 1.0):
        after = march(FallingMass(restitution, gravity=0.0), HardImpulse(), [-1e-4, -2.0], 1, TimeStepping(DT)).state
        assert after[1] == pytest.approx(2.0 * restitution, rel=1e-12)


def test_a_mass_at_rest_stays_at_rest_under_hard_contact():
    state = march(FallingMass(restitution=0.5), HardImpulse(), [0.0, 0.0], 500, TimeStepping(DT)).state
    assert state == pytest.approx([0.0, 0.0], abs=1e-15)


def test_a_block_slides_as_coulomb_says_in_every_direction():
    mu, g, speed = 0.3, 9.81, 1.2
    for angle in np.linspace(0.1, 6.0, 5):
        way = np.array([np.cos(angle), np.sin(angle)])
        state = march(SlidingBlock(mu), HardImpulse(), [0, 0, 0, *(speed * way), 0], 100, TimeStepping(DT)).state
        left = speed - mu * g * 100 * DT
        assert state[3:5] == pytest.approx(left * way, rel=1e-10)
        assert state[:2] == pytest.approx(0.5 * (speed + left) * 100 * DT * way, rel=1e-10)


def test_a_block_comes_to_rest_and_stays():
    stop = 1.2 / (0.3 * 9.81)
    state = march(SlidingBlock(0.3), HardImpulse(), [0, 0, 0, 1.2, 0, 0], round(1.5 * stop / DT), TimeStepping(DT)).state
    assert state[3:] == pytest.approx(0.0, abs=1e-14)
    assert state[0] == pytest.approx(1.2**2 / (2 * 0.3 * 9.81), rel=DT)


def test_a_pushed_block_sticks_within_the_cone_and_slips_beyond_it():
    for push, slips in ((0.29, False), (0.31, True)):
        actions = np.zeros((50, 3))
        actions[:, 0] = push * 9.81
        state = march(SlidingBlock(0.3), HardImpulse(), np.zeros(6), 50, TimeStepping(DT), actions).state
        expected = (push - 0.3) * 9.81 * 50 * DT if slips else 0.0
        assert state[3] == pytest.approx(expected, abs=1e-12)


def test_a_bar_that_hits_with_one_end_turns_as_the_textbook_says():
    tilt, speed, bar = 0.4, 1.5, Bar(length=0.8, gravity=0.0, mass=2.0)
    high = 0.5 * bar.length * np.sin(tilt) - 1e-6 + 0.5 * DT * speed
    after = march(bar, HardImpulse(), [0.0, high, tilt, 0.0, -speed, 0.0], 1, TimeStepping(DT)).state
    arm = 0.5 * bar.length * np.cos(tilt)
    inertia = bar.mass * bar.length**2 / 12
    impulse = speed / (1 / bar.mass + arm**2 / inertia)
    assert after[4] == pytest.approx(-speed + impulse / bar.mass, rel=1e-12)
    # The far end is the first contact; the push on the other one turns the bar towards level.
    assert after[5] == pytest.approx(-impulse * arm / inertia, rel=1e-12)


def test_a_level_bar_lands_on_both_ends_and_lies():
    for friction in (0.0, 0.5):
        state = march(Bar(friction=friction), HardImpulse(), [0, 0.05, 0, 0.3, 0, 0], 300, TimeStepping(DT)).state
        assert state[[2, 4, 5]] == pytest.approx(0.0, abs=1e-9)
        assert state[3] == pytest.approx(0.0 if friction else 0.3, abs=1e-9)


def test_a_penalty_contact_gives_the_spring_s_impulse():
    law = PenaltyImpulse(400.0, 6.0)
    after = march(FallingMass(gravity=0.0), law, [-0.01, -0.5], 1, TimeStepping(DT)).state
    middle = -0.01 - 0.5 * DT * 0.5
    assert after[1] == pytest.approx(-0.5 + DT * (400.0 * -middle + 6.0 * 0.5), rel=1e-12)
    # It never pulls, and does not reach out.
    assert march(FallingMass(gravity=0.0), law, [-0.001, 2.0], 1, TimeStepping(DT)).state[1] == 2.0
    assert march(FallingMass(gravity=0.0), law, [0.01, -0.5], 1, TimeStepping(DT)).state[1] == -0.5


def test_where_the_sigmoid_enters_does_not_matter_to_one_contact():
    for kappa in (30.0, 300.0):
        converged, each_sweep, velocity = readings(kappa)
        expected = 1.0 / (1.0 + np.exp(-0.01 * kappa))
        assert converged.mass == pytest.approx(expected, rel=1e-12)
        assert each_sweep.mass == pytest.approx(expected, rel=1e-12)
        # The sweeps make up for a factor on the velocities, a share 1 - sigma being left after each.
        assert velocity.mass == pytest.approx(1.0 - (1.0 - expected) ** 20, rel=1e-12)


def test_only_scaling_in_each_sweep_has_hard_contact_as_its_limit_when_another_contact_is_open():
    converged, each_sweep, _ = readings(3000.0)
    assert each_sweep.bar == pytest.approx(1.0, abs=1e-6)
    # The open end's impulse takes part in the solution and is then scaled away; what was left to the closed end is wrong.
    assert converged.bar > 1.5


def test_a_stiffer_sigmoid_is_the_hard_contact_when_every_contact_is_closed():
    start = [0.0, -0.05, 0.01, 0.3, -1.0, 0.2]
    hard = march(Bar(friction=0.3), HardImpulse(), start, 1, TimeStepping(DT, 200)).state
    for scaling in ("converged", "sweep"):
        found = march(Bar(friction=0.3), SmoothedImpulse(3e3, scaling), start, 1, TimeStepping(DT, 200)).state
        assert found == pytest.approx(hard, abs=1e-12)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_lanes_do_not_touch_each_other(case, law):
    mechanism, start = case
    lanes = np.array(start) + np.linspace(-0.01, 0.01, 6).reshape(2, 3, 1)
    together = march(mechanism, law, lanes, 10, TimeStepping(DT)).state
    alone = np.array([[march(mechanism, law, x, 10, TimeStepping(DT)).state for x in row] for row in lanes])
    assert together == pytest.approx(alone, rel=1e-12, abs=1e-14)


def test_how_each_sweep_converged_is_recorded():
    found = march(Bar(friction=0.3), HardImpulse(), np.zeros((7, 6)), 3, TimeStepping(DT, 12), record=True)
    assert found.changes.shape == (3, 12, 7)
    assert np.all(found.changes[:, -1] < found.changes[:, 0])


def test_bad_input_is_refused_in_a_sentence():
    for bad in (
        lambda: TimeStepping(0.0),
        lambda: TimeStepping(1e-3, 0),
        lambda: SmoothedImpulse(-1.0),
        lambda: SmoothedImpulse(300.0, "somewhere"),
        lambda: PenaltyImpulse(np.nan),
        lambda: Bar(length=0.0),
        lambda: FallingMass(restitution=1.5),
        lambda: SlidingBlock(friction=-0.1),
        lambda: march(FallingMass(), HardImpulse(), [0.0, 0.0, 0.0], 1, TimeStepping(DT)),
        lambda: march(FallingMass(), HardImpulse(), [0.0, np.inf], 1, TimeStepping(DT)),
        lambda: TimeStepping(1.0).steps(0.1),
    ):
        with pytest.raises(InvalidInput, match=r"must be"):
            bad()


def test_a_rollout_that_leaves_the_floats_has_a_status_and_no_nan():
    found = march(FallingMass(), PenaltyImpulse(1e30), [[-1e300, 0.0], [1.0, 0.0]], 3, TimeStepping(0.1))
    assert list(found.status) == [Status.DIVERGED, Status.OK]
    assert np.all(np.isfinite(found.state))
