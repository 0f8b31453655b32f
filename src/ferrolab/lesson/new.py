"""`ferrolab new lesson <slug>`: a small lesson that is complete, passes its check, and is there to be rewritten."""

from __future__ import annotations

import json
from pathlib import Path

from ferrolab.lesson.load import SLUG, load_lesson
from ferrolab.lesson.replay import record

STARTER = Path(__file__).with_name("starter")
_SOFT = {"see": {"log_stiffness": 2, "dt": 1e-4, "stepping": "fixed"}}
_STIFF = {"see": {"log_stiffness": 6, "dt": 1e-4, "stepping": "fixed"}}
TRAILS = {"passing": [_SOFT, _STIFF], "failing": [_SOFT], "missing-wrong-sign": [_SOFT]}
"""What is looked at in each of the starter's trails; what was seen is recorded on the core."""


def new_lesson(slug: str, parent: Path) -> Path:
    """Make the folder `parent`/`slug` with a lesson in it and return it.

    The lesson's number is one above the highest in `parent`. Raises ValueError when the slug is none, or the folder is
    there already or cannot be made.
    """
    if not SLUG.match(slug):
        raise ValueError(f"the lesson's name is {slug!r} and must be small letters, digits and single hyphens; write, for example, my-lesson.")
    folder = parent / slug
    if folder.exists():
        raise ValueError(f"the folder {str(folder)!r} exists already; choose another name, or remove it.")
    marks = {"@TITLE@": slug.replace("-", " ").capitalize(), "@NUMBER@": str(_next_number(parent))}
    try:
        folder.mkdir(parents=True)
    except OSError:
        raise ValueError(f"the folder {str(folder)!r} cannot be made: its place does not exist or is closed to you; choose another with --dir.") from None
    for name in ("lesson.toml", "lesson.md"):
        text = (STARTER / name).read_text(encoding="utf-8")
        for mark, value in marks.items():
            text = text.replace(mark, value)
        (folder / name).write_text(text, encoding="utf-8")
    write_trails(folder)
    return folder


def write_trails(folder: Path) -> None:
    """Record the starter's trails for the lesson in `folder`."""
    lesson = load_lesson(folder)
    (folder / "trails").mkdir(exist_ok=True)
    for name, steps in TRAILS.items():
        text = json.dumps(record(lesson, steps).to_dict(), indent=1) + "\n"
        (folder / "trails" / f"{name}.json").write_text(text, encoding="utf-8")


def _next_number(parent: Path) -> int:
    numbers = [0]
    for path in sorted(parent.glob("*/lesson.toml")):
        try:
            numbers.append(load_lesson(path.parent).number)
        except ValueError:
            continue  # a lesson being written has no number yet
    return max(numbers) + 1
