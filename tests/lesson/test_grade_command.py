"""`ferrolab grade`: a recorded trail graded headless."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from places import LESSON_ONE

from ferrolab.cli import main
from ferrolab.lesson import Trail, grade, load_lesson

TRAILS = LESSON_ONE / "trails"


def test_a_passing_trail_ends_with_zero_and_a_failing_one_with_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grade", str(LESSON_ONE), str(TRAILS / "passing.json")]) == 0
    assert "The gradient that lies: passed" in capsys.readouterr().out
    assert main(["grade", str(LESSON_ONE), str(TRAILS / "failing.json")]) == 1
    assert "not yet" in capsys.readouterr().out


def test_json_is_the_grade_itself(capsys: pytest.CaptureFixture[str]) -> None:
    main(["grade", str(LESSON_ONE), str(TRAILS / "passing.json"), "--json"])
    lesson = load_lesson(LESSON_ONE)
    expected = grade(lesson, Trail.from_dict(json.loads((TRAILS / "passing.json").read_text())))
    assert capsys.readouterr().out == expected.to_json() + "\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "cannot be read"), ("{", "is not JSON"), ("[" * 100_000, "is not JSON"), ("[]", "must be an object"), ('{"version": 1, "lesson": "x", "events": []}', "belongs to"), (b"\xff", "UTF-8")],
)  # fmt: skip
def test_a_trail_that_is_none_is_bad_input_in_one_sentence(
    tmp_path: Path, content: str | bytes | None, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "trail.json"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert main(["grade", str(LESSON_ONE), str(path)]) == 2
    err = capsys.readouterr().err
    assert err.startswith("ferrolab: ") and words in err and err.count("\n") == 1
