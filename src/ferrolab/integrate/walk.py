"""One lane in contact with a law that has no closed form, stepped in plain floats.

A numpy call on two numbers costs more than ten floating point operations in Python. A fine step through a
Hunt-Crossley contact is nothing but such calls, so here the three fixed steppers are written out for one mass and
one contact, state and Jacobian together. `plain_step` is the definition; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ferrolab.integrate.base import FixedStepper
from ferrolab.integrate.explicit_euler import ExplicitEuler
from ferrolab.integrate.runge_kutta import RungeKutta4
from ferrolab.integrate.semi_implicit_euler import SemiImplicitEuler

Push = Callable[[float, float], tuple[float, float, float]]
"""(gap, rate) -> force per unit mass and its derivatives by gap and by rate."""

Step = Callable[[float, float], tuple[float, float, float, float, float, float]]
"""(h, v) -> (h', v') and the four entries of the step's Jacobian, row by row."""


def one_sided(push: Push) -> Push:
    """The law as it is coded: no force above the plane, and none that pulls."""

    def clamped(h: float, v: float) -> tuple[float, float, float]:
        if h < 0.0:
            force = push(h, v)
            if force[0] > 0.0:
                return force
        return 0.0, 0.0, 0.0

    return clamped


def step_of(stepper: FixedStepper, push: Push, g: float) -> Step | None:
    """One step of `stepper` on the mass; None for a stepper that is not written out here."""
    return {SemiImplicitEuler: _semi_implicit, ExplicitEuler: _explicit, RungeKutta4: _classical}.get(
        type(stepper), lambda *_: None
    )(push, g, stepper.dt)


def walk(step: Step, going: Callable[[float, float], bool], y: np.ndarray, most: int, past: bool) -> tuple[int, np.ndarray]:
    """Take steps from `y` (2, 1 + m) while `going` is true of the state, at most `most`.

    Args:
        past: True takes the step that ends where `going` is false, too; False stops in front of it.

    Returns:
        (steps taken, y after them).
    """
    h, v = float(y[0, 0]), float(y[1, 0])
    a, b, c, d = 1.0, 0.0, 0.0, 1.0
    taken = 0
    while taken < most and going(h, v):
        h1, v1, p, q, r, s = step(h, v)
        if not past and not going(h1, v1):
            break
        h, v = h1, v1
        a, b, c, d = p * a + q * c, p * b + q * d, r * a + s * c, r * b + s * d
        taken += 1
    return taken, np.column_stack([[h, v], np.array([[a, b], [c, d]]) @ y[:, 1:]])


def _semi_implicit(push: Push, g: float, dt: float) -> Step:
    def step(h: float, v: float):
        force, by_h, by_v = push(h, v)
        v = v + dt * (force - g)
        r, s = dt * by_h, 1.0 + dt * by_v
        return h + dt * v, v, 1.0 + dt * r, dt * s, r, s

    return step


def _explicit(push: Push, g: float, dt: float) -> Step:
    def step(h: float, v: float):
        force, by_h, by_v = push(h, v)
        return h + dt * v, v + dt * (force - g), 1.0, dt, dt * by_h, 1.0 + dt * by_v

    return step


def _classical(push: Push, g: float, dt: float) -> Step:
    half, sixth = 0.5 * dt, dt / 6.0

    def step(h: float, v: float):
        f1, p1, q1 = push(h, v)
        a1 = f1 - g
        v2 = v + half * a1
        f2, p2, q2 = push(h + half * v, v2)
        a2 = f2 - g
        # Tangents of the stages: the slope of the height is the tangent of the velocity, so two rows are enough.
        r2, s2 = half * p1, 1.0 + half * q1
        c2, d2 = p2 + q2 * r2, p2 * half + q2 * s2
        v3 = v + half * a2
        f3, p3, q3 = push(h + half * v2, v3)
        a3 = f3 - g
        r3, s3 = half * c2, 1.0 + half * d2
        c3, d3 = p3 * (1.0 + half * r2) + q3 * r3, p3 * half * s2 + q3 * s3
        v4 = v + dt * a3
        f4, p4, q4 = push(h + dt * v3, v4)
        r4, s4 = dt * c3, 1.0 + dt * d3
        c4, d4 = p4 * (1.0 + dt * r3) + q4 * r4, p4 * dt * s3 + q4 * s4
        return (
            h + sixth * (v + 2.0 * v2 + 2.0 * v3 + v4),
            v + sixth * (a1 + 2.0 * a2 + 2.0 * a3 + f4 - g),
            1.0 + sixth * (2.0 * r2 + 2.0 * r3 + r4),
            sixth * (1.0 + 2.0 * s2 + 2.0 * s3 + s4),
            sixth * (p1 + 2.0 * c2 + 2.0 * c3 + c4),
            1.0 + sixth * (q1 + 2.0 * d2 + 2.0 * d3 + d4),
        )

    return step
