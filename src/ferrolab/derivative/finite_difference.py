"""Finite differences across whole rollouts: slow, noisy, and blind to how the simulator works."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from ferrolab.derivative.base import Linearisation, Stepper, advance
from ferrolab.integrate.base import Stats
from ferrolab.systems import BouncingMass
from ferrolab.validate import positive

# The published lesson's probe (m and m/s).
PROBE = 1e-6


@dataclass(frozen=True)
class FiniteDifference:
    """Central differences of the final state, extrapolated once (Richardson): `(4 J(probe/2) - J(probe)) / 3`.

    Args:
        probe: half the distance between the two starts that are compared (m, and m/s).
        richardson: False returns the plain central difference, from 4 rollouts instead of 8.

    Raises:
        InvalidInput: the probe is not finite and positive.
    """

    probe: float = PROBE
    richardson: bool = True

    name = "finite-difference"

    def __post_init__(self) -> None:
        positive("probe", self.probe)

    def linearise(self, system: BouncingMass, x: np.ndarray, horizon: float, stepper: Stepper) -> Linearisation:
        """x: (2, lanes). The undisturbed rollout is run for the state; the cost counts the disturbed ones."""
        lanes = x.shape[-1]
        probes = (self.probe, 0.5 * self.probe) if self.richardson else (self.probe,)
        offsets = [sign * h * axis for h in probes for axis in np.eye(2) for sign in (1.0, -1.0)]
        starts = np.concatenate([x] + [x + offset[:, None] for offset in offsets], axis=1)
        end = advance(repeated(system, lanes, len(offsets) + 1), starts[:, None], horizon, stepper)
        ends = end.y[:, 0].reshape(2, len(offsets) + 1, lanes)
        slopes = [
            np.stack([(ends[:, 1 + 4 * i + 2 * j] - ends[:, 2 + 4 * i + 2 * j]) / (2.0 * h) for j in (0, 1)], axis=1)
            for i, h in enumerate(probes)
        ]
        J = (4.0 * slopes[1] - slopes[0]) / 3.0 if self.richardson else slopes[0]
        status = end.status.reshape(-1, lanes).max(axis=0)
        evaluations = end.stats.evaluations.reshape(-1, lanes)[1:].sum(axis=0)
        return Linearisation(ends[:, 0], J, status, Stats(end.stats.accepted[:lanes], end.stats.rejected[:lanes], evaluations))


def repeated(system: BouncingMass, lanes: int, times: int) -> BouncingMass:
    """The system with its law's lanes repeated `times` times, one block after the other."""
    law = system.law
    tiled = {f.name: np.tile(np.broadcast_to(getattr(law, f.name), (lanes,)), times) for f in fields(law)}
    return replace(system, law=replace(law, **tiled))
