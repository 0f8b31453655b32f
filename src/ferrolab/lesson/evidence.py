"""Evidence: one file in which a learner hands in a trail, and what the library makes of it.

A page writes it (web/lesson/evidence.js); this module reads it and computes every readout in it again. That proves
that the figures are right, not that anybody looked at them: whoever can write a file can write this one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ferrolab.lesson.grade import Grade, grade
from ferrolab.lesson.model import PREDICT, Lesson
from ferrolab.lesson.on_bench import BENCH_CONTROLS
from ferrolab.lesson.positions import off_the_bench
from ferrolab.lesson.replay import compute, disagreements
from ferrolab.lesson.score import is_right
from ferrolab.lesson.trail import Seen, Trail, TrailError

VERSION = 1
MAX_BYTES = 8_000_000  # a full trail takes about 2 MB
MAX_NAME = 200
_KEYS = {"evidence", "lesson", "lesson_key", "ferrolab", "name", "made", "trail", "grade"}


class EvidenceError(ValueError):
    """A file that is no evidence; the message is one sentence."""


@dataclass(frozen=True)
class Evidence:
    """What a learner handed in. `name` is what they chose to write, perhaps ""; `made` is their clock's."""

    lesson: str
    lesson_key: str
    ferrolab: str
    name: str
    made: str
    trail: Trail
    grade: Mapping[str, Any]


@dataclass(frozen=True)
class Replayed:
    """One readout of a trail, computed again: what differs, one clause each. `number` counts the trail's events from 1."""

    number: int
    controls: Mapping[str, Any]
    differences: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """What the library makes of an evidence.

    `grade` is that of the trail with every readout computed anew; readouts that no bench can show count for nothing.
    `holds` says that all that was handed in is what the library computes.
    """

    evidence: Evidence
    readouts: tuple[Replayed, ...]
    grade: Grade
    grade_agrees: bool
    same_lesson: bool
    questions_right: int

    @property
    def agreeing(self) -> int:
        return sum(not one.differences for one in self.readouts)

    @property
    def holds(self) -> bool:
        return self.agreeing == len(self.readouts) and self.grade_agrees


def lesson_key(lesson: Lesson) -> str:
    """Sixteen digits that change with anything the page is shipped of the lesson."""
    text = json.dumps(lesson.to_dict(), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_evidence(data: bytes) -> Evidence:
    """The evidence in a file's bytes. Raises `EvidenceError`."""
    if len(data) > MAX_BYTES:
        raise EvidenceError(f"the file has {len(data)} bytes and evidence has at most {MAX_BYTES}.")
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise EvidenceError("the file is not JSON; it must be one the lesson page has saved.") from None
    if not isinstance(value, dict) or value.get("evidence") != VERSION or isinstance(value.get("evidence"), bool):
        raise EvidenceError(f"the file is no evidence of version {VERSION}; it must be one the lesson page has saved.")
    if set(value) != _KEYS:
        raise EvidenceError(f"the file must have exactly the keys {', '.join(sorted(_KEYS))}.")
    texts = {key: value[key] for key in ("lesson", "lesson_key", "ferrolab", "name", "made")}
    for key, text in texts.items():
        if not isinstance(text, str) or len(text) > MAX_NAME:
            raise EvidenceError(f"{key} must be a text of at most {MAX_NAME} characters.")
    if not isinstance(value["grade"], dict):
        raise EvidenceError("grade must be an object.")
    try:
        trail = Trail.from_dict(value["trail"], texts["lesson"])
    except TrailError as error:
        raise EvidenceError(str(error)) from None
    return Evidence(**texts, trail=trail, grade=value["grade"])


def verify(evidence: Evidence, lesson: Lesson) -> Verdict:
    """Compute everything in `evidence` again, with the lesson it names. Raises ValueError for another lesson."""
    if lesson.slug != evidence.lesson:
        raise ValueError(f"the evidence is of the lesson {evidence.lesson!r} and the lesson is {lesson.slug!r}; verify it with its own.")
    replayed, events = [], []
    for number, event in enumerate(evidence.trail.events, 1):
        if not isinstance(event, Seen):
            events.append(event)
            continue
        away = off_the_bench(event.controls, BENCH_CONTROLS[lesson.bench][0])
        if away is None:
            events.append(_seen_again(event, lesson))
        differences = (away,) if away else tuple(_differences(event, lesson))
        replayed.append(Replayed(number, event.controls, differences))
    again = grade(lesson, replace(evidence.trail, events=tuple(events)))
    same_lesson = evidence.lesson_key == lesson_key(lesson)
    return Verdict(
        evidence=evidence,
        readouts=tuple(replayed),
        grade=again,
        grade_agrees=_agrees(evidence, lesson, again, same_lesson),
        same_lesson=same_lesson,
        questions_right=sum(_latest_is_right(lesson, evidence.trail, q.id) for q in lesson.questions),
    )


def _seen_again(event: Seen, lesson: Lesson) -> Seen:
    """`event` with what the library computes, where it differs from what was recorded by more than machines do."""
    if not disagreements(event, lesson.bench) and _complete(event, lesson):
        return event
    fresh = Trail(lesson.slug).append_seen(event.controls, compute(event.controls, lesson.bench), lesson.quantities)
    return fresh.seen[0]


def _differences(event: Seen, lesson: Lesson) -> list[str]:
    found = disagreements(event, lesson.bench)
    return found if found or _complete(event, lesson) else ["it leaves out quantities the lesson is graded by"]


def _complete(event: Seen, lesson: Lesson) -> bool:
    return all(name in event.readout or name in event.controls for name in lesson.quantities)


def _agrees(evidence: Evidence, lesson: Lesson, again: Grade, same_lesson: bool) -> bool:
    """Whether the grade handed in is the trail's; another version of the lesson may say it in other words."""
    checks = evidence.grade.get("checks")
    if not isinstance(checks, list) or not all(isinstance(check, dict) for check in checks):
        return False
    if same_lesson and dict(evidence.grade) != grade(lesson, evidence.trail).to_dict():
        return False
    return {check.get("id"): check.get("met") for check in checks} == {check.id: check.met for check in again.checks}


def _latest_is_right(lesson: Lesson, trail: Trail, id: str) -> bool:
    given = [a.response for a in trail.answered if a.question == id and id != PREDICT]
    question = lesson.question(id)
    return bool(given) and question is not None and is_right(question, given[-1])
