"""Stepping that stops at every event: each guard is located inside its step, and the step is finished beyond it.

The grid stays where it is. A fixed step that meets a guard is cut in two pieces, so the smooth pieces are the same
one-step method at the same dt; only what happens *at* the event is added, or, to see its effect alone, left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.hybrid.system import Guard, HybridSystem, Mode, saltation_matrix
from ferrolab.integrate.base import FixedStepper
from ferrolab.integrate.dormand_prince import DormandPrince
from ferrolab.integrate.leap import Contact, Flight, StepMap
from ferrolab.integrate.roots import bracketed_root
from ferrolab.status import Status

MAX_EVENTS = 10_000


@dataclass(frozen=True)
class Event:
    """A crossing: when (s), of which guard, and the state before and after it (n,)."""

    time: float
    guard: str
    before: np.ndarray
    after: np.ndarray


@dataclass(frozen=True)
class Located:
    """One lane's located rollout: final array (n, 1 + m), status, events, and its cost."""

    y: np.ndarray
    status: Status
    events: tuple[Event, ...]
    accepted: int
    rejected: int
    evaluations: int


class _Lane:
    """The state of one located rollout while it is under way."""

    def __init__(self, system: HybridSystem, stepper, y: np.ndarray, saltation: bool, mode: str | None) -> None:
        self.system, self.stepper, self.saltation = system, stepper, saltation
        self.y, self.time = y, 0.0
        self.enter(mode or system.initial_mode(y[:, 0]))
        self.events: list[Event] = []
        self.accepted = self.rejected = self.evaluations = 0
        self.at_rest = False

    def enter(self, name: str) -> None:
        self.name, self.mode = name, self.system.modes[name]

    def increment(self, h: float) -> np.ndarray:
        self.evaluations += self.stepper.stages
        return self.stepper.increment(self.mode.variational_field, self.y, h)

    def first_crossing(self, new: np.ndarray, h: float) -> tuple[float, Guard] | None:
        """The earliest guard met on the way from `y` to `new`, a step of size `h`, and how far into the step."""
        found = []
        for guard in self.mode.guards:
            tau = self._crossing(guard, new[:, 0], h)
            if tau is not None:
                found.append((tau, guard))
        return min(found, key=lambda pair: pair[0]) if found else None

    def _crossing(self, guard: Guard, end: np.ndarray, h: float) -> float | None:
        x = self.y[:, 0]

        def reached(tau: float) -> np.ndarray:
            self.evaluations += self.stepper.stages
            return x + self.stepper.increment(self.mode.field, x, tau)

        def beyond(point: np.ndarray) -> float:
            return guard.direction * float(guard.value(point))

        def rate(point: np.ndarray) -> float:
            return guard.direction * float(guard.gradient(point) @ self.mode.field(point))

        s0, s1, r0, r1 = beyond(x), beyond(end), rate(x), rate(end)
        if s0 >= 0.0 and r0 > 0.0:
            return 0.0
        low, s_low, high, s_high = 0.0, s0, h, s1
        if s0 >= 0.0 or s1 <= 0.0:
            # On the guard and leaving it, or short of it at both ends: the way between turns once, at an extremum.
            if not (r0 < 0.0 < r1 if s0 >= 0.0 else r0 > 0.0 > r1):
                return None
            turn = bracketed_root(lambda tau: rate(reached(tau)), 0.0, h, r0, r1)
            s_turn = beyond(reached(turn))
            if s0 >= 0.0:
                low, s_low = turn, s_turn
            else:
                high, s_high = turn, s_turn
            if not s_low < 0.0 < s_high:
                return None
        return bracketed_root(lambda tau: beyond(reached(tau)), low, high, s_low, s_high)

    def cross(self, guard: Guard) -> None:
        """Apply the event at the current state: reset, saltation, next mode."""
        before = self.y[:, 0].copy()
        after = before if guard.reset is None else guard.reset(before)
        DR = None if guard.reset_jacobian is None else guard.reset_jacobian(before)
        target = self.system.modes[guard.target]
        X = self.y[:, 1:]
        if self.saltation:
            X = saltation_matrix(self.mode.field(before), target.field(after), guard.gradient(before), DR) @ X
        elif DR is not None:
            X = DR @ X
        self.y = np.column_stack([after, X])
        self.events.append(Event(self.time, guard.name, before, after))
        self.enter(guard.target)
        if guard.rests is not None and guard.rests(after, getattr(self.stepper, "dt", 0.0)):
            self.at_rest = True
            self.y = np.column_stack([after * 0.0, X * 0.0])

    @property
    def stuck(self) -> bool:
        return self.at_rest or len(self.events) >= MAX_EVENTS

    def result(self, status: Status) -> Located:
        if self.at_rest:
            status = Status.AT_REST
        elif len(self.events) >= MAX_EVENTS:
            status = Status.STEP_LIMIT
        status = status if np.all(np.isfinite(self.y)) else Status.DIVERGED
        return Located(self.y, status, tuple(self.events), self.accepted, self.rejected, self.evaluations)


