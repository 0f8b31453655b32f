"""What the answers are compared with: exact flows, with and without the event term."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.audit.settings import Settings
from ferrolab.contact import HuntCrossley, RigidImpact
from ferrolab.derivative.base import advance_located, seeded
from ferrolab.derivative.drop_test import restitution
from ferrolab.integrate import DormandPrince
from ferrolab.integrate.event_driven import exact_flow, exact_restitution

# Hunt-Crossley has no closed form: its reference is located Dormand-Prince at a tolerance near rounding.
REFERENCE_RTOL = 1e-12


@dataclass(frozen=True)
class Reference:
    """The law's own exact answer and the rigid one at the restitution the continuous law realises. Lanes lead.

    Attributes:
        restitution: (lanes,). state, state_rigid: (lanes, 2).
        jacobian_law: (lanes, 2, 2), exact. jacobian_branch: the same without saltation. jacobian_rigid: exact.
    """

    restitution: np.ndarray
    state: np.ndarray
    state_rigid: np.ndarray
    jacobian_law: np.ndarray
    jacobian_branch: np.ndarray
    jacobian_rigid: np.ndarray


def lanes_of(settings: Settings, lanes: int) -> np.ndarray:
    """The start, repeated: (2, lanes)."""
    return np.repeat(settings.start[:, None], lanes, axis=1)


def rigid_reference(settings: Settings, e: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Exact final state (lanes, 2), Jacobian (lanes, 2, 2) and status (lanes,) of the rigid law at restitution e."""
    flow = exact_flow(settings.rigid(e), lanes_of(settings, len(e)), settings.horizon)
    return flow.state.T, np.moveaxis(flow.tangent, -1, 0), flow.status


def reference(settings: Settings, stiffness: np.ndarray) -> Reference:
    """Exact references for the law asked for, at each stiffness (lanes,)."""
    x, system = lanes_of(settings, len(stiffness)), settings.system(stiffness)
    speed = np.full(len(stiffness), settings.impact_speed)
    if settings.law == HuntCrossley.name:
        stepper = DormandPrince(rtol=REFERENCE_RTOL)
        e = restitution(system, speed, stepper, located=True)
        # Both products in one rollout: two tangents with saltation matrices, two without.
        start = np.concatenate([seeded(x), seeded(x)[:, 1:]], axis=1)
        end = advance_located(system, start, settings.horizon, stepper, np.array([True, True, False, False])).y
        state, with_it, without = end[:, 0], end[:, 1:3], end[:, 3:]
    else:
        e = system.law.restitution if settings.law == RigidImpact.name else exact_restitution(system, speed)
        flow = exact_flow(system, x, settings.horizon)
        state, with_it, without = flow.state, flow.tangent, flow.tangent_branch
    state_rigid, jacobian_rigid, _ = rigid_reference(settings, e)
    lead = lambda array: np.moveaxis(array, -1, 0)  # noqa: E731
    return Reference(e, state.T, state_rigid, lead(with_it), lead(without), jacobian_rigid)
