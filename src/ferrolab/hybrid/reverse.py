"""Reverse mode: the gradient of a scalar loss, carried back over the steps and events of one rollout.

Forward mode carries one tangent per start component or parameter; reverse mode carries one cotangent whatever
their number. The answers are the same; the costs are not, and both are counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ferrolab.hybrid.differentiate import derivative_of
from ferrolab.hybrid.locate import Located, located_adaptive, located_fixed
from ferrolab.hybrid.system import HybridSystem
from ferrolab.integrate.base import FixedStepper
from ferrolab.integrate.dormand_prince import DormandPrince
from ferrolab.status import Status


@dataclass(frozen=True)
class LossGradient:
    """A loss and its gradient with respect to the start (and the parameters appended to it).

    Attributes:
        loss: a number. gradient: (n,). state: (n,). status: of the rollout.
        evaluations: right-hand-side evaluations, of the rollout and of the way back.
        products: products of the field's Jacobian with a vector: the part that grows with n in forward mode.
    """

    loss: float
    gradient: np.ndarray
    state: np.ndarray
    status: Status
    evaluations: int
    products: int


def forward_gradient(
    system: HybridSystem, x0: np.ndarray, horizon: float, stepper: FixedStepper | DormandPrince,
    loss: Callable[[np.ndarray], float], saltation: bool = True,
) -> LossGradient:  # fmt: skip
    """The gradient of `loss(final state)` by carrying n tangents forward. x0: (n,)."""
    x0 = np.asarray(x0, dtype=float)
    run = _run(system, np.column_stack([x0, np.eye(len(x0))]), horizon, stepper, saltation)
    slope = derivative_of(loss, run.y[:, 0])
    products = run.evaluations * len(x0)
    return LossGradient(float(loss(run.y[:, 0])), slope @ run.y[:, 1:], run.y[:, 0], run.status, run.evaluations, products)


def reverse_gradient(
    system: HybridSystem, x0: np.ndarray, horizon: float, stepper: FixedStepper | DormandPrince,
    loss: Callable[[np.ndarray], float], saltation: bool = True,
) -> LossGradient:  # fmt: skip
    """The same gradient by carrying one cotangent back. x0: (n,). Modes must be given by a field, not a flow."""
    run = _run(system, np.asarray(x0, dtype=float)[:, None], horizon, stepper, saltation)
    cotangent = derivative_of(loss, run.y[:, 0])
    for back, _ in reversed(run.tape):
        cotangent = back(cotangent)
    # Going back runs each accepted stage once more, and multiplies once at each.
    back_evaluations = sum(steps for _, steps in run.tape) * stepper.stages
    return LossGradient(
        float(loss(run.y[:, 0])), cotangent, run.y[:, 0], run.status, run.evaluations + back_evaluations, back_evaluations
    )


def _run(system: HybridSystem, y: np.ndarray, horizon: float, stepper, saltation: bool) -> Located:
    if isinstance(stepper, FixedStepper):
        return located_fixed(system, stepper, y, stepper.steps(horizon), saltation)
    return located_adaptive(system, stepper, y, horizon, saltation)
