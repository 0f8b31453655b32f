"""Stepping that stops at every event: each guard is located inside its step, and the step is finished beyond it.

The grid stays where it is. A fixed step that meets a guard is cut in two pieces, so the smooth pieces are the same
one-step method at the same dt; only what happens *at* the event is added, or, to see its effect alone, left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ferrolab.hybrid.crossing import first_crossing
from ferrolab.hybrid.differentiate import probe_stable_jacobian
from ferrolab.hybrid.saltation import saltation_matrix
from ferrolab.hybrid.system import Guard, HybridSystem, Mode
from ferrolab.integrate.base import FixedStepper
from ferrolab.integrate.dormand_prince import DormandPrince
from ferrolab.integrate.glide import cross
from ferrolab.integrate.leap import Contact, Flight, StepMap
from ferrolab.integrate.walk import step_of
from ferrolab.status import Status

Back = tuple[Callable[[np.ndarray], np.ndarray], int]
"""What carries a cotangent (n,) back over a piece of a rollout, and how many steps that piece holds (0: an event)."""

MAX_EVENTS = 10_000
# An opaque flow is scanned for events in this many windows.
WINDOWS = 32
# Events of one guard whose gaps shrink by a steady factor accumulate; when what is left of the sum is below this
# fraction of the time elapsed, the accumulation point has been reached.
ACCUMULATED = 1e-10
STEADY = 0.05


@dataclass(frozen=True)
class Event:
    """A crossing.

    Attributes:
        time: s. guard, mode, target: names; target None at a terminal event.
        before, after: the state on either side (n,). rate_before, rate_after: the field there (n,).
        gradient: ds/dx (n,). reset_jacobian, saltation: (n, n).
        arriving, leaving: (n, m), the tangents right before and right after the event.
        time_tangent: (m,), derivative of `time` along the tangents carried: `-ds/dx X / (ds/dx f-)`.
        transversality: `|ds/dx f-| / (|ds/dx| |f-|)`, 1 head-on, 0 grazing.
    """

    time: float
    guard: str
    mode: str
    target: str | None
    before: np.ndarray
    after: np.ndarray
    rate_before: np.ndarray
    rate_after: np.ndarray
    gradient: np.ndarray
    reset_jacobian: np.ndarray
    saltation: np.ndarray
    arriving: np.ndarray
    leaving: np.ndarray
    time_tangent: np.ndarray
    transversality: float

    @property
    def missing(self) -> np.ndarray:
        """What differentiating along the branch taken leaves out here: `saltation - reset_jacobian`, (n, n)."""
        return self.saltation - self.reset_jacobian


@dataclass(frozen=True)
class Segment:
    """A stretch between events: its mode, start state (n,), duration (s), and how far an opaque flow can be trusted."""

    mode: str
    start: np.ndarray
    duration: float
    probe_spread: float = 0.0


@dataclass(frozen=True)
class Located:
    """One located rollout: final array (n, 1 + m), time reached, status, events, segments and cost.

    `tape` holds, in order, what carries a cotangent back over each step, leap and event: see `hybrid.reverse`.
    """

    y: np.ndarray
    time: float
    status: Status
    events: tuple[Event, ...]
    segments: tuple[Segment, ...]
    tape: tuple[Back, ...]
    accepted: int
    rejected: int
    evaluations: int


class _Lane:
    """The state of one located rollout while it is under way."""

    def __init__(self, system: HybridSystem, stepper, y: np.ndarray, saltation: bool | np.ndarray, mode: str | None, most_events: int = MAX_EVENTS) -> None:
        self.most_events = most_events
        self.system, self.stepper, self.saltation = system, stepper, saltation
        self.y, self.time = y, 0.0
        self.events: list[Event] = []
        self.segments: list[Segment] = []
        self.accepted = self.rejected = self.evaluations = 0
        self.at_rest = self.ended = False
        self.tape: list[Back] = []
        self.fired: str | None = None
        self.enter(mode or system.mode_of(y[:, 0]))

    def enter(self, name: str) -> None:
        self.name, self.mode = name, self.system.modes[name]
        self.anchor, self.since = self.y, self.time

    def increment(self, h: float) -> np.ndarray:
        """What a step of size h adds. An opaque flow moves the state only; its tangents follow in `end_segment`."""
        if self.mode.flow is not None:
            moved = np.zeros_like(self.y)
            moved[:, 0] = self.path(h) - self.y[:, 0]
            return moved
        self.evaluations += self.stepper.stages
        return self.stepper.increment(self.mode.variational_field, self.y, h)

    def take(self, h: float, new: np.ndarray) -> None:
        """Accept `new`, a step of size `h` from here; the tape gets what carries a cotangent back over it."""
        mode, x, stepper = self.mode, self.y[:, 0], self.stepper
        if mode.flow is None:
            push = lambda point, cotangent: mode.jacobian_at(point).T @ cotangent  # noqa: E731
            self.tape.append((lambda cotangent: stepper.pullback(push, mode.field, x, h, cotangent), 1))
        self.y = new

    def path(self, tau: float) -> np.ndarray:
        """The state `tau` into the coming step."""
        x = self.y[:, 0]
        if tau == 0.0:
            return x
        if self.mode.flow is not None:
            return np.asarray(self.mode.flow(self.anchor[:, 0], self.time - self.since + tau))
        self.evaluations += self.stepper.stages
        return x + self.stepper.increment(self.mode.field, x, tau)

    def first_event(self, new: np.ndarray, h: float) -> tuple[float, Guard] | None:
        """The earliest guard met on the way from `y` to `new`, a step of size `h`, and how far into the step."""
        found = []
        for guard in self.mode.guards:
            path = lambda tau: new[:, 0] if tau == h else self.path(tau)  # noqa: E731
            tau = first_crossing(guard, path, self.mode.rate, h, self.fired == guard.name)
            if tau is not None:
                found.append((tau, guard))
        return min(found, key=lambda pair: pair[0]) if found else None

    def moved(self) -> None:
        """The state has left the last event behind."""
        self.fired = None

    def end_segment(self) -> None:
        """Close the stretch since the last event; for an opaque flow this is where its tangents are carried."""
        duration, spread = self.time - self.since, 0.0
        if self.mode.flow is not None and duration > 0.0 and self.y.shape[1] > 1:
            probed = probe_stable_jacobian(lambda x: self.mode.flow(x, duration), self.anchor[:, 0])
            self.y = np.column_stack([self.y[:, 0], probed.jacobian @ self.anchor[:, 1:]])
            spread = probed.spread
        self.segments.append(Segment(self.name, self.anchor[:, 0], duration, spread))

    def cross(self, guard: Guard) -> None:
        """Apply the event at the current state: reset, saltation, next mode."""
        self.end_segment()
        before, X = self.y[:, 0].copy(), self.y[:, 1:]
        rate_before, gradient = self.mode.rate(before), guard.gradient_at(before)
        after, DR = guard.after(before), guard.reset_derivative(before)
        DR = np.eye(len(before)) if DR is None else DR
        target = self.mode if guard.target is None else self.system.modes[guard.target]
        rate_after = target.rate(after)
        closing = gradient @ rate_before
        with np.errstate(divide="ignore", invalid="ignore"):
            Xi = saltation_matrix(rate_before, rate_after, gradient, DR)
            time_tangent = -(gradient @ X) / closing
            transversality = abs(closing) / (np.linalg.norm(gradient) * np.linalg.norm(rate_before))
        through = Xi if np.any(self.saltation) else DR
        leaving = through @ X if np.ndim(self.saltation) == 0 else np.where(self.saltation, Xi @ X, DR @ X)
        self.events.append(
            Event(
                self.time, guard.name, self.name, guard.target, before, after, rate_before, rate_after, gradient,
                DR, Xi, X, leaving, time_tangent, float(transversality),
            )
        )  # fmt: skip
        self.y = np.column_stack([after, leaving])
        self.tape.append((lambda cotangent: through.T @ cotangent, 0))
        self.fired = guard.name
        if guard.target is None:
            self.ended = True
            return
        self.enter(guard.target)
        step = getattr(self.stepper, "dt", 0.0)
        if (guard.rests is not None and guard.rests(after, step)) or self._accumulated(guard):
            self.at_rest = True
            if guard.rest_mode is not None:
                self.enter(guard.rest_mode)
            else:
                self.ended = True
                self.y = np.column_stack([after, X * 0.0])

    def _accumulated(self, guard: Guard) -> bool:
        """Whether the impacts on `guard` have come so close that their sum has converged."""
        times = [event.time for event in self.events[-4:] if event.guard == guard.name]
        if len(times) < 4:
            return False
        gaps = np.diff(times)
        if not np.all(gaps > 0.0):
            return True
        ratios = gaps[1:] / gaps[:-1]
        steady = ratios[1] < 1.0 and abs(ratios[1] - ratios[0]) <= STEADY * ratios[0]
        return bool(steady and gaps[-1] * ratios[1] / (1.0 - ratios[1]) <= ACCUMULATED * self.time)

    @property
    def stuck(self) -> bool:
        return self.ended or len(self.events) >= self.most_events

    def result(self, status: Status = Status.OK) -> Located:
        if not self.ended:
            self.end_segment()
        if self.at_rest:
            status = Status.AT_REST
        elif len(self.events) >= self.most_events:
            status = Status.STEP_LIMIT
        if not np.all(np.isfinite(self.y)):
            status = Status.DIVERGED
        cost = self.accepted, self.rejected, self.evaluations
        return Located(self.y, self.time, status, tuple(self.events), tuple(self.segments), tuple(self.tape), *cost)


@np.errstate(over="ignore", invalid="ignore")  # an unstable rollout may overflow; its status says so
def located_fixed(
    system: HybridSystem,
    stepper: FixedStepper,
    y: np.ndarray,
    steps: int,
    saltation: bool | np.ndarray = True,
    until_mode: str | None = None,
    mode: str | None = None,
    snap: bool = False,
    most_events: int = MAX_EVENTS,
) -> Located:
    """`steps` fixed steps with every guard located inside its step.

    Args:
        y: (n, 1 + m): the state and the tangents to carry.
        saltation: False leaves the saltation matrices out (a reset's own derivative stays) and changes nothing else.
            An array (m,) says so tangent by tangent, so that one rollout can carry both.
        until_mode: stop on entering this mode. mode: start in this one, instead of where the state says.
        snap: events are not located but applied at the end of the step in which they are found, on the grid, as
            time-stepping engines do.
        most_events: give up after this many, with `Status.STEP_LIMIT`.
    """
    lane = _Lane(system, stepper, y, saltation, mode, most_events)
    leapers = {name: _leaper(stepper, m) for name, m in system.modes.items()}
    done, into = 0, 0.0
    while done < steps and not lane.stuck and lane.name != until_mode:
        leaper = leapers[lane.name]
        if into == 0.0 and leaper is not None:
            n, moved = leaper(lane.y, steps - done)
            if n:
                through = leaper(np.column_stack([lane.y[:, 0], np.eye(2)]), n)[1][:, 1:]
                lane.tape.append((lambda cotangent, M=through: M.T @ cotangent, n))
                lane.y, done = moved, done + n
                lane.evaluations += n * stepper.stages
                lane.accepted += n
                lane.time = done * stepper.dt
                lane.moved()
            if done == steps:
                break
        h = stepper.dt - into
        new = lane.y + lane.increment(h)
        event = _snapped(lane, new, h) if snap else lane.first_event(new, h)
        if event is None:
            lane.take(h, new)
            done, into = done + 1, 0.0
            lane.accepted += 1
            lane.time = done * stepper.dt
            lane.moved()
        else:
            tau, guard = event
            lane.take(tau, new if tau == h else lane.y + lane.increment(tau))
            into += tau
            lane.time = done * stepper.dt + into
            lane.cross(guard)
            if into >= stepper.dt:
                done, into = done + 1, 0.0
                lane.accepted += 1
    return lane.result()


def _snapped(lane: _Lane, new: np.ndarray, h: float) -> tuple[float, Guard] | None:
    """A guard found crossed at the end of the step, which is where it is applied."""
    for guard in lane.mode.guards:
        s0, s1 = (float(guard.value(x)) for x in (lane.y[:, 0], new[:, 0]))
        beyond = (guard.direction or (1 if s1 > s0 else -1)) * s1 > 0.0
        closing = (guard.direction or np.sign(s1)) * float(guard.gradient_at(new[:, 0]) @ lane.mode.rate(new[:, 0])) > 0.0
        if beyond and closing and (guard.direction or s0 * s1 <= 0.0):
            return h, guard
    return None


def _leaper(stepper: FixedStepper, mode: Mode) -> Callable[[np.ndarray, int], tuple[int, np.ndarray]] | None:
    """A function (y, most) -> (n, y after n steps) that skips steps certain to meet no guard; None where none can."""
    if mode.push is not None:
        push, gravity = mode.push
        step = step_of(stepper, push, gravity)
        going = lambda h, v: push(h, v)[0] > 0.0  # noqa: E731
        return None if step is None else lambda y, most: cross(mode.bilinear, gravity, stepper, step, going, y, most, past=False)
    if mode.affine is None or any(guard.linear is None for guard in mode.guards):
        return None
    step = StepMap.of(stepper, mode.affine, 1)
    step = StepMap(step.M, step.d, step.stages[:1])
    signed = [tuple(guard.direction * np.asarray(part, dtype=float) for part in guard.linear) for guard in mode.guards]
    matrix = mode.affine.matrix[..., 0]
    if not np.any(matrix @ matrix):
        orbit = Flight(step)
        triggers = [(condition,) for condition in signed]
        count = lambda x, most: orbit.certain_steps(x, triggers)  # noqa: E731
    else:
        orbit = Contact.of(step)
        staying = tuple(tuple(-part for part in condition) for condition in signed)
        count = lambda x, most: orbit.certain_steps(x, staying, most)  # noqa: E731

    def skip(y: np.ndarray, most: int) -> tuple[int, np.ndarray]:
        n = np.minimum(count(y[:, :1], np.array([float(most)])), most)
        if not n[0] > 0.0:
            return 0, y
        return int(n[0]), np.column_stack([orbit.orbit(y[:, :1], n), orbit.tangent(y[:, 1:, None], n)[..., 0]])

    return skip


def located_adaptive(
    system: HybridSystem,
    stepper: DormandPrince,
    y: np.ndarray,
    horizon: float,
    saltation: bool | np.ndarray = True,
    until_mode: str | None = None,
    mode: str | None = None,
) -> Located:
    """As `located_fixed`, with the step sizes of the tolerance: each mode is smooth, so no step straddles a jump."""
    lane = _Lane(system, stepper, y, saltation, mode)
    h = stepper.first_step
    while lane.time < horizon and not lane.stuck and lane.name != until_mode:
        if lane.accepted + lane.rejected >= stepper.max_steps:
            return lane.result(Status.STEP_LIMIT)
        left = horizon - lane.time
        following = h
        if lane.mode.flow is not None:
            h = min(horizon / WINDOWS, left)
            new = lane.y + lane.increment(h)
        else:
            h = min(h, left)
            lane.evaluations += stepper.stages
            increment, error = stepper.attempt(lane.mode.variational_field, lane.y, h)
            new = lane.y + increment
            ratio = stepper.error_ratio(lane.y[:, 0], new[:, 0], error[:, 0])
            if not np.isfinite(ratio) or (h < left and lane.time + h == lane.time):
                return lane.result(Status.DIVERGED)
            following = h * float(stepper.factor(ratio))
            if ratio > 1.0:
                lane.rejected += 1
                h = following
                continue
        lane.accepted += 1
        event = lane.first_event(new, h)
        if event is None:
            lane.take(h, new)
            lane.time = horizon if h >= left else lane.time + h
            lane.moved()
        else:
            tau, guard = event
            lane.take(tau, lane.y + lane.increment(tau))
            lane.time += tau
            lane.cross(guard)
        h = following
    return lane.result()
