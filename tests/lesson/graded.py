"""A lesson graded by events made up for the purpose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ferrolab.lesson import Grade, Lesson, Trail, grade


def looked(controls: Mapping[str, Any], readout: Mapping[str, Any], *parts: Mapping[str, Any]) -> dict:
    """A look: each part changes the control of that name, or else the quantity."""
    controls, readout = dict(controls), dict(readout)
    for part in parts:
        for name, value in part.items():
            (controls if name in controls else readout)[name] = value
    return {"kind": "seen", "controls": controls, "readout": readout}


def answer(question: str, response: Any) -> dict:
    """An answer."""
    return {"kind": "answered", "question": question, "response": response}


class Graded:
    """Grades events of one lesson."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson

    def __call__(self, *events: dict) -> Grade:
        return grade(self.lesson, Trail.from_dict({"version": 1, "lesson": self.lesson.slug, "events": list(events)}))

    def met(self, *events: dict) -> set[str]:
        """The checks that are met."""
        return {check.id for check in self(*events).checks if check.met}
