"""The trail: what a learner set, saw and answered, in order, and nothing else.

A trail only grows. It comes back from a browser's storage, where anything may have happened to it, so reading one
checks every field and refuses with a sentence; it never raises anything but `TrailError`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ferrolab.lesson.quantities import quantity

VERSION = 1
MAX_EVENTS = 5000
MAX_TEXT = 2000  # characters in one string: a typed answer is a sentence or two
MAX_DEPTH = 4
_KEYS = {"seen": {"kind", "controls", "readout"}, "answered": {"kind", "question", "response"}}


class TrailError(ValueError):
    """A trail that cannot be read; the message says what is wrong with it and what to do."""


@dataclass(frozen=True)
class Seen:
    """A readout that stood on the screen, settled, under these controls (SI units, log_stiffness a pure number)."""

    controls: Mapping[str, Any]
    readout: Mapping[str, Any]

    def get(self, name: str) -> Any:
        """The quantity `name`, or None when the readout did not record it."""
        return quantity(name, self.readout, self.controls)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "seen", "controls": dict(self.controls), "readout": dict(self.readout)}


@dataclass(frozen=True)
class Answered:
    """An answer as the learner gave it: a choice's id, a number or typed words."""

    question: str
    response: Any

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "answered", "question": self.question, "response": self.response}


Event = Seen | Answered


@dataclass(frozen=True)
class Trail:
    """An immutable, append-only list of events for one lesson."""

    lesson: str
    events: tuple[Event, ...] = ()

    @property
    def seen(self) -> tuple[Seen, ...]:
        return tuple(e for e in self.events if isinstance(e, Seen))

    @property
    def answered(self) -> tuple[Answered, ...]:
        return tuple(e for e in self.events if isinstance(e, Answered))

    def append(self, event: Event | Mapping[str, Any]) -> Trail:
        """A new trail with `event` at its end; an event equal to the last one is not written twice.

        Raises `TrailError` for an event that is not one, and when the trail is full.
        """
        if not isinstance(event, (Seen, Answered)):
            event = _event(event, len(self.events) + 1)
        if self.events and self.events[-1] == event:
            return self
        if len(self.events) >= MAX_EVENTS:
            raise TrailError(f"the trail holds {MAX_EVENTS} events, the most it may hold; start over to begin a new one.")
        return replace(self, events=(*self.events, event))

    def append_seen(self, controls: Mapping[str, Any], readout: Mapping[str, Any], keep: Iterable[str]) -> Trail:
        """`append` a readout, recording only the quantities in `keep` (see `Lesson.quantities`) that no control holds."""
        recorded = {name: quantity(name, readout) for name in sorted(keep) if name not in controls}
        return self.append({"kind": "seen", "controls": dict(controls), "readout": recorded})

    def to_dict(self) -> dict[str, Any]:
        return {"version": VERSION, "lesson": self.lesson, "events": [e.to_dict() for e in self.events]}

    @classmethod
    def from_dict(cls, value: Any, lesson: str | None = None) -> Trail:
        """Read a trail from parsed JSON.

        `lesson`, when given, is the slug the trail must belong to. Raises `TrailError`.
        """
        if not isinstance(value, Mapping):
            raise TrailError(f"a trail must be an object, not {_kind(value)}; start over to begin a new one.")
        if set(value) != {"version", "lesson", "events"}:
            raise TrailError("a trail must have exactly the keys version, lesson and events; start over to begin a new one.")
        if value["version"] != VERSION or isinstance(value["version"], bool):
            raise TrailError(
                f"the trail has version {_short(value['version'])}, and this ferrolab reads version {VERSION}; "
                "update ferrolab or start over."
            )
        slug = value["lesson"]
        if not isinstance(slug, str) or not slug or len(slug) > MAX_TEXT:
            raise TrailError(f"the trail's lesson must be a name, not {_short(slug)}; start over to begin a new one.")
        if lesson is not None and slug != lesson:
            raise TrailError(f"the trail belongs to the lesson {_short(slug)}, not to {lesson!r}; open that lesson.")
        events = value["events"]
        if not isinstance(events, list):
            raise TrailError(f"the trail's events must be a list, not {_kind(events)}; start over to begin a new one.")
        if len(events) > MAX_EVENTS:
            raise TrailError(f"the trail has {len(events)} events and may have {MAX_EVENTS}; start over to begin a new one.")
        return cls(slug, tuple(_event(e, i) for i, e in enumerate(events, 1)))


def _event(value: Any, number: int) -> Event:
    """One event from parsed JSON; `number` counts from 1 and stands in the message."""
    if not isinstance(value, Mapping):
        raise TrailError(f"event {number} of the trail must be an object, not {_kind(value)}; start over to begin a new one.")
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in _KEYS:
        raise TrailError(f"event {number} of the trail must be 'seen' or 'answered', not {_short(kind)}; start over.")
    if set(value) != _KEYS[kind]:
        wanted = ", ".join(sorted(_KEYS[kind]))
        raise TrailError(f"event {number} of the trail must have exactly the keys {wanted}; start over to begin a new one.")
    if kind == "seen":
        for part in ("controls", "readout"):
            if not isinstance(value[part], Mapping):
                raise TrailError(f"{part} of event {number} must be an object, not {_kind(value[part])}; start over.")
            _require_plain(value[part], f"{part} of event {number}", MAX_DEPTH)
        return Seen(dict(value["controls"]), dict(value["readout"]))
    question, response = value["question"], value["response"]
    if not isinstance(question, str) or not question or len(question) > MAX_TEXT:
        raise TrailError(f"the question of event {number} must be an id, not {_short(question)}; start over.")
    _require_plain(response, f"the response of event {number}", 1)
    return Answered(question, response)


def _require_plain(value: Any, what: str, depth: int) -> None:
    """Refuse what is not finite, short, shallow JSON."""
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            raise TrailError(f"{what} holds a text of {len(value)} characters and may hold {MAX_TEXT}; start over.")
        return
    if isinstance(value, (int, float)):
        if abs(value) > 1e300 or not math.isfinite(value):  # the first test keeps huge ints out of isfinite
            raise TrailError(f"{what} holds a number that is not finite; start over to begin a new one.")
        return
    if depth == 0 or not isinstance(value, (Mapping, list)) or len(value) > 200:
        raise TrailError(f"{what} holds {_kind(value)} that does not belong there; start over to begin a new one.")
    for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
        if isinstance(value, Mapping) and not isinstance(key, str):
            raise TrailError(f"{what} has a key that is not text; start over to begin a new one.")
        _require_plain(item, what, depth - 1)


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "nothing"}
    return names.get(type(value), "a number" if isinstance(value, (int, float)) else f"a {type(value).__name__}")


def _short(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return _kind(value)
    text = repr(value)[:60] if not isinstance(value, int) or abs(value) < 1e18 else "a huge number"
    return text
