"""A root in a bracket, to rounding, in few evaluations."""

from __future__ import annotations

from collections.abc import Callable

# Each round halves the bracket at least every third evaluation, so 200 are never needed.
MAX_EVALUATIONS = 200


def bracketed_root(f: Callable[[float], float], low: float, high: float, f_low: float, f_high: float) -> float:
    """Where f changes sign between `low` and `high`, by regula falsi with the Anderson-Bjorck weighting.

    Returns the end of the final bracket on the side of `high`'s sign, so that the caller is on or past the root.

    Source: N. Anderson and A. Bjorck, "A new high order method of regula falsi type", BIT 13 (1973).
    """
    a, b, fa, fb = low, high, f_low, f_high
    past, f_past = high, f_high
    for evaluation in range(MAX_EVALUATIONS):
        middle = 0.5 * (a + b)
        x = b - fb * (b - a) / (fb - fa) if fb != fa else middle
        if not min(a, b) < x < max(a, b) or evaluation % 8 == 7:
            x = middle
        if x in (a, b):
            break
        fx = f(x)
        if fx == 0.0:
            return x
        if (fx > 0.0) == (f_high > 0.0) and abs(fx) <= abs(f_past):
            past, f_past = x, fx
        if (fx > 0.0) != (fb > 0.0):
            a, fa = b, fb
        else:
            weight = 1.0 - fx / fb
            fa *= weight if weight > 0.0 else 0.5
        b, fb = x, fx
        if abs(b - a) <= 4e-16 * max(abs(a), abs(b)):
            break
    return past
