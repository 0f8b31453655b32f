"""A lesson small enough to break in one place at a time."""

from __future__ import annotations

import json
from pathlib import Path

from ferrolab.lesson import load_lesson
from ferrolab.lesson.replay import record

TOML = """\
format = 1
title = "A small lesson"
number = 1
topic = "tests"
minutes = 5
summary = "One check, one question."
authors = ["tests"]
controls = ["log_stiffness", "dt", "stepping"]

[predict]
ask = "Which?"
choices = [{ id = "this", text = "This.", correct = true }, { id = "that", text = "That." }]
explain = "It is this."
revealed_by = "wrong"

[[checks]]
id = "wrong"
label = "A wrong sign"
hint = "find it."
opening = true

[[checks.needs]]
where = { stepping = "fixed", sign_agrees = false }

[[questions]]
id = "size"
kind = "numeric"
ask = "How large?"
answer = 5.7
tolerance = 0.1
value = "gradient_error log_stiffness=4"
right = "Yes."
wrong = "No."
"""

PROSE = """\
::: predict
:::

## Challenge

Find it, at $k = 10^4$.

## Model

The error is {value}`5.67 | gradient_error log_stiffness=4`.

::: bench
:::

## Guided practice

Move {control}`Contact stiffness`.

## Feedback

::: passed
Well done.
:::

## Retrieve and space

::: question size
:::

## Mastery and project

::: truth
:::
"""

FIXED_4 = {"see": {"log_stiffness": 4, "dt": 1e-4, "stepping": "fixed"}}
FIXED_2 = {"see": {"log_stiffness": 2, "dt": 1e-4, "stepping": "fixed"}}


def write_lesson(folder: Path, toml: str = TOML, prose: str = PROSE) -> Path:
    """A lesson folder with its trails, recorded on the core."""
    trails = folder / "trails"
    trails.mkdir(parents=True)
    (folder / "lesson.toml").write_text(TOML)
    (folder / "lesson.md").write_text(PROSE)
    lesson = load_lesson(folder)
    for name, steps in (("passing", [FIXED_4]), ("failing", [FIXED_2]), ("missing-wrong", [FIXED_2])):
        (trails / f"{name}.json").write_text(json.dumps(record(lesson, steps).to_dict()))
    (folder / "lesson.toml").write_text(toml)
    (folder / "lesson.md").write_text(prose)
    return folder
