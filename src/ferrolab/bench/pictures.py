"""What is drawn after the readout is on the screen: the flight and the error curves.

Each piece of work is one job, so that the browser can paint, and the learner
move, between two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ferrolab import audit

from . import words
from .curves import CurveStore

if TYPE_CHECKING:
    from .views.gradient_that_lies import Parts

#: Points drawn of a flight and of the contact in it.
FLIGHT_SAMPLES, CONTACT_SAMPLES = 240, 160

#: The magnified window reaches this much of the contact's duration to either side of it.
CONTACT_MARGIN = 0.7

#: Decades between two stiffnesses of a curve.
CURVE_STEP = 0.25

Job = Callable[[], None]


class Pictures:
    """The plots of the bench, and which of them are behind the settings."""

    def __init__(self, parts: Parts, steps: Sequence[float]) -> None:
        """Draw into `parts`; `steps` are the time steps (s) the learner can choose."""
        self._parts = parts
        self._steps = tuple(steps)
        slider = parts.slider
        self._store = CurveStore(np.arange(slider.start, slider.end + CURVE_STEP / 2, CURVE_STEP))
        self._pictured: audit.Settings | None = None
        self._drawn: dict[str, audit.Settings] = {}
        self._ends: dict[str, tuple[float, float]] = {}

    def flight_job(self, settings: audit.Settings) -> Job | None:
        """Return the job that draws the flight of `settings`, or None when it is drawn."""
        return None if self._pictured == settings else lambda: self._draw_flight(settings)

    def curve_jobs(self, settings: audit.Settings, readout: dict[str, Any]) -> Iterator[Job]:
        """Yield the jobs that bring the curves up to `settings`, the most wanted first."""
        fixed, tolerance = (CurveStore.key(replace_stepping(settings, s)) for s in ("fixed", "tolerance"))
        for key in (fixed, tolerance):
            if key not in self._store:
                yield lambda key=key: self._compute(key, settings, readout)
        if self._drawn != self._wanted(settings):
            yield lambda: self._draw_curves(settings, readout)
        # The other time steps are computed ahead, so that a press redraws at once.
        for dt in self._steps:
            key = CurveStore.key(replace(fixed, dt=dt))
            if key not in self._store:
                yield lambda key=key: self._compute(key, settings, readout)

    def describe(self, readout: dict[str, Any]) -> None:
        """Say in words what the error plot shows and where the learner stands on it."""
        self._parts.errors_caption.description = words.errors(readout, self._ends)

    def _draw_flight(self, settings: audit.Settings) -> None:
        flight = audit.trajectory(settings, FLIGHT_SAMPLES)
        contact = None
        if flight.contact_time > 0:
            margin = CONTACT_MARGIN * flight.contact_time
            start = max(0.0, flight.impact_time - margin)
            stop = min(settings.horizon, flight.impact_time + flight.contact_time + margin)
            contact = audit.trajectory(settings, CONTACT_SAMPLES, (start, stop))
        self._parts.flight.draw(flight, contact, words.ink(settings.stepping, settings.derivative))
        self._parts.flight_caption.description = words.flight(flight)
        self._parts.contact_caption.description = words.contact(contact)
        self._pictured = settings

    def _compute(self, key: audit.Settings, settings: audit.Settings, readout: dict[str, Any]) -> None:
        self._store.compute(key)
        self._draw_curves(settings, readout)

    @staticmethod
    def _wanted(settings: audit.Settings) -> dict[str, audit.Settings]:
        """Return which curve belongs where: the trajectory's is that of the present stepping."""
        keys = {s: CurveStore.key(replace_stepping(settings, s)) for s in ("fixed", "tolerance")}
        return {**keys, "trajectory": keys[settings.stepping]}

    def _draw_curves(self, settings: audit.Settings, readout: dict[str, Any]) -> None:
        for kind, key in self._wanted(settings).items():
            if self._drawn.get(kind) == key:
                continue
            curves = self._store.get(key)
            if curves is None:
                self._parts.errors.clear(kind)
                self._drawn.pop(kind, None)
                self._ends.pop(kind, None)
                continue
            errors = curves.forward if kind == "trajectory" else curves.gradient
            self._parts.errors.draw(kind, (curves.stiffness, errors))
            self._drawn[kind] = key
            self._ends[kind] = (errors[0], errors[-1])
        self.describe(readout)


def replace_stepping(settings: audit.Settings, stepping: str) -> audit.Settings:
    """Return `settings` under another stepping, with the derivative that belongs to it."""
    return settings if stepping == settings.stepping else replace(settings, stepping=stepping, derivative=None)
