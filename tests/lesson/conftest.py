"""Lesson 1, and the small lesson with one piece of it replaced."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from places import LESSON_ONE
from small_lesson import write_lesson

from ferrolab.lesson import Diagnostic, Lesson, check_lesson, load_lesson


@pytest.fixture
def broken(tmp_path: Path) -> Callable[..., tuple[list[Diagnostic], str]]:
    """Replace one piece of one file of the small lesson; return what the check finds, and the file's new text."""

    def check(file: str, old: str, new: str) -> tuple[list[Diagnostic], str]:
        folder = write_lesson(tmp_path / "small-lesson")
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} must stand once in {file}"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return check_lesson(folder), path.read_text(encoding="utf-8")

    return check


@pytest.fixture(scope="session")
def lesson() -> Lesson:
    """Lesson 1."""
    return load_lesson(LESSON_ONE)