def located_fixed(
    system: HybridSystem,
    stepper: FixedStepper,
    y: np.ndarray,
    steps: int,
    saltation: bool = True,
    until_mode: str | None = None,
    mode: str | None = None,
) -> Located:
    """`steps` fixed steps with every guard located inside its step.

    Args:
        y: (n, 1 + m): the state and the tangents to carry.
        saltation: False leaves the saltation matrices out (a reset's own derivative stays) and changes nothing else.
        until_mode: stop on entering this mode. mode: start in this one, instead of where the state says.
    """
    lane = _Lane(system, stepper, y, saltation, mode)
    leapers = {name: _leaper(stepper, m) for name, m in system.modes.items()}
    done, into = 0, 0.0
    while done < steps and not lane.stuck and lane.name != until_mode:
        if into == 0.0 and leapers[lane.name] is not None:
            n, moved = leapers[lane.name](lane.y, steps - done)
            lane.y, done = moved, done + n
            lane.evaluations += n * stepper.stages
            lane.accepted += n
            lane.time = done * stepper.dt
            if done == steps:
                break
        h = stepper.dt - into
        new = lane.y + lane.increment(h)
        crossing = lane.first_crossing(new, h)
        if crossing is None:
            lane.y, done, into = new, done + 1, 0.0
            lane.accepted += 1
            lane.time = done * stepper.dt
        else:
            tau, guard = crossing
            lane.y = lane.y + lane.increment(tau)
            into += tau
            lane.time = done * stepper.dt + into
            lane.cross(guard)
            if into >= stepper.dt:
                done, into = done + 1, 0.0
                lane.accepted += 1
    return lane.result(Status.OK)


def _leaper(stepper: FixedStepper, mode: Mode):
    """A function (y, most) -> (n, y after n steps) that skips steps certain to meet no guard; None where none can."""
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
    saltation: bool = True,
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
        h = min(h, left)
        lane.evaluations += stepper.stages
        increment, error = stepper.attempt(lane.mode.variational_field, lane.y, h)
        new = lane.y + increment
        ratio = stepper.error_ratio(lane.y[:, 0], new[:, 0], error[:, 0])
        if not np.isfinite(ratio):
            return lane.result(Status.DIVERGED)
        following = h * float(stepper.factor(ratio))
        if ratio > 1.0:
            lane.rejected += 1
            h = following
            continue
        lane.accepted += 1
        crossing = lane.first_crossing(new, h)
        if crossing is None:
            lane.y = new
            lane.time = horizon if h >= left else lane.time + h
        else:
            tau, guard = crossing
            lane.y = lane.y + lane.increment(tau)
            lane.time += tau
            lane.cross(guard)
        h = following
    return lane.result(Status.OK)
