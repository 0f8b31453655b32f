"""Descent through one impact: the published counts, and which repairs restore it."""

import numpy as np
import pytest

from ferrolab.audit.descent import EXACT, GOAL, STARTS, Simulator, descend, in_domain, objective
from ferrolab.audit.study import descent_part
from ferrolab.audit.study.options import Options
from ferrolab.contact import HuntCrossley, KelvinVoigt
from ferrolab.derivative import Autodiff, EventAware, FiniteDifference
from ferrolab.integrate import DormandPrince, EventDriven, RungeKutta4, SemiImplicitEuler
from ferrolab.validate import InvalidInput


def spring(k, stepper, route):
    return Simulator("spring", KelvinVoigt(k), stepper, route)


def test_exact_gradient_converges_from_every_start():
    found = descend(EXACT)
    assert [d.outcome for d in found] == ["converged"] * 4
    assert all(d.loss < 1e-6 and d.iterations < 4000 for d in found)
    assert [d.start for d in found] == list(STARTS)


@pytest.mark.parametrize("k, lost", [(1e3, 3), (1e4, 3), (1e6, 3), (1e8, 1)])
def test_penalty_autodiff_converges_from_none(k, lost):
    found = descend(spring(k, SemiImplicitEuler(1e-4), Autodiff()))
    assert [d.outcome for d in found] == ["no downhill step"] * 4
    assert sum(d.iterations == 0 for d in found) == lost


@pytest.mark.parametrize("k", [1e3, 1e4, 1e6, 1e8])
def test_judged_by_itself_a_perfect_integrator_finds_no_downhill_step_by_autodiff(k):
    found = descend(spring(k, EventDriven(), Autodiff()), score="own")
    assert all(d.outcome == "no downhill step" and d.iterations == 0 for d in found)


def test_the_same_flow_with_the_event_in_its_gradient_converges():
    (found,) = descend(spring(1e6, EventDriven(), EventAware()), score="own", starts=STARTS[:1])
    assert found.outcome == "converged"
    assert found.end == pytest.approx(GOAL, abs=0.02)


@pytest.mark.parametrize(
    "simulator",
    [
        spring(1e6, RungeKutta4(1e-4), EventAware()),
        spring(1e6, EventDriven(), FiniteDifference()),
        spring(1e6, DormandPrince(rtol=1e-11), FiniteDifference()),
        spring(1e6, DormandPrince(rtol=1e-11), EventAware()),
        Simulator("fine steps", HuntCrossley(1e6), SemiImplicitEuler(1e-6), Autodiff()),
        Simulator("tolerance", HuntCrossley(1e6), DormandPrince(rtol=1e-11), Autodiff()),
    ],
    ids=["event-aware", "differences of the exact flow", "differences under a tolerance", "event-aware under a tolerance", "Hunt-Crossley, fine", "Hunt-Crossley, tolerance"],
)
def test_repairs_restore_it(simulator):
    found = descend(simulator, score="own", method="gauss-newton", block=1)
    assert [d.outcome for d in found] == ["converged"] * 4
    assert all(d.end == pytest.approx(GOAL, abs=0.05) for d in found)


@pytest.mark.parametrize(
    "simulator",
    [
        spring(1e6, SemiImplicitEuler(1e-4), Autodiff()),
        spring(1e6, RungeKutta4(1e-4), EventAware(saltation=False)),
        spring(1e6, EventDriven(), Autodiff()),
    ],
    ids=["autodiff", "located without its matrix", "exact stepping, autodiff"],
)
def test_a_better_method_does_not_rescue_a_wrong_jacobian(simulator):
    found = descend(simulator, score="own", method="gauss-newton", block=1)
    assert not any(d.outcome == "converged" for d in found)


def test_blocks_change_the_cost_and_not_the_result():
    one, many = (descend(EXACT, iterations=40, block=block) for block in (1, 8))
    assert one == many


def test_loss_never_rises_and_is_what_the_score_says():
    _, score = objective(EXACT)
    start = score(np.array(STARTS).T)
    found = descend(EXACT, iterations=25)
    assert all(d.loss < before for d, before in zip(found, start))
    np.testing.assert_allclose([d.loss for d in found], score(np.array([d.end for d in found]).T), rtol=1e-12)
    assert all(d.outcome == "out of iterations" and d.iterations == 25 for d in found)


def test_the_goal_has_no_loss_and_strangers_are_refused():
    _, score = objective(EXACT)
    assert score(np.array(GOAL)[:, None])[0] == 0.0
    outside = np.array([[-0.1, 5.0, 0.05], [0.0, 0.0, 0.0]])
    assert not np.any(in_domain(outside))
    assert np.all(np.isinf(score(outside)))
    with pytest.raises(InvalidInput, match="score was 'mine'"):
        descend(EXACT, score="mine")
    with pytest.raises(InvalidInput, match="method was 'adam'"):
        descend(EXACT, method="adam")


@pytest.fixture(scope="module")
def part():
    return descent_part.run(Options(), iterations=3)


def test_conditioning_of_right_and_wrong_jacobians(part):
    right, branch, euler = part.conditioning
    assert right.condition == pytest.approx(1311, rel=0.01)
    assert right.angle < 1e-3
    assert min(branch.condition, euler.condition) > 1e9
    assert min(branch.angle, euler.angle) > 90.0


def test_a_fixed_step_makes_a_saw_of_the_objective(part):
    saw, smooth = part.roughness
    assert smooth.local_minima == 1
    assert saw.local_minima > 50
    assert saw.total_variation > 50.0 * smooth.total_variation


def test_map_is_lowest_at_the_goal(part):
    loss = np.array([[np.inf if value is None else value for value in row] for row in part.map_loss])
    i, j = np.unravel_index(np.argmin(loss), loss.shape)
    assert (part.map_h0[j], part.map_v0[i]) == (pytest.approx(1.0, abs=0.02), pytest.approx(0.0, abs=0.04))
