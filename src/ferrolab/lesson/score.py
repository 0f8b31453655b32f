"""Is an answer right? The same rules stand in web/lesson/score.js; a test holds the two together."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from ferrolab.lesson.model import Question
from ferrolab.lesson.reader import is_number

_ROUNDING = 1e-9  # so that 0.55 is within 0.05 of 0.5
_ARTICLES = {"a", "an", "the"}


def words(text: str) -> list[str]:
    """The words of an answer: lower case, one kind of minus, no punctuation, no articles."""
    text = unicodedata.normalize("NFKC", text).lower()
    text = re.sub("[\u2010-\u2015\u2212]", "-", text)
    text = re.sub("[\"'\u2018\u2019\u201c\u201d.,;:!?()]", " ", text)
    return [word for word in text.split() if word not in _ARTICLES]


def is_right(question: Question, response: Any) -> bool:
    """Whether `response` (a choice's id, a number, typed words) answers `question`; False for any rubbish."""
    if question.kind == "choice":
        return any(choice.correct and choice.id == response for choice in question.choices)
    if question.kind == "numeric":
        if not is_number(response) or question.answer is None or question.tolerance is None:
            return False
        return abs(response - question.answer) <= question.tolerance * (1 + _ROUNDING)
    if not isinstance(response, str):
        return False
    given = words(response)
    return any(_contains(given, words(form)) for form in question.accept)


def _contains(given: list[str], form: list[str]) -> bool:
    n = len(form)
    return n > 0 and any(given[i : i + n] == form for i in range(len(given) - n + 1))
