"""Fixed-step rollouts that cost per event, not per step.

While the mass stays in one mode, a step is an affine map, so n steps are a matrix power and the first step *outside*
the mode is a root. This module leaps over the steps that are certain to stay inside, then takes the next step the
plain way, and repeats. `integrate.march` is the definition; a test holds the two together.

The maps are not written down anywhere: the stepper is run on a basis, once, and its stages are recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ferrolab.integrate.affine import Propagator, first_zero
from ferrolab.integrate.base import AffineMode, ContactSystem, FixedStepper, Functional
from ferrolab.integrate.glide import cross
from ferrolab.integrate.walk import one_sided, step_of

# Up to this many lanes, a contact without a closed form is cheaper walked lane by lane in floats.
MAX_WALKED_LANES = 32
# At most this many plain steps are taken before the next attempt at a leap.
MAX_WALK = 64


@dataclass(frozen=True)
class StepMap:
    """One step inside an affine mode: `x -> x + M x + d`, and where its stages are evaluated: `P x + p`."""

    M: np.ndarray
    d: np.ndarray
    stages: tuple[tuple[np.ndarray, np.ndarray], ...]

    @classmethod
    def of(cls, stepper: FixedStepper, mode: AffineMode, lanes: int) -> StepMap:
        """Run `stepper` once on a basis of the mode's affine field."""
        mode = AffineMode(
            np.broadcast_to(mode.matrix.reshape(2, 2, -1), (2, 2, lanes)),
            np.broadcast_to(mode.offset.reshape(2, -1), (2, lanes)),
        )
        points: list[np.ndarray] = []
        d = stepper.increment(_recording(mode.field, points), np.zeros((2, lanes)), stepper.dt)
        basis = np.broadcast_to(np.eye(2)[..., None], (2, 2, lanes))
        directions: list[np.ndarray] = []
        M = stepper.increment(_recording(mode.linear, directions), basis, stepper.dt)
        return cls(M, d, tuple(zip(directions, points)))

    def along_stages(self, conditions: tuple[Functional, ...]) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Each condition at each stage, as a function of the state at the start of the step."""
        return [
            (a * P[0, 0] + b * P[1, 0], a * P[0, 1] + b * P[1, 1], a * p[0] + b * p[1] + c)
            for P, p in self.stages
            for a, b, c in conditions
        ]


def _recording(field, seen: list):
    def call(y):
        seen.append(y)
        return field(y)

    return call


@dataclass(frozen=True)
class Flight:
    """Repeated steps of the ballistic mode: there M squares to zero, so an orbit is a quadratic in n."""

    step: StepMap

    def orbit(self, x: np.ndarray, n: np.ndarray) -> np.ndarray:
        M, d = self.step.M, self.step.d
        return x + n * (d + _apply(M, x)) + 0.5 * n * (n - 1.0) * _apply(M, d)

    def tangent(self, X: np.ndarray, n: np.ndarray) -> np.ndarray:
        return X + n * _apply(self.step.M, X)

    def certain_steps(self, x: np.ndarray, triggers: list[tuple[Functional, ...]]) -> np.ndarray:
        """Number of coming steps at whose stages no trigger (all its conditions positive) can fire."""
        M, d = self.step.M, self.step.d
        velocity, acceleration = d + _apply(M, x), _apply(M, d)
        certain = np.full(x.shape[1:], np.inf)
        for conditions in triggers:
            for stage in range(len(self.step.stages)):
                waits = np.zeros(x.shape[1:])
                for a, b, c in StepMap(M, d, (self.step.stages[stage],)).along_stages(conditions):
                    curve = 0.5 * (a * acceleration[0] + b * acceleration[1])
                    slope = a * velocity[0] + b * velocity[1] - curve
                    root = _first_positive(a * x[0] + b * x[1] + c, slope, curve)
                    waits = np.maximum(waits, root)
                certain = np.minimum(certain, waits)
        return np.maximum(np.ceil(certain) - 1.0, 0.0)


def _first_positive(q0: np.ndarray, q1: np.ndarray, q2: np.ndarray) -> np.ndarray:
    """First n >= 0 from which `q0 + q1 n + q2 n^2` is positive; 0 where it already is, infinity where it never is."""
    discriminant = q1**2 - 4.0 * q2 * q0
    root = np.sqrt(np.maximum(discriminant, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        rising = -2.0 * q0 / (q1 + root)
        falling = np.where(q2 > 0.0, (root - q1) / (2.0 * q2), np.inf)
    later = np.where(discriminant < 0.0, np.inf, np.where(q1 > 0.0, rising, falling))
    return np.where(q0 > 0.0, 0.0, later)


@dataclass(frozen=True)
class Contact:
    """Repeated steps of the spring-damper mode, about its equilibrium."""

    step: StepMap
    propagator: Propagator
    rest: np.ndarray

    @classmethod
    def of(cls, step: StepMap) -> Contact:
        M, d = step.M, step.d
        determinant = M[0, 0] * M[1, 1] - M[0, 1] * M[1, 0]
        rest = np.stack([M[0, 1] * d[1] - M[1, 1] * d[0], M[1, 0] * d[0] - M[0, 0] * d[1]]) / determinant
        return cls(step, Propagator.of_step(M), rest)

    def orbit(self, x: np.ndarray, n: np.ndarray) -> np.ndarray:
        return self.rest + self.tangent(x - self.rest, n)

    def tangent(self, X: np.ndarray, n: np.ndarray) -> np.ndarray:
        C, S = self.propagator.weights(n)
        return C * X + S * _apply(self.propagator.N, X)

    def certain_steps(self, x: np.ndarray, conditions: tuple[Functional, ...], limit: np.ndarray) -> np.ndarray:
        """Number of coming steps at whose stages every condition is certain to stay positive."""
        z = x - self.rest
        Nz = _apply(self.propagator.N, z)
        a, b, c = (np.stack(np.broadcast_arrays(*part, x[0])[:-1]) for part in zip(*self.step.along_stages(conditions)))
        constant = a * self.rest[0] + b * self.rest[1] + c
        along, across = a * z[0] + b * z[1], a * Nz[0] + b * Nz[1]
        inside = np.all(constant + along > 0.0, axis=0) & self.propagator.regular
        _, certain = first_zero(self.propagator, constant, along, across, limit, 0.25)
        return np.where(inside, np.floor(certain.min(axis=0)), 0.0)


def _apply(M: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Matrix times state (2, lanes) or tangent (2, m, lanes)."""
    return np.stack([M[0, 0] * x[0] + M[0, 1] * x[1], M[1, 0] * x[0] + M[1, 1] * x[1]])


