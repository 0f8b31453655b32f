"""`ferrolab record`: a trail from a list of what is looked at and answered."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from ferrolab.lesson.grade import grade
from ferrolab.lesson.load import load_lesson
from ferrolab.lesson.replay import record

DONE, BAD_INPUT = 0, 2


def record_command(folder: Path, out: Path, steps: str) -> int:
    """Record `steps`, JSON text, on the lesson in `folder`, write the trail to `out` and say what it grades to.

    Returns 0, or 2 when the lesson cannot be read, a step is none, or the file cannot be written; nothing is written then.
    """
    try:
        lesson = load_lesson(folder)
        trail = record(lesson, _parsed(steps))
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(trail.to_dict(), indent=1) + "\n", encoding="utf-8")
    except (ValueError, OSError) as error:
        print(f"ferrolab: {error}", file=sys.stderr)
        return BAD_INPUT
    missed = [check.id for check in grade(lesson, trail).checks if not check.met]
    print(f"{out}: {len(trail.events)} events; it {'misses ' + ', '.join(missed) if missed else 'passes'}.")
    return DONE


def _parsed(steps: str) -> object:
    try:
        return json.loads(steps)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"the steps are not JSON ({error}); write a list such as [{{\"see\": {{\"log_stiffness\": 6}}}}].") from None
