"""How the bench writes numbers: typographic minus, groups and decimals as the language in use has them, superscripts.

Every function takes `None` for "no such number" and returns `DASH` for it.
"""

from __future__ import annotations

import math

from . import strings

#: What stands where there is no number, and where one is still being computed.
DASH = "–"
PENDING = "…"

MINUS = "−"
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

#: Outside these magnitudes a number is written as a power of ten.
_SMALLEST_PLAIN = 1e-3
_LARGEST_PLAIN = 1e6


def superscript(exponent: int) -> str:
    """Return an integer in superscript digits: 6 -> "⁶"."""
    return str(exponent).translate(_SUPERSCRIPTS)


def power(value: float | None, digits: int = 2) -> str:
    """Return `value` as "1.6 × 10²", with `digits` significant digits."""
    if value is None:
        return DASH
    if value == 0:
        return "0"
    mantissa, exponent = f"{abs(value):.{digits - 1}e}".split("e")
    sign = MINUS if value < 0 else ""
    if int(exponent) == 0:
        return f"{sign}{strings.number(mantissa)}"
    return f"{sign}{strings.number(mantissa)} × 10{superscript(int(exponent))}"


def quantity(value: float | None, digits: int = 3) -> str:
    """Return a number to `digits` significant digits, plain where that reads well."""
    if value is None:
        return DASH
    magnitude = abs(value)
    if magnitude == 0:
        return "0"
    if not _SMALLEST_PLAIN <= magnitude < _LARGEST_PLAIN:
        return power(value, digits)
    # Rounding first settles cases such as 9.996, which has two digits before the point at 3.
    leading = int(f"{magnitude:.{digits - 1}e}".split("e")[1])
    text = f"{magnitude:,.{max(0, digits - 1 - leading)}f}"
    return f"{MINUS if value < 0 else ''}{strings.number(text)}"


def signed(value: float | None) -> str:
    """Return a number with its sign always written: "+3.63", "−160.86"."""
    if value is None:
        return DASH
    sign = MINUS if math.copysign(1.0, value) < 0 else "+"
    magnitude = abs(value)
    if magnitude >= _LARGEST_PLAIN or 0 < magnitude < _SMALLEST_PLAIN:
        return sign + power(magnitude)
    decimals = 0 if magnitude >= 10_000 else 1 if magnitude >= 1_000 else 2 if magnitude >= 0.1 else 4
    return sign + strings.number(f"{magnitude:,.{decimals}f}")


def fixed(value: float | None, decimals: int) -> str:
    """Return a number with a set count of decimals."""
    if value is None:
        return DASH
    return strings.number(f"{value:.{decimals}f}").replace("-", MINUS)


def count(value: float | None) -> str:
    """Return a whole number with its thousands apart."""
    return DASH if value is None else strings.number(f"{round(value):,}")


def short(value: float) -> str:
    """Return a number with the digits it needs: 0.01, 4."""
    return strings.number(f"{value:g}").replace("-", MINUS)


def scientific(value: float) -> str:
    """Return a step or a tolerance as it is typed: 1e-4."""
    mantissa, exponent = f"{value:e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}e{int(exponent)}"


def precise(value: float | None, digits: int = 6) -> str:
    """Return a number with its sign and `digits` significant digits: "+3.61466", "−199.417"."""
    if value is None:
        return DASH
    return ("" if value < 0 else "+") + quantity(value, digits)
