"""Hybrid systems: smooth modes, guards between them, resets on the guards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ferrolab.integrate.base import AffineMode, Functional


@dataclass(frozen=True)
class Guard:
    """A surface `value(x) = 0` that ends a mode when it is crossed in `direction`.

    Attributes:
        value: x (n,) -> number. gradient: x (n,) -> (n,).
        direction: +1 when the value rises through zero, -1 when it falls.
        target: name of the mode that follows.
        reset, reset_jacobian: x (n,) -> (n,) and (n, n), applied at the crossing; None is the identity.
        rests: (x after the reset, step (s)) -> True where the system stays there for good: impacts that
            accumulate, or rebounds shorter than a fixed step (the step is 0 under a tolerance).
        linear: `(a, b, c)` when the value is `a x0 + b x1 + c`, so that steps can be leapt over; else None.
    """

    name: str
    value: Callable[[np.ndarray], float]
    gradient: Callable[[np.ndarray], np.ndarray]
    direction: int
    target: str
    reset: Callable[[np.ndarray], np.ndarray] | None = None
    reset_jacobian: Callable[[np.ndarray], np.ndarray] | None = None
    rests: Callable[[np.ndarray, float], bool] | None = None
    linear: Functional | None = None


@dataclass(frozen=True)
class Mode:
    """A smooth piece: its field and Jacobian (x (n,) -> (n,) and (n, n)), and the guards that end it.

    `affine` is the same field in matrix form where it is affine, so that steps can be leapt over; else None.
    """

    field: Callable[[np.ndarray], np.ndarray]
    jacobian: Callable[[np.ndarray], np.ndarray]
    guards: tuple[Guard, ...]
    affine: AffineMode | None = None

    def variational_field(self, y: np.ndarray) -> np.ndarray:
        """State in `y[:, 0]`, tangents in `y[:, 1:]`."""
        x = y[:, 0]
        return np.column_stack([self.field(x), self.jacobian(x) @ y[:, 1:]])


@dataclass(frozen=True)
class HybridSystem:
    """Modes by name, and the rule that says which one a state starts in.

    Attributes:
        dimension: n. modes: name -> `Mode`. initial_mode: x (n,) -> name.
    """

    dimension: int
    modes: Mapping[str, Mode]
    initial_mode: Callable[[np.ndarray], str]


def saltation_matrix(
    before: np.ndarray, after: np.ndarray, gradient: np.ndarray, reset_jacobian: np.ndarray | None = None
) -> np.ndarray:
    """Derivative through an event, `DR + (f+ - DR f-) ds/dx / (ds/dx f-)`: (n, n).

    Args:
        before, after: the field on either side of the event, each evaluated at its own state (n,).
        gradient: ds/dx of the guard, at the state before (n,).
        reset_jacobian: DR (n, n); None is the identity.

    Source: M. A. Aizerman and F. R. Gantmakher, "On the stability of periodic motions", PMM 22 (1958); the form
    used here is that of J. Kong, J. J. Payne, J. Zhu, A. M. Johnson, "Saltation matrices" (2023), equation 1.
    """
    DR = np.eye(len(before)) if reset_jacobian is None else reset_jacobian
    return DR + np.outer(after - DR @ before, gradient) / (gradient @ before)
