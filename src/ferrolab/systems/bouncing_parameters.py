"""The bouncing mass with parameters in its state: `z = (h, v, p...)`, so that every route differentiates by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np

from ferrolab.hybrid.system import Guard, HybridSystem, Mode
from ferrolab.systems.bouncing_hybrid import REST_SPEED
from ferrolab.systems.bouncing_mass import BouncingMass
from ferrolab.validate import InvalidInput

GRAVITY = "gravity"


def parameters_of(system: BouncingMass) -> tuple[str, ...]:
    """Names of the parameters one may differentiate by: those of the law, and gravity."""
    law = system.law
    known = tuple(f.name for f in fields(law))
    if not system.has_impulse and not hasattr(law, "parameter_gradient"):
        known = ()
    return (*known, GRAVITY)


def values_of(system: BouncingMass, names: Sequence[str]) -> np.ndarray:
    """The parameters' values, (m,). Raises `InvalidInput` for a name the system does not have, or for lanes."""
    for name in names:
        if name not in parameters_of(system):
            raise InvalidInput("parameters", name, "among " + ", ".join(parameters_of(system)))
    values = [system.gravity if name == GRAVITY else getattr(system.law, name) for name in names]
    if any(np.ndim(value) for value in values):
        raise InvalidInput("system", "an array of parameters", "of one lane here: one value per parameter")
    return np.array(values, dtype=float)


def changed(system: BouncingMass, names: Sequence[str], values: np.ndarray) -> BouncingMass:
    """The system at other values of its parameters."""
    given = dict(zip(names, (float(value) for value in values)))
    gravity = given.pop(GRAVITY, system.gravity)
    return BouncingMass(replace(system.law, **given), gravity)


def parametric_hybrid(system: BouncingMass, names: Sequence[str]) -> HybridSystem:
    """The system of dimension 2 + m whose last m components are the named parameters, at rest."""
    m = len(names)
    values_of(system, names)

    def at(z: np.ndarray) -> BouncingMass:
        return changed(system, names, z[2:])

    def padded(row: Sequence[float]) -> np.ndarray:
        return np.concatenate([row, np.zeros(m)])

    def flight(z: np.ndarray) -> np.ndarray:
        return padded([z[1], -at(z).gravity])

    flight_jacobian = np.zeros((2 + m, 2 + m))
    flight_jacobian[0, 1] = 1.0
    for i, name in enumerate(names):
        flight_jacobian[1, 2 + i] = -1.0 if name == GRAVITY else 0.0
    up = padded([1.0, 0.0])
    height = lambda z: z[0]  # noqa: E731
    if system.has_impulse:
        return HybridSystem(2 + m, {"flight": Mode(flight, lambda z: flight_jacobian, (_impact(at, names, m, up),))})

    def push(z: np.ndarray) -> float:
        return float(at(z).law.unclamped_force(z[0], z[1]))

    def push_gradient(z: np.ndarray) -> np.ndarray:
        law = at(z).law
        along = law.parameter_gradient(z[0], z[1])
        return np.array([*law.force_gradient(z[0], z[1]), *(along.get(name, 0.0) for name in names)], dtype=float)

    def contact(z: np.ndarray) -> np.ndarray:
        return padded([z[1], push(z) - at(z).gravity])

    def contact_jacobian(z: np.ndarray) -> np.ndarray:
        J = flight_jacobian.copy()
        J[1] += push_gradient(z)
        return J

    touch_down = Guard("touch-down", height, lambda z: up, target="contact")
    ends = Guard("push ends", push, push_gradient, target="parting")
    returns = Guard("push returns", push, push_gradient, direction=+1, target="contact")
    leaves = Guard("leaves the plane", height, lambda z: up, direction=+1, target="flight")
    modes = {
        "flight": Mode(flight, lambda z: flight_jacobian, (touch_down,)),
        "contact": Mode(contact, contact_jacobian, (ends,)),
        "parting": Mode(flight, lambda z: flight_jacobian, (leaves, returns)),
    }
    return HybridSystem(2 + m, modes, lambda z: at(z).hybrid(0, 1).mode_of(z[:2]))


def _impact(at, names: Sequence[str], m: int, up: np.ndarray) -> Guard:
    def reset(z: np.ndarray) -> np.ndarray:
        return np.concatenate([[z[0], -float(at(z).law.restitution) * z[1]], z[2:]])

    def reset_jacobian(z: np.ndarray) -> np.ndarray:
        DR = np.eye(2 + m)
        DR[1, 1] = -float(at(z).law.restitution)
        for i, name in enumerate(names):
            DR[1, 2 + i] = -z[1] if name == "restitution" else 0.0
        return DR

    def rests(z: np.ndarray, step: float) -> bool:
        return abs(z[1]) < max(REST_SPEED, 0.5 * at(z).gravity * step)

    return Guard("impact", lambda z: z[0], lambda z: up, target="flight", reset=reset, reset_jacobian=reset_jacobian, rests=rests)
