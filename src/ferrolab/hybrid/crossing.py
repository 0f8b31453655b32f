"""The first crossing of a guard inside a step: none missed, the time to rounding.

A step is a smooth curve. Where its ends and middle settle the matter, that is all that is looked at; otherwise the
guard along the step is expanded in Chebyshev polynomials, whose roots are *all* the roots, and the first that
crosses in the guard's direction is polished in its bracket.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.polynomial import chebyshev

from ferrolab.hybrid.system import Guard
from ferrolab.integrate.roots import bracketed_root

# The middle of the step must be where a cubic through the ends says, to this fraction, for the ends to be trusted.
RESOLVED = 0.05
# Guards further from zero than this many times what their rate covers in the step are not looked at.
FAR = 4.0
# Degrees tried for the expansion; it is resolved when its last coefficients are this small.
DEGREES, TAIL = (8, 16, 32, 64), 1e-10


def first_crossing(
    guard: Guard, path: Callable[[float], np.ndarray], rate: Callable[[np.ndarray], np.ndarray], h: float, fired: bool
) -> float | None:
    """Time into the step at which `guard` is first crossed in its direction; None where it is not.

    Args:
        path: time into the step, in [0, h] -> state (n,). rate: state -> dx/dt (n,).
        fired: this guard has fired at the start of the step, so a zero there is not a new crossing.
    """
    sign = float(guard.direction or 1)

    def value(tau: float) -> float:
        return sign * float(np.real(guard.value(path(tau))))

    start, end = path(0.0), path(h)
    s0, s1 = sign * float(guard.value(start)), sign * float(guard.value(end))
    r0, r1 = (sign * float(guard.gradient_at(x) @ rate(x)) for x in (start, end))
    if guard.direction and not fired and s0 >= 0.0 and r0 > 0.0:
        return 0.0
    fastest = h * max(abs(r0), abs(r1))
    if s0 * s1 > 0.0 and min(abs(s0), abs(s1)) > FAR * fastest:
        return None
    middle, cubic = value(0.5 * h), 0.5 * (s0 + s1) + 0.125 * h * (r0 - r1)
    size = max(abs(s0), abs(middle), abs(s1))
    if abs(middle - cubic) <= RESOLVED * size:
        if not fired and s0 < 0.0 < s1 and r0 > 0.0 and r1 > 0.0 and middle != 0.0:
            return bracketed_root(value, *((0.5 * h, h, middle, s1) if middle < 0.0 else (0.0, 0.5 * h, s0, middle)))
        turning = r0 * r1 < 0.0 and s0 * r0 < 0.0
        if s0 * s1 > 0.0 and s0 * middle > 0.0 and not turning:
            return None
    if fired:
        # The zero at the start has been handled: divide it out, so that however soon the next one comes it is seen.
        return _among_all(lambda tau: (value(tau) - s0) / tau if tau else r0, h, guard.direction == 0, r0, (s1 - s0) / h)
    return _among_all(value, h, guard.direction == 0, s0, s1)


def _among_all(value: Callable[[float], float], h: float, both: bool, at_start: float, at_end: float) -> float | None:
    """The first crossing among all roots of `value` on [0, h]."""
    for degree in DEGREES:
        series = chebyshev.chebinterpolate(lambda z: np.array([value(0.5 * h * (1.0 + t)) for t in np.atleast_1d(z)]), degree)
        if np.max(np.abs(series[-2:])) <= TAIL * np.max(np.abs(series)):
            break
    series = chebyshev.chebtrim(series, TAIL * 1e-4 * np.max(np.abs(series)))
    roots = chebyshev.chebroots(series) if len(series) > 1 else np.array([])
    real = np.real(roots[np.abs(np.imag(roots)) <= 1e-6])
    times = np.sort(0.5 * h * (1.0 + real[(real > -1.0) & (real < 1.0)]))
    # Between neighbouring roots the sign is constant: look at it once in each gap, and at both ends.
    edges = np.concatenate([[0.0], times, [h]])
    looks = [(t, value(t)) for t in 0.5 * (edges[1:] + edges[:-1])] + [(h, at_end)]
    before_t, before = 0.0, at_start
    for t, s in looks:
        if before < 0.0 < s or (both and before > 0.0 > s):
            return bracketed_root(value, before_t, t, before, s)
        if s != 0.0:
            before_t, before = t, s
    return None
