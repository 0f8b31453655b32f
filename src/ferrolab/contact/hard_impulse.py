"""Hard contact at velocity level: an impulse that stops the approach, clamped so that it never pulls."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class HardImpulse:
    """The contact acts, with its whole impulse, where the penetration is 0 or more, and not at all elsewhere.

    The impulse does not depend on how deep the contact is, so its derivative with respect to the position is zero
    on both sides of touch-down and does not exist at it.
    """

    name = "hard"
    scaling = "converged"

    def takes_part(self, penetration: np.ndarray) -> np.ndarray | float:
        """1 where the contact enters the solver, 0 where it is left out."""
        return (penetration >= 0.0) * 1.0

    def scale(self, penetration: np.ndarray) -> np.ndarray | float:
        """The factor on the impulse."""
        return 1.0
