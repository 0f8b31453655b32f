"""Autodiff: the product of the per-step Jacobians along the branch taken. What a tape returns, and no more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.derivative.base import Linearisation, Stepper, advance, seeded
from ferrolab.systems import BouncingMass


@dataclass(frozen=True)
class Autodiff:
    """Forward-mode derivative of the rollout as it was executed.

    It differentiates what each step did, and treats *when* the contact began as a constant: the number of the
    step, or the accepted step sizes. On `EventDriven` the impact time is held constant in the same way.
    """

    name = "autodiff"

    def linearise(self, system: BouncingMass, x: np.ndarray, horizon: float, stepper: Stepper) -> Linearisation:
        """x: (2, lanes)."""
        end = advance(system, seeded(x), horizon, stepper)
        return Linearisation(end.y[:, 0], end.y[:, 1:], end.status, end.stats)
