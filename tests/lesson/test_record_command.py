"""`ferrolab record`, and trails that name what the lesson does not have: one sentence each, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_lesson import FIXED_2, write_lesson

from ferrolab.cli import main
from ferrolab.lesson import check_lesson

BAD = [
    ([{"see": {"height": 1}}], "no control 'height'"),
    ([{"see": {"log_stiffness": 40}}], "cannot stand at 40"),
    ([{"see": {"log_stiffness": 4.005}}], "by 0.01"),
    ([{"see": {"dt": 1e-3}}], "dt cannot stand at 0.001"),
    ([{"see": {"impact_speed": 0.01}}], "impact_speed is not recorded"),
    ([{"see": {"law": "hunt-crossley"}}], "no control 'law'"),
    ([{"answer": ["siz", 5.7]}], "Did you mean 'size'"),
    ([{"answer": ["predict", "thiss"]}], "Did you mean 'this'"),
    ([{"answer": ["size", "5.7"]}], "must be a number"),
]


def says(error: str) -> str:
    assert error.startswith("ferrolab: ") and error.count("\n") == 1, error
    return error


@pytest.mark.parametrize(("steps", "words"), BAD)
def test_a_step_the_lesson_cannot_take_is_refused_in_one_line(tmp_path: Path, steps: list, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_lesson(tmp_path / "small-lesson")
    out = tmp_path / "out.json"
    assert main(["record", str(folder), str(out), json.dumps([FIXED_2, *steps])]) == 2
    error = says(capsys.readouterr().err)
    assert "step 2: " in error and words in error and not out.exists()


@pytest.mark.parametrize(("text", "words"), [("[{", "not JSON"), ("{}", "must be a list"), ('[{"sea": {}}]', "step 1 is"), ('[{"see": 3}]', "must name controls"), ('[{"answer": ["size"]}]', "and the response")])
def test_what_is_no_list_of_steps_is_refused_in_one_line(tmp_path: Path, text: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_lesson(tmp_path / "small-lesson")
    assert main(["record", str(folder), str(tmp_path / "out.json"), text]) == 2
    assert words in says(capsys.readouterr().err)


def test_a_recorded_trail_says_what_it_is_worth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_lesson(tmp_path / "small-lesson")
    for steps, words in ([{"see": {}}], "1 events; it passes."), ([FIXED_2], "1 events; it misses wrong."):
        assert main(["record", str(folder), str(folder / "trails" / "passing-again.json"), json.dumps(steps)]) == 0
        assert words in capsys.readouterr().out


@pytest.mark.parametrize(("steps", "words"), BAD)
def test_the_same_in_a_recorded_trail_is_one_diagnostic(tmp_path: Path, steps: list, words: str) -> None:
    folder = write_lesson(tmp_path / "small-lesson")
    path = folder / "trails" / "failing.json"
    trail = json.loads(path.read_text())
    if "see" in steps[0]:
        trail["events"][0]["controls"] |= steps[0]["see"]
    else:
        question, response = steps[0]["answer"]
        trail["events"].append({"kind": "answered", "question": question, "response": response})
    path.write_text(json.dumps(trail))
    [found] = check_lesson(folder)
    assert (found.file, found.code) == ("trails/failing.json", "L034") and words in f"{found.message} {found.fix}"
