"""Time stepping at velocity level: contact acts through impulses at the middle of the step.

One step of size dt from (q, v): `q_M = q + dt v / 2`; gaps and contact Jacobian J at `q_M`; `v_free = v + dt a`;
impulses p from the contact problem; `v' = v_free + M^-1 J^T p`; `q' = q_M + dt v' / 2`. (Moreau's midpoint rule, as
used in arXiv 2404.02887.) Newton restitution is asked of the normal velocity at the start of the step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.integrate.gauss_seidel import ContactProblem, Impulses, is_zero, solve, solve_with_history, sum_of_products
from ferrolab.status import Status
from ferrolab.validate import InvalidInput, finite, positive

Components = list[np.ndarray]
"""One array of lanes for each coordinate."""

Solver = Callable[[ContactProblem, int], Impulses]

# The published solver's number of sweeps.
SWEEPS = 20


class Mechanism(Protocol):
    """What the stepper asks of a mechanism: velocities are the rates of its coordinates, its mass matrix is diagonal.

    Attributes:
        inverse_mass: one number a coordinate (1/kg, or 1/(kg m^2) for an angle).
        friction: coefficient mu. restitution: Newton's e.
    """

    inverse_mass: tuple[float, ...]
    friction: float
    restitution: float

    def acceleration(self) -> tuple[float, ...]:
        """Of each coordinate, by gravity (m/s^2, rad/s^2)."""

    def gaps(self, q: Components) -> Components:
        """One gap (m) a contact."""

    def contact_jacobian(self, q: Components) -> list[list[list[np.ndarray | float]]]:
        """`[contact][direction][coordinate]`: velocity of the contact by velocity of the coordinate, normal first."""


class ImpulseLaw(Protocol):
    """What the stepper asks of a contact law; see `contact.HardImpulse`."""

    scaling: str

    def takes_part(self, penetration: np.ndarray) -> np.ndarray | float: ...
    def scale(self, penetration: np.ndarray) -> np.ndarray | float: ...


@dataclass(frozen=True)
class TimeStepping:
    """The stepper.

    Args:
        dt: the step (s), greater than 0.
        sweeps: Gauss-Seidel sweeps of each step, at least 1.

    Raises:
        InvalidInput: an argument is out of range.
    """

    dt: float
    sweeps: int = SWEEPS

    name = "time-stepping"

    def __post_init__(self) -> None:
        object.__setattr__(self, "dt", float(positive("dt", self.dt)))
        if int(self.sweeps) != self.sweeps or self.sweeps < 1:
            raise InvalidInput("sweeps", self.sweeps, "a whole number, 1 or greater")

    def middle(self, q: Components, v: Components) -> Components:
        """Coordinates half a step ahead."""
        return [x + 0.5 * self.dt * u for x, u in zip(q, v)]

    def free_velocity(self, mechanism: Mechanism, v: Components, action: Components | None) -> Components:
        """Velocities at the end of the step if nothing touches. action: accelerations added (m/s^2, rad/s^2)."""
        free = [u + self.dt * a for u, a in zip(v, mechanism.acceleration())]
        return free if action is None else [u + self.dt * a for u, a in zip(free, action)]

    def problem(self, mechanism: Mechanism, law: ImpulseLaw, middle: Components, v: Components, free: Components):
        """The `ContactProblem` of a step, and the contact Jacobian."""
        jacobian = mechanism.contact_jacobian(middle)
        penetration = [-gap for gap in mechanism.gaps(middle)]
        velocity = [[sum_of_products(row, free) for row in contact] for contact in jacobian]
        approach = [sum_of_products(contact[0], v) for contact in jacobian]
        if mechanism.restitution:
            for contact, u in zip(velocity, approach):
                contact[0] = contact[0] + mechanism.restitution * np.minimum(u, 0.0)
        weighted = [[[m * x for m, x in zip(mechanism.inverse_mass, row)] for row in contact] for contact in jacobian]
        delassus = [
            [[[sum_of_products(row, other) for other in others] for others in weighted] for row in contact]
            for contact in jacobian
        ]
        given = getattr(law, "normal_impulse", None)
        problem = ContactProblem(
            free=velocity,
            delassus=delassus,
            takes_part=[law.takes_part(d) for d in penetration],
            scale=[law.scale(d) for d in penetration],
            scaling=law.scaling,
            friction=mechanism.friction,
            normal=None if given is None else [given(d, u, self.dt) for d, u in zip(penetration, approach)],
        )
        return problem, jacobian

    def step(
        self, mechanism: Mechanism, law: ImpulseLaw, q: Components, v: Components,
        action: Components | None = None, solver: Solver = solve,
    ) -> tuple[Components, Components]:  # fmt: skip
        """Coordinates and velocities one step later. solver: (problem, sweeps) -> impulses."""
        middle = self.middle(q, v)
        free = self.free_velocity(mechanism, v, action)
        problem, jacobian = self.problem(mechanism, law, middle, v, free)
        impulses = problem.applied(solver(problem, self.sweeps))
        pushes = [p for contact in impulses for p in contact]
        velocity = []
        for k, (u, inverse_mass) in enumerate(zip(free, mechanism.inverse_mass)):
            column = [row[k] for contact in jacobian for row in contact]
            pushed = sum_of_products(column, pushes)
            velocity.append(u if is_zero(pushed) else u + inverse_mass * pushed)
        return [x + 0.5 * self.dt * u for x, u in zip(middle, velocity)], velocity

    def steps(self, horizon: float) -> int:
        """Number of steps to the horizon. Raises `InvalidInput` for none."""
        count = round(float(positive("horizon", horizon)) / self.dt)
        if count < 1:
            raise InvalidInput("dt", self.dt, f"no longer than the horizon, {horizon:g} s")
        return count


@dataclass(frozen=True)
class Stepped:
    """Where a rollout by time stepping ended.

    Attributes:
        state: (..., 2 n), coordinates then velocities.
        status: (...), integers of `Status`.
        changes: (steps, sweeps, ...), the largest change of an impulse (N s) in each sweep, or None if not recorded.
    """

    state: np.ndarray
    status: np.ndarray
    changes: np.ndarray | None = None


def components(mechanism: Mechanism, state: ArrayLike) -> tuple[Components, Components]:
    """`state` (..., 2 n) as coordinates and velocities, one array of lanes each. Raises `InvalidInput`."""
    x, n = finite("state", state), len(mechanism.inverse_mass)
    if x.shape[-1:] != (2 * n,):
        raise InvalidInput("state", np.shape(x), f"of shape (..., {2 * n}): {n} coordinates, then their velocities")
    parts = [np.array(part) for part in np.moveaxis(x, -1, 0)]
    return parts[:n], parts[n:]


def march(
    mechanism: Mechanism, law: ImpulseLaw, state: ArrayLike, steps: int, stepper: TimeStepping,
    actions: ArrayLike | None = None, record: bool = False,
) -> Stepped:  # fmt: skip
    """Step every lane `steps` times.

    Args:
        state: (..., 2 n), coordinates then velocities, SI.
        actions: (steps, ..., n) accelerations added in each step, or None.
        record: also return how each sweep converged.

    Raises:
        InvalidInput: the state has the wrong shape or is not finite.
    """
    q, v = components(mechanism, state)
    history: list[np.ndarray] = []

    def recording(problem: ContactProblem, sweeps: int) -> Impulses:
        impulses, changes = solve_with_history(problem, sweeps)
        history.append(changes)
        return impulses

    with np.errstate(over="ignore", invalid="ignore"):
        for k in range(steps):
            action = None if actions is None else list(np.moveaxis(np.asarray(actions[k], dtype=float), -1, 0))
            q, v = stepper.step(mechanism, law, q, v, action, recording if record else solve)
    end = np.stack([*q, *v], axis=-1)
    well = np.all(np.isfinite(end), axis=-1)
    status = np.where(well, int(Status.OK), int(Status.DIVERGED))
    return Stepped(np.where(well[..., None], end, 0.0), status, np.array(history) if record else None)
