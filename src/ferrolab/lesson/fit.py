"""Does an event of a trail fit its lesson: the questions it declares, and what its bench can be set to?"""

from __future__ import annotations

from ferrolab.controls import CONTROLS
from ferrolab.lesson.model import Lesson, Question
from ferrolab.lesson.on_bench import BENCH_CONTROLS
from ferrolab.lesson.positions import index_of
from ferrolab.lesson.reader import closest, is_number
from ferrolab.lesson.trail import Event, Seen


def misfit(lesson: Lesson, event: Event) -> tuple[str, str] | None:
    """What `event` names that `lesson` does not have, as a clause and a remedy in a sentence; None when it fits."""
    if isinstance(event, Seen):
        return _off(lesson, event)
    question = lesson.question(event.question)
    if question is None:
        known = ["predict", *(q.id for q in lesson.questions)]
        return f"the lesson has no question {event.question!r}", closest(event.question, known)
    return _no_answer(question, event.response)


def _off(lesson: Lesson, event: Seen) -> tuple[str, str] | None:
    here = BENCH_CONTROLS[lesson.bench]
    for name, value in event.controls.items():
        if name == "impact_speed":
            return "impact_speed is not recorded, because it changes no measured figure", "Leave it out."
        if name not in here:
            return f"the bench {lesson.bench} has no control {name!r}", closest(name, here)
        control = CONTROLS[name]
        if index_of(control, value) is None:
            if control.kind == "slider":
                return f"{name} cannot stand at {value!r}", f"It goes from {control.start:g} to {control.stop:g} by {control.step:g}."
            return f"{name} cannot stand at {value!r}", f"It may be {', '.join(repr(one) for one in control.values)}."
    if here[0] not in event.controls:
        return f"it does not say at which {here[0]}", "Add it."
    return None


def _no_answer(question: Question, response: object) -> tuple[str, str] | None:
    if question.kind == "choice":
        ids = [choice.id for choice in question.choices]
        if response not in ids:
            return f"{question.id!r} has no choice {response!r}", closest(str(response), ids)
    elif question.kind == "numeric" and not is_number(response):
        return f"the answer to {question.id!r} is {response!r} and must be a number", "Write it without quotation marks and without its unit."
    elif question.kind == "short" and not isinstance(response, str):
        return f"the answer to {question.id!r} is {response!r} and must be a text", "Write it in quotation marks."
    return None
