"""An answer is scored alike in Python (the grade) and in the page (the explanation at once)."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from places import LESSON_ONE, ROOT

from ferrolab.lesson import load_lesson
from ferrolab.lesson.model import Choice, Question
from ferrolab.lesson.score import is_right

SCORE_JS = ROOT / "web" / "lesson" / "score.js"

CHOICE = Question("c", "choice", "?", "r", "w", choices=(Choice("a", "A"), Choice("b", "B", correct=True)))
NUMERIC = Question("n", "numeric", "?", "r", "w", answer=0.5, tolerance=0.05)
SHORT = Question("s", "short", "?", "r", "w", accept=("timing term", "1/|v|"))

CASES: list[tuple[Question, Any, bool]] = [
    (CHOICE, "b", True),
    (CHOICE, "a", False),
    (CHOICE, "B", False),
    (CHOICE, None, False),
    (NUMERIC, 0.5, True),
    (NUMERIC, 0.45, True),
    (NUMERIC, 0.55, True),
    (NUMERIC, 0.551, False),
    (NUMERIC, -0.5, False),
    (NUMERIC, "0.5", False),
    (NUMERIC, None, False),
    (NUMERIC, True, False),
    (SHORT, "timing term", True),
    (SHORT, "The Timing Term.", True),
    (SHORT, "  it is the\ttiming   term of the impact", True),
    (SHORT, "timing", False),
    (SHORT, "term timing", False),
    (SHORT, "mistiming term", False),
    (SHORT, "1/|v|", True),
    (SHORT, "\u201ctiming term\u201d", True),
    (SHORT, "\uff54iming term", True),  # full-width t: NFKC
    (SHORT, "", False),
    (SHORT, 5, False),
]

NUMBERS = {
    "0.5": 0.5,
    " 0,5 ": 0.5,
    ".5": 0.5,
    "1/2": 0.5,
    "-1.6e2": -160.0,
    "\u2212160": -160.0,
    "1.6 × 10^2": 160.0,
    "1.6x10-2": 0.016,
    "half": None,
    "": None,
    "1/0": None,
    "1 2": None,
    "0x10": None,
    "Infinity": None,
}


def in_javascript(expression: str, argument: Any) -> Any:
    """Evaluate `expression` over `argument` in Node, which the site's build needs as well."""
    node = shutil.which("node")
    if node is None:
        pytest.fail("Node is not on the PATH; the build of the site needs it too")
    script = f"import * as score from {json.dumps(SCORE_JS.as_uri())}; const argument = {json.dumps(argument)}; console.log(JSON.stringify({expression}));"
    result = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def plain(question: Question) -> dict[str, Any]:
    choices = [{"id": c.id, "text": c.text, **({"correct": True} if c.correct else {})} for c in question.choices]
    return {"kind": question.kind, "choices": choices, "answer": question.answer, "tolerance": question.tolerance, "accept": list(question.accept)}


@pytest.mark.parametrize(("question", "response", "right"), CASES)
def test_python_scores(question: Question, response: Any, right: bool) -> None:
    assert is_right(question, response) is right


def test_the_page_scores_as_python_does() -> None:
    argument = [[plain(question), response] for question, response, _ in CASES]
    assert in_javascript("argument.map(([q, r]) => score.isRight(q, r))", argument) == [right for *_, right in CASES]


def test_the_page_reads_numbers_as_people_type_them() -> None:
    assert in_javascript("argument.map((t) => score.readNumber(t))", list(NUMBERS)) == list(NUMBERS.values())


def test_every_question_of_lesson_one_has_an_answer_that_counts() -> None:
    for question in load_lesson(Path(LESSON_ONE)).questions:
        answers = [*question.accept, question.answer, *(c.id for c in question.choices)]
        assert any(is_right(question, answer) for answer in answers), question.id
        assert all(is_right(question, form) for form in question.accept), question.id
