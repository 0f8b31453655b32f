"""The JSON Schema is taken from the reader: both accept and refuse the same files, as far as a schema can judge."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest
from small_lesson import TOML
from test_lesson_format import CASES

from ferrolab.cli import main
from ferrolab.lesson.schema import lesson_schema
from starter import starter

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = lesson_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
STRUCTURAL = {"L003", "L004", "L005", "L007"}
# What one value must have to do with another cannot be said in a schema.
BEYOND = ("must mark one", "within and of together", "no bound", "distinct", "beside", "wrong to pass")


def faults(text: str) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(tomllib.loads(text))]


def test_the_schema_is_a_schema_and_refuses_unknown_keys() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert faults(TOML) == []
    assert faults("surprise = 1\n" + TOML) != []
    assert faults("") != []


@pytest.mark.parametrize("path", sorted(ROOT.glob("lessons/*/lesson.toml")), ids=lambda path: path.parent.name)
def test_our_lessons_fit_the_schema(path: Path) -> None:
    assert faults(path.read_text(encoding="utf-8")) == []


def test_a_new_lesson_fits_the_schema(tmp_path: Path) -> None:
    assert faults((starter(tmp_path) / "lesson.toml").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("case", [c for c in CASES if c[0] == "lesson.toml" and c[3] != "L002"], ids=lambda c: f"{c[3]}-{c[2][:24]!r}")
def test_the_schema_refuses_what_the_reader_refuses_for_its_form(case: tuple) -> None:
    _, old, new, code, _, words = case
    refused = bool(faults(TOML.replace(old, new)))
    assert refused == (code in STRUCTURAL and words not in BEYOND)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('answer = 5.7\n', 'answer = 5.7\naccept = ["x"]\n'),  # a key of another kind of question
        ('where = { stepping = "fixed", sign_agrees = false }', 'answered = "size"\nwhere = {}'),  # an answer is not seen
        ('where = { stepping = "fixed", sign_agrees = false }', "where = { stepping = [1] }"),
        ('authors = ["tests"]', 'authors = [""]'),
        ('id = "wrong"', 'id = "9 wrong"'),
    ],
)
def test_branches_of_the_format_are_kept_apart(old: str, new: str) -> None:
    assert TOML.count(old) == 1
    assert faults(TOML.replace(old, new)) != []


def test_the_command_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == SCHEMA
