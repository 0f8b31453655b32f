"""The error curves, each computed once: per time step, and once for the tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ferrolab import audit


@dataclass(frozen=True)
class Curves:
    """Errors over `log_stiffness` (decades): gradient (relative) and forward (m, m/s).

    NaN stands where a route gave no answer.
    """

    log_stiffness: np.ndarray
    gradient: np.ndarray
    forward: np.ndarray

    @property
    def stiffness(self) -> np.ndarray:
        """Stiffness in 1/s^2."""
        return 10.0**self.log_stiffness


class CurveStore:
    """Curves by stepping and time step; the tolerance curve does not depend on the step."""

    def __init__(self, log_stiffness: Sequence[float]) -> None:
        self._log_stiffness = np.asarray(log_stiffness, dtype=float)
        self._known: dict[tuple[str, float | None], Curves] = {}

    @staticmethod
    def _key(stepping: str, dt: float) -> tuple[str, float | None]:
        return (stepping, None if stepping == "tolerance" else dt)

    def get(self, stepping: str, dt: float) -> Curves | None:
        """Return the curves of a stepping and a time step (s), or None before they are computed."""
        return self._known.get(self._key(stepping, dt))

    def compute(self, settings: audit.Settings) -> Curves:
        """Compute, keep and return the curves of `settings`, whose own stiffness is left aside."""
        measured = audit.measure(settings, 10.0**self._log_stiffness)
        curves = Curves(self._log_stiffness, _finite(measured.gradient_error), _finite(measured.forward_error))
        self._known[self._key(settings.stepping, settings.dt)] = curves
        return curves


def _finite(values: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(values), values, np.nan)
