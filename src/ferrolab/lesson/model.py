"""A lesson as frozen data: what the page, the worker and the grader share.

Everything here is declared in `lesson.toml`; the prose of `lesson.md` is kept as text and never leaves the build.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

FORMAT = 1
PREDICT = "predict"  # the question id under which a prediction stands in the trail
# The views a lesson may ask the bench for, the default first; and by view the gradient that a trail always records.
BENCHES = ("gradient-that-lies", "who-is-to-blame", "forces-at-a-distance")
ENTRY = {"gradient-that-lies": "entry", "who-is-to-blame": "entry", "forces-at-a-distance": "velocity_gradient"}

Literal = str | float | bool


@dataclass(frozen=True)
class Condition:
    """What one quantity must be; every bound that is given must hold.

    `within` is relative to the magnitude of the quantity named `of`.
    """

    equals: Literal | None = None
    at_least: float | None = None
    at_most: float | None = None
    within: float | None = None
    of: str | None = None


Where = Mapping[str, Condition]


@dataclass(frozen=True)
class Ratio:
    """The quantity `of`, divided by the same quantity of the readout it is compared with."""

    of: str
    at_least: float | None = None
    at_most: float | None = None


@dataclass(frozen=True)
class Requirement:
    """One thing that must have been seen or answered.

    Seen: at least `count` readouts that satisfy `where`, counted by distinct values of `distinct`. When `beside` is
    given, each is compared with one and the same readout that satisfies `beside`: equal in the quantities `same`,
    smaller in the quantities `less`, in the given `ratio`.
    Answered: the question `answered`, rightly when `correct` is true, wrongly when it is false.
    """

    where: Where | None = None
    count: int = 1
    distinct: str | None = None
    beside: Where | None = None
    same: tuple[str, ...] = ()
    less: tuple[str, ...] = ()
    ratio: Ratio | None = None
    answered: str | None = None
    correct: bool | None = None


@dataclass(frozen=True)
class Check:
    """One pass check; it is met when everything in `needs` is. `hint` says what is still to be seen.

    `opening` allows it to be met by the readout the bench opens with.
    """

    id: str
    label: str
    hint: str
    needs: tuple[Requirement, ...]
    builds_on: tuple[str, ...] = ()
    opening: bool = False


@dataclass(frozen=True)
class Step:
    """One step of the guided practice; the page ticks it when everything in `done` is met."""

    id: str
    title: str
    done: tuple[Requirement, ...]


@dataclass(frozen=True)
class StuckRule:
    """Either the latest `last` readouts all satisfy `now`, or the requirement `seen` is met."""

    now: Where | None = None
    last: int = 1
    seen: Requirement | None = None


@dataclass(frozen=True)
class Stuck:
    """A way of getting stuck: shown when any rule in `when` holds, until a check is met or a question answered rightly."""

    id: str
    title: str
    when: tuple[StuckRule, ...]
    until_met: str | None = None
    until_answered: str | None = None


@dataclass(frozen=True)
class Choice:
    id: str
    text: str
    correct: bool = False


@dataclass(frozen=True)
class Question:
    """A question with an explanation for a right and for a wrong answer.

    kind "choice" uses `choices`; "numeric" uses `answer`, `tolerance` (absolute) and `unit`, and `value`, when given,
    is the call that computes the answer; "short" uses `accept`, phrases one of which the typed answer must contain.
    """

    id: str
    kind: str
    ask: str
    right: str
    wrong: str
    choices: tuple[Choice, ...] = ()
    answer: float | None = None
    tolerance: float | None = None
    unit: str = ""
    value: str | None = None
    accept: tuple[str, ...] = ()


@dataclass(frozen=True)
class Predict:
    """The question before the bench unlocks; `revealed_by` is the check that shows the truth beside the prediction."""

    ask: str
    choices: tuple[Choice, ...]
    explain: str
    revealed_by: str


@dataclass(frozen=True)
class Figure:
    """A picture drawn at build time from the core.

    kind "height" is height (m) over time (s); kind "force-at-entry" is the contact force (m/s²) over the time since
    touch-down (ms), of both laws; both at `log_stiffness`. Kind "reach" is how much of the contact impulse is at work
    over the gap (m), hard and smoothed at `log_kappa`.
    """

    id: str
    kind: str
    alt: str
    log_stiffness: float | None = None
    log_kappa: float | None = None


@dataclass(frozen=True)
class Constant:
    """A number the prose may state without computing it, and why it needs no computing."""

    text: str
    why: str


@dataclass(frozen=True)
class Lesson:
    """One lesson. `bench` names its view of the bench; `prose` is lesson.md, "" where the lesson came from `to_dict`."""

    slug: str
    title: str
    number: int
    topic: str
    minutes: int
    language: str
    summary: str
    authors: tuple[str, ...]
    controls: tuple[str, ...]
    predict: Predict
    checks: tuple[Check, ...]
    steps: tuple[Step, ...]
    stuck: tuple[Stuck, ...]
    questions: tuple[Question, ...]
    figures: tuple[Figure, ...]
    constants: tuple[Constant, ...]
    bench: str = BENCHES[0]
    prose: str = ""

    @property
    def quantities(self) -> frozenset[str]:
        """The quantities a trail must record for this lesson to be graded, and its status and gradient to be replayed."""
        names: set[str] = {"status", ENTRY[self.bench]}
        for requirement in self._requirements():
            names |= requirement_quantities(requirement)
        for rule in (rule for stuck in self.stuck for rule in stuck.when):
            names |= where_quantities(rule.now)
        return frozenset(names)

    def _requirements(self) -> Iterator[Requirement]:
        for check in self.checks:
            yield from check.needs
        for step in self.steps:
            yield from step.done
        for stuck in self.stuck:
            yield from (rule.seen for rule in stuck.when if rule.seen is not None)

    def question(self, id: str) -> Question | None:
        """The question with this id, or None; "predict" is the prediction."""
        if id == PREDICT:
            p = self.predict
            return Question(PREDICT, "choice", p.ask, p.explain, p.explain, choices=p.choices)
        return next((q for q in self.questions if q.id == id), None)

    def to_dict(self) -> dict[str, Any]:
        """What `from_dict` reads: JSON-able, keys as in lesson.toml, plus the slug."""
        out = {"format": FORMAT, **_plain(self)}
        del out["prose"]
        return out

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Lesson:
        """Read what `to_dict` wrote. Raises `LessonError`."""
        from ferrolab.lesson.parse import parse_lesson  # parse imports this module

        return parse_lesson(value)


def where_quantities(where: Where | None) -> set[str]:
    """The quantities `where` asks about; none when it is None."""
    if where is None:
        return set()
    return set(where) | {c.of for c in where.values() if c.of is not None}


def requirement_quantities(need: Requirement) -> set[str]:
    """The quantities `need` asks about."""
    names = where_quantities(need.where) | where_quantities(need.beside) | set(need.same) | set(need.less)
    if need.distinct is not None:
        names.add(need.distinct)
    if need.ratio is not None:
        names.add(need.ratio.of)
    return names


def _plain(value: Any) -> Any:
    """Dataclasses to the tables lesson.toml would hold: absent where at the default, conditions unwrapped."""
    if isinstance(value, Condition):
        bounds = {f.name: getattr(value, f.name) for f in fields(value) if getattr(value, f.name) is not None}
        return bounds["equals"] if set(bounds) == {"equals"} else bounds
    if isinstance(value, StuckRule):
        if value.seen is not None:
            return _plain(value.seen)
        return {"now": _plain(value.now), "last": value.last}
    if isinstance(value, Stuck):
        until = {"met": value.until_met, "answered": value.until_answered}
        out = {"id": value.id, "title": value.title, "when": _plain(value.when)}
        until = {k: v for k, v in until.items() if v is not None}
        return {**out, "until": until} if until else out
    if hasattr(value, "__dataclass_fields__"):
        return {
            f.name: _plain(getattr(value, f.name))
            for f in fields(value)
            if getattr(value, f.name) is not None and getattr(value, f.name) != f.default
        }
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    return value
