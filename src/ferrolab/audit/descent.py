"""Descent through one impact: what a gradient is worth to someone who wants to use it.

Find the start (h0, v0) from which the mass ends where it ends when dropped from (1, 0): minimise
`J(x) = 1/2 |x_T(x) - x*|^2`. Its gradient is `J_route^T (x_T - x*)`, with the Jacobian of the route on trial.

Two scores decide whether a trial step goes downhill:

* "exact": the exact rigid flow's own J, whichever simulator supplied the gradient. This is the published experiment:
  the simulator proposes, the exact flow judges, and the target is the rigid one.
* "own": the J of the simulator itself, towards the state it reaches itself. No second model is involved, so a
  failure is the gradient's alone.

A trial start whose exact rigid flow does not meet the plane exactly once scores infinity: the experiment is about
one impact, and far away (the mass at rest) the objective is flat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ferrolab.contact import HuntCrossley, KelvinVoigt, RigidImpact
from ferrolab.derivative import EventAware, jacobian, rollout
from ferrolab.derivative.base import Stepper
from ferrolab.derivative.routes import Route
from ferrolab.integrate import EventDriven
from ferrolab.systems import BouncingMass
from ferrolab.validate import one_of

# The published experiment.
STARTS = ((0.70, 0.0), (1.30, 0.0), (0.85, 0.80), (1.15, -0.80))
GOAL = (1.0, 0.0)
HORIZON, RESTITUTION = 0.8, 0.6
FIRST_STEP, HALVINGS, ITERATIONS, CONVERGED = 0.5, 40, 4000, 1e-6
# Gauss-Newton starts from the full step and needs few iterations when its Jacobian is right.
NEWTON_STEP, NEWTON_ITERATIONS = 1.0, 100

SCORES = ("exact", "own")
METHODS = ("gradient", "gauss-newton")
OUTCOMES = ("converged", "no downhill step", "out of iterations")

Score = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Simulator:
    """A law with its stepping, and the route by which its rollouts are differentiated."""

    label: str
    law: KelvinVoigt | HuntCrossley | RigidImpact
    stepper: Stepper
    route: Route

    @property
    def system(self) -> BouncingMass:
        return BouncingMass(self.law)

    def ends(self, x: np.ndarray) -> np.ndarray:
        """Final states: (2, lanes) -> (2, lanes)."""
        if isinstance(self.route, EventAware) and not isinstance(self.stepper, EventDriven):
            return self.linearise(x)[0]  # its rollout locates the events; the plain one does not
        return rollout(self.system, x.T, HORIZON, self.stepper).state.T

    def linearise(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Final states (2, lanes) and Jacobians (lanes, 2, 2)."""
        found = jacobian(self.system, x.T, HORIZON, self.stepper, self.route)
        return found.state.T, found.jacobian


EXACT = Simulator("rigid, exact, event-aware", RigidImpact(RESTITUTION), EventDriven(), EventAware())


@dataclass(frozen=True)
class Descent:
    """One start: how it ended. loss: J at `end`; iterations: accepted steps."""

    start: tuple[float, float]
    outcome: str
    iterations: int
    loss: float
    end: tuple[float, float]


def in_domain(x: np.ndarray) -> np.ndarray:
    """Starts (2, lanes) above the plane whose exact rigid flow meets it exactly once: (lanes,) booleans."""
    h, v = x
    above = h > 0.0
    speed = np.sqrt(np.maximum(v * v + 2.0 * EXACT.system.gravity * h, 0.0))
    hit = (v + speed) / EXACT.system.gravity
    with np.errstate(invalid="ignore"):
        return above & (hit < HORIZON) & (hit + 2.0 * RESTITUTION * speed / EXACT.system.gravity > HORIZON)


def objective(judge: Simulator) -> tuple[np.ndarray, Score]:
    """The target (2, 1) and J of `judge`'s own rollouts towards it; infinity outside the domain."""
    target = judge.ends(np.array(GOAL)[:, None])

    def score(x: np.ndarray) -> np.ndarray:
        inside = in_domain(x)
        loss = np.full(x.shape[1], np.inf)
        if np.any(inside):
            with np.errstate(over="ignore", invalid="ignore"):
                loss[inside] = 0.5 * np.sum((judge.ends(x[:, inside]) - target) ** 2, axis=0)
        return np.where(np.isfinite(loss), loss, np.inf)

    return target, score


