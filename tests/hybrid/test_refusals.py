"""Each refusal on a case constructed for it, with the measured quantity on the wrong side of the threshold."""

import numpy as np
import pytest
from ferrolab.hybrid import (
    Accumulation,
    DegenerateEvent,
    Divergence,
    EventsTooClose,
    Grazing,
    Guard,
    HiddenState,
    HybridSystem,
    Limits,
    Mode,
    ProbeDependent,
    Refusal,
    compose,
    hybrid_jacobian,
    located_adaptive,
    probe_stable_jacobian,
    step_jump,
    touch_down_jump,
)
from ferrolab.contact import ClampedDamper, HuntCrossley, KelvinVoigt
from ferrolab.integrate import DormandPrince, RungeKutta4, SemiImplicitEuler
from ferrolab.systems import BouncingMass, ball_under_ceiling
from ferrolab.validate import InvalidInput

fall = lambda x: np.array([x[1], -9.81 + 0.0 * x[0]])  # noqa: E731


def ball(flow=None, **guard):
    options = dict(target="fall", reset=lambda x: np.array([x[0], -0.6 * x[1]])) | guard
    ground = Guard("ground", lambda x: x[0], **options)
    return HybridSystem(2, {"fall": Mode(None if flow else fall, guards=(ground,), flow=flow)})


def free_fall(x, t):
    return np.array([x[0] + t * x[1] - 0.5 * 9.81 * t * t, x[1] - 9.81 * t])


class WarmStarted:
    """A simulator that starts each call from what the last one left behind."""

    def __init__(self):
        self.last = 0.0

    def __call__(self, x, t):
        end = free_fall(x, t) + np.array([1e-6 * self.last, 0.0])
        self.last = 0.5 * self.last + end[1]
        return end


def assert_measured(refusal):
    assert np.isfinite(refusal.threshold)
    assert f"{refusal.measured:.3g}" in str(refusal) and f"{refusal.threshold:.3g}" in str(refusal)


def test_an_opaque_flow_is_differenced_and_right():
    start = np.array([1.0, 0.0])
    known, opaque = hybrid_jacobian(ball(), start, 0.8), hybrid_jacobian(ball(free_fall), start, 0.8)
    np.testing.assert_allclose(opaque.jacobian, known.jacobian, rtol=1e-8, atol=1e-8)
    assert known.probe_spread == 0.0 < opaque.probe_spread < 1e-5


def test_a_warm_started_flow_is_refused_as_hidden_state():
    with pytest.raises(HiddenState) as refused:
        hybrid_jacobian(ball(WarmStarted()), np.array([1.0, 0.0]), 0.8)
    assert refused.value.measured > refused.value.threshold == Limits().split_residual
    assert_measured(refused.value)


def test_an_answer_that_depends_on_the_probe_is_refused():
    # A staircase in the start height: its differences are whatever the probe makes of the steps. It is additive in
    # time, so nothing is hidden.
    def rough(x, t):
        return np.array([x[0] + t * x[1], x[1]]) + np.array([t * 1e-4 * np.sin(3e4 * x[1]), 0.0])

    system = HybridSystem(2, {"rough": Mode(flow=rough)})
    with pytest.raises(ProbeDependent) as refused:
        hybrid_jacobian(system, np.array([1.0, 0.3]), 0.5)
    assert refused.value.measured > refused.value.threshold
    assert_measured(refused.value)


def test_grazing_is_refused_and_the_threshold_can_be_moved():
    v = np.sqrt(2 * 9.81 * (1 + 1e-8))
    system = ball_under_ceiling(1.0, 9.81)
    with pytest.raises(Grazing) as refused:
        hybrid_jacobian(system, np.array([0.0, v]), 0.6)
    assert refused.value.measured < refused.value.threshold
    assert_measured(refused.value)
    answer = hybrid_jacobian(system, np.array([0.0, v]), 0.6, Limits(transversality=1e-6))
    assert answer.transversality == pytest.approx(refused.value.measured)


def test_two_walls_at_once_are_refused_and_in_either_order_are_not():
    wall_x = Guard("wall x", lambda s: s[0], target="in", reset=lambda s: s * np.array([1, 1, -1, 1]))
    wall_y = Guard("wall y", lambda s: s[1], target="in", reset=lambda s: s * np.array([1, 1, 1, -1]))
    corner = HybridSystem(4, {"in": Mode(lambda s: np.array([s[2], s[3], 0 * s[0], 0 * s[0]]), guards=(wall_x, wall_y))})
    with pytest.raises(EventsTooClose) as refused:
        hybrid_jacobian(corner, np.array([1.0, 1.0, -1.0, -1.0]), 2.0)
    assert_measured(refused.value)
    for lead in (0.9, 1.1):
        answer = hybrid_jacobian(corner, np.array([lead, 1.0, -1.0, -1.0]), 2.0)
        np.testing.assert_allclose(answer.jacobian[:2, :2], -np.eye(2), atol=1e-10)


def test_accumulating_impacts_are_refused():
    with pytest.raises(Accumulation) as refused:
        hybrid_jacobian(ball(), np.array([0.1, 0.0]), 5.0)
    assert_measured(refused.value)


