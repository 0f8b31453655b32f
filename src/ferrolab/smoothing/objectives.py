"""Functions to average: of the release height, of a state, of initial conditions, of actions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.contact import ImpulseLaw
from ferrolab.contact.smoothed_impulse import KAPPA
from ferrolab.derivative.time_stepping import action_jacobian, march_jacobian
from ferrolab.integrate.time_stepping import Mechanism, TimeStepping, march
from ferrolab.smoothing.closed_form import GRAVITY
from ferrolab.smoothing.drop import DAMPING_RATIO, HORIZON, MODELS, STIFFNESS, Landed, drop
from ferrolab.validate import one_of

OUTPUTS = ("height", "velocity")


@dataclass(frozen=True)
class UnitStep:
    """`H(theta)`: 0 below 0, 1 above. The smallest function whose average has a slope and whose samples have none."""

    def value(self, points: np.ndarray) -> np.ndarray:
        return (points[:, 0] > 0.0) * 1.0

    def gradient(self, points: np.ndarray) -> np.ndarray:
        return np.zeros_like(points)


@dataclass(frozen=True)
class OfRelease:
    """Where a mass ends that is released at rest, by its release height (m): final "height" (m) or "velocity" (m/s).

    Args:
        model: "hard", "soft" or "smoothed". dt: s. kappa: 1/m, of the smoothed contact. horizon: s. gravity: m/s^2.
        stiffness: 1/s^2, of the soft contact, with its damping_ratio.
    """

    model: str
    dt: float
    kappa: float = KAPPA
    output: str = "velocity"
    horizon: float = HORIZON
    gravity: float = GRAVITY
    stiffness: float = STIFFNESS
    damping_ratio: float = DAMPING_RATIO

    def __post_init__(self) -> None:
        one_of("model", self.model, MODELS)
        one_of("output", self.output, OUTPUTS)

    def value(self, points: np.ndarray) -> np.ndarray:
        return getattr(self._landed(points), self.output)

    def gradient(self, points: np.ndarray) -> np.ndarray:
        return getattr(self._landed(points), f"{self.output}_gradient")[:, None]

    def _landed(self, points: np.ndarray) -> Landed:
        return drop(
            self.model, points[:, 0], self.dt, self.kappa, self.horizon, self.gravity, self.stiffness, self.damping_ratio
        )


@dataclass(frozen=True)
class OfState:
    """One component of a state after some steps, by the state before them.

    One step asks for noise on a state; a rollout for noise on its initial conditions.

    Args:
        output: index into (coordinates, velocities).
    """

    mechanism: Mechanism
    law: ImpulseLaw
    stepper: TimeStepping
    steps: int
    output: int

    def value(self, points: np.ndarray) -> np.ndarray:
        return march(self.mechanism, self.law, points, self.steps, self.stepper).state[:, self.output]

    def gradient(self, points: np.ndarray) -> np.ndarray:
        found = march_jacobian(self.mechanism, self.law, points, self.steps, self.stepper)
        return found.jacobian[:, self.output, :]


@dataclass(frozen=True)
class OfActions:
    """One component of the final state, by actions: accelerations of each coordinate, held over `hold` steps each.

    A point is the row of all actions, piece by piece, coordinate by coordinate.

    Args:
        start: state before the first action. output: index into (coordinates, velocities).
    """

    mechanism: Mechanism
    law: ImpulseLaw
    stepper: TimeStepping
    start: tuple[float, ...]
    hold: int
    output: int

    def _held(self, points: np.ndarray) -> np.ndarray:
        """(pieces, samples, coordinates)."""
        return np.moveaxis(points.reshape(len(points), -1, len(self.mechanism.inverse_mass)), 1, 0)

    def value(self, points: np.ndarray) -> np.ndarray:
        actions = np.repeat(self._held(points), self.hold, axis=0)
        start = np.broadcast_to(self.start, (len(points), len(self.start)))
        return march(self.mechanism, self.law, start, len(actions), self.stepper, actions).state[:, self.output]

    def gradient(self, points: np.ndarray) -> np.ndarray:
        start = np.broadcast_to(self.start, (len(points), len(self.start)))
        found = action_jacobian(self.mechanism, self.law, start, self._held(points), self.hold, self.stepper)
        return found.jacobian[:, self.output, :]
