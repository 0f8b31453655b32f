"""`ferrolab check`: lessons checked headless, for authors and for CI."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from ferrolab.lesson.check import check_lesson
from ferrolab.lesson.diagnostics import Diagnostic
from ferrolab.lesson.load import load_lesson

FINE, FAULTS, BAD_INPUT = 0, 1, 2
_OURS = (Path(__file__).resolve().parents[1] / "_lessons", Path(__file__).resolve().parents[3] / "lessons")  # installed; in the source tree


def check_command(paths: Sequence[Path] = (), *, as_json: bool = False) -> int:
    """Check the lessons in `paths` and print what was found.

    `paths` are lesson folders, or folders of lessons; empty means ``lessons/`` here, or else the lessons that came with
    ferrolab. Returns 0 when nothing is wrong, 1 when something is, 2 when a path is no folder or holds no lesson.
    """
    try:
        folders = lesson_folders(paths)
    except ValueError as error:
        print(f"ferrolab: {error}", file=sys.stderr)
        return BAD_INPUT
    found = []
    for number, folder in enumerate(folders, 1):
        diagnostics = check_lesson(folder)
        found.append((folder, diagnostics))
        if not as_json:
            count = f"[{number}/{len(folders)}] " if len(folders) > 1 else ""
            print(count + _report(folder, diagnostics), flush=True)
    faults = sum(len(diagnostics) for _, diagnostics in found)
    if len(folders) > 1 and not as_json:
        sound = sum(not diagnostics for _, diagnostics in found)
        print(f"{sound} of {len(folders)} lessons are fine.")
    if as_json:
        lessons = [{"path": str(f), "passed": not d, "diagnostics": [one.as_dict() for one in d]} for f, d in found]
        print(json.dumps({"passed": not faults, "lessons": lessons}, indent=1))
    return FAULTS if faults else FINE


def lesson_folders(paths: Sequence[Path] = ()) -> list[Path]:
    """The lesson folders in `paths`, in order, each once. Raises ValueError."""
    if not paths:
        paths = [next((folder for folder in (Path("lessons"), *_OURS) if folder.is_dir()), Path("lessons"))]
    out: list[Path] = []
    for path in paths:
        if not path.is_dir():
            raise ValueError(f"the path is {str(path)!r}, which is not a folder; give the folder of a lesson, such as lessons/the-gradient-that-lies.")
        is_lesson = any((path / name).exists() for name in ("lesson.toml", "lesson.md"))
        inside = [path] if is_lesson else sorted({p.parent for name in ("lesson.toml", "lesson.md") for p in path.glob(f"*/{name}")})
        if not inside:
            raise ValueError(f"the folder {str(path)!r} holds no lesson; a lesson is a folder with lesson.toml and lesson.md.")
        out += [folder for folder in inside if folder not in out]
    return out


def _report(folder: Path, diagnostics: Sequence[Diagnostic]) -> str:
    if diagnostics:
        lines = [f"{folder / d.file}{f':{d.line}' if d.line else ''}: {d.code} {d.message}\n    {d.fix}" for d in diagnostics]
        return "\n".join([*lines, f"{folder}: {_count(len(diagnostics), 'fault')}"])
    lesson = load_lesson(folder)
    trails = len(list((folder / "trails").glob("*.json")))
    counted = ", ".join(_count(number, name) for number, name in ((len(lesson.checks), "check"), (len(lesson.questions), "question"), (trails, "trail")))
    return f"{folder}: fine ({counted} replayed, every figure holds)"


def _count(number: int, name: str) -> str:
    return f"{number} {name if number == 1 else name + 's'}"
