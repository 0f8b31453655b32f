"""Every language has the same words with the same placeholders, and every word is asked for by a key that exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from ferrolab.controls import CONTROLS
from ferrolab.lesson.page import template_folder
from ferrolab.status import Status
from ferrolab.words import DEFAULT, PLURALS, fill, key, languages, load, number

WEB = template_folder().parent
TRANSLATIONS = [language for language in languages() if language != DEFAULT]
SHARED = ("page", "parts", "picture", "script", "session", "bench")


def leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Every text with its dotted key; a table of plural forms counts as one text."""
    if isinstance(value, dict) and not (value.keys() <= set(PLURALS)):
        for name, item in value.items():
            yield from leaves(item, f"{path}.{name}" if path else name)
    else:
        yield path, value


def placeholders(text: object) -> set[str]:
    forms = text.values() if isinstance(text, dict) else text if isinstance(text, list) else [text]
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name is not None}


def test_there_is_more_than_one_language() -> None:
    assert DEFAULT in languages() and TRANSLATIONS


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_has_the_same_keys_and_placeholders(language: str) -> None:
    english, other = ({section: load(code)[section] for section in SHARED} for code in (DEFAULT, language))
    wanted, found = dict(leaves(english)), dict(leaves(other))
    assert found.keys() == wanted.keys()
    for name, text in wanted.items():
        assert type(found[name]) is type(text), name
        assert placeholders(found[name]) == placeholders(text), name
        assert found[name] or not text, f"{name} is empty"
    assert load(language).keys() == load(DEFAULT).keys()
    assert load(language)["numbers"].keys() == load(DEFAULT)["numbers"].keys()


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_names_every_control_every_position_and_every_status(
    language: str,
) -> None:
    library = load(language)["library"]
    wanted = {name: {"label", *(key(value) for value in control.values)} for name, control in CONTROLS.items()}
    assert {name: set(named) for name, named in library["controls"].items()} == wanted
    assert set(library["status"]) == {status.label for status in Status}


@pytest.mark.parametrize("language", languages())
def test_plural_forms_are_chosen_by_count_and_one_always_fits(language: str) -> None:
    plurals = [text for section in SHARED for _, text in leaves(load(language)[section]) if isinstance(text, dict)]
    assert len(plurals) >= 3
    for forms in plurals:
        assert "other" in forms and "count" in placeholders({"other": forms["other"]})
        assert fill(forms, count=1) != fill(forms, count=2)


@pytest.mark.parametrize("language", languages())
def test_there_are_six_parts(language: str) -> None:
    names = load(language)["parts"]["names"]
    assert len(names) == len(set(names)) == 6


def asked(folder: Path, pattern: str, *suffixes: str) -> set[str]:
    found = set()
    for path in folder.rglob("*"):
        if path.suffix in suffixes:
            found |= set(re.findall(pattern, path.read_text(encoding="utf-8")))
    return found


def test_scripts_and_templates_ask_for_exactly_the_words_there_are() -> None:
    assert asked(WEB, r'\bsay\("(\w+)"', ".js") == set(load()["script"])
    templates = asked(WEB / "templates", r"\bt\.(\w+)", ".html")
    assert templates | {"kicker", "computed"} == set(load()["page"])


def test_no_script_keeps_a_sentence_of_its_own() -> None:
    """A text of two words or more in a script is a word somebody will read in the wrong language."""
    for path in WEB.rglob("*.js"):
        code = re.sub(
            r"^\s*//.*$|/\*.*?\*/",
            "",
            path.read_text(encoding="utf-8"),
            flags=re.M | re.S,
        )
        code = re.sub(
            r"new (?:\w+)?Error\((?:[^()]|\([^()]*\))*\)|console\.\w+\([^)]*\)",
            "",
            code,
        )
        for text in re.findall(r'"([^"\n]*)"', code):
            assert not re.search(r"[A-Za-z]{2,} [a-z]{2,} [a-z]", text), f"{path.name}: {text!r}"


def test_a_number_takes_the_marks_of_the_language() -> None:
    assert number("14,800.5", load("de")) == "14.800,5"
    assert number("14,800.5", load()) == "14,800.5"


def test_a_language_without_a_file_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="'tlh'.*de, en"):
        load("tlh")
