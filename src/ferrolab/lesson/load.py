"""Reading a lesson folder: `lesson.toml` and `lesson.md`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from ferrolab.lesson.diagnostics import Diagnostic, LessonError
from ferrolab.lesson.locate import line_of
from ferrolab.lesson.model import Lesson
from ferrolab.lesson.parse import parse_lesson
from ferrolab.words import languages

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")


def load_lesson(path: str | Path) -> Lesson:
    """The lesson in the folder `path`. Raises `LessonError` with every fault of lesson.toml.

    The prose is read and kept, not judged: `check_lesson` does that.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise _fault(folder, 0, "L001", f"{folder.name!r} is not a folder.", "Give the path of a lesson folder.")
    slug = folder.resolve().name
    if not SLUG.match(slug):
        raise _fault(folder, 0, "L001", f"the folder is named {slug!r}.", "Use small letters, digits and single hyphens.")
    source = _read(folder / "lesson.toml")
    prose = _read(folder / "lesson.md")
    try:
        data = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        match = re.search(r"line (\d+)", str(error))
        line = int(match.group(1)) if match else source.count("\n") + 1
        raise _fault(folder / "lesson.toml", line, "L002", f"{error}.", "Correct the TOML at this place.") from None
    lesson = parse_lesson(data, slug=slug, prose=prose, file="lesson.toml", line=lambda p: line_of(source, p))
    if lesson.language not in languages():
        message = f"language is {lesson.language!r} and must be one of {', '.join(languages())}."
        raise _fault(folder / "lesson.toml", line_of(source, ("language",)), "L005", message, "Choose one of them, or translate src/ferrolab/words/en.toml.")
    return lesson


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise _fault(file, 0, "L001", f"{file.name} is missing.", "A lesson folder needs lesson.md and lesson.toml.") from None
    except IsADirectoryError:
        raise _fault(file, 0, "L001", f"{file.name} is a folder.", "Put the file of that name in its place.") from None
    except UnicodeDecodeError:
        raise _fault(file, 0, "L001", f"{file.name} is not UTF-8.", "Save it as UTF-8.") from None


def _fault(file: Path, line: int, code: str, message: str, fix: str) -> LessonError:
    return LessonError([Diagnostic(file.name, line, code, message, fix)])
