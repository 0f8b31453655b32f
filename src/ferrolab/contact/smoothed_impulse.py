"""Sigmoid-smoothed contact at velocity level: the impulse is scaled by how near the contact is.

Source of the idea: arXiv 2404.02887. Its text leaves open where the factor enters; each reading has its name here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.validate import one_of, positive

# Sharpness of the published experiments (1/m).
KAPPA = 300.0

SCALINGS = ("converged", "sweep", "velocity")
"""Where the factor enters the Gauss-Seidel sweeps.

* "converged": the sweeps solve the hard problem with every contact closed; the factor scales their result.
* "sweep": each update of a contact's impulse is scaled and stored, so that the other contacts feel the scaled one.
* "velocity": the stored impulses stay whole, their effect on the velocities is scaled. The sweeps then make up for
  the factor: one contact converges to the *hard* answer, at a rate of `1 - sigma` a sweep.
"""


def sigmoid(x: np.ndarray) -> np.ndarray:
    """`1 / (1 + exp(-x))`, to full relative precision at both ends."""
    return np.exp(-np.logaddexp(0.0, -x))


@dataclass(frozen=True)
class SmoothedImpulse:
    """Every contact takes part at every distance, and its impulse is scaled by `sigmoid(kappa penetration)`.

    Args:
        kappa: sharpness (1/m), greater than 0. An array is one value per lane.
        scaling: see `SCALINGS`.

    Raises:
        InvalidInput: kappa is not finite or not above 0, or the scaling is unknown.
    """

    kappa: ArrayLike = KAPPA
    scaling: str = "converged"

    name = "smoothed"

    def __post_init__(self) -> None:
        object.__setattr__(self, "kappa", positive("kappa", self.kappa))
        one_of("scaling", self.scaling, SCALINGS)

    def takes_part(self, penetration: np.ndarray) -> float:
        """1: no contact is too far."""
        return 1.0

    def scale(self, penetration: np.ndarray) -> np.ndarray:
        """The factor on the impulse."""
        return sigmoid(self.kappa * penetration)
