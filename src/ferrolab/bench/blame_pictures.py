"""What lesson 2 draws after its readout is on the screen: the force at touch-down and the shares over stiffness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ferrolab import audit
from ferrolab.audit.entry import FORCE_LAWS, entry, force_near_entry
from ferrolab.audit.three_way import ShareCurves, share_curves

from . import blame_words
from .curves import CurveStore
from .view import Job

if TYPE_CHECKING:
    from .views.who_is_to_blame import Parts

#: The window of the force, in durations of the spring-damper's contact before and after touch-down.
FORCE_BEFORE, FORCE_AFTER = 0.3, 0.5
FORCE_SAMPLES = 120

#: Decades between two stiffnesses of a curve where there is a closed form, and where every point is stepped through.
FINE_STEP, COARSE_STEP = 0.25, 0.5

#: Points of a curve in one piece where every lane's events are located one after the other, in closed form.
_LOCATED_PIECE = 3

CURVES = ("own", "event", "contact_model")


class BlamePictures:
    """The plots of the view, and which of them are behind the settings."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        # By decade: what the steps of a route did, and the two shares that belong to its law alone.
        self._own: dict[audit.Settings, dict[float, float]] = {}
        self._exact: dict[str, dict[float, tuple[float, float]]] = {}
        self._forced: audit.Settings | None = None
        self._drawn: tuple[audit.Settings, int] | None = None
        self._ends: dict[str, tuple[float, float]] = {}

    def force_job(self, settings: audit.Settings) -> Job | None:
        """Return the job that draws the force of `settings`, or None when it is drawn."""
        key = replace(_question(settings), stiffness=settings.stiffness)
        return None if self._forced == key else lambda: self._draw_force(key)

    def _draw_force(self, key: audit.Settings) -> None:
        laws = {law: replace(key, law=law) for law in FORCE_LAWS}
        spring = entry(laws[FORCE_LAWS[0]])
        window = -FORCE_BEFORE * spring.contact_time, FORCE_AFTER * spring.contact_time
        samples = {law: force_near_entry(asked, window, FORCE_SAMPLES) for law, asked in laws.items()}
        self._parts.force.draw(key.law, samples, spring.jump)
        self._parts.force_caption.description = blame_words.force(key.law, spring.jump)
        self._forced = key

    def curve_jobs(self, settings: audit.Settings, readout: dict[str, Any]) -> Iterator[Job]:
        """Yield the jobs that bring the curves up to `settings`, the most wanted first."""
        key = CurveStore.key(settings)
        known = self._own.setdefault(key, {})
        # The stiff end first: its contact is short. A piece is what one turn of the browser may take.
        missing = [place for place in self._places(settings) if place not in known][::-1]
        size = len(missing)
        if settings.law != FORCE_LAWS[0] or settings.derivative == "event-aware":
            size = _LOCATED_PIECE if settings.law == FORCE_LAWS[0] and settings.stepping == "fixed" else 1
        for i in range(0, len(missing), max(size, 1)):
            yield lambda piece=missing[i : i + size]: self._compute(key, piece, readout)
        if self._drawn != (key, len(known)):
            yield lambda: self._draw_curves(key, readout)

    def _places(self, settings: audit.Settings) -> list[float]:
        """Return the decades of the curve's points."""
        slider = self._parts.slider
        step = FINE_STEP if settings.law == FORCE_LAWS[0] else COARSE_STEP
        return [float(place) for place in np.arange(slider.start, slider.end + 1e-9, step)]

    def _compute(self, key: audit.Settings, places: list[float], readout: dict[str, Any]) -> None:
        found: ShareCurves = share_curves(key, places)
        self._own[key].update(zip(places, map(float, found.own)))
        exact = zip(map(float, found.event), map(float, found.contact_model))
        self._exact.setdefault(key.law, {}).update(zip(places, exact))
        self._draw_curves(key, readout)

    def _draw_curves(self, key: audit.Settings, readout: dict[str, Any]) -> None:
        own, exact = self._own[key], self._exact[key.law]
        shares = {
            "own": own,
            "event": {place: event for place, (event, _) in exact.items()},
            "contact_model": {place: model for place, (_, model) in exact.items()},
        }
        for kind, share in shares.items():
            places = sorted(share)
            values = np.array([share[place] for place in places])
            self._parts.shares.draw(kind, (10.0 ** np.array(places), values))
            self._ends[kind] = (values[0], values[-1])
        self._drawn = (key, len(own))
        self.describe(readout)

    def follow(self, settings: audit.Settings, readout: dict[str, Any]) -> None:
        """Take away the curves of another question, name the curve of the steps, and describe what is left."""
        key, before = CurveStore.key(settings), self._drawn[0] if self._drawn else None
        self._parts.shares.suit(settings.stepping, blame_words.own_name(readout))
        if before != key:
            for kind in CURVES if before is None or before.law != key.law else ("own",):
                self._parts.shares.clear(kind)
                self._ends.pop(kind, None)
        self.describe(readout)

    def describe(self, readout: dict[str, Any]) -> None:
        """Say in words what the plot of the shares shows and where the learner stands on it."""
        self._parts.shares_caption.description = blame_words.shares(readout, self._ends)


def _question(settings: audit.Settings) -> audit.Settings:
    """Return the settings without what a law's own flow does not depend on."""
    return replace(settings, stiffness=1.0, dt=audit.Settings.dt, stepping="fixed", derivative=None, saltation=True)
