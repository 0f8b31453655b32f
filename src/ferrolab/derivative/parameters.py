"""Derivatives of the final state with respect to parameters, by every route."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.derivative.base import Stepper, advance
from ferrolab.derivative.event_aware import EventAware
from ferrolab.derivative.finite_difference import FiniteDifference
from ferrolab.derivative.routes import Route
from ferrolab.hybrid import Located, located_adaptive, located_fixed
from ferrolab.integrate.base import FixedStepper
from ferrolab.integrate.event_driven import EventDriven
from ferrolab.integrate.semi_implicit_euler import SemiImplicitEuler
from ferrolab.status import Status
from ferrolab.systems import BouncingMass
from ferrolab.systems.bouncing_parameters import changed, parametric_hybrid, values_of
from ferrolab.validate import InvalidInput, finite


@dataclass(frozen=True)
class ParameterJacobian:
    """state (2,), jacobian (2, m) in the order the parameters were named, status, and what it cost.

    `evaluations` counts right-hand sides; `products` counts products of the field's Jacobian with a tangent (none
    for finite differences).
    """

    state: np.ndarray
    jacobian: np.ndarray
    status: Status
    evaluations: int
    products: int


def parameter_jacobian(
    system: BouncingMass, names: Sequence[str], x0: ArrayLike, horizon: float, stepper: Stepper, route: Route
) -> ParameterJacobian:
    """d (height, velocity) / d parameter of one lane.

    Args:
        names: of the law's parameters ("stiffness", "damping_ratio", "dissipation", "restitution") and "gravity".
        x0: (2,). The rest as for `derivative.jacobian`; a fixed step is marched, not leapt, for the tangent routes.

    Raises:
        InvalidInput: an unknown name, more than one lane, or `EventDriven` with a tangent route.
    """
    x = finite("x0", x0)
    if x.shape != (2,):
        raise InvalidInput("x0", x.shape, "of shape (2,): one lane")
    values = values_of(system, names)
    if isinstance(route, FiniteDifference):
        return _differenced(system, names, values, x, horizon, stepper, route)
    if isinstance(stepper, EventDriven):
        raise InvalidInput("stepper", "EventDriven()", "a fixed stepper or DormandPrince(rtol=...) for this route; FiniteDifference() takes it")
    z = np.concatenate([x, values])
    seeds = np.eye(len(z))[:, 2:]
    run = _located(parametric_hybrid(system, names), np.column_stack([z, seeds]), horizon, stepper, route)
    return ParameterJacobian(run.y[:2, 0], run.y[:2, 1:], run.status, run.evaluations, run.evaluations * len(names))


def _located(hybrid, y: np.ndarray, horizon: float, stepper: Stepper, route: Route) -> Located:
    aware = isinstance(route, EventAware)
    saltation = aware and route.saltation
    if isinstance(stepper, FixedStepper):
        if isinstance(stepper, SemiImplicitEuler):
            stepper = replace(stepper, positions=1)
        return located_fixed(hybrid, stepper, y, stepper.steps(horizon), saltation, snap=not aware)
    return located_adaptive(hybrid, stepper, y, horizon, saltation)


def _differenced(
    system: BouncingMass, names: Sequence[str], values: np.ndarray, x: np.ndarray, horizon: float, stepper: Stepper,
    route: FiniteDifference,
) -> ParameterJacobian:  # fmt: skip
    """The probe is relative to each parameter: they differ by many orders of magnitude."""
    evaluations, statuses = 0, []

    def end(at: np.ndarray) -> np.ndarray:
        nonlocal evaluations
        found = advance(changed(system, names, at), x[:, None, None], horizon, stepper)
        evaluations += int(found.stats.evaluations[0])
        statuses.append(Status(int(found.status[0])))
        return found.y[:, 0, 0]

    def slope(probe: float) -> np.ndarray:
        columns = []
        for i, value in enumerate(values):
            h = probe * max(abs(value), probe)
            offset = np.zeros(len(values))
            offset[i] = h
            columns.append((end(values + offset) - end(values - offset)) / (2.0 * h))
        return np.stack(columns, axis=-1)

    J = slope(route.probe)
    if route.richardson:
        J = (4.0 * slope(0.5 * route.probe) - J) / 3.0
    counted = evaluations
    return ParameterJacobian(end(values), J, max(statuses), counted, 0)
