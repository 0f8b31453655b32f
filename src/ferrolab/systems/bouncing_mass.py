"""A unit mass falling onto the plane `h = 0`: the system of the first lessons.

State `x = (h, v)`: height (m) and velocity (m/s), up positive. Arrays here have the component axis first:
`x[0]` is the height of every lane.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from ferrolab.contact import (
    ClampedDamper,
    HuntCrossley,
    KelvinVoigt,
    MuJoCoReference,
    RigidImpact,
)
from ferrolab.hybrid.system import HybridSystem
from ferrolab.integrate.base import AffineMode, Functional
from ferrolab.systems.bouncing_hybrid import force_hybrid, rigid_hybrid
from ferrolab.validate import positive

STANDARD_GRAVITY = 9.81  # m/s^2, the value all published figures of the lesson use

@dataclass(frozen=True)
class BouncingMass:
    """The mass, its contact law and gravity.

    Args:
        law: any of `ferrolab.contact`; its parameters may be arrays, one entry per lane.
        gravity: g (m/s^2), greater than 0.

    Raises:
        InvalidInput: gravity is not finite and positive.
    """

    law: KelvinVoigt | HuntCrossley | RigidImpact | ClampedDamper | MuJoCoReference
    gravity: float = STANDARD_GRAVITY

    dimension = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "gravity", float(positive("gravity", self.gravity)))

    @property
    def has_impulse(self) -> bool:
        """True when contact is a reset of the velocity instead of a force."""
        return isinstance(self.law, RigidImpact)

    def touching(self, x: np.ndarray) -> np.ndarray:
        """Lanes on which the contact acts: below the plane with the force pushing, or (rigid) moving down."""
        h, v = x
        return (h < 0) & ((v < 0) if self.has_impulse else (self.law.unclamped_force(h, v) > 0))

    def field(self, x: np.ndarray) -> np.ndarray:
        """`dx/dt` with the one-sided force: (2, lanes...) -> (2, lanes...)."""
        out = np.empty_like(x)
        out[0], out[1] = x[1], -self.gravity
        if not self.has_impulse:
            push = self.law.unclamped_force(x[0], x[1])
            out[1] += np.where((x[0] < 0) & (push > 0), push, 0.0)
        return out

    def field_tangent(self, x: np.ndarray, dx: np.ndarray) -> np.ndarray:
        """Derivative of `field` along `dx` on the branch taken at `x`: (2, m, lanes...) -> same shape."""
        if self.has_impulse:
            return np.stack([dx[1], np.zeros_like(dx[1])])
        on = self.touching(x)
        along_gap, along_rate = self.law.force_gradient(*x)
        return np.stack([dx[1], np.where(on, along_gap, 0.0) * dx[0] + np.where(on, along_rate, 0.0) * dx[1]])

    def variational_field(self, y: np.ndarray) -> np.ndarray:
        """`field` and `field_tangent` together: y[:, 0] is the state, y[:, 1:] its tangents."""
        x = y[:, 0]
        moved = self.field(x)[:, None]
        return moved if y.shape[1] == 1 else np.concatenate([moved, self.field_tangent(x, y[:, 1:])], axis=1)

    def flight(self) -> AffineMode:
        """The ballistic mode."""
        return AffineMode(np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([0.0, -self.gravity]))

    def contact(self) -> AffineMode | None:
        """The mode in which the contact force acts, if it is affine there (Kelvin-Voigt), else None."""
        if not isinstance(self.law, KelvinVoigt):
            return None
        k, c = np.broadcast_arrays(self.law.stiffness, self.law.damping)
        zero, one = np.zeros_like(k), np.ones_like(k)
        return AffineMode(np.array([[zero, one], [-k, -c]]), np.array([zero, zero - self.gravity]))

    def undamped_contact(self) -> AffineMode:
        """An undamped linear spring of the law's stiffness: what a step must at least be able to hold."""
        k = np.asarray(self.law.stiffness)
        zero, one = np.zeros_like(k), np.ones_like(k)
        return AffineMode(np.array([[zero, one], [-k, zero]]), np.array([zero, zero]))

    def contact_conditions(self) -> tuple[Functional, ...]:
        """Linear functions of the state that are *all* positive whenever `touching` is true.

        Exactly then for Kelvin-Voigt and the rigid law; for the others a necessary condition, which is what
        a step-skipping rollout needs: where none of them turns positive the flight goes on.
        """
        below: Functional = (-1.0, 0.0, 0.0)
        if isinstance(self.law, KelvinVoigt):
            return below, (-self.law.stiffness, -self.law.damping, 0.0)
        if isinstance(self.law, RigidImpact):
            return below, (0.0, -1.0, 0.0)
        return (below,)

    def hybrid(self, lane: int, lanes: int) -> HybridSystem:
        """The same system on one of `lanes` lanes, with its guards made explicit."""
        names = [f.name for f in fields(self.law)]
        chosen = {name: float(np.broadcast_to(getattr(self.law, name), (lanes,))[lane]) for name in names}
        if self.has_impulse:
            return rigid_hybrid(chosen["restitution"], self.gravity)
        return force_hybrid(replace(self.law, **chosen), self.gravity)
