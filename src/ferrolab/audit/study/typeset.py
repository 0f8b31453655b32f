"""Numbers as a paper prints them: powers of ten raised, a real minus sign."""

from __future__ import annotations

import re
from html import escape

MINUS, TIMES = "\u2212", "\u00d7"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

_SCIENTIFIC = re.compile(r"(?<![\w.])(-?)(\d+(?:\.\d+)?)e([+-]?\d+)(?!\w|\.\d)")
_POWER = re.compile(r"(?<=\w)\^([+-]?\d+(?:\.\d+)?|[a-z]\b)")
_NEGATIVE = re.compile(r"(?<![\w.\u2212-])-(?=\d)")


def as_markup(text: str) -> str:
    """Plain text as HTML: escaped, with `1e-05`, `10^4` and `-3` set properly."""
    return _typeset(escape(text), lambda power: f"<sup>{power.replace('-', MINUS).lstrip('+')}</sup>")


def as_label(text: str) -> str:
    """The same for SVG, escaped, with whole powers in superscript characters."""
    return _typeset(escape(text), lambda power: f"^{power}" if "." in power else power.lstrip("+").translate(RAISED))


def _typeset(text: str, raise_) -> str:
    def scientific(found: re.Match) -> str:
        sign, digits, power = MINUS if found[1] else "", found[2], str(int(found[3]))
        return sign + ("10" if digits == "1" else f"{digits}{TIMES}10") + raise_(power)

    text = _SCIENTIFIC.sub(scientific, text)
    text = _POWER.sub(lambda found: raise_(found[1]), text)
    return _NEGATIVE.sub(MINUS, text)
