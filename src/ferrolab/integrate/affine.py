"""Powers and exponentials of a 2 x 2 matrix without a loop, and the first zero of a function along such an orbit.

By the Cayley-Hamilton theorem `exp(s L) = C(s) I + S(s) N` with `N = M - (tr M / 2) I`, whose square is a multiple
of the identity. One class serves the continuous flow (`exp(t A)`, s is time) and the repeated step (`(I + M)^n`,
s counts steps): only the two rates differ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.integrate.affine_alone import MAX_ALONE, MAX_ROOT_ITERATIONS, first_zeros_alone


@dataclass(frozen=True)
class Propagator:
    """The weights `C(s)`, `S(s)` of a family of 2 x 2 matrix functions, one member per lane.

    Attributes:
        sigma: rate of growth (negative when damped), per unit of s.
        omega: rate of rotation (oscillating) or half the spread of the two rates (not oscillating).
        delta: square root of the magnitude of `N^2`.
        ratio: omega / delta, in its limit where both vanish (critical damping).
        oscillates: True where the eigenvalues are a complex pair.
        radius: largest growth factor per unit of s, exact also where `regular` is False.
        regular: False where a repeated step has a negative real eigenvalue: no real power exists there.
    """

    sigma: np.ndarray
    omega: np.ndarray
    delta: np.ndarray
    ratio: np.ndarray
    oscillates: np.ndarray
    radius: np.ndarray
    regular: np.ndarray
    N: np.ndarray

    @classmethod
    def of_flow(cls, A: np.ndarray) -> Propagator:
        """`exp(t A)` for A of shape (2, 2, lanes...)."""
        mean, delta, oscillates, N = _split(A)
        radius = np.exp(mean + np.where(oscillates, 0.0, delta))
        return cls(mean, delta, delta, np.ones_like(delta), oscillates, radius, np.full(delta.shape, True), N)

    @classmethod
    def of_step(cls, M: np.ndarray) -> Propagator:
        """`(I + M)^n` for M of shape (2, 2, lanes...). Taking M, not I + M, keeps a small step's digits."""
        mean, delta, oscillates, N = _split(M)
        regular = oscillates | (1.0 + mean - delta > 0.0)
        real = np.where(oscillates, 0.0, delta) * regular
        safe_mean = np.where(regular & ~oscillates, mean, 0.0)
        upper, lower = np.log1p(safe_mean + real), np.log1p(safe_mean - real)
        turning = np.arctan2(delta, 1.0 + mean)
        sigma = np.where(oscillates, 0.5 * np.log1p(2.0 * mean + mean**2 + delta**2), 0.5 * (upper + lower))
        omega = np.where(oscillates, turning, np.arctanh(real / (1.0 + safe_mean)))
        at_critical = 1.0 / (1.0 + safe_mean)
        ratio = np.where(delta > 0.0, omega / np.where(delta > 0.0, delta, 1.0), at_critical)
        radius = np.where(oscillates, np.exp(sigma), np.abs(1.0 + mean) + delta)
        return cls(sigma, omega, delta, ratio, oscillates, radius, regular, N)

    def weights(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """`C(s)` and `S(s)`."""
        angle = self.omega * s
        if np.all(self.oscillates):
            size = np.exp(self.sigma * s)
            return size * np.cos(angle), size * s * self.ratio * np.sinc(angle / np.pi)
        # Written with the slower of the two exponentials factored out, so that nothing overflows when damped.
        spread = np.where(self.oscillates, 0.0, angle)
        fast = np.exp(self.sigma * s + spread)
        decay = np.exp(-2.0 * spread)
        filled = np.where(spread > 0.0, -np.expm1(-2.0 * spread) / np.where(spread > 0.0, 2.0 * spread, 1.0), 1.0)
        C = np.where(self.oscillates, fast * np.cos(angle), fast * 0.5 * (1.0 + decay))
        S = fast * s * self.ratio * np.where(self.oscillates, np.sinc(angle / np.pi), filled)
        return C, S

    def matrix(self, s: np.ndarray) -> np.ndarray:
        """The matrix itself, (2, 2, lanes...)."""
        C, S = self.weights(s)
        out = S * self.N
        out[0, 0] += C
        out[1, 1] += C
        return out


def _split(M: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Half the trace, the root of the magnitude of N^2, whether the eigenvalues are complex, and N."""
    mean = 0.5 * (M[0, 0] + M[1, 1])
    difference = 0.5 * (M[0, 0] - M[1, 1])
    square = difference**2 + M[0, 1] * M[1, 0]
    N = np.stack([np.stack([difference, M[0, 1]]), np.stack([M[1, 0], -difference])])
    return mean, np.sqrt(np.abs(square)), square < 0.0, N


def first_zero(
    propagator: Propagator, constant: np.ndarray, a: np.ndarray, b: np.ndarray, limit: np.ndarray, tolerance: float
) -> tuple[np.ndarray, np.ndarray]:
    """First s > 0 where `f(s) = constant + C(s) a + S(s) b`, positive at 0, reaches zero.

    Between its extrema, which are known in closed form, f is monotone; so a zero is bracketed before it is sought
    and none is missed. Where an oscillation dies away, the first minimum is the deepest, and the search ends there.

    Args:
        propagator: gives C and S. constant, a, b: broadcast against its lanes.
        limit: the search ends here. tolerance: how close (in s) the root is wanted; 0 means to rounding.

    Returns:
        (root, certain): the zero, infinity where there is none before `limit`; and a point up to which f is
        certainly positive, at most `tolerance` below the root (the limit where there is none).
    """
    p = propagator
    constant, a, b, limit = np.broadcast_arrays(constant, a, b, limit)
    if constant.size <= MAX_ALONE and p.sigma.size == constant.shape[-1]:
        found = first_zeros_alone(p, constant, a, b, limit, tolerance)
        if found is not None:
            return found

    def value(s: np.ndarray) -> np.ndarray:
        C, S = p.weights(s)
        return constant + C * a + S * b

    # An unstable lane may overflow on the way: its value is then no zero, and its status says what it is.
    with np.errstate(all="ignore"):
        return _first_zero(p, value, constant, a, b, limit, tolerance)


def _first_zero(p, value, constant, a, b, limit, tolerance):
    # f' = C u + S w up to a positive factor.
    sign = np.where(p.oscillates, -1.0, 1.0)
    u = p.sigma * a + p.ratio * b
    w = p.sigma * b + sign * p.omega * p.delta * a

    first, second = _extrema(p, u, w)
    first, second = np.minimum(first, limit), np.minimum(second, limit)
    low_first, low_second = value(first) <= 0.0, value(second) <= 0.0
    # A growing oscillation may still cross later: what is certain then ends at the second extremum.
    beyond = np.where(p.oscillates & (p.sigma <= 0.0), limit, second)
    found = low_first | low_second
    low = np.where(low_first, 0.0, np.where(low_second, first, beyond))
    high = np.where(low_first, first, np.where(low_second, second, beyond))

    s = 0.5 * (low + high)
    for _ in range(MAX_ROOT_ITERATIONS):
        C, S = p.weights(s)
        f = constant + C * a + S * b
        low, high = np.where(f > 0.0, s, low), np.where(f > 0.0, high, s)
        newton = s - f / (C * u + S * w)
        inside = (newton > low) & (newton < high)
        moved = np.where(inside, newton, 0.5 * (low + high))
        close = np.abs(moved - s) <= np.maximum(tolerance, 4e-16 * np.abs(s))
        s = moved
        if np.all(close | ~found):
            break
    probe = np.maximum(s - max(tolerance, 1e-12), 0.0)
    certain = np.where(found, np.where((probe >= low) & (value(probe) > 0.0), probe, low), beyond)
    return np.where(found, s, np.inf), certain


def _extrema(p: Propagator, u: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first two s > 0 where `C u + S w` vanishes; infinity where there are fewer."""
    turn = np.arctan2(u, -w / np.where(p.delta > 0.0, p.delta, 1.0)) % np.pi
    turn = np.where(turn > 0.0, turn, np.pi)
    first_oscillating = turn / p.omega
    y = -u / w
    x = p.delta * y
    stretch = np.where(np.abs(x) > 1e-8, np.arctanh(x) / np.where(x == 0.0, 1.0, x), 1.0)
    first_real = np.where((y > 0.0) & (np.abs(x) < 1.0), y / p.ratio * stretch, np.inf)
    half_turn = np.pi / p.omega
    first = np.where(p.oscillates, first_oscillating, first_real)
    return first, np.where(p.oscillates, first + half_turn, np.inf)