def test_divergence_is_refused():
    grows = HybridSystem(1, {"grows": Mode(lambda x: x * x)})
    with pytest.raises(Divergence) as refused:
        hybrid_jacobian(grows, np.array([1.0]), 2.0)
    assert_measured(refused.value)


def test_a_stretched_tangent_is_refused_as_divergence():
    grows = HybridSystem(1, {"grows": Mode(lambda x: 40.0 * x)})
    with pytest.raises(Divergence):
        hybrid_jacobian(grows, np.array([1e-12]), 1.0)


@pytest.mark.parametrize(
    "guard",
    [
        dict(gradient=lambda x: np.zeros(2)),
        dict(reset=lambda x: np.array([x[0], np.nan])),
        dict(reset_jacobian=lambda x: np.full((2, 2), np.inf)),
    ],
    ids=["no gradient", "reset not finite", "reset derivative not finite"],
)
def test_a_degenerate_guard_or_reset_is_refused(guard):
    with pytest.raises(DegenerateEvent) as refused:
        hybrid_jacobian(ball(**guard), np.array([1.0, 0.0]), 0.8)
    assert_measured(refused.value)


def test_every_refusal_says_what_to_do():
    for kind in Refusal.__subclasses__():
        assert kind.kind and kind.remedy.endswith(".")


def test_the_answer_comes_with_its_health():
    answer = hybrid_jacobian(ball(), np.array([1.0, 0.0]), 0.8)
    assert [event.guard for event in answer.events] == ["ground"]
    assert answer.spectral_radius == pytest.approx(np.max(np.abs(np.linalg.eigvals(answer.jacobian))))
    assert answer.worst_gain >= np.linalg.norm(answer.jacobian, 2) * (1 - 1e-12)
    assert answer.split_residual < 1e-10
    event = answer.events[0]
    np.testing.assert_allclose(compose(event.arriving, event.saltation), event.leaving)


def test_a_terminal_event_ends_the_flow():
    run = located_adaptive(ball(target=None), DormandPrince(rtol=1e-12), np.array([[1.0], [0.0]]), 0.8)
    assert run.time == pytest.approx(np.sqrt(2 / 9.81), rel=1e-12)


def test_two_crossings_in_one_step_are_both_found():
    # The ball dips below zero and comes back within a single step: x = (t - 1)^2 - 0.01.
    marks = Guard("zero", lambda z: z[0], direction=0, target="on")
    parabola = HybridSystem(2, {"on": Mode(lambda z: np.array([z[1], 2.0 + 0 * z[0]]), guards=(marks,))})
    run = located_adaptive(parabola, DormandPrince(rtol=1e-6, first_step=2.0), np.array([[0.99], [-2.0]]), 2.0)
    np.testing.assert_allclose([event.time for event in run.events], [0.9, 1.1], rtol=1e-12)


def test_probe_stable_jacobian_reports_the_spread():
    good = probe_stable_jacobian(lambda x: np.array([np.sin(x[0]), x[0] * x[1]]), np.array([0.3, 2.0]))
    np.testing.assert_allclose(good.jacobian, [[np.cos(0.3), 0.0], [2.0, 0.3]], rtol=1e-9, atol=1e-9)
    assert good.spread < 1e-8
    # Weierstrass's function has no derivative at any scale.
    nowhere = lambda x: sum(0.6**n * np.cos(7.0**n * np.pi * x) for n in range(12))  # noqa: E731
    assert probe_stable_jacobian(nowhere, np.array([0.3])).spread > 0.1
    with pytest.raises(ValueError, match="at least two"):
        probe_stable_jacobian(np.sin, np.array([0.0]), (1e-4,))


@pytest.mark.parametrize("law, coefficient", [(KelvinVoigt(1e4), 32.12), (ClampedDamper(1e4, 30.0), 30.0), (HuntCrossley(1e4), 0.0)])
@pytest.mark.parametrize("speed", [0.1, 4.4])
def test_the_jump_of_any_force_is_measured_without_a_rollout(law, coefficient, speed):
    force = lambda gap, rate: max(0.0, float(law.unclamped_force(gap, rate))) if gap < 0 else 0.0  # noqa: E731
    assert touch_down_jump(force, speed) == pytest.approx(coefficient * speed, abs=1e-6)


@pytest.mark.parametrize("law, coefficient", [(KelvinVoigt(1e4), 32.12), (HuntCrossley(1e4), 0.0)])
@pytest.mark.parametrize("stepper", [SemiImplicitEuler(1e-7), RungeKutta4(1e-7)])
def test_the_jump_is_seen_in_a_simulator_of_which_only_the_step_is_known(law, coefficient, stepper):
    system = BouncingMass(law)
    step = lambda x: x + stepper.increment(system.field, x, stepper.dt)  # noqa: E731
    jump = step_jump(step, np.array([0.0, -4.0]), np.array([1.0, 0.0]), stepper.dt)
    assert jump[1] == pytest.approx(4.0 * coefficient, rel=1e-4, abs=0.02)


def test_a_mode_that_does_not_exist_is_refused_when_the_system_is_built():
    with pytest.raises(InvalidInput, match="target of guard 'g'"):
        HybridSystem(1, {"a": Mode(lambda x: x, guards=(Guard("g", lambda x: x[0], target="b"),))})
