"""The bouncing mass as a hybrid system: what its contact law means for the Jacobian.

A rigid impact has a guard and a reset. **A spring-damper has guards too**: touch-down, where its field jumps by
`(0, c |v|)`, and the end of the push, where it does not. Hunt-Crossley has the same guards and no jump.
"""

from __future__ import annotations

import numpy as np

from ferrolab.contact import KelvinVoigt
from ferrolab.hybrid.system import Guard, HybridSystem, Mode
from ferrolab.integrate.base import AffineMode

# A rebound this slow (m/s) lasts about 2e-10 s: the impacts have accumulated, and the mass is at rest.
REST_SPEED = 1e-9

HEIGHT = np.array([1.0, 0.0])


def _height(x: np.ndarray) -> float:
    return x[0]


def _height_gradient(x: np.ndarray) -> np.ndarray:
    return HEIGHT


def flight_mode(g: float, guards: tuple[Guard, ...]) -> Mode:
    """Free fall."""
    matrix, offset = np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([0.0, -g])
    return Mode(
        lambda x: np.array([x[1], -g]), lambda x: matrix, guards, affine=AffineMode(matrix[..., None], offset[:, None])
    )


def rigid_hybrid(restitution: float, g: float) -> HybridSystem:
    """One mode and one guard, whose reset reverses the velocity."""
    e = float(restitution)
    reset = np.array([[1.0, 0.0], [0.0, -e]])
    impact = Guard(
        "impact",
        _height,
        _height_gradient,
        target="flight",
        reset=lambda x: reset @ x,
        reset_jacobian=lambda x: reset,
        rests=lambda x, step: abs(x[1]) < max(REST_SPEED, 0.5 * g * step),
        linear=(1.0, 0.0, 0.0),
    )
    return HybridSystem(2, {"flight": flight_mode(g, (impact,))}, lambda x: "flight")


def force_hybrid(law, g: float) -> HybridSystem:
    """Flight above the plane, contact while the force pushes, parting below the plane once it no longer does."""
    linear = (-float(law.stiffness), -float(law.damping), 0.0) if isinstance(law, KelvinVoigt) else None

    def push(x: np.ndarray) -> float:
        return law.unclamped_force(x[0], x[1])

    def push_gradient(x: np.ndarray) -> np.ndarray:
        return np.array(law.force_gradient(x[0], x[1]), dtype=float)

    def jacobian(x: np.ndarray) -> np.ndarray:
        return np.array([[0.0, 1.0], push_gradient(x)])

    affine = None
    if linear is not None:
        matrix = np.array([[0.0, 1.0], linear[:2]])
        affine = AffineMode(matrix[..., None], np.array([[0.0], [-g]]))
    in_floats = (law.in_floats(), g) if affine is None and hasattr(law, "in_floats") else None
    bilinear = law.bilinear() if in_floats and hasattr(law, "bilinear") else None
    touch_down = Guard("touch-down", _height, _height_gradient, -1, "contact", linear=(1.0, 0.0, 0.0))
    push_ends = Guard("push ends", push, push_gradient, -1, "parting", linear=linear)
    push_returns = Guard("push returns", push, push_gradient, +1, "contact", linear=linear)
    leaves = Guard("leaves the plane", _height, _height_gradient, +1, "flight", linear=(1.0, 0.0, 0.0))
    modes = {
        "flight": flight_mode(g, (touch_down,)),
        "contact": Mode(lambda x: np.array([x[1], push(x) - g]), jacobian, (push_ends,), affine=affine, push=in_floats, bilinear=bilinear),
        "parting": flight_mode(g, (leaves, push_returns)),
    }

    def initial_mode(x: np.ndarray) -> str:
        # A start on the plane, moving down, is in flight still: its touch-down is an event like any other.
        if x[0] >= 0.0:
            return "flight"
        return "contact" if push(x) > 0.0 else "parting"

    return HybridSystem(2, modes, initial_mode)