def descend(
    simulator: Simulator,
    score: str = "exact",
    method: str = "gradient",
    starts: tuple[tuple[float, float], ...] = STARTS,
    iterations: int | None = None,
    block: int = 8,
) -> tuple[Descent, ...]:
    """Minimise from every start, with backtracking: a step is halved until J falls at all.

    Args:
        simulator: supplies the gradient, and with `score="own"` the objective.
        score: see the module. method: "gradient" steps along `-J^T r`, "gauss-newton" along `-J^-1 r`.
        iterations: most accepted steps of each start; the published 4000 for the gradient unless given.
        block: how many halvings are tried in one call; it changes the cost, not the result.

    Returns:
        One `Descent` for each start, in order.

    Raises:
        InvalidInput: score or method is unknown.
    """
    judge = EXACT if one_of("score", score, SCORES) == "exact" else simulator
    newton = one_of("method", method, METHODS) == "gauss-newton"
    target, loss_of = objective(judge)
    most = iterations if iterations is not None else NEWTON_ITERATIONS if newton else ITERATIONS
    sizes = (NEWTON_STEP if newton else FIRST_STEP) * 0.5 ** np.arange(HALVINGS)
    x = np.array(starts, dtype=float).T
    loss = loss_of(x)
    taken, outcome = np.zeros(x.shape[1], int), np.full(x.shape[1], 2)
    going = np.full(x.shape[1], True)
    for _ in range(most + 1):
        done = going & (loss < CONVERGED)
        outcome[done] = 0
        going &= ~done & (taken < most)
        lanes = np.flatnonzero(going)
        if not len(lanes):
            break
        directions = _directions(simulator, x[:, lanes], target, newton)
        moved, new = _backtrack(loss_of, x[:, lanes], loss[lanes], directions, sizes, block)
        stuck = ~np.isfinite(new)
        outcome[lanes[stuck]] = 1
        going[lanes[stuck]] = False
        x[:, lanes[~stuck]], loss[lanes[~stuck]] = moved[:, ~stuck], new[~stuck]
        taken[lanes[~stuck]] += 1
    return tuple(
        Descent(tuple(start), OUTCOMES[outcome[i]], int(taken[i]), float(loss[i]), (float(x[0, i]), float(x[1, i])))
        for i, start in enumerate(starts)
    )


def _directions(simulator: Simulator, x: np.ndarray, target: np.ndarray, newton: bool) -> np.ndarray:
    """Where to step: (2, lanes). Zero where the simulator returns nothing finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        state, J = simulator.linearise(x)
        r = (state - target).T[..., None]
        way = -np.linalg.pinv(np.where(np.isfinite(J), J, 0.0)) @ r if newton else -np.swapaxes(J, 1, 2) @ r
    way = way[..., 0].T
    return np.where(np.all(np.isfinite(way), axis=0), way, 0.0)


def _backtrack(
    loss_of: Score, x: np.ndarray, loss: np.ndarray, way: np.ndarray, sizes: np.ndarray, block: int
) -> tuple[np.ndarray, np.ndarray]:
    """The first size that lowers J, lane by lane: the new points (2, lanes) and their J, infinity where none does."""
    best, new = x.copy(), np.full(x.shape[1], np.inf)
    for first in range(0, len(sizes), block):
        lanes = np.flatnonzero(~np.isfinite(new))
        if not len(lanes):
            break
        trial = x[:, None, lanes] + sizes[first : first + block, None] * way[:, None, lanes]
        losses = loss_of(trial.reshape(2, -1)).reshape(trial.shape[1:])
        lower = losses < loss[lanes]
        which, found = np.argmax(lower, axis=0), np.any(lower, axis=0)
        columns = np.flatnonzero(found)
        best[:, lanes[found]] = trial[:, which[found], columns]
        new[lanes[found]] = losses[which[found], columns]
    return best, new
