"""Every word a learner reads outside of a lesson's own text, one file per language: en.toml, de.toml, …

A translation is one such file. It has the keys and the placeholders of en.toml, and a section ``[library]`` for what the
library itself declares in English: the names of controls (``ferrolab.controls``) and what a status says
(``ferrolab.status``). A text that depends on a number is a table of plural forms, chosen by its placeholder ``count``.

Files are read where lessons are built and tested; a page gets the words of its own language with it and hands the
worker its share.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ferrolab.controls import Control

#: The language of a lesson that names none.
DEFAULT = "en"

#: The forms a text may have by its number, as Unicode's plural rules name them; "other" is always there.
PLURALS = ("zero", "one", "two", "few", "many", "other")

_FOLDER = Path(__file__).parent
_FOR_SCRIPTS = ("numbers", "script")
_FOR_BENCH = ("numbers", "bench", "session", "library")

Words = Mapping[str, Any]


def languages() -> tuple[str, ...]:
    """Return the languages there are words in, by their code."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@cache
def load(language: str = DEFAULT) -> Words:
    """Return everything in the file of `language`.

    Raises ValueError for a language without a file.
    """
    if language not in languages():
        raise ValueError(f"language was {language!r}; it must be one of {', '.join(languages())}, or get a file beside {DEFAULT}.toml.")
    import tomllib  # a page, whose words come with it, does without

    return {
        "language": language,
        "library": {},
        **tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8")),
    }


def for_scripts(language: str) -> Words:
    """Return what the scripts of a page in `language` need."""
    return _some(language, _FOR_SCRIPTS)


def for_bench(language: str) -> Words:
    """Return what a bench in `language` needs, and the session it runs in."""
    return _some(language, _FOR_BENCH)


def _some(language: str, sections: tuple[str, ...]) -> Words:
    words = load(language)
    return {"language": language, **{name: words[name] for name in sections}}


def fill(text: str | Mapping[str, str], **values: Any) -> str:
    """Return `text` with its placeholders filled; one with plural forms is chosen by `count`, a whole number."""
    if not isinstance(text, str):
        form = "one" if values["count"] == 1 and "one" in text else "other"
        text = text[form]
    return text.format(**values)


def number(text: str, words: Words) -> str:
    """Return a number written the English way, such as "14,800.5", with the marks of `words`."""
    marks = words["numbers"]
    return text.translate({ord(","): marks["group"], ord("."): marks["decimal"]})


def key(value: Any) -> str:
    """Return how a position of a control is called in a file of words."""
    return {False: "off", True: "on"}[value] if isinstance(value, bool) else str(value)


def control_label(control: Control, words: Words) -> str:
    """Return the name of a control in `words`."""
    return words["library"].get("controls", {}).get(control.id, {}).get("label", control.label)


def control_options(control: Control, words: Words) -> list[tuple[Any, str]]:
    """Return (value, name) of each position of a control in `words`, in order."""
    names = words["library"].get("controls", {}).get(control.id, {})
    return [(value, names.get(key(value), name)) for value, name in control.options]
