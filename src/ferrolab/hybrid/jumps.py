"""The jump detector: does the force jump where contact begins, and what will autodiff therefore get wrong?

It is asked *before* anything is differentiated. A jump of the field across a guard means that the derivative along
the branch taken lacks a term; the detector names the guard, measures the jump, and predicts the missing term.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ferrolab.hybrid.locate import located_adaptive
from ferrolab.hybrid.system import HybridSystem
from ferrolab.integrate.dormand_prince import DormandPrince
from ferrolab.validate import positive

RTOL = 1e-12
# A jump smaller than this, relative to the field, is rounding.
NO_JUMP = 1e-9


@dataclass(frozen=True)
class Jump:
    """One event: what the field does there, and what differentiating along the branch leaves out.

    Attributes:
        guard: name. time: s. jump: (n,), `f+ - DR f-`; zero where the field is continuous through the reset.
        jumps: whether it is more than rounding.
        missing: (n, n), `saltation - DR`, the factor autodiff lacks at this event.
        missing_at_end: (n, n), its contribution to the final Jacobian: exact minus the product without this factor.
    """

    guard: str
    time: float
    jump: np.ndarray
    jumps: bool
    missing: np.ndarray
    missing_at_end: np.ndarray


@dataclass(frozen=True)
class Prediction:
    """What autodiff will return and what is right, from one located rollout.

    Attributes:
        jumps: one `Jump` per event, in order. exact, autodiff: (n, n). error: `exact - autodiff`.
        will_lie: True when the two differ by more than rounding.
    """

    jumps: tuple[Jump, ...]
    exact: np.ndarray
    autodiff: np.ndarray

    @property
    def error(self) -> np.ndarray:
        return self.exact - self.autodiff

    @property
    def will_lie(self) -> bool:
        return bool(np.max(np.abs(self.error)) > 1e3 * NO_JUMP * max(1.0, float(np.max(np.abs(self.exact)))))


def predict(system: HybridSystem, x0: np.ndarray, horizon: float, rtol: float = RTOL) -> Prediction:
    """Locate the events from `x0` (n,) and predict what autodiff will miss at each of them."""
    x0 = np.asarray(x0, dtype=float)
    start = np.column_stack([x0, np.eye(len(x0))])
    exact = located_adaptive(system, DormandPrince(rtol=rtol), start, horizon, saltation=True)
    branch = located_adaptive(system, DormandPrince(rtol=rtol), start, horizon, saltation=False)
    end, jumps = exact.y[:, 1:], []
    for event in exact.events:
        onward = np.linalg.lstsq(event.leaving.T, end.T, rcond=None)[0].T
        jump = event.rate_after - event.reset_jacobian @ event.rate_before
        scale = max(1.0, float(np.max(np.abs(event.rate_before))))
        found = bool(np.max(np.abs(jump)) > NO_JUMP * scale)
        jumps.append(Jump(event.guard, event.time, jump, found, event.missing, onward @ event.missing @ event.arriving))
    return Prediction(tuple(jumps), end, branch.y[:, 1:])


def touch_down_jump(force: Callable[[float, float], float], speed: float, depths: tuple[float, ...] = (1e-6, 1e-7, 1e-8)) -> float:
    """Jump of any contact force at touch-down: its limit for vanishing penetration, minus its value above (m/s^2).

    Args:
        force: (gap (m), rate (m/s)) -> force per unit mass, a function one cannot look into.
        speed: of touch-down (m/s), greater than 0. depths: penetrations (m), falling, from which the limit is taken.

    The missing term of autodiff follows without a rollout: `d(v+)/d(gap) = -jump / speed`, at every dt and tolerance.
    """
    rate = -float(positive("speed", speed))
    values = np.array([float(force(-depth, rate)) for depth in depths])
    limit = np.polynomial.polynomial.polyfit(np.array(depths), values, len(depths) - 1)[0]
    return float(limit - force(depths[-1], rate))


def step_jump(step: Callable[[np.ndarray], np.ndarray], state: np.ndarray, gradient: np.ndarray, dt: float) -> np.ndarray:
    """Jump of the field a simulator integrates, across a guard, from nothing but the simulator's own step.

    Args:
        step: state (n,) -> state after one step of `dt` (s), a rollout one cannot look into.
        state: (n,) on the guard. gradient: ds/dx there (n,), pointing to the side the motion comes from.
        dt: small against what the field does after the crossing.

    Returns:
        (n,) the field beyond the guard minus the field before it, to the first order in dt.
    """
    state, normal = np.asarray(state, dtype=float), np.asarray(gradient, dtype=float)
    normal = normal / np.linalg.norm(normal)
    # Far enough to either side that a step from there does not reach across.
    away = 2.0 * abs(normal @ (np.asarray(step(state)) - state)) * normal
    before, beyond = state + away, state - away
    return ((np.asarray(step(beyond)) - beyond) - (np.asarray(step(before)) - before)) / float(positive("dt", dt))
