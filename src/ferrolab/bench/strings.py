"""Every string the learner reads on the bench, in the language in use: `strings.WRONG_SIGN` is `wrong_sign` of [bench].

The words are in `ferrolab/words`. A view puts its own to use with `using` whenever it is at work; without one they are
English. So a string is looked up where it is shown, never while a module is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ferrolab import words as languages
from ferrolab.controls import Control

fill = languages.fill

_IN_USE: ContextVar[languages.Words | None] = ContextVar("words in use", default=None)


def in_use() -> languages.Words:
    """Return the words in use."""
    return _IN_USE.get() or languages.load()


@contextmanager
def using(words: languages.Words | None) -> Iterator[None]:
    """Let the bench speak in `words` (see `ferrolab.words.for_bench`) inside; None is English."""
    before = _IN_USE.set(words)
    try:
        yield
    finally:
        _IN_USE.reset(before)


def __getattr__(name: str) -> Any:
    if not name.isupper():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return in_use()["bench"][name.lower()]
    except KeyError:
        raise AttributeError(f"the words in use have no bench.{name.lower()}; add it to every file in ferrolab/words.") from None


def label(control: Control) -> str:
    """Return the name of a control."""
    return languages.control_label(control, in_use())


def options(control: Control) -> list[tuple[Any, str]]:
    """Return (value, name) of each position of a control, in order."""
    return languages.control_options(control, in_use())


def status(name: str, remedy: str) -> str:
    """Return what the status `name` says; `remedy` is what it says in English."""
    return in_use()["library"].get("status", {}).get(name, remedy)


def number(text: str) -> str:
    """Return a number written the English way with the marks of the language in use."""
    return languages.number(text, in_use())
