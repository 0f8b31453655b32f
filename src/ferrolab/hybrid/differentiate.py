"""Derivatives of functions whose formula is not known: one number, and how far it can be trusted."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

# The imaginary step of complex differentiation: no subtraction, so it may be as small as it likes.
COMPLEX_STEP = 1e-30
# A function that takes the absolute value or compares is not analytic: its complex derivative is then wrong by
# far more than this, and differences are used instead.
ANALYTIC_AGREEMENT = 1e-5
PROBE = 1e-4
PROBES = (1e-3, 1e-4, 1e-5, 1e-6)


def differences(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray, probe: float) -> np.ndarray:
    """Central differences of `f` at `x` (n,), extrapolated once: (m, n). The probe scales with each component."""
    columns = []
    for i in range(len(x)):
        h = probe * max(1.0, abs(x[i]))
        offset = np.zeros(len(x))
        offset[i] = h
        wide = (np.asarray(f(x + offset)) - np.asarray(f(x - offset))) / (2.0 * h)
        narrow = (np.asarray(f(x + 0.5 * offset)) - np.asarray(f(x - 0.5 * offset))) / h
        columns.append((4.0 * narrow - wide) / 3.0)
    return np.stack(columns, axis=-1)


def derivative_of(f: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """Derivative of a smooth function at `x` (n,): (m, n), or (n,) where `f` returns a number.

    By a complex step, which is exact to rounding, where `f` accepts complex numbers and is analytic; else by
    extrapolated central differences.

    Source: W. Squire and G. Trapp, "Using complex variables to estimate derivatives", SIAM Rev. 40 (1998).
    """
    x = np.asarray(x, dtype=float)
    checked = differences(f, x, PROBE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            columns = []
            for i in range(len(x)):
                z = x.astype(complex)
                z[i] += 1j * COMPLEX_STEP
                columns.append(np.imag(np.asarray(f(z))) / COMPLEX_STEP)
            exact = np.stack(columns, axis=-1)
    except (TypeError, ValueError, Warning):
        return checked
    scale = max(1.0, float(np.max(np.abs(checked), initial=0.0)))
    agrees = np.all(np.abs(exact - checked) <= ANALYTIC_AGREEMENT * scale)
    return exact if agrees else checked


@dataclass(frozen=True)
class ProbedJacobian:
    """A Jacobian by differences: (m, n), the probe it was taken with, and the spread between neighbouring probes.

    `spread` is the largest difference between the answers of two neighbouring probes, for the pair that agrees
    best, relative to the largest entry: what the choice of probe alone contributes.
    """

    jacobian: np.ndarray
    probe: float
    spread: float


def probe_stable_jacobian(
    f: Callable[[np.ndarray], np.ndarray], x: np.ndarray, probes: tuple[float, ...] = PROBES
) -> ProbedJacobian:
    """Difference `f` at several probes and keep the answer that depends least on the choice.

    Args:
        f: (n,) -> (m,), for example a simulator's rollout. x: (n,). probes: at least two, in any order.

    Raises:
        ValueError: fewer than two probes.
    """
    if len(probes) < 2:
        raise ValueError(f"probes was {probes!r}; it must hold at least two, to compare their answers")
    x, ordered = np.asarray(x, dtype=float), sorted(probes, reverse=True)
    found = [differences(f, x, probe) for probe in ordered]
    best = None
    for probe, wide, narrow in zip(ordered[1:], found, found[1:]):
        scale = max(float(np.max(np.abs(narrow), initial=0.0)), np.finfo(float).tiny)
        spread = float(np.max(np.abs(wide - narrow), initial=0.0)) / scale
        spread = spread if np.isfinite(spread) else np.inf
        if best is None or spread < best.spread:
            best = ProbedJacobian(narrow, probe, spread)
    return best
