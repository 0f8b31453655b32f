"""The made pages of the documentation are what the code says now, and every example in them works."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import ROOT
from starter import starter

from ferrolab.lesson import keys, load_lesson
from ferrolab.lesson.quantities import QUANTITIES
from ferrolab.lesson.reference import EXAMPLES, MEANINGS, PAGES, Example, main


@pytest.mark.parametrize("name", PAGES)
def test_a_made_page_is_up_to_date(name: str) -> None:
    written = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert written == PAGES[name](), "run: python -m ferrolab.lesson.reference docs"


def test_every_key_of_the_schema_is_explained_and_nothing_else() -> None:
    found = {group: {key.place for key in rows} for group, rows in keys.keys().items()}
    assert found == {"file": set(keys.MEANINGS), "requirement": set(keys.REQUIREMENT), "condition": set(keys.CONDITION)}


def test_every_quantity_is_explained_and_nothing_else() -> None:
    assert set(MEANINGS) == set(QUANTITIES)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_every_example_of_the_vocabulary_is_understood(tmp_path: Path, example: Example) -> None:
    folder = starter(tmp_path)
    path = folder / "lesson.toml"
    text = path.read_text(encoding="utf-8")
    old = "where = { stepping = \"fixed\", sign_agrees = false }"
    assert text.count(old) == 1
    path.write_text(text.replace(old, example.needs), encoding="utf-8")
    assert load_lesson(folder).checks[0].needs


def test_a_folder_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nowhere")]) == 2
    assert main([str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(PAGES)
