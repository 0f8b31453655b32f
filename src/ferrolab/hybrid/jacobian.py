"""The Jacobian of a hybrid flow, or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ferrolab.hybrid import refusal
from ferrolab.hybrid.locate import Event, Located, Segment, located_adaptive
from ferrolab.hybrid.refusal import Limits
from ferrolab.hybrid.system import HybridSystem, Mode
from ferrolab.integrate.dormand_prince import DormandPrince, adapt
from ferrolab.status import Status
from ferrolab.validate import InvalidInput, finite, positive

RTOL = 1e-13


@dataclass(frozen=True)
class HybridJacobian:
    """A hybrid flow's end and its derivative, with what is needed to trust them.

    Attributes:
        state: (n,). jacobian: (n, n). events: in order.
        transversality: the worst among the events, 1 where there are none.
        split_residual: worst relative difference between a segment's flow and its two halves.
        probe_spread: worst dependence of a differenced segment on its probe; 0 where nothing was differenced.
        spectral_radius: of the Jacobian. worst_gain: largest singular value among the products up to each event
            and to the end: how much any error on the way may have been stretched.
        time: where the flow ended (s), before the horizon at a terminal event.
    """

    state: np.ndarray
    jacobian: np.ndarray
    events: tuple[Event, ...]
    transversality: float
    split_residual: float
    probe_spread: float
    spectral_radius: float
    worst_gain: float
    time: float


def hybrid_jacobian(
    system: HybridSystem, x0: np.ndarray, horizon: float, limits: Limits = Limits(), rtol: float = RTOL
) -> HybridJacobian:
    """Find the events, carry the tangents through the segments and the saltation matrices, and check the answer.

    Args:
        x0: (n,) start. horizon: s. limits: thresholds of the refusals.
        rtol: tolerance of Dormand-Prince inside the modes that are given by a field.

    Raises:
        Refusal: a subclass says which: `Grazing`, `HiddenState`, `EventsTooClose`, `Accumulation`, `Divergence`,
            `DegenerateEvent`, `ProbeDependent`; each with the quantity measured and the threshold.
        InvalidInput: x0 has the wrong shape or is not finite, or the horizon is not positive.
    """
    x0, horizon = finite("x0", x0), float(positive("horizon", horizon))
    if x0.shape != (system.dimension,):
        raise InvalidInput("x0", x0.shape, f"of shape ({system.dimension},)")
    n, stepper = system.dimension, DormandPrince(rtol=rtol)
    run = located_adaptive(system, stepper, np.column_stack([x0, np.eye(n)]), horizon)
    if run.status == Status.AT_REST:
        last = run.events[-1]
        gap = last.time - run.events[-2].time if len(run.events) > 1 else 0.0
        raise refusal.Accumulation(f"impacts on {last.guard!r} accumulate at {last.time:.6g} s", gap, limits.separation)
    _check_events(system, run.events, limits)
    jacobian, gain = run.y[:, 1:], _worst_gain(run, n)
    if run.status != Status.OK or not gain <= limits.gain:
        raise refusal.Divergence(f"the rollout ended with status {run.status.label}", gain, limits.gain)
    spread = max((segment.probe_spread for segment in run.segments), default=0.0)
    residual = max((_split_residual(system, segment, stepper) for segment in run.segments), default=0.0)
    # A flow with a memory answers differently each time, so its differences depend on the probe as well: the
    # memory is the cause, and is named first.
    if not residual <= limits.split_residual:
        raise refusal.HiddenState("a segment's flow differs from that of its two halves", residual, limits.split_residual)
    if not spread <= limits.probe_spread:
        raise refusal.ProbeDependent("the derivative of a segment changes with the probe", spread, limits.probe_spread)
    return HybridJacobian(
        run.y[:, 0], jacobian, run.events, min((event.transversality for event in run.events), default=1.0),
        residual, spread, float(np.max(np.abs(np.linalg.eigvals(jacobian)))), gain, run.time,
    )  # fmt: skip


def _check_events(system: HybridSystem, events: tuple[Event, ...], limits: Limits) -> None:
    for event in events:
        steep = float(np.linalg.norm(event.gradient))
        if not (np.isfinite(steep) and steep > np.finfo(float).tiny):
            raise refusal.DegenerateEvent(f"the gradient of guard {event.guard!r} vanishes or is not finite", steep, np.finfo(float).tiny)
        for what, value in (("the reset", event.after), ("the reset's derivative", event.reset_jacobian)):
            if not np.all(np.isfinite(value)):
                raise refusal.DegenerateEvent(f"{what} at guard {event.guard!r} is not finite", np.inf, np.finfo(float).max)
        if not event.transversality >= limits.transversality:
            raise refusal.Grazing(f"guard {event.guard!r} is met at {event.time:.6g} s along itself", event.transversality, limits.transversality)
    for first, second in zip(events, events[1:]):
        gap = second.time - first.time
        # An event that only the first one made possible comes after it by necessity, however soon.
        rivals = {guard.name for guard in system.modes[first.mode].guards} - {first.guard}
        if gap < limits.separation and second.guard in rivals:
            raise refusal.EventsTooClose(f"{first.guard!r} and {second.guard!r} at {first.time:.6g} s", gap, limits.separation)


def _worst_gain(run: Located, n: int) -> float:
    """Largest singular value among the tangents carried to each event and to the end."""
    ends = [run.y[:, 1:]] + [event.leaving for event in run.events]
    with np.errstate(invalid="ignore"):
        gains = [np.linalg.norm(end, 2) if np.all(np.isfinite(end)) else np.inf for end in ends]
    return float(max(gains))


def _split_residual(system: HybridSystem, segment: Segment, stepper: DormandPrince) -> float:
    """Whole flow against two halves, relative to the state."""
    if segment.duration <= 0.0:
        return 0.0
    flow = _flow(system.modes[segment.mode], stepper)
    whole = flow(segment.start, segment.duration)
    halves = flow(flow(segment.start, 0.5 * segment.duration), 0.5 * segment.duration)
    return float(np.max(np.abs(whole - halves)) / max(1.0, float(np.max(np.abs(whole)))))


def _flow(mode: Mode, stepper: DormandPrince) -> Callable[[np.ndarray, float], np.ndarray]:
    if mode.flow is not None:
        return lambda x, t: np.asarray(mode.flow(x, t))
    field = lambda y: np.asarray(mode.field(y[:, 0, 0]))[:, None, None]  # noqa: E731
    return lambda x, t: adapt(stepper, field, x[:, None, None], t)[0][:, 0, 0]
