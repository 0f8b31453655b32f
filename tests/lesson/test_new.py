"""`ferrolab new lesson`: what it makes is a sound lesson, and it never overwrites anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from ferrolab.cli import main
from ferrolab.lesson import check_lesson, load_lesson


def test_a_new_lesson_passes_its_check_as_it_stands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "lesson", "why-it-bounces", "--dir", str(tmp_path)]) == 0
    assert "ferrolab check" in capsys.readouterr().out
    folder = tmp_path / "why-it-bounces"
    assert check_lesson(folder) == []
    assert load_lesson(folder).title == "Why it bounces"
    assert main(["check", str(folder)]) == 0


def test_the_next_lesson_gets_the_next_number(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert main(["new", "lesson", name, "--dir", str(tmp_path)]) == 0
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "lesson.toml").write_text("title = ")
    assert main(["new", "lesson", "three", "--dir", str(tmp_path)]) == 0
    assert [load_lesson(tmp_path / name).number for name in ("one", "two", "three")] == [1, 2, 3]


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "lesson.md").write_text("years of work")
    assert main(["new", "lesson", "mine", "--dir", str(tmp_path)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert (tmp_path / "mine" / "lesson.md").read_text() == "years of work"


def test_a_place_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("no folder")
    assert main(["new", "lesson", "mine", "--dir", str(tmp_path / "file" / "below")]) == 2
    told = capsys.readouterr().err
    assert told.startswith("ferrolab: the folder ") and "cannot be made" in told and "choose another with --dir" in told
    assert "Errno" not in told


@pytest.mark.parametrize("slug", ["My lesson", "-x", "a--b", "../x", "", "é"])
def test_a_name_that_cannot_be_an_address_is_refused(tmp_path: Path, slug: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) if slug.startswith("-") else _nothing():
        assert main(["new", "lesson", slug, "--dir", str(tmp_path)]) == 2
    assert "ferrolab: " in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


class _nothing:
    def __enter__(self) -> None: ...

    def __exit__(self, *exception: object) -> None: ...
