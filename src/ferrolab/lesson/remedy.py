"""How a living figure that is written wrongly would have to be written: the author's own call, put right where it can be."""

from __future__ import annotations

from difflib import get_close_matches

from ferrolab.lesson.values import EXAMPLE, known_names, known_settings, leading_number, parse_value


def remedy(source: str) -> str:
    """A sentence with a living figure that holds: `source` corrected, or an example."""
    return f"Write {{value}}`{_corrected(source) or EXAMPLE}`."


def _corrected(source: str) -> str | None:
    text, _, call = source.partition("|")
    words: list[str] = []
    name = ""
    for word in call.split():
        key, equals, value = word.partition("=")
        if word == "over":
            name = ""
        elif not name:
            word = name = _near(word, known_names())
        elif equals and name:
            word = f"{_near(key, known_settings(name))}={value}"
        if not word:
            return None
        words.append(word)
    corrected = " ".join(words)
    try:
        figure = parse_value(f"{text} | {corrected}" if leading_number(text) else f"0 | {corrected}")
        computed = figure.compute()
    except (ValueError, TypeError, ZeroDivisionError):
        return None
    if leading_number(text) and figure.holds(computed):
        return f"{text.strip()} | {corrected}"
    fresh = f"{computed:.3g} | {corrected}"
    return fresh if parse_value(fresh).holds(computed) else None


def _near(word: str, known: set[str]) -> str:
    return word if word in known or word.startswith("closed.") else next(iter(get_close_matches(word, sorted(known), 1)), "")
