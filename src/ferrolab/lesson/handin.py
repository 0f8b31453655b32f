"""`ferrolab grade`: what a recorded trail is worth, headless and to the byte what the page says."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from ferrolab.lesson.grade import Grade, grade
from ferrolab.lesson.load import load_lesson
from ferrolab.lesson.trail import Trail

PASSED, NOT_PASSED, BAD_INPUT = 0, 1, 2


def grade_command(lesson_path: Path, trail_path: Path, *, as_json: bool = False) -> int:
    """Grade the trail in `trail_path` and print the result.

    With `as_json` the output is `Grade.to_json()` and a newline. Returns 0 when passed, 1 when not, 2 when the lesson or
    the trail cannot be read.
    """
    try:
        lesson = load_lesson(lesson_path)
        trail = Trail.from_dict(_read(trail_path), lesson.slug)
    except ValueError as error:  # LessonError and TrailError among them
        print(f"ferrolab: {error}", file=sys.stderr)
        return BAD_INPUT
    result = grade(lesson, trail)
    print(result.to_json() if as_json else _table(lesson.title, result))
    return PASSED if result.passed else NOT_PASSED


def _read(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"the trail {str(path)!r} cannot be read ({error.strerror}); give the path of a trail.") from None
    except UnicodeDecodeError:
        raise ValueError(f"the trail {str(path)!r} is not UTF-8; give a file that ferrolab wrote.") from None
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"the trail {str(path)!r} is not JSON ({error}); give a file that ferrolab wrote.") from None


def _table(title: str, result: Grade) -> str:
    width = max(len(check.label) for check in result.checks)
    lines = [f"{title}: {'passed' if result.passed else 'not passed'}"]
    lines += [f"  {check.label:<{width}}  {'met' if check.met else 'not yet'}  {check.detail}" for check in result.checks]
    if result.steps:
        lines.append(f"  steps done: {', '.join(result.steps)}")
    if result.stuck:
        lines.append(f"  stuck: {', '.join(result.stuck)}")
    return "\n".join(lines)
