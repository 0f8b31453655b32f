"""Derivatives of time stepping at velocity level, by three routes that must agree.

* "forward": tangents carried through every sweep of every step (`derivative.dual`).
* "reverse": cotangents pulled back through every sweep of every step (`derivative.tape`), a step at a time from the
  states that were kept, so that memory grows with the steps and not with the sweeps.
* "implicit": the sweeps run without derivatives; at the impulses they end with, one sweep `p = S(p, x)` is
  differentiated and `(I - S_p) dp = S_x dx` solved. It is the derivative of the *solution*, whatever the sweeps did,
  and it is refused where they have not converged.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.derivative.dual import Dual, seeded, tangents
from ferrolab.derivative.tape import Tape
from ferrolab.integrate.gauss_seidel import ContactProblem, Impulses, solve, sweep
from ferrolab.integrate.time_stepping import Components, ImpulseLaw, Mechanism, TimeStepping, components
from ferrolab.status import Status
from ferrolab.validate import finite, one_of

STEP_ROUTES = ("forward", "reverse", "implicit")

# An impulse that one more sweep would change by more than this share of the largest has not converged.
CONVERGED = 1e-8
# Singular values of I - S_p below this share of the largest count as zero: the impulses are then not unique.
SINGULAR = 1e-9


class ImpulsesNotUnique(ArithmeticError):
    """The contact problem has more than one solution, so that its impulses have no derivative."""

    def __init__(self, step: int, lanes: int) -> None:
        super().__init__(
            f"In step {step} the contact impulses are not unique in {lanes} of the lanes: the contacts are more than "
            "the mechanism can tell apart. Use the forward or the reverse route, or fewer contacts."
        )


class SweepsNotConverged(ArithmeticError):
    """The sweeps ended before the fixed point, so that the derivative of the solution is not that of the result."""

    def __init__(self, step: int, lanes: int, sweeps: int) -> None:
        super().__init__(
            f"In step {step} the contact impulses had not converged after {sweeps} sweeps in {lanes} of the lanes. "
            "Use more sweeps, or the forward or the reverse route, which differentiate the sweeps as they ran."
        )


@dataclass(frozen=True)
class SteppedJacobian:
    """A rollout by time stepping with its derivative.

    Attributes:
        state: (..., 2 n), coordinates then velocities. jacobian: (..., 2 n, 2 n) by the
            start, or (..., 2 n, pieces n) by the actions.
        status: (...), integers of `Status`.
    """

    state: np.ndarray
    jacobian: np.ndarray
    status: np.ndarray


def march_jacobian(
    mechanism: Mechanism, law: ImpulseLaw, state: ArrayLike, steps: int, stepper: TimeStepping, route: str = "forward",
) -> SteppedJacobian:  # fmt: skip
    """Step every lane `steps` times and differentiate the end by the start.

    Args:
        state: (..., 2 n), coordinates then velocities, SI. route: see the module.

    Raises:
        InvalidInput: the state or the route is not acceptable.
        ImpulsesNotUnique, SweepsNotConverged: the implicit route does not exist in one of the steps.
    """
    one_of("route", route, STEP_ROUTES)
    q, v = components(mechanism, state)
    with np.errstate(over="ignore", invalid="ignore"):
        if route == "reverse":
            end, matrix = _reverse(mechanism, law, q, v, steps, stepper)
        else:
            end, matrix = _forward(mechanism, law, q, v, steps, stepper, route == "implicit")
    return _result(end, matrix)


def action_jacobian(
    mechanism: Mechanism, law: ImpulseLaw, state: ArrayLike, actions: ArrayLike, hold: int, stepper: TimeStepping,
) -> SteppedJacobian:  # fmt: skip
    """Hold each action over `hold` steps and differentiate the end by the actions (forward mode).

    Args:
        state: (..., 2 n), coordinates then velocities, SI. actions: (pieces, ..., n), accelerations added.

    Returns:
        The end, with `jacobian` (..., 2 n, pieces n): a column for each coordinate of each piece, in that order.
    """
    q, v = components(mechanism, state)
    pieces = np.moveaxis(finite("actions", actions), -1, 1)
    seeds = seeded([part for piece in pieces for part in piece])
    n = len(q)
    with np.errstate(over="ignore", invalid="ignore"):
        for first in range(0, len(seeds), n):
            for _ in range(hold):
                q, v = stepper.step(mechanism, law, q, v, seeds[first : first + n])
    x = [*q, *v]
    return _result(np.stack([y.value for y in x], axis=-1), tangents(x))


def _result(end: np.ndarray, matrix: np.ndarray) -> SteppedJacobian:
    well = np.all(np.isfinite(end), axis=-1) & np.all(np.isfinite(matrix), axis=(-2, -1))
    status = np.where(well, int(Status.OK), int(Status.DIVERGED))
    return SteppedJacobian(np.where(well[..., None], end, 0.0), np.where(well[..., None, None], matrix, 0.0), status)


def _forward(
    mechanism: Mechanism, law: ImpulseLaw, q: Components, v: Components, steps: int, stepper: TimeStepping, implicit: bool
) -> tuple[np.ndarray, np.ndarray]:
    n = len(q)
    x = seeded([*q, *v])
    for k in range(steps):
        solver = _Implicit(k) if implicit else solve
        q, v = stepper.step(mechanism, law, x[:n], x[n:], solver=solver)
        x = [*q, *v]
    return np.stack([y.value for y in x], axis=-1), tangents(x)


def _reverse(
    mechanism: Mechanism, law: ImpulseLaw, q: Components, v: Components, steps: int, stepper: TimeStepping
) -> tuple[np.ndarray, np.ndarray]:
    n, kept = len(q), []
    for _ in range(steps):
        kept.append([*q, *v])
        q, v = stepper.step(mechanism, law, q, v)
    end = np.stack([*q, *v], axis=-1)
    cotangents = [np.array(y.tangent) for y in seeded([*q, *v])]
    for x in reversed(kept):
        tape = Tape()
        variables = [tape.variable(y) for y in x]
        after_q, after_v = stepper.step(mechanism, law, variables[:n], variables[n:])
        cotangents = tape.pull_back([*after_q, *after_v], cotangents, variables)
    # cotangents[j][i] is d end_i / d start_j.
    return end, np.moveaxis(np.array(cotangents), (0, 1), (-1, -2))


@dataclass(frozen=True)
class _Implicit:
    """A solver on dual numbers: impulses from plain sweeps, their tangents from the fixed point. step: for errors."""

    step: int

    def __call__(self, problem: ContactProblem, sweeps: int) -> Impulses:
        values = solve(_values(problem), sweeps)
        flat = [p for contact in values for p in contact]
        held = _as_impulses([Dual(p, _nothing(problem, p)) for p in flat], values)
        by_state = tangents([p for contact in sweep(problem, held) for p in contact])
        swept = [p for contact in sweep(_values(problem), _as_impulses(seeded(flat), values)) for p in contact]
        swept = [p if isinstance(p, Dual) else Dual(p, np.zeros((len(flat), *np.shape(p)))) for p in swept]
        self._refuse_unconverged(flat, [p.value for p in swept], sweeps)
        by_impulse = tangents(swept)
        matrix = np.eye(len(flat)) - by_impulse
        self._refuse_singular(matrix)
        tangent = np.moveaxis(np.linalg.solve(matrix, by_state), (-2, -1), (0, 1))
        return _as_impulses([Dual(p, t) for p, t in zip(flat, tangent)], values)

    def _refuse_unconverged(self, before: list[np.ndarray], after: list[np.ndarray], sweeps: int) -> None:
        largest = np.max(np.abs(np.array(after)), axis=0)
        moved = np.max(np.abs(np.array(after) - np.array(before)), axis=0)
        if np.any(moved > CONVERGED * largest):
            raise SweepsNotConverged(self.step, int(np.sum(moved > CONVERGED * largest)), sweeps)

    def _refuse_singular(self, matrix: np.ndarray) -> None:
        sizes = np.linalg.svd(matrix, compute_uv=False)
        singular = sizes[..., -1] < SINGULAR * sizes[..., 0]
        if np.any(singular):
            raise ImpulsesNotUnique(self.step, int(np.sum(singular)))


def _nothing(problem: ContactProblem, p: np.ndarray) -> np.ndarray:
    """Zero tangents of the shape of the problem's own."""
    return np.zeros_like(problem.free[0][0].tangent) + 0.0 * p


def _as_impulses(flat: list, like: Impulses) -> Impulses:
    numbers = iter(flat)
    return [[next(numbers) for _ in contact] for contact in like]


def _values(problem: ContactProblem) -> ContactProblem:
    """The problem without tangents."""

    def bare(x):
        return [bare(part) for part in x] if isinstance(x, list) else x.value if isinstance(x, Dual) else x

    return ContactProblem(
        bare(problem.free), bare(problem.delassus), bare(problem.takes_part), bare(problem.scale), problem.scaling,
        problem.friction, bare(problem.normal),
    )  # fmt: skip
