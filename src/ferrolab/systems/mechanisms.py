"""Mechanisms over flat ground, for time stepping at velocity level: a mass, a block, a bar.

Coordinates are SI, heights count from the ground, and velocities are the coordinates' rates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.systems.bouncing_mass import STANDARD_GRAVITY
from ferrolab.validate import not_negative, positive, within


@dataclass(frozen=True)
class FallingMass:
    """A point on a vertical line. State (height, velocity). One contact, no friction.

    Args:
        restitution: 0 to 1. gravity: m/s^2. mass: kg.
    """

    restitution: float = 0.0
    gravity: float = STANDARD_GRAVITY
    mass: float = 1.0

    friction = 0.0

    def __post_init__(self) -> None:
        _check(self)

    @property
    def inverse_mass(self) -> tuple[float, ...]:
        return (1.0 / self.mass,)

    def acceleration(self) -> tuple[float, ...]:
        return (-self.gravity,)

    def gaps(self, q: list[np.ndarray]) -> list[np.ndarray]:
        return [q[0]]

    def contact_jacobian(self, q: list[np.ndarray]) -> list[list[list[float]]]:
        return [[[1.0]]]


@dataclass(frozen=True)
class SlidingBlock:
    """A block that slides on the ground without turning. State (x, y, height, and their velocities).

    One contact with a circular friction cone.

    Args:
        friction: coefficient mu. restitution: 0 to 1. gravity: m/s^2. mass: kg.
    """

    friction: float
    restitution: float = 0.0
    gravity: float = STANDARD_GRAVITY
    mass: float = 1.0

    def __post_init__(self) -> None:
        _check(self)

    @property
    def inverse_mass(self) -> tuple[float, ...]:
        return (1.0 / self.mass,) * 3

    def acceleration(self) -> tuple[float, ...]:
        return (0.0, 0.0, -self.gravity)

    def gaps(self, q: list[np.ndarray]) -> list[np.ndarray]:
        return [q[2]]

    def contact_jacobian(self, q: list[np.ndarray]) -> list[list[list[float]]]:
        return [[[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]


@dataclass(frozen=True)
class Bar:
    """A thin uniform bar in a vertical plane, touching with its ends. State (x, height, angle, and their velocities).

    The angle (rad) is 0 when the bar lies level; a positive one lifts the first end, which is the first contact.

    Args:
        length: m. friction: coefficient mu. restitution: 0 to 1. gravity: m/s^2. mass: kg.
    """

    length: float = 1.0
    friction: float = 0.0
    restitution: float = 0.0
    gravity: float = STANDARD_GRAVITY
    mass: float = 1.0

    def __post_init__(self) -> None:
        _check(self)
        positive("length", self.length)

    @property
    def inverse_mass(self) -> tuple[float, ...]:
        return (1.0 / self.mass, 1.0 / self.mass, 12.0 / (self.mass * self.length**2))

    def acceleration(self) -> tuple[float, ...]:
        return (0.0, -self.gravity, 0.0)

    def gaps(self, q: list[np.ndarray]) -> list[np.ndarray]:
        rise = 0.5 * self.length * np.sin(q[2])
        return [q[1] + rise, q[1] - rise]

    def contact_jacobian(self, q: list[np.ndarray]) -> list[list[list[np.ndarray | float]]]:
        across, up = 0.5 * self.length * np.sin(q[2]), 0.5 * self.length * np.cos(q[2])
        return [
            [[0.0, 1.0, up], [1.0, 0.0, -across]],
            [[0.0, 1.0, -up], [1.0, 0.0, across]],
        ]


def _check(mechanism: FallingMass | SlidingBlock | Bar) -> None:
    positive("mass", mechanism.mass)
    not_negative("gravity", mechanism.gravity)
    not_negative("friction", mechanism.friction)
    within("restitution", mechanism.restitution, 0.0, 1.0)
