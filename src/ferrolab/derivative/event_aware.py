"""Event-aware: the same product of per-step Jacobians, with a saltation matrix at every event it passes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.derivative.base import Linearisation, Stepper, advance_located, seeded
from ferrolab.systems import BouncingMass


@dataclass(frozen=True)
class EventAware:
    """Every guard is located inside its step and its saltation matrix applied there.

    Args:
        saltation: False leaves exactly that matrix out and changes nothing else: the same law, steps, events and
            smooth derivatives. The difference between the two is what the event contributes.
    """

    saltation: bool = True

    name = "event-aware"

    def linearise(self, system: BouncingMass, x: np.ndarray, horizon: float, stepper: Stepper) -> Linearisation:
        """x: (2, lanes)."""
        end = advance_located(system, seeded(x), horizon, stepper, self.saltation)
        return Linearisation(end.y[:, 0], end.y[:, 1:], end.status, end.stats)
