"""Finding measured numbers that stand in prose without the call that produces them.

A heuristic, on the strict side: decimals, scientific notation, grouped digits, numbers with a unit, and whole numbers
of two or more digits. What is a setting rather than a measurement is written as an equation or a control; what is
neither goes into the lesson's list of constants, with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_UNITS = r"%|percent|m/s|mm|cm|m|ms|s|N|kg|Hz|times|steps|evaluations|decades|digits"
_BARE = re.compile(
    r"(?<![\w.])[+\-\u2212]?(?:"
    r"\d+(?:\.\d+)?e[+\-\u2212]?\d+"  # 1.6e2
    r"|\d[\d.,]*\s*[×x]\s*10"  # 1.6 × 10
    r"|\d{1,3}(?:,\d{3})+"  # 14,800
    r"|\d+[.,]\d+"  # 45.5, and 45,5 where that is how it is written
    rf"|\d+\s?(?:{_UNITS})(?![\w])"  # 4 m/s
    r"|\d{2,}"  # 199
    r")"
)
_LONE_NUMBER = re.compile(r"[\s+\-\u2212\d.,]*\d\.\d[\s\d.,]*(?:\\times\s*10\s*\^.*|e[+\-]?\d+)?\s*\Z")


def bare_numbers(text: str, constants: Iterable[str]) -> list[str]:
    """The bare measured numbers in `text`, after taking out every phrase in `constants`."""
    for phrase in sorted(constants, key=len, reverse=True):
        text = text.replace(phrase, " ")
    return [match.group(0).strip() for match in _BARE.finditer(text)]


def is_lone_number(latex: str) -> bool:
    """Whether an equation is nothing but a decimal number: a measured number in disguise."""
    return _LONE_NUMBER.match(latex) is not None
