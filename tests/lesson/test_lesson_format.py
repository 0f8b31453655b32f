"""Each way of breaking a lesson gives exactly the one diagnostic a person would hope for."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from small_lesson import write_lesson

from ferrolab.lesson import Diagnostic, Lesson, LessonError, check_lesson, load_lesson
from ferrolab.lesson.diagnostics import CODES

WHOLE = None  # the diagnostic is about the file, not about a line

# file, what to replace, by what, code, a text on the line it must name, words the message or the remedy must contain
CASES = [
    ("lesson.toml", 'title = "A small lesson"', 'title = "A small lesson', "L002", "title", "line 2"),
    ("lesson.toml", 'topic = "tests"', 'topc = "tests"', "L003", "topc", "Did you mean 'topic'"),
    ("lesson.toml", 'hint = "find it."', 'hint = "find it."\nhnt = "x"', "L003", "hnt", "Did you mean 'hint'"),
    ("lesson.toml", 'hint = "find it."\n', "", "L004", "[[checks]]", "'hint'"),
    ("lesson.toml", "minutes = 5", 'minutes = "five"', "L005", "minutes", "whole number"),
    ("lesson.toml", "format = 1", "format = 2", "L005", "format", "1, the version"),
    ("lesson.toml", "tolerance = 0.1", "tolerance = -0.1", "L005", "tolerance", "above zero"),
    ("lesson.toml", 'kind = "numeric"', 'kind = "essay"', "L005", "essay", "choice, numeric, short"),
    ("lesson.toml", "correct = true", "correct = false", "L005", "choices", "must mark one"),
    ("lesson.toml", 'id = "that"', 'id = "this"', "L006", "choices", "already has"),
    ("lesson.toml", "sign_agrees = false", "sign_agreed = false", "L007", "sign_agreed", "Did you mean 'sign_agrees'"),
    ("lesson.toml", "sign_agrees = false", "entry = { atleast = 1 }", "L003", "atleast", "Did you mean 'at_least'"),
    ("lesson.toml", "sign_agrees = false", "entry = { within = 0.01 }", "L004", "within", "within and of together"),
    ("lesson.toml", "sign_agrees = false", "entry = {}", "L004", "entry", "no bound"),
    ("lesson.toml", "sign_agrees = false", "entry = [1]", "L005", "entry", "not a condition"),
    ("lesson.toml", "sign_agrees = false }", "sign_agrees = false }\ncount = 2", "L004", "[[checks.needs]]", "distinct"),
    ("lesson.toml", "sign_agrees = false }", 'sign_agrees = false }\nless = ["dt"]', "L004", "[[checks.needs]]", "beside"),
    ("lesson.toml", "where = {", 'answered = "size"\ncorrect = false\n# {', "L005", "correct = false", "wrong to pass"),
    ("lesson.toml", "where = {", 'answered = "siz"\n# {', "L008", 'answered = "siz"', "Did you mean 'size'"),
    ("lesson.toml", 'revealed_by = "wrong"', 'revealed_by = "wong"', "L008", "revealed_by", "Did you mean 'wrong'"),
    ("lesson.toml", '"stepping"]', '"steping"]', "L008", "controls", "Did you mean 'stepping'"),
    ("lesson.toml", "answer = 5.7", "answer = 6.7", "L021", "value =", "computes 5.66"),
    ("lesson.toml", "gradient_error log", "gradient_eror log", "L020", "value =", "Did you mean 'gradient_error'"),
    ("lesson.toml", 'right = "Yes."', 'right = "It is 5.7."', "L022", "It is 5.7", "'5.7'"),
    ("lesson.toml", 'text = "This."', 'text = "<b>This</b>"', "L013", "choices", "<b>"),
    ("lesson.md", "## Model", "## Modell", "L010", "## Modell", "'Model'"),
    ("lesson.md", "## Feedback", "### Feedback", "L010", "## Retrieve", "'Feedback'"),
    ("lesson.md", "## Mastery and project", "", "L010", WHOLE, "'Mastery and project'"),
    ("lesson.md", "Well done.", "Well done.\n\n# Title", "L010", "# Title", "title stands in lesson.toml"),
    ("lesson.md", "::: bench\n:::", "::: banch\n:::\n\n::: bench\n:::", "L011", "banch", "Did you mean 'bench'"),
    ("lesson.md", "::: bench", "::: banch", "L011", "banch", "Did you mean 'bench'"),
    ("lesson.md", "::: question size", "::: qestion size", "L011", "qestion", "Did you mean 'question'"),
    ("lesson.md", "::: question size", "::: question siz", "L008", "question siz", "Did you mean 'size'"),
    ("lesson.md", "::: question size", "::: question", "L011", "::: question", "needs an id"),
    ("lesson.md", "::: bench\n:::", "::: bench\n:::\n\n::: bench \n:::", "L011", "::: bench \n", "already"),
    ("lesson.md", "::: truth", "::: truth now", "L011", "truth now", "takes no argument"),
    ("lesson.md", "::: truth\n:::", "", "L012", WHOLE, "'::: truth'"),
    ("lesson.md", "::: question size\n:::", "", "L012", WHOLE, "'size'"),
    ("lesson.md", "::: question size", "::: question siz\n:::\n\n::: question size", "L008", "question siz\n", "Did you mean 'size'"),
    ("lesson.md", "Well done.", "Well\n<b>done</b>.", "L013", "<b>", "'<b>'"),
    ("lesson.md", "Well done.", "<script>alert(1)</script>", "L013", "<script>", "<script>"),
    ("lesson.md", "Well done.", "Well done, [here](https://example.org).", "L014", "example.org", "leaves the site"),
    ("lesson.md", "Well done.", "![a](picture.png)", "L014", "picture.png", "[[figures]]"),
    ("lesson.md", "$k = 10^4$", "$k = \\wrong$", "L015", "wrong", "\\wrong"),
    ("lesson.md", "$k = 10^4$", "$\\href{javascript:alert(1)}{k}$", "L015", "href", "'href'"),
    ("lesson.md", "$k = 10^4$", "$\\frac{1}$", "L015", "frac", "leaves out an argument"),
    ("lesson.md", "{value}`5.67 |", "{value}`x |", "L020", "{value}", "begin with a number"),
    ("lesson.md", "gradient_error log", "gradent_error log", "L020", "{value}", "Did you mean 'gradient_error'"),
    ("lesson.md", "log_stiffness=4`", "log_stifness=4`", "L020", "{value}", "Did you mean 'log_stiffness'"),
    ("lesson.md", "log_stiffness=4`", "log_stiffness=40`", "L020", "{value}", "cannot be computed"),
    ("lesson.md", "{value}`5.67", "{value}`5.68", "L021", "{value}", "5.66758"),
    ("lesson.md", "{value}`5.67 | gradient_error log_stiffness=4`", "5.67", "L022", "5.67", "'5.67'"),
    ("lesson.md", "{value}`5.67 | gradient_error log_stiffness=4`", "$5.67$", "L022", "5.67", "'5.67'"),
    ("lesson.md", "{value}`5.67", "{valeu}`5.67", "L011", "{valeu}", "Did you mean 'value'"),
    ("lesson.md", "Contact stiffness", "Contact stifness", "L008", "stifness", "Did you mean 'Contact stiffness'"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "code", "place", "words"), CASES, ids=[f"{c[3]}-{c[2][:30]!r}" for c in CASES])
def test_a_broken_lesson_gets_exactly_the_diagnostic_it_needs(
    broken: Callable[..., tuple[list[Diagnostic], str]], file: str, old: str, new: str, code: str, place: str | None, words: str
) -> None:
    found, text = broken(file, old, new)
    line = 0 if place is None else text[: text.index(place)].count("\n") + 1
    assert [(d.file, d.code, d.line) for d in found] == [(file, code, line)], "\n".join(map(str, found))
    assert words in f"{found[0].message} {found[0].fix}"


def test_the_unbroken_lesson_has_no_diagnostic(tmp_path: Path) -> None:
    assert check_lesson(write_lesson(tmp_path / "small-lesson")) == []


@pytest.mark.parametrize("name", ["lesson.toml", "lesson.md"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = write_lesson(tmp_path / "small-lesson")
    (folder / name).unlink()
    assert [(d.file, d.code) for d in check_lesson(folder)] == [(name, "L001")]


def test_a_folder_name_that_cannot_be_an_address_is_refused(tmp_path: Path) -> None:
    (tmp_path / "A Lesson").mkdir()
    with pytest.raises(LessonError, match="small letters"):
        load_lesson(tmp_path / "A Lesson")


def test_trails_are_demanded_by_name_for_each_check(tmp_path: Path) -> None:
    folder = write_lesson(tmp_path / "small-lesson")
    (folder / "trails" / "missing-wrong.json").unlink()
    assert [(d.file, d.code) for d in check_lesson(folder)] == [("trails/missing-wrong.json", "L033")]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('"log_stiffness": 2,', '"log_stiffness": 2.01,', "L031"),
        ('"sign_agrees": true', '"sign_agrees": null', "L031"),
        ('"version": 1', '"version": 2', "L030"),
        ('"lesson": "small-lesson"', '"lesson": "another"', "L030"),
        ('"kind": "seen"', '"kind": "dreamt"', "L030"),
        ('"events": [', '"events": [,', "L002"),
    ],
)
def test_a_spoilt_trail_is_one_diagnostic(tmp_path: Path, old: str, new: str, code: str) -> None:
    folder = write_lesson(tmp_path / "small-lesson")
    path = folder / "trails" / "failing.json"
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    assert [(d.file, d.code) for d in check_lesson(folder)] == [("trails/failing.json", code)]


def test_a_trail_with_the_wrong_outcome_is_named(tmp_path: Path) -> None:
    folder = write_lesson(tmp_path / "small-lesson")
    (folder / "trails" / "failing.json").write_text((folder / "trails" / "passing.json").read_text())
    assert [(d.file, d.code) for d in check_lesson(folder)] == [("trails/failing.json", "L032")]


def test_every_fault_of_a_file_is_reported_at_once(broken: Callable[..., tuple[list[Diagnostic], str]]) -> None:
    found, _ = broken("lesson.toml", 'topic = "tests"\nminutes = 5', 'topic = ""\nminutes = 0')
    assert [(d.code, d.line) for d in found] == [("L005", 4), ("L005", 5)]


def test_diagnostics_are_sentences_with_a_place_and_a_remedy(broken: Callable[..., tuple[list[Diagnostic], str]]) -> None:
    [found], _ = broken("lesson.toml", "minutes = 5", "minutes = 0")
    assert str(found) == "lesson.toml:5: L005 minutes is 0 and must be a whole number of at least 1. Change it to a whole number of at least 1."
    assert found.as_dict()["code"] in CODES


def test_what_is_shipped_to_the_page_reads_back_as_the_same_lesson(lesson: Lesson) -> None:
    shipped = json.loads(json.dumps(lesson.to_dict()))
    assert Lesson.from_dict(shipped) == dataclasses.replace(lesson, prose="")
    assert "prose" not in shipped


def test_shipped_data_with_an_unknown_key_is_refused(lesson: Lesson) -> None:
    with pytest.raises(LessonError, match="L003"):
        Lesson.from_dict({**lesson.to_dict(), "surprise": 1})
