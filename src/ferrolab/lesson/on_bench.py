"""What each view of the bench has, and where a lesson asks for something that its own view has not."""

from __future__ import annotations

from collections.abc import Iterator

from ferrolab.lesson.diagnostics import Diagnostic
from ferrolab.lesson.locate import line_of
from ferrolab.lesson.model import BENCHES, Lesson, requirement_quantities, where_quantities
from ferrolab.lesson.quantities import OF_THE_BOUNCE, OF_THE_DROP, OF_THE_TRIAL
from ferrolab.lesson.reader import Path, closest, spell
from ferrolab.lesson.values import LivingFigure, ValueSyntaxError, parse_value

# The views themselves need Panel, which reading a lesson does not; a test compares these with them.
BENCH_CONTROLS: dict[str, tuple[str, ...]] = {
    "gradient-that-lies": ("log_stiffness", "dt", "stepping"),
    "who-is-to-blame": ("log_stiffness", "dt", "stepping", "derivative", "law", "saltation"),
    "forces-at-a-distance": ("release_height", "model", "drop_dt", "log_kappa", "log_noise", "log_samples"),
}
NOT_MEASURED: dict[str, frozenset[str]] = {
    "gradient-that-lies": frozenset({*OF_THE_TRIAL, *OF_THE_DROP}),
    "who-is-to-blame": frozenset(OF_THE_DROP),
    "forces-at-a-distance": frozenset({*OF_THE_BOUNCE, *OF_THE_TRIAL}),
}


def lacking(lesson: Lesson, source: str) -> Iterator[Diagnostic]:
    """Controls and quantities named in lesson.toml, whose text is `source`, that the lesson's bench does not have."""
    here = BENCH_CONTROLS[lesson.bench]
    for name in lesson.controls:
        if name not in here:
            line = line_of(source, ("controls",))
            having = [bench for bench in BENCHES if name in BENCH_CONTROLS[bench]]
            message = _message(name, having) if having else f"{name!r} is not a control of the bench."
            yield Diagnostic("lesson.toml", line, "L008", message, _fix(having) if having else closest(name, here))
    for path, names in _named(lesson):
        for name in sorted(names & NOT_MEASURED[lesson.bench]):
            having = _measuring(name)
            line = line_of(source, path)
            yield Diagnostic("lesson.toml", line, "L007", f"{spell(path)} asks for {name}: {_message(name, having)}", _fix(having))
    for i, question in enumerate(lesson.questions):
        if question.value is not None:
            try:
                figure = parse_value(f"0 | {question.value}")
            except ValueSyntaxError:
                continue  # told where the answer is computed
            yield from figure_lacking(figure, lesson, "lesson.toml", line_of(source, ("questions", i, "value")))


def figure_lacking(figure: LivingFigure, lesson: Lesson, file: str, line: int) -> Iterator[Diagnostic]:
    """The quantities of a living figure that a learner cannot find on the lesson's bench."""
    for call in (figure.call, figure.over):
        if call is not None and call.name in NOT_MEASURED[lesson.bench]:
            having = _measuring(call.name)
            yield Diagnostic(file, line, "L007", f"a figure quotes {call.name}: {_message(call.name, having)}", _fix(having))


def _measuring(name: str) -> list[str]:
    return [bench for bench in BENCHES if name not in NOT_MEASURED[bench]]


def _message(name: str, having: list[str]) -> str:
    return f"this bench has no {name}; {' and '.join(having)} {'has' if len(having) == 1 else 'have'}."


def _fix(having: list[str]) -> str:
    return f'Take something this bench has, or write bench = "{having[0]}".'


def _named(lesson: Lesson) -> Iterator[tuple[Path, set[str]]]:
    for group, key in (("checks", "needs"), ("steps", "done")):
        for i, item in enumerate(getattr(lesson, group)):
            for j, need in enumerate(getattr(item, key)):
                yield (group, i, key, j), requirement_quantities(need)
    for i, stuck in enumerate(lesson.stuck):
        for j, rule in enumerate(stuck.when):
            names = where_quantities(rule.now) if rule.seen is None else requirement_quantities(rule.seen)
            yield ("stuck", i, "when", j), names
