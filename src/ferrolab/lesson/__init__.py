"""Lessons are data: the folder format, the trail of what a learner looked at, and the grade.

Importing this package loads the standard library only, so that it runs in the browser's worker. What needs the
Markdown and MathML libraries (`render_page`, `render_index`) or the numerical core (`check_lesson`) is imported
on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ferrolab.lesson.diagnostics import Diagnostic, LessonError
from ferrolab.lesson.grade import CheckGrade, Grade, grade
from ferrolab.lesson.load import load_lesson
from ferrolab.lesson.model import Lesson
from ferrolab.lesson.trail import Trail, TrailError

if TYPE_CHECKING:
    from ferrolab.lesson.check import check_lesson
    from ferrolab.lesson.page import render_index, render_page

_ON_FIRST_USE = {
    "check_lesson": "ferrolab.lesson.check",
    "render_index": "ferrolab.lesson.page",
    "render_page": "ferrolab.lesson.page",
}

__all__ = [
    "CheckGrade",
    "Diagnostic",
    "Grade",
    "Lesson",
    "LessonError",
    "Trail",
    "TrailError",
    "check_lesson",
    "grade",
    "load_lesson",
    "render_index",
    "render_page",
]


def __getattr__(name: str) -> Any:
    if name in _ON_FIRST_USE:
        return getattr(import_module(_ON_FIRST_USE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
