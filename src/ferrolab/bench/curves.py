"""The error curves, each computed once: per time step, and once for the tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ferrolab import audit


@dataclass(frozen=True)
class Curves:
    """Errors over `stiffness` (1/s^2): gradient (relative) and forward (m and m/s).

    NaN stands where a route gave no answer.
    """

    stiffness: np.ndarray
    gradient: np.ndarray
    forward: np.ndarray


class CurveStore:
    """Curves by the settings they belong to, whose own stiffness is left aside."""

    def __init__(self, log_stiffness: Sequence[float]) -> None:
        """Compute every curve over `log_stiffness`, in decades."""
        self._stiffness = 10.0 ** np.asarray(log_stiffness, dtype=float)
        self._known: dict[audit.Settings, Curves] = {}

    @staticmethod
    def key(settings: audit.Settings) -> audit.Settings:
        """Return what curves are kept under: no stiffness, and no time step where it plays no part."""
        dt = audit.Settings.dt if settings.stepping == "tolerance" else settings.dt
        return replace(settings, stiffness=1.0, dt=dt)

    def __contains__(self, key: audit.Settings) -> bool:
        return key in self._known

    def get(self, key: audit.Settings) -> Curves | None:
        """Return the curves kept under `key`, or None before they are computed."""
        return self._known.get(key)

    def compute(self, key: audit.Settings) -> Curves:
        """Compute, keep and return the curves of `key`."""
        measured = audit.measure(key, self._stiffness)
        curves = Curves(self._stiffness, _finite(measured.gradient_error), _finite(measured.forward_error))
        self._known[key] = curves
        return curves


def _finite(values: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(values), values, np.nan)
