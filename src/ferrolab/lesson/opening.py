"""Checks that the bench meets by itself: what a learner sees before touching anything must not pass for having looked."""

from __future__ import annotations

from collections.abc import Iterator

from ferrolab.controls import CONTROLS
from ferrolab.lesson.diagnostics import Diagnostic
from ferrolab.lesson.grade import grade
from ferrolab.lesson.locate import line_of
from ferrolab.lesson.model import Lesson
from ferrolab.lesson.on_bench import BENCH_CONTROLS
from ferrolab.lesson.replay import compute
from ferrolab.lesson.trail import Trail


def opened(lesson: Lesson, source: str) -> Iterator[Diagnostic]:
    """A diagnostic for each check that the opening readout meets alone and that does not say `opening = true`."""
    controls = {name: CONTROLS[name].default for name in BENCH_CONTROLS[lesson.bench]}
    trail = Trail(lesson.slug).append_seen(controls, compute(controls, lesson.bench), lesson.quantities)
    for i, (check, result) in enumerate(zip(lesson.checks, grade(lesson, trail).checks, strict=True)):
        if result.met and not check.opening:
            message = f"the check {check.id!r} is met by the position the bench opens with, before the learner has done anything."
            fix = "Ask for more, such as another stiffness; or write opening = true if that is what you want."
            yield Diagnostic("lesson.toml", line_of(source, ("checks", i)), "L035", message, fix)
