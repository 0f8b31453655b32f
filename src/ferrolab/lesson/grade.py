"""`grade(lesson, trail)`: a pure function, the same in the browser's worker, on the command line and in CI.

Checks and steps only ask whether something *has been* seen or answered, so a trail that grows never loses one.
Stuck messages ask where the learner is now, so they come and go.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ferrolab.lesson.model import Condition, Lesson, Requirement, Stuck, StuckRule, Where
from ferrolab.lesson.reader import is_number
from ferrolab.lesson.score import is_right
from ferrolab.lesson.trail import Seen, Trail

_SAME = 1e-9  # two settings are the same when they differ by less than this, relatively


@dataclass(frozen=True)
class CheckGrade:
    """One pass check: met or not, and what was seen or is still to be seen."""

    id: str
    label: str
    met: bool
    detail: str


@dataclass(frozen=True)
class Grade:
    """What a trail is worth: the checks in the lesson's order, the steps that are done, the stuck messages that apply."""

    passed: bool
    checks: tuple[CheckGrade, ...]
    steps: tuple[str, ...]
    stuck: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        out = asdict(self)
        return {k: list(v) if isinstance(v, tuple) else v for k, v in out.items()}

    def to_json(self) -> str:
        """The grade as text, the same to the byte wherever it is computed; JSON.stringify in a page writes the same."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def grade(lesson: Lesson, trail: Trail) -> Grade:
    """Grade `trail`. Pure; raises ValueError when the trail belongs to another lesson."""
    if trail.lesson != lesson.slug:
        raise ValueError(f"the trail belongs to {trail.lesson!r} and the lesson is {lesson.slug!r}; grade it with its own lesson.")
    grades = []
    for check in lesson.checks:
        witnesses = [_witness(lesson, trail, need) for need in check.needs]
        met = all(w is not None for w in witnesses)
        grades.append(CheckGrade(check.id, check.label, met, _describe(check.needs, witnesses) if met else check.hint))
    met_ids = {g.id for g in grades if g.met}
    steps = tuple(s.id for s in lesson.steps if all(_witness(lesson, trail, need) is not None for need in s.done))
    stuck = tuple(s.id for s in lesson.stuck if _is_stuck(lesson, trail, s, met_ids))
    return Grade(len(met_ids) == len(grades), tuple(grades), steps, stuck)


def witnesses(lesson: Lesson, trail: Trail) -> list[Seen]:
    """The readouts that the met checks and the done steps rest on: a trail of these meets the same."""
    needs = [need for group in (*(c.needs for c in lesson.checks), *(s.done for s in lesson.steps)) for need in group]
    return [seen for need in needs for seen in _witness(lesson, trail, need) or []]


def _witness(lesson: Lesson, trail: Trail, need: Requirement) -> list[Seen] | None:
    """The readouts that meet `need` (empty when an answer does), or None when nothing does."""
    if need.answered is not None:
        return [] if _has_answered(lesson, trail, need) else None
    candidates = [s for s in trail.seen if _satisfies(s, need.where or {})]
    if need.beside is None:
        found = _count(candidates, need)
        return found
    beside = _by_same(candidates, need)
    for reference in (s for s in trail.seen if _satisfies(s, need.beside)):
        found = _count([s for s in beside(reference) if _compares(s, reference, need)], need)
        if found is not None:
            return [reference, *found]
    return None


def _by_same(candidates: Sequence[Seen], need: Requirement) -> Callable[[Seen], Sequence[Seen]]:
    """For a readout to stand beside: the candidates, without most of those that differ in the first of `same`.

    A long visit has hundreds of readouts, and comparing each with each would take seconds in a browser.
    """
    if not need.same:
        return lambda reference: candidates
    name = need.same[0]
    groups: dict[str, list[tuple[int, Seen]]] = {}
    for place, seen in enumerate(candidates):
        groups.setdefault(_group(seen.get(name)), []).append((place, seen))

    def beside(reference: Seen) -> Sequence[Seen]:
        value = reference.get(name)
        near = [value * (1 - _SAME), value, value * (1 + _SAME)] if is_number(value) else [value]
        found = [one for key in sorted({_group(v) for v in near}) for one in groups.get(key, [])]
        return [seen for _, seen in sorted(found, key=lambda one: one[0])]

    return beside


def _group(value: Any) -> str:
    """Values that are the same fall into one group, or into two next to each other."""
    return f"{float(value):.6e}" if is_number(value) else repr(value)


def _count(candidates: Sequence[Seen], need: Requirement) -> list[Seen] | None:
    """The first `count` candidates that differ in the quantity `distinct`, or None when there are fewer."""
    chosen: list[Seen] = []
    for seen in candidates:
        if need.distinct is None or not any(_equal(seen.get(need.distinct), c.get(need.distinct)) for c in chosen):
            chosen.append(seen)
        if len(chosen) == need.count:
            return chosen
    return None


def _has_answered(lesson: Lesson, trail: Trail, need: Requirement) -> bool:
    """Right once is right for good; wrong means that the latest answer is wrong and none was right."""
    question = lesson.question(need.answered or "")
    given = [a.response for a in trail.answered if a.question == need.answered]
    if question is None or not given:
        return False
    if need.correct is None:
        return True
    return any(is_right(question, response) for response in given) == need.correct


def _satisfies(seen: Seen, where: Where) -> bool:
    return all(_holds(seen, seen.get(name), condition) for name, condition in where.items())


def _holds(seen: Seen, value: Any, condition: Condition) -> bool:
    if condition.equals is not None:
        return _equal(value, condition.equals)
    if not is_number(value):
        return False
    if condition.at_least is not None and value < condition.at_least - _slack(condition.at_least):
        return False
    if condition.at_most is not None and value > condition.at_most + _slack(condition.at_most):
        return False
    if condition.within is not None:
        target = seen.get(condition.of or "")
        return is_number(target) and abs(value - target) <= condition.within * abs(target)
    return True


def _compares(seen: Seen, reference: Seen, need: Requirement) -> bool:
    if not all(_equal(seen.get(name), reference.get(name)) for name in need.same):
        return False
    for name in need.less:
        value, bound = seen.get(name), reference.get(name)
        if not (is_number(value) and is_number(bound) and value < bound - _slack(bound)):
            return False
    if need.ratio is None:
        return True
    value, base = seen.get(need.ratio.of), reference.get(need.ratio.of)
    if not (is_number(value) and is_number(base)) or base == 0:
        return False
    ratio = value / base
    if need.ratio.at_least is not None and ratio < need.ratio.at_least:
        return False
    return need.ratio.at_most is None or ratio <= need.ratio.at_most


def _equal(a: Any, b: Any) -> bool:
    """Equal as settings are: same words, same flags, numbers to rounding. Nothing recorded equals nothing."""
    if is_number(a) and is_number(b):
        return abs(a - b) <= _SAME * max(abs(a), abs(b))
    return a is not None and type(a) is type(b) and a == b


def _slack(bound: float) -> float:
    return _SAME * abs(bound)


def _is_stuck(lesson: Lesson, trail: Trail, stuck: Stuck, met: set[str]) -> bool:
    if stuck.until_met in met:
        return False
    if stuck.until_answered is not None and _has_answered(
        lesson, trail, Requirement(answered=stuck.until_answered, correct=True)
    ):
        return False
    return any(_rule_holds(lesson, trail, rule) for rule in stuck.when)


def _rule_holds(lesson: Lesson, trail: Trail, rule: StuckRule) -> bool:
    if rule.seen is not None:
        return _witness(lesson, trail, rule.seen) is not None
    latest = trail.seen[-rule.last :]
    return len(latest) == rule.last and all(_satisfies(seen, rule.now or {}) for seen in latest)


def _describe(needs: Sequence[Requirement], witnesses: Sequence[list[Seen] | None]) -> str:
    """Where a check was met: the settings of the first readout that met it, and the time steps that were compared.

    A readout that only stood beside it, to be compared with, is not the one that met it.
    """
    seen = [s for witness in witnesses for s in witness or []]
    if not seen:
        return "answered"
    first = next(w[0 if need.beside is None else 1] for need, w in zip(needs, witnesses, strict=True) if w)
    if is_number(first.get("release_height")):
        return f"{first.get('model')}, released at {first.get('release_height'):.3f} m"
    parts = []
    if is_number(first.get("log_stiffness")):
        parts.append(f"k = 10^{first.get('log_stiffness'):.2f}")
    if first.get("stepping") == "tolerance":
        parts.append("error tolerance")
    else:
        steps = [s.get("dt") for s in seen if is_number(s.get("dt")) and s.get("stepping") != "tolerance"]
        texts = dict.fromkeys(f"{dt:.0e}".replace("e-0", "e-") for dt in steps)  # each once, in order
        parts += [f"dt {', '.join(texts)} s"] if texts else []
    return ", ".join(parts) or "seen"
