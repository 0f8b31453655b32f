"""Rigid impact: no force, a reset of the velocity."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from ferrolab.validate import not_negative


@dataclass(frozen=True)
class RigidImpact:
    """Newton's impact law: at `gap = 0`, `rate < 0` the rate becomes `-restitution * rate`.

    Args:
        restitution: e (dimensionless), 0 or greater. An array is one value per lane. Above 1 an impact gains
            energy: nature does not, but an explicit step can, and the audit must be able to say so.

    Raises:
        InvalidInput: restitution is not finite or negative.
    """

    restitution: ArrayLike

    name = "rigid"

    def __post_init__(self) -> None:
        object.__setattr__(self, "restitution", not_negative("restitution", self.restitution))