def leap(
    system: ContactSystem,
    stepper: FixedStepper,
    y: np.ndarray,
    steps: int | np.ndarray,
    until: tuple[Functional, ...] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Advance every lane by `steps` fixed steps, skipping those that cannot leave their mode.

    Args:
        y: (2, 1 + m, lanes): the state in `y[:, 0]`, tangents to carry in `y[:, 1:]`.
        steps: how many steps; a number or one per lane.
        until: stop a lane early at the first state where all these functions are positive.

    Returns:
        (y, taken): the final array and the number of steps each lane took.
    """
    lanes = y.shape[-1]
    flight = Flight(StepMap.of(stepper, system.flight(), lanes))
    contact_mode = system.contact()
    contact = Contact.of(StepMap.of(stepper, contact_mode, lanes)) if contact_mode else None
    conditions = system.contact_conditions()
    triggers = [conditions] if until is None else [conditions, until]
    walkers = [] if contact is not None else _walkers(system, stepper, lanes)
    left = np.broadcast_to(np.asarray(steps, dtype=float), (lanes,)).copy()
    y = y.copy()
    stride = 1
    while True:
        x = y[:, 0]
        if until is not None:
            left = np.where(np.all([a * x[0] + b * x[1] + c > 0.0 for a, b, c in until], axis=0), 0.0, left)
        if not np.any(left > 0.0):
            break
        touching = system.touching(x)
        n = np.where(touching, 0.0, np.minimum(flight.certain_steps(x, triggers), left))
        new = np.concatenate([flight.orbit(x, n)[:, None], flight.tangent(y[:, 1:], n)], axis=1)
        if contact is not None and np.any(touching & (left > 0.0)):
            m = np.where(touching, np.minimum(contact.certain_steps(x, conditions, left), left), 0.0)
            with np.errstate(over="ignore", invalid="ignore"):  # an unstable lane; its status says so
                pushed = np.concatenate([contact.orbit(x, m)[:, None], contact.tangent(y[:, 1:], m)], axis=1)
            new, n = np.where(touching, pushed, new), np.where(touching, m, n)
        y = np.where(n > 0.0, new, y)
        left -= n
        for lane in np.flatnonzero(touching & (left > 0.0)) if walkers else ():
            taken, y[..., lane] = walkers[lane](y[..., lane], int(left[lane]))
            n[lane], left[lane] = taken, left[lane] - taken
        # Where no lane could leap (an unstable spring, a law that is not affine), looking again at once is wasted.
        if walkers and until is not None and np.any(touching):
            continue  # the walk may have ended where `until` wants to stop
        stride = 1 if np.any(n > stride) else min(2 * stride, MAX_WALK)
        for _ in range(stride if until is None else 1):
            y = np.where(left > 0.0, plain_step(system, stepper, y), y)
            left = np.maximum(left - 1.0, 0.0)
    return y, np.broadcast_to(np.asarray(steps, dtype=float), (lanes,)) - left


def _walkers(system: ContactSystem, stepper: FixedStepper, lanes: int) -> list[Callable[[np.ndarray, int], tuple[int, np.ndarray]]]:
    """For each lane what takes it (y, most) through its contact: (steps taken, y after them); empty where nothing does."""
    if lanes > MAX_WALKED_LANES or not hasattr(system.law, "in_floats"):
        return []
    return [_walker(system, stepper, lane) for lane in range(lanes)] if step_of(stepper, one_sided(system.law.in_floats()), 0.0) else []


def _walker(system: ContactSystem, stepper: FixedStepper, lane: int) -> Callable[[np.ndarray, int], tuple[int, np.ndarray]]:
    push, g = one_sided(system.law.in_floats(lane)), system.gravity
    step, bilinear = step_of(stepper, push, g), system.law.bilinear(lane) if hasattr(system.law, "bilinear") else None
    return lambda y, most: cross(bilinear, g, stepper, step, lambda h, v: push(h, v)[0] > 0.0, y, most, past=True)


def plain_step(system: ContactSystem, stepper: FixedStepper, y: np.ndarray) -> np.ndarray:
    """One step by the definition: a rigid law resets the velocity where it acts, then the field is stepped."""
    if system.has_impulse:
        e = np.where(system.touching(y[:, 0]), -system.law.restitution, 1.0)
        y = np.stack([y[0], e * y[1]])
    return y + stepper.increment(system.variational_field, y, stepper.dt)


def march(system: ContactSystem, stepper: FixedStepper, y: np.ndarray, steps: int) -> np.ndarray:
    """The definition `leap` is held to: every lane, one step after the other. Same arrays as `leap`."""
    for _ in range(steps):
        y = plain_step(system, stepper, y)
    return y
