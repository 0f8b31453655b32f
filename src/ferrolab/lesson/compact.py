"""A trail in few characters, for a learning management system that keeps at most 4096 of them.

Only what the learner set and answered is written; what was seen follows from the settings and is computed again when
the trail is read. A readout takes four to seven characters. When even that is too long, what is given up first is what
weighs least: readouts seen before, answers given up, and then the oldest readouts that no check and no step rests on.
The checks and steps that were met stay met.

The text is ASCII: a version, six digits that change with the lesson's questions and the bench's controls, the controls
that are set, and the events.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any
from urllib.parse import quote, unquote

from ferrolab.controls import CONTROLS
from ferrolab.lesson.grade import witnesses
from ferrolab.lesson.model import PREDICT, Lesson, Question
from ferrolab.lesson.positions import index_of, value_at
from ferrolab.lesson.replay import compute
from ferrolab.lesson.score import is_right
from ferrolab.lesson.trail import Answered, Event, Seen, Trail, TrailError

LIMIT = 4096
VERSION = "1"
_DIGITS = digits + ascii_uppercase + ascii_lowercase
_ANSWER, _END = "~", ";"
_PLAIN = " !'()*+,/:=?@"  # characters of a typed answer that may stand as they are
_SHORT = 60  # what is kept of a long typed answer when space is short


def compact(lesson: Lesson, trail: Trail, limit: int = LIMIT) -> str:
    """`trail` as at most `limit` characters that `expand` reads. Raises ValueError when `limit` is too small for any."""
    events = list(trail.events)
    for thin in (lambda e: e, _without_repeats, lambda e: _latest_answers(lesson, e)):
        events = thin(events)
        text = _write(lesson, events)
        if len(text) <= limit:
            return text
    needed = {id(seen) for seen in witnesses(lesson, Trail(lesson.slug, tuple(events)))}
    for shorten in (False, True):
        text = _longest(lesson, events, needed, limit, shorten)
        if text is not None:
            return text
    raise ValueError(f"the trail does not fit into {limit} characters")


def expand(lesson: Lesson, text: str) -> Trail:
    """The trail in `text`, its readouts computed anew. Raises `TrailError` for text that `compact` did not write."""
    head, _, body = text.partition(_END)
    if head[:7] != VERSION + _fingerprint(lesson):
        raise TrailError("the kept progress was written for another version of this lesson; the lesson begins anew.")
    try:
        ids = [list(CONTROLS)[_DIGITS.index(c)] for c in head[7:]]
        trail = Trail(lesson.slug)
        for event in _events(lesson, ids, body):
            trail = _append(lesson, trail, event)
    except (IndexError, ValueError, KeyError):
        raise TrailError("the kept progress cannot be read; the lesson begins anew.") from None
    return trail


# -- writing --------------------------------------------------------------------------------------------------------


def _write(lesson: Lesson, events: Sequence[Event], shorten: bool = False) -> str:
    ids = [name for name in CONTROLS if any(isinstance(e, Seen) and name in e.controls for e in events)]
    body = "".join(_token(lesson, ids, event, shorten) for event in events)
    return VERSION + _fingerprint(lesson) + "".join(_DIGITS[list(CONTROLS).index(name)] for name in ids) + _END + body


def _token(lesson: Lesson, ids: Sequence[str], event: Event, shorten: bool) -> str:
    if isinstance(event, Seen):
        places = [index_of(CONTROLS[name], event.controls.get(name)) for name in ids]
        if None in places or set(event.controls) - set(ids):
            return ""  # no position of the bench: nothing to come back to
        return "".join(_number(place, _width(name)) for name, place in zip(ids, places, strict=True))
    question = lesson.question(event.question)
    if question is None:
        return ""
    number = _number(_question_ids(lesson).index(event.question), 2)
    if question.kind == "choice":
        chosen = [choice.id for choice in question.choices]
        return f"{_ANSWER}{number}{_number(chosen.index(event.response), 1)}" if event.response in chosen else ""
    if question.kind == "numeric":
        return f"{_ANSWER}{number}{event.response!r}{_END}" if type(event.response) in (int, float) else ""
    if not isinstance(event.response, str):
        return ""
    return f"{_ANSWER}{number}{_quoted(_shortened(question, event.response) if shorten else event.response)}{_END}"


def _shortened(question: Question, typed: str) -> str:
    """A long answer in a few words that score the same."""
    if len(_quoted(typed)) <= _SHORT:
        return typed
    if is_right(question, typed):
        return min(question.accept, key=lambda form: (not is_right(replace(question, accept=(form,)), typed), len(form)))
    cut = typed
    while len(_quoted(cut)) > _SHORT:
        cut = cut[: len(cut) * 3 // 4]
    return "" if is_right(question, cut) else cut  # a word cut short may be another word


def _quoted(typed: str) -> str:
    return quote(typed, safe=_PLAIN)


def _number(value: int, width: int) -> str:
    out = ""
    for _ in range(width):
        value, rest = divmod(value, len(_DIGITS))
        out = _DIGITS[rest] + out
    return out


def _width(name: str) -> int:
    return 2 if CONTROLS[name].kind == "slider" else 1


def _question_ids(lesson: Lesson) -> list[str]:
    return [PREDICT, *(q.id for q in lesson.questions)]


def _fingerprint(lesson: Lesson) -> str:
    questions = [[q.id, q.kind, [c.id for c in q.choices]] for q in map(lesson.question, _question_ids(lesson)) if q]
    controls = [[c.id, c.start, c.step, c.values] for c in CONTROLS.values()]
    return hashlib.sha256(json.dumps([lesson.slug, questions, controls]).encode()).hexdigest()[:6]


# -- thinning -------------------------------------------------------------------------------------------------------


def _without_repeats(events: Sequence[Event]) -> list[Event]:
    """Each position of the bench once, where it was seen last."""
    kept: dict[Any, Event] = {}
    for number, event in enumerate(events):
        key = tuple(sorted(event.controls.items())) if isinstance(event, Seen) else number
        kept.pop(key, None)
        kept[key] = event
    return list(kept.values())


def _latest_answers(lesson: Lesson, events: Sequence[Event]) -> list[Event]:
    """Of every question the latest answer, and the latest right one."""
    keep = set()
    for number, event in enumerate(events):
        if isinstance(event, Answered):
            question = lesson.question(event.question)
            right = question is not None and is_right(question, event.response)
            keep |= {(event.question, False, number), (event.question, right, number)}
    latest = {}
    for name, right, number in sorted(keep, key=lambda one: one[2]):
        latest[name, right] = number
    return [e for n, e in enumerate(events) if isinstance(e, Seen) or n in latest.values()]


def _longest(lesson: Lesson, events: Sequence[Event], needed: set[int], limit: int, shorten: bool) -> str | None:
    """The answers, the needed readouts, and as many of the latest others as fit; None when not even the first two do."""
    others = [e for e in events if isinstance(e, Seen) and id(e) not in needed]

    def text(count: int) -> str:
        kept = {id(e) for e in others[len(others) - count :]} | needed
        return _write(lesson, [e for e in events if isinstance(e, Answered) or id(e) in kept], shorten)

    low, high = 0, len(others)
    if len(text(low)) > limit:
        return None
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if len(text(middle)) <= limit else (low, middle - 1)
    return text(low)


# -- reading --------------------------------------------------------------------------------------------------------


def _events(lesson: Lesson, ids: Sequence[str], body: str) -> Iterable[dict[str, Any]]:
    at = 0
    while at < len(body):
        if body[at] == _ANSWER:
            question = lesson.question(_question_ids(lesson)[_value(body[at + 1 : at + 3])])
            at += 3
            if question.kind == "choice":
                response, at = question.choices[_value(body[at])].id, at + 1
            else:
                end = body.index(_END, at)
                typed, at = body[at:end], end + 1
                response = unquote(typed, errors="strict") if question.kind == "short" else json.loads(typed)
            yield {"kind": "answered", "question": question.id, "response": response}
            continue
        controls = {}
        for name in ids:
            width = _width(name)
            controls[name] = value_at(CONTROLS[name], _value(body[at : at + width], width))
            at += width
        if not ids:
            raise ValueError("an event without controls")
        yield {"see": controls}


def _value(text: str, width: int | None = None) -> int:
    if not text or (width is not None and len(text) != width):
        raise ValueError("the text ends inside an event")
    value = 0
    for character in text:
        value = value * len(_DIGITS) + _DIGITS.index(character)
    return value


def _append(lesson: Lesson, trail: Trail, event: dict[str, Any]) -> Trail:
    if "see" not in event:
        return trail.append(event)
    costs = None if any(name.startswith("evaluations") for name in lesson.quantities) else False
    return trail.append_seen(event["see"], compute(event["see"], lesson.bench, costs=costs), lesson.quantities)
