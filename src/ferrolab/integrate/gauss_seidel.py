"""Projected Gauss-Seidel on the contact impulses of one step.

Written in plain numpy on separate components, so that the same lines run on arrays and on the numbers of
`derivative.dual` and `derivative.tape`: what is differentiated is what is run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np

Impulses = list[list[np.ndarray]]
"""`impulses[contact][direction]` (N s), lanes each. Direction 0 is the normal, the others are tangential."""


@dataclass(frozen=True)
class ContactProblem:
    """Find impulses p with `u = free + delassus p`: normal ones that never pull, tangential ones in the friction cone.

    Attributes:
        free: `[contact][direction]`, contact velocity (m/s) without any impulse; its normal part includes the bounce
            that restitution asks for, so that the solution has `u >= 0`.
        delassus: `[contact][direction][contact][direction]` (1/kg), `J M^-1 J^T`.
        takes_part: `[contact]`, 1 or 0. scale: `[contact]`, the law's factor. scaling: where it enters.
        friction: coefficient mu.
        normal: `[contact]`, the normal impulses where the law gives them (penalty contact), else None.
    """

    free: Impulses
    delassus: list[list[list[list[np.ndarray | float]]]]
    takes_part: list[np.ndarray | float]
    scale: list[np.ndarray | float]
    scaling: str
    friction: float
    normal: list[np.ndarray] | None = None

    @property
    def one_unknown(self) -> bool:
        """Whether one update solves the problem exactly, so that further sweeps add nothing but rounding."""
        return len(self.free) == 1 and len(self.free[0]) == 1 and self.scaling != "velocity"

    def at_rest(self) -> Impulses:
        """The first guess: no impulse."""
        return [[0.0 * u for u in contact] for contact in self.free]

    def applied(self, impulses: Impulses) -> Impulses:
        """The impulses that act on the bodies: scaled, unless the sweeps have stored them scaled."""
        if self.scaling == "sweep":
            return impulses
        return [[s * p for p in contact] for s, contact in zip(self.scale, impulses)]


def sum_of_products(a: list, b: list) -> np.ndarray | float:
    """`sum a_i b_i`, without the terms where either is the number 0.0: a contact's Jacobian is mostly zeros."""
    terms = [x * y for x, y in zip(a, b) if not (is_zero(x) or is_zero(y))]
    return sum(terms[1:], terms[0]) if terms else 0.0


def is_zero(x: np.ndarray | float) -> bool:
    """Whether x is the constant 0.0 of a Jacobian, in every lane and whatever the state; not a value that is 0."""
    return type(x) is float and x == 0.0


def sweep(problem: ContactProblem, impulses: Impulses) -> Impulses:
    """One pass over the contacts, each taking the newest impulses of the others."""
    stored = list(impulses)
    for i in range(len(stored)):
        stored[i] = _update(problem, stored, i)
    return stored


def _update(problem: ContactProblem, stored: Impulses, i: int) -> list[np.ndarray]:
    """New impulses of contact i: its normal first, then its tangential part under the new normal."""
    part, old, delassus = problem.takes_part[i], stored[i], problem.delassus[i]
    keep = problem.scale[i] if problem.scaling == "sweep" else 1.0
    if problem.normal is not None:
        whole = problem.normal[i]
    else:
        whole = part * np.maximum(old[0] - _velocity(problem, stored, i, 0) / delassus[0][i][0], 0.0)
    if len(old) == 1:
        return [keep * whole]
    felt = stored[:i] + [[keep * whole, *old[1:]]] + stored[i + 1 :]
    directions = range(1, len(old))
    stiffest = reduce(np.maximum, [delassus[a][i][a] for a in directions])
    slid = [part * (old[a] - _velocity(problem, felt, i, a) / stiffest) for a in directions]
    return [keep * whole, *(keep * p for p in _onto_disk(slid, problem.friction * whole))]


def _velocity(problem: ContactProblem, stored: Impulses, i: int, a: int) -> np.ndarray:
    """Velocity (m/s) of contact i along direction a under the stored impulses."""
    row, velocity = problem.delassus[i][a], problem.free[i][a]
    for j, contact in enumerate(stored):
        pushed = sum_of_products(row[j], contact)
        if not is_zero(pushed):
            velocity = velocity + (problem.scale[j] * pushed if problem.scaling == "velocity" else pushed)
    return velocity


def _onto_disk(p: list[np.ndarray], radius: np.ndarray) -> list[np.ndarray]:
    """The point of the disk nearest to p (one or two components)."""
    square = sum_of_products(p, p)
    outside = (square > radius * radius) * 1.0
    # Inside of the disk the length is not needed, and at its centre it has no derivative.
    length = np.sqrt(outside * square + (1.0 - outside))
    factor = (1.0 - outside) + outside * radius / length
    return [factor * component for component in p]


def solve(problem: ContactProblem, sweeps: int) -> Impulses:
    """`sweeps` passes from rest; one where one is exact."""
    impulses = problem.at_rest()
    for _ in range(1 if problem.one_unknown else sweeps):
        impulses = sweep(problem, impulses)
    return impulses


def solve_with_history(problem: ContactProblem, sweeps: int) -> tuple[Impulses, np.ndarray]:
    """As `solve`, with the largest change of an impulse (N s) in each pass: (sweeps, lanes...)."""
    impulses, changes = problem.at_rest(), []
    for _ in range(sweeps):
        newer = sweep(problem, impulses)
        moved = [np.abs(a - b) for new, old in zip(newer, impulses) for a, b in zip(new, old)]
        changes.append(np.max(np.broadcast_arrays(*moved), axis=0))
        impulses = newer
    return impulses, np.array(changes)


