"""Stepping with tangents for every pair of law and stepper, and the result every route returns.

Arrays here have components first: `y[:, 0]` is the state (2, lanes), `y[:, 1:]` the tangents carried with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ferrolab.hybrid import MAX_EVENTS, Located, located_adaptive, located_fixed
from ferrolab.integrate.adapt_lane import adapt_lanes, fits
from ferrolab.integrate.affine import Propagator
from ferrolab.integrate.base import FixedStepper, Stats
from ferrolab.integrate.dormand_prince import DormandPrince, adapt
from ferrolab.integrate.event_driven import EventDriven, exact_flow
from ferrolab.integrate.leap import StepMap, leap
from ferrolab.status import Status
from ferrolab.systems import BouncingMass

Stepper = FixedStepper | DormandPrince | EventDriven

# A linear step whose spectral radius exceeds 1 by more than rounding makes every error in contact grow.
STABILITY_MARGIN = 1e-9
# A law that is not affine in contact is judged by an undamped spring of its stiffness, whose errors may grow this
# much over one contact before the step is called unstable.
GROWTH_PER_CONTACT = np.e

# A lane that cannot hold its contact gains energy and bounces ever faster; nobody needs more of it than this.
EVENTS_OF_AN_UNSTABLE_LANE = 32


@dataclass(frozen=True)
class Advanced:
    """States (and tangents) at the horizon: y (2, 1 + m, lanes), status (lanes,), stats."""

    y: np.ndarray
    status: np.ndarray
    stats: Stats


@dataclass(frozen=True)
class Linearisation:
    """A rollout and its Jacobian, by one route.

    Attributes:
        state: (..., 2) final height (m) and velocity (m/s).
        jacobian: (..., 2, 2) d state / d start; row 0 height, row 1 velocity; column 0 by height, 1 by velocity.
        status: (...) integers of `Status`, one per lane.
        stats: accepted and rejected steps of *one* rollout, and the evaluations of all the rollouts it took.
    """

    state: np.ndarray
    jacobian: np.ndarray
    status: np.ndarray
    stats: Stats

    @property
    def success(self) -> bool:
        """True when every lane's status is `Status.OK`."""
        return bool(np.all(self.status == Status.OK))

    @property
    def message(self) -> str:
        """The remedy of the most severe status among the lanes; empty on success."""
        return Status(int(np.max(self.status))).remedy


def seeded(x: np.ndarray) -> np.ndarray:
    """The states x (2, lanes) with the identity as their tangents: (2, 3, lanes)."""
    y = np.zeros((2, 3, x.shape[-1]))
    y[:, 0] = x
    y[0, 1] = y[1, 2] = 1.0
    return y


def advance(system: BouncingMass, y: np.ndarray, horizon: float, stepper: Stepper) -> Advanced:
    """Carry `y` to the horizon along the branches taken: what a tape through the simulator would see."""
    lanes = y.shape[-1]
    if isinstance(stepper, EventDriven):
        return _exact(system, y, horizon, saltation=False)
    if isinstance(stepper, FixedStepper):
        steps = stepper.steps(horizon)
        end, _ = leap(system, stepper, y, steps)
        return _checked(end, np.where(unstable(system, stepper, lanes), Status.UNSTABLE_STEP, Status.OK), _cost(steps, stepper, lanes))
    if system.has_impulse:
        # A tolerance says nothing about an instant: the impact is located, and its time is held constant.
        return advance_located(system, y, horizon, stepper, saltation=False)
    if fits(system, lanes):
        return _checked(*adapt_lanes(system, stepper, y, horizon))
    end, status, stats = adapt(stepper, system.variational_field, y, horizon)
    return _checked(end, status, stats)


def advance_located(system: BouncingMass, y: np.ndarray, horizon: float, stepper: Stepper, saltation: bool | np.ndarray) -> Advanced:
    """Carry `y` to the horizon with every event located, with or without its saltation matrix."""
    lanes = y.shape[-1]
    if isinstance(stepper, EventDriven):
        return _exact(system, y, horizon, saltation)
    if isinstance(stepper, FixedStepper):
        steps = stepper.steps(horizon)
        shaky = unstable(system, stepper, lanes)
        run: Callable[[int], Located] = lambda i: located_fixed(
            system.hybrid(i, lanes), stepper, y[..., i], steps, saltation,
            most_events=EVENTS_OF_AN_UNSTABLE_LANE if shaky[i] else MAX_EVENTS,
        )  # fmt: skip
        limit = np.where(shaky, Status.UNSTABLE_STEP, Status.OK)
    else:
        run = lambda i: located_adaptive(system.hybrid(i, lanes), stepper, y[..., i], horizon, saltation)  # noqa: E731
        limit = np.full(lanes, int(Status.OK))
    ends = [run(i) for i in range(lanes)]
    counts = [np.array([getattr(end, name) for end in ends]) for name in ("accepted", "rejected", "evaluations")]
    status = np.array([int(end.status) for end in ends])
    status = np.where((limit > status) | ((limit > Status.OK) & (status == Status.STEP_LIMIT)), limit, status)
    return _checked(np.stack([end.y for end in ends], axis=-1), status, Stats(*counts))


def unstable(system: BouncingMass, stepper: FixedStepper, lanes: int) -> np.ndarray:
    """Lanes on which the fixed step is too large for the contact: (lanes,) booleans."""
    if system.has_impulse:
        return np.full(lanes, False)
    contact = system.contact()
    if contact is not None:
        radius = Propagator.of_step(StepMap.of(stepper, contact, lanes).M).radius
        return ~(radius <= 1.0 + STABILITY_MARGIN)
    spring = Propagator.of_step(StepMap.of(stepper, system.undamped_contact(), lanes).M)
    half_turn = np.pi / np.where(spring.omega > 0.0, spring.omega, np.pi)
    with np.errstate(over="ignore", invalid="ignore"):
        overshoots = ~spring.regular & ~(spring.radius <= 1.0 + STABILITY_MARGIN)
        return overshoots | ~(spring.radius**half_turn <= GROWTH_PER_CONTACT)


def _exact(system: BouncingMass, y: np.ndarray, horizon: float, saltation: bool) -> Advanced:
    flow = exact_flow(system, y[:, 0], horizon)
    X = np.einsum("ijl,jml->iml", flow.tangent if saltation else flow.tangent_branch, y[:, 1:])
    none = np.zeros(y.shape[-1], int)
    return _checked(np.concatenate([flow.state[:, None], X], axis=1), flow.status, Stats(none, none, none))


def _cost(steps: int, stepper: FixedStepper, lanes: int) -> Stats:
    taken = np.full(lanes, steps)
    return Stats(taken, np.zeros(lanes, int), taken * stepper.stages)


def _checked(y: np.ndarray, status: np.ndarray, stats: Stats) -> Advanced:
    finite = np.all(np.isfinite(y), axis=(0, 1))
    return Advanced(y, np.where(finite, status, int(Status.DIVERGED)).astype(int), stats)
