"""Derivative through an event, and the product of many."""

from __future__ import annotations

from functools import reduce

import numpy as np


def saltation_matrix(
    before: np.ndarray, after: np.ndarray, gradient: np.ndarray, reset_jacobian: np.ndarray | None = None
) -> np.ndarray:
    """`DR + (f+ - DR f-) ds/dx / (ds/dx f-)`: (n, n).

    Args:
        before, after: the field on either side of the event, each evaluated at its own state (n,).
        gradient: ds/dx of the guard, at the state before (n,).
        reset_jacobian: DR (n, n); None is the identity.

    Source: M. A. Aizerman and F. R. Gantmakher, "On the stability of periodic motions", PMM 22 (1958); the form
    used here is that of J. Kong, J. J. Payne, J. Zhu, A. M. Johnson, "Saltation matrices" (2023), equation 1.
    """
    DR = np.eye(len(before)) if reset_jacobian is None else reset_jacobian
    return DR + np.outer(after - DR @ before, gradient) / (gradient @ before)


def compose(*matrices: np.ndarray) -> np.ndarray:
    """The product of segment Jacobians and saltation matrices given in the order in which they happen."""
    return reduce(lambda product, following: following @ product, matrices)
