"""`ferrolab check`: what it prints and with which code it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from places import LESSON_ONE
from small_lesson import write_lesson

from ferrolab.cli import main


def test_a_sound_lesson_ends_with_zero(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(LESSON_ONE)]) == 0
    assert "fine (4 checks, 9 questions, 6 trails replayed" in capsys.readouterr().out


def test_a_fault_ends_with_one_and_names_file_line_and_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_lesson(tmp_path / "small-lesson")
    prose = folder / "lesson.md"
    prose.write_text(prose.read_text().replace("`5.67", "`5.68"))
    assert main(["check", str(folder)]) == 1
    out = capsys.readouterr().out
    assert f"{prose}:10: L021" in out and "fewer digits" in out and "1 fault" in out


def test_a_folder_of_lessons_is_checked_lesson_by_lesson_and_reported_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_lesson(tmp_path / "first")
    (write_lesson(tmp_path / "second") / "trails" / "failing.json").unlink()
    assert main(["check", str(tmp_path), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [(Path(one["path"]).name, one["passed"]) for one in report["lessons"]] == [("first", True), ("second", False)]
    assert [d["code"] for d in report["lessons"][1]["diagnostics"]] == ["L033"]


def test_a_lesson_that_lacks_its_toml_is_checked_with_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_lesson(tmp_path / "first")
    (write_lesson(tmp_path / "second") / "lesson.toml").unlink()
    assert main(["check", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "second/lesson.toml: L001" in out and "1 of 2 lessons are fine" in out


def test_one_of_a_kind_is_told_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "lesson", "mine", "--dir", str(tmp_path)]) == 0
    assert main(["check", str(tmp_path / "mine")]) == 0
    assert "fine (1 check, " in capsys.readouterr().out


@pytest.mark.parametrize("name", ["nowhere", "."])
def test_a_path_without_a_lesson_is_bad_input(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err.startswith("ferrolab: the ")


def test_a_folder_in_a_file_s_place_and_a_trail_nested_too_deeply_are_diagnostics(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_lesson(tmp_path / "small-lesson")
    (folder / "trails" / "failing-deep.json").write_text("[" * 100_000)
    assert main(["check", str(folder)]) == 1
    assert "failing-deep.json: L030 the file is nested too deeply" in capsys.readouterr().out
    (folder / "lesson.md").unlink()
    (folder / "lesson.md").mkdir()
    assert main(["check", str(folder)]) == 1
    assert "lesson.md: L001 lesson.md is a folder." in capsys.readouterr().out
