"""The lesson that `ferrolab new` makes, and ways of breaking it."""

from __future__ import annotations

from pathlib import Path

from ferrolab.lesson.new import new_lesson
from ferrolab.lesson.rules import Break


def starter(parent: Path) -> Path:
    return new_lesson("my-lesson", parent)


def broken_by(folder: Path, breaking: Break) -> str | None:
    """Break the lesson in `folder`; the broken file's new text, None when it is gone."""
    path = folder / breaking.file
    if breaking.new is None:
        path.unlink()
        return None
    text = path.read_text(encoding="utf-8")
    assert text.count(breaking.old) == 1, f"{breaking.old!r} must stand once in {breaking.file}"
    path.write_text(text.replace(breaking.old, breaking.new), encoding="utf-8")
    return text.replace(breaking.old, breaking.new)
