"""Numbers as a paper prints them: powers of ten raised, a real minus sign."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

MINUS, TIMES = "\u2212", "\u00d7"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

_SCIENTIFIC = re.compile(r"(?<![\w.])(-?)(\d+(?:\.\d+)?)e([+-]?\d+)(?!\w|\.\d)")
_POWER = re.compile(r"(?<=\w)\^([+-]?\d+(?:\.\d+)?|[a-z]\b)")
_INDEX = re.compile(r"(?<![A-Za-z])((?:dv/d)?[hv]|log(?=10\b))(0|10)\b|\b([Jx])_([A-Za-z]+)\b")
_NEGATIVE = re.compile(r"(?<![\w.\u2212-])-(?=\d)")


def as_markup(text: str) -> str:
    """Plain text as HTML: escaped, with `1e-05`, `10^4`, `h0`, `J_law` and `-3` set properly."""
    return _typeset(escape(text), lambda power: f"<sup>{power.replace('-', MINUS).lstrip('+')}</sup>", lambda index: f"<sub>{index}</sub>")


def as_label(text: str) -> str:
    """The same for SVG, escaped, with whole powers and indices in characters of their own."""
    return _typeset(
        escape(text),
        lambda power: f"^{power}" if "." in power else power.lstrip("+").translate(RAISED),
        lambda index: index.translate(LOWERED) if index.isdigit() else f"_{index}",
    )


def _typeset(text: str, raised: Callable[[str], str], lowered: Callable[[str], str]) -> str:
    def scientific(found: re.Match) -> str:
        sign, digits, power = MINUS if found[1] else "", found[2], str(int(found[3]))
        return sign + ("10" if digits == "1" else f"{digits}{TIMES}10") + raised(power)

    text = _SCIENTIFIC.sub(scientific, text)
    text = _POWER.sub(lambda found: raised(found[1]), text)
    text = _INDEX.sub(lambda found: (found[1] or found[3]) + lowered(found[2] or found[4]), text)
    return _NEGATIVE.sub(MINUS, text)
