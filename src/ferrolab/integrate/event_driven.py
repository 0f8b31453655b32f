"""The exact flow where a closed form exists: no step, no tolerance. Events are roots, phases are exponentials.

Two laws have one on the bouncing mass: the rigid impact (parabolas and resets) and Kelvin-Voigt (parabolas and
damped oscillations). The Jacobian is the product of the phases' own and, at each event, of its saltation matrix;
leaving those out gives what differentiating along the branch taken gives, in the limit of a perfect integrator.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.integrate.affine import Propagator, first_zero
from ferrolab.integrate.base import ContactSystem
from ferrolab.status import Status

FLIGHT, PUSHED, PARTING, RESTING = range(4)
"""Above the plane; below it with the force on; below it with the force off (leaving); at rest on it."""

# Bounces shrink geometrically and the accumulation time is known, so this many events are never needed; it ends
# the loop for a horizon that lies within rounding of the accumulation.
MAX_EVENTS = 10_000


@dataclass(frozen=True)
class EventDriven:
    """Exact stepping from event to event. It has no parameters: there is no error to choose."""

    name = "event-driven"


@dataclass(frozen=True)
class ExactFlow:
    """Where the exact flow ends, lane by lane.

    Attributes:
        state: (2, lanes). status: (lanes,).
        tangent: (2, 2, lanes), the derivative of the state with respect to the start, exact.
        tangent_branch: the same product without the saltation matrices (the derivative of a reset stays in). For
            Kelvin-Voigt the one that differs from the identity is that of touch-down, `[[1, 0], [-c, 1]]`.
        events: (lanes,) number of touch-downs. first_event: (lanes,) time of the first (s), infinity if none.
        contact_time: (lanes,) total time with the contact force on (s); zero for the rigid law.
    """

    state: np.ndarray
    tangent: np.ndarray
    tangent_branch: np.ndarray
    status: np.ndarray
    events: np.ndarray
    first_event: np.ndarray
    contact_time: np.ndarray


def exact_flow(system: ContactSystem, x: np.ndarray, horizon: float | np.ndarray) -> ExactFlow:
    """The flow and its Jacobian after `horizon` seconds (a number, or one per lane), in closed form.

    Args:
        system: the bouncing mass with the rigid or the Kelvin-Voigt law.
        x: (2, lanes) start. The rigid law has no depth: a start below the plane, moving down, is an impact at once.

    Raises:
        TypeError: the law has no closed form (Hunt-Crossley).
    """
    if system.has_impulse:
        return _rigid(system, x, horizon)
    if system.contact() is None:
        raise TypeError(
            f"EventDriven has no closed form for the law {system.law.name!r}; it must be rigid or kelvin-voigt. "
            "Use DormandPrince(rtol=...) with EventAware() instead."
        )
    return _kelvin_voigt(system, x, horizon)


def _fall(x: np.ndarray, g: float, t: np.ndarray) -> np.ndarray:
    return np.stack([x[0] + t * (x[1] - 0.5 * g * t), x[1] - g * t])


def _drift(X: np.ndarray, t: np.ndarray) -> np.ndarray:
    return np.stack([X[0] + t * X[1], X[1]])


def time_to_plane(h: np.ndarray, v: np.ndarray, g: float) -> np.ndarray:
    """Time (s) until a mass at height h >= 0 with velocity v meets the plane, without cancellation."""
    speed = np.sqrt(np.maximum(v * v + 2.0 * g * h, 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(v > 0.0, (v + speed) / g, np.where(h > 0.0, 2.0 * h / (speed - v), 0.0))


def _start(x: np.ndarray) -> tuple[np.ndarray, ...]:
    lanes = x.shape[-1]
    X = np.zeros((2, 2, 2, lanes))  # the last but one axis: with saltation, without
    X[0, 0] = X[1, 1] = 1.0
    return X, np.full(lanes, int(Status.OK)), np.zeros(lanes, int), np.full(lanes, np.inf), np.zeros(lanes)


def _rigid(system: ContactSystem, x: np.ndarray, horizon: float | np.ndarray) -> ExactFlow:
    g, e = system.gravity, np.broadcast_to(system.law.restitution, x.shape[1:])
    X, status, events, first_event, no_contact = _start(x)
    left = np.array(np.broadcast_to(horizon, x.shape[1:]), dtype=float)
    for _ in range(MAX_EVENTS):
        h, v = x
        wait = np.where(h < 0.0, np.where(v < 0.0, 0.0, _return(h, v, g)), time_to_plane(h, v, g))
        # After touch-down at speed s the later bounces last 2 e s/g, 2 e^2 s/g, ...: their sum is finite for e < 1.
        s = np.sqrt(np.maximum(v * v + 2.0 * g * h, 0.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            accumulation = wait + np.where(e < 1.0, np.where(s > 0.0, 2.0 * e * s / (g * (1.0 - e)), 0.0), np.inf)
        rests = (left > 0.0) & (accumulation <= left)
        first_event = np.where(rests & (events == 0), horizon - left + wait, first_event)
        x, X = np.where(rests, 0.0, x), np.where(rests, 0.0, X)
        status = np.where(rests, int(Status.AT_REST), status)
        left = np.where(rests, 0.0, left)
        t = np.minimum(wait, left)
        hit = (left > 0.0) & (wait < left)
        x, X = _fall(x, g, t), _drift(X, t)
        left = left - t
        if not np.any(hit):
            break
        before = np.where(hit, x[1], -1.0)
        first_event = np.where(hit & (events == 0), horizon - left, first_event)
        events = events + hit
        corner = np.stack([-e, np.ones_like(e)])
        timing = np.stack([-(1.0 + e) * g / before, np.zeros_like(e)])
        X = np.where(hit, np.stack([corner * X[0], timing * X[0] - e * X[1]]), X)
        x = np.where(hit, np.stack([np.zeros_like(before), -e * before]), x)
    else:
        status = np.where(left > 0.0, int(Status.STEP_LIMIT), status)
    return ExactFlow(x, X[:, :, 0], X[:, :, 1], status, events, first_event, no_contact)


def _return(h: np.ndarray, v: np.ndarray, g: float) -> np.ndarray:
    """Time (s) until a mass below the plane, moving up, has passed it and comes down on it; infinity if it does not."""
    square = v * v + 2.0 * g * h
    return np.where((square >= 0.0) & (v > 0.0), (v + np.sqrt(np.maximum(square, 0.0))) / g, np.inf)


def _rise(h: np.ndarray, v: np.ndarray, g: float) -> np.ndarray:
    """Time (s) until a mass below the plane, moving up, passes it; infinity if gravity turns it first."""
    square = v * v + 2.0 * g * h
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((square >= 0.0) & (v > 0.0), -2.0 * h / (v + np.sqrt(np.maximum(square, 0.0))), np.inf)


def _kelvin_voigt(system: ContactSystem, x: np.ndarray, horizon: float | np.ndarray) -> ExactFlow:
    g = system.gravity
    k, c = (np.broadcast_to(part, x.shape[1:]) for part in (system.law.stiffness, system.law.damping))
    spring = Propagator.of_flow(np.broadcast_to(system.contact().matrix.reshape(2, 2, -1), (2, 2, *x.shape[1:])))
    sunk = g / k
    X, status, events, first_event, contact_time = _start(x)
    left = np.array(np.broadcast_to(horizon, x.shape[1:]), dtype=float)
    mode = np.where(x[0] > 0.0, FLIGHT, np.where(-k * x[0] - c * x[1] >= 0.0, PUSHED, PARTING))
    mode = np.where((x[0] == 0.0) & (x[1] != 0.0), FLIGHT, mode)  # a start on the plane, moving down, touches down
    for _ in range(MAX_EVENTS):
        if not np.any(left > 0.0):
            break
        h, v = x
        z = np.stack([h + sunk, v])
        Nz = np.stack([spring.N[i, 0] * z[0] + spring.N[i, 1] * z[1] for i in (0, 1)])
        pushed = mode == PUSHED
        push_ends = np.zeros_like(h)
        if np.any(pushed & (left > 0.0)):
            push_ends, _ = first_zero(spring, k * sunk, -k * z[0] - c * z[1], -k * Nz[0] - c * Nz[1], left, 0.0)
        push_returns = _push_returns(k, c, h, v, g)
        wait = np.select(
            [mode == FLIGHT, pushed], [time_to_plane(h, v, g), push_ends], np.minimum(_rise(h, v, g), push_returns)
        )
        t = np.minimum(wait, left)
        event = (left > 0.0) & (wait < left)
        C, S = spring.weights(np.where(pushed, t, 0.0))
        NX = np.stack([spring.N[i, 0] * X[0] + spring.N[i, 1] * X[1] for i in (0, 1)])
        x = np.where(pushed, C * z + S * Nz - np.stack([sunk, np.zeros_like(sunk)]), _fall(x, g, t))
        X = np.where(pushed, C * X + S * NX, _drift(X, t))
        contact_time = contact_time + np.where(pushed, t, 0.0)
        left = left - t
        touch_down = event & (mode == FLIGHT)
        passes_plane = event & (mode == PARTING) & (push_returns > wait)
        first_event = np.where(touch_down & (events == 0), horizon - left, first_event)
        events = events + touch_down
        x[0] = np.where(touch_down | passes_plane, 0.0, x[0])
        X[1, :, 0] -= np.where(touch_down, c, 0.0) * X[0, :, 0]
        following = np.select([mode == FLIGHT, pushed], [PUSHED, PARTING], np.where(passes_plane, FLIGHT, PUSHED))
        mode = np.where(event, following, mode)
    else:
        status = np.where(left > 0.0, int(Status.STEP_LIMIT), status)
    return ExactFlow(x, X[:, :, 0], X[:, :, 1], status, events, first_event, contact_time)


def _push_returns(k: np.ndarray, c: np.ndarray, h: np.ndarray, v: np.ndarray, g: float) -> np.ndarray:
    """Time (s) of free flight, starting with the force off, after which `-k h - c v` turns positive again."""
    slope = g * c - k * v
    square = np.maximum(slope * slope + 2.0 * k * g * (k * h + c * v), 0.0)
    return (np.sqrt(square) - slope) / (k * g)


def exact_restitution(system: ContactSystem, speed: np.ndarray) -> np.ndarray:
    """Restitution of the continuous spring-damper: rebound over impact speed, measured where the force ends.

    The mass meets the plane at `speed` (m/s). The force leaves while `h < 0`; from there to the plane it only
    falls upward, so `e = sqrt(v^2 + 2 g h) / speed`. 0 where it never leaves. Shape of `speed`: (lanes,).
    """
    k, c, g = system.law.stiffness, system.law.damping, system.gravity
    speed, k, c = np.broadcast_arrays(np.asarray(speed, dtype=float), k, c)
    spring = Propagator.of_flow(np.broadcast_to(system.contact().matrix.reshape(2, 2, -1), (2, 2, *speed.shape)))
    sunk = g / k
    z = np.stack([sunk, -speed])
    Nz = np.stack([spring.N[i, 0] * z[0] + spring.N[i, 1] * z[1] for i in (0, 1)])
    forever = np.full(speed.shape, np.inf)
    t, _ = first_zero(spring, k * sunk, -k * z[0] - c * z[1], -k * Nz[0] - c * Nz[1], forever, 0.0)
    leaves = np.isfinite(t)
    C, S = spring.weights(np.where(leaves, t, 0.0))
    h, v = C * z + S * Nz
    square = v * v + 2.0 * g * (h - sunk)
    return np.where(leaves & (v > 0.0), np.sqrt(np.maximum(square, 0.0)) / speed, 0.0)
