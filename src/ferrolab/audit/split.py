"""The three-way split: the matrices themselves, and the shares they leave."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from ferrolab.audit.measures import Shares
from ferrolab.audit.readout import measure, plain, shares
from ferrolab.audit.reference import reference
from ferrolab.audit.settings import Settings


@dataclass(frozen=True)
class Split:
    """Exact Jacobians at one stiffness and the shares of the route's error.

    Attributes:
        jacobian_penalty: exact, of the contact law's continuous flow (2 x 2). jacobian_branch: the same without
            saltation matrices. jacobian_rigid: of the rigid impact at `restitution`. jacobian_route: as returned.
        state, state_rigid: exact final (height, velocity). restitution: of the continuous law.
        shares: see `measures.Shares`.
    """

    stiffness: float
    jacobian_penalty: list[list[float]]
    jacobian_branch: list[list[float]]
    jacobian_rigid: list[list[float]]
    jacobian_route: list[list[float | None]]
    state: list[float]
    state_rigid: list[float]
    restitution: float
    shares: Shares

    def as_dict(self) -> dict:
        """Plain types, ready for JSON."""
        return asdict(self)


def split(settings: Settings) -> Split:
    """Split the error of the route at this setting."""
    k = np.array([settings.stiffness])
    exact, found = reference(settings, k), measure(settings, k)
    return Split(
        settings.stiffness,
        exact.jacobian_law[0].tolist(),
        exact.jacobian_branch[0].tolist(),
        exact.jacobian_rigid[0].tolist(),
        plain(found.jacobian[0]),
        exact.state[0].tolist(),
        exact.state_rigid[0].tolist(),
        float(exact.restitution[0]),
        shares(settings, found)[0],
    )
