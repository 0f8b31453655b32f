"""Powers and exponentials of 2 x 2 matrices, and the first zero along their orbits."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import scipy.linalg
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ferrolab.integrate.affine import Propagator, first_zero
from ferrolab.integrate.affine_alone import MAX_ALONE

EPS = np.finfo(float).eps


def lane(M) -> np.ndarray:
    return np.asarray(M, dtype=float)[..., None]


WIDE = mpmath.MPContext()
WIDE.dps = 40


def exact_exponential(M) -> np.ndarray:
    """exp(M) at 40 digits, rounded."""
    wide = WIDE.expm(WIDE.matrix(M.tolist()))
    return np.array([[float(wide[i, j]) for j in (0, 1)] for i in (0, 1)])


def spring(k, zeta):
    return np.array([[0.0, 1.0], [-k, -2 * zeta * np.sqrt(k)]])


entries = st.floats(-1.0, 1.0)


@settings(max_examples=200, deadline=None)
@given(a=entries, b=entries, c=entries, d=entries, t=st.floats(0.0, 5.0))
def test_exponential_agrees_with_scipy_for_any_matrix(a, b, c, d, t):
    M = np.array([[a, b], [c, d]])
    found = Propagator.of_flow(lane(M)).matrix(np.array([t]))[..., 0]
    # Ours is good to a few units in the last place of the norm; scipy's own formula for 2 x 2 loses up to three digits.
    norm = np.exp(t * np.linalg.norm(M, 2))
    np.testing.assert_allclose(found, scipy.linalg.expm(t * M), rtol=0, atol=2e4 * EPS * norm)
    np.testing.assert_allclose(found, exact_exponential(t * M), rtol=0, atol=50 * EPS * norm)


@pytest.mark.parametrize("zeta", [0.0, 0.1606, 0.9, 1 - 1e-6, 1 - 1e-12, 1.0, 1 + 1e-12, 1 + 1e-6, 1.5, 30.0])
@pytest.mark.parametrize("k", [1e2, 1e5, 1e8])
def test_exponential_of_a_damped_spring_agrees_with_scipy_on_both_sides_of_critical_damping(k, zeta):
    A = spring(k, zeta)
    # In units of velocity per sqrt(k), where the entries of the exponential are of one size.
    scale = np.array([[1.0, np.sqrt(k)], [1 / np.sqrt(k), 1.0]])
    for periods in (1e-3, 0.1, 1.0, 3.0):
        t = periods * 2 * np.pi / np.sqrt(k)
        found = Propagator.of_flow(lane(A)).matrix(np.array([t]))[..., 0] * scale
        # Next to critical the discriminant is a difference of squares: it carries EPS * (zeta omega t)^2.
        expected = exact_exponential(t * A) * scale
        np.testing.assert_allclose(found, expected, rtol=0, atol=50 * EPS * (1 + (zeta * np.sqrt(k) * t) ** 2))
        np.testing.assert_allclose(found, scipy.linalg.expm(t * A) * scale, rtol=0, atol=1e-12 * (1 + zeta**2))


@settings(max_examples=150, deadline=None)
@given(a=entries, b=entries, c=entries, d=entries, size=st.floats(1e-6, 0.5), n=st.integers(0, 400))
def test_power_agrees_with_repeated_multiplication(a, b, c, d, size, n):
    M = size * np.array([[a, b], [c, d]])
    propagator = Propagator.of_step(lane(M))
    assume(propagator.regular[0])
    # The spread of two nearly equal real rates is the known weak spot; the next test measures it.
    assume(propagator.oscillates[0] or propagator.delta[0] > 1e-3 * size)
    found = propagator.matrix(np.array([float(n)]))[..., 0]
    expected = np.linalg.matrix_power(np.eye(2) + M, n)
    grown = (1 + np.linalg.norm(M, 2)) ** n
    assume(grown < 1e6)
    # Rounding of one factor, n times; logarithms turn EPS into n EPS as well.
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e3 * EPS * (n + 1) * grown)


@pytest.mark.parametrize("dt", [1e-3, 1e-5])
@pytest.mark.parametrize("zeta", [0.0, 0.1606, 0.999, 1.001, 2.0])
def test_power_of_a_semi_implicit_step_agrees_with_repeated_multiplication(zeta, dt):
    k, n = 1e4, round(0.02 / dt)
    c = 2 * zeta * np.sqrt(k)
    M = np.array([[-dt * dt * k, dt - dt * dt * c], [-dt * k, -dt * c]])
    scale = np.array([[1.0, np.sqrt(k)], [1 / np.sqrt(k), 1.0]])
    found = Propagator.of_step(lane(M)).matrix(np.array([float(n)]))[..., 0] * scale
    expected = np.linalg.matrix_power(np.eye(2) + M, n) * scale
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)


@settings(max_examples=60, deadline=None)
@given(a=entries, b=entries, c=entries, d=entries, s=st.floats(0.0, 20.0), t=st.floats(0.0, 20.0))
def test_powers_and_exponentials_compose(a, b, c, d, s, t):
    M = 0.2 * np.array([[a, b], [c, d]])
    propagator = Propagator.of_flow(lane(M))
    both = propagator.matrix(np.array([s + t]))[..., 0]
    parts = propagator.matrix(np.array([s]))[..., 0] @ propagator.matrix(np.array([t]))[..., 0]
    np.testing.assert_allclose(both, parts, rtol=0, atol=1e3 * EPS * np.exp((s + t) * np.linalg.norm(M, 2)))


def test_step_with_a_negative_real_eigenvalue_is_called_irregular():
    # Semi-implicit Euler beyond its limit, dt sqrt(k) = 3: eigenvalues are real, negative and one is beyond -1.
    k, dt = 1e6, 3e-3
    M = np.array([[-dt * dt * k, dt], [-dt * k, 0.0]])
    assert not Propagator.of_step(lane(M)).regular[0]
    assert Propagator.of_step(lane(M / 10)).regular[0]


@settings(max_examples=100, deadline=None)
@given(a=entries, b=entries, c=entries, d=entries, size=st.floats(1e-3, 1.0))
def test_growth_per_step_of_a_regular_step_is_its_spectral_radius(a, b, c, d, size):
    M = size * np.array([[a, b], [c, d]])
    propagator = Propagator.of_step(lane(M))
    assume(propagator.regular[0])
    expected = np.max(np.abs(np.linalg.eigvals(np.eye(2) + M)))
    # Eigenvalues of a nearly defective matrix are known to sqrt(EPS) only.
    assert propagator.radius[0] == pytest.approx(expected, rel=1e-7)


def brute_force_zero(propagator, constant, a, b, limit, samples=20_001):
    s = np.linspace(0.0, limit, samples)
    C, S = propagator.weights(s)
    f = constant + C * a + S * b
    below = np.flatnonzero(f[1:] <= 0.0)
    return (s[below[0]], s[below[0] + 1]) if below.size else None


@settings(max_examples=300, deadline=None)
@given(
    zeta=st.one_of(st.floats(0.0, 0.99), st.floats(1.01, 4.0)),
    constant=st.floats(-1.0, 1.0), a=st.floats(-2.0, 2.0), b=st.floats(-2.0, 2.0), limit=st.floats(0.1, 20.0),
)  # fmt: skip
def test_first_zero_is_the_one_a_fine_sampling_sees(zeta, constant, a, b, limit):
    assume(constant + a > 1e-6)
    propagator = Propagator.of_flow(lane(spring(1.0, zeta)))
    root, certain = first_zero(propagator, np.array([constant]), np.array([a]), np.array([b]), np.array([limit]), 0.0)
    seen = brute_force_zero(propagator, constant, a, b, limit)
    value = lambda s: constant + propagator.weights(np.array([s]))[0][0] * a + propagator.weights(np.array([s]))[1][0] * b  # noqa: E731
    if seen is None:
        # A dip below zero narrower than the sampling is a root all the same: its depth then is below 1e-6.
        assert np.isinf(root[0]) or (root[0] <= limit and abs(value(root[0])) < 1e-9)
        return
    low, high = seen
    if root[0] < low:
        assert abs(value(root[0])) < 1e-9, "not a zero"
    else:
        assert low <= root[0] <= high * (1 + 1e-12)
    assert abs(value(root[0])) < 1e-12
    assert certain[0] <= root[0]


@settings(max_examples=300, deadline=None)
@given(
    zeta=st.floats(0.0, 4.0), constant=st.floats(-1.0, 1.0), a=st.floats(-2.0, 2.0), b=st.floats(-2.0, 2.0),
    limit=st.floats(0.1, 20.0), tolerance=st.sampled_from([0.0, 0.25]), repeated=st.booleans(),
)  # fmt: skip
def test_a_few_zeros_in_floats_are_those_of_the_definition_in_numpy(zeta, constant, a, b, limit, tolerance, repeated):
    # On either side of a root that is barely one the two may differ, as may roots that are nearly double.
    assume(constant + a > 1e-6)
    matrix = lane(spring(1.0, zeta))
    propagator = Propagator.of_step(0.1 * matrix) if repeated else Propagator.of_flow(matrix)
    numbers = [np.full(MAX_ALONE + 1, part) for part in (constant, a, b, limit)]
    few = first_zero(propagator, *(part[:1] for part in numbers), tolerance)
    many = first_zero(propagator, *(part[:, None] for part in numbers), tolerance)
    assert many[0].size > MAX_ALONE
    value = lambda s: constant + np.dot(np.array(propagator.weights(np.array([s])))[:, 0], [a, b])  # noqa: E731
    for ours, defined in zip(few, many):
        if ours[0] != pytest.approx(defined[0, 0], rel=1e-9, abs=1e-12):
            near = [s for s in (ours[0], defined[0, 0]) if np.isfinite(s)]
            assert near and min(abs(value(s)) for s in near) < 1e-12


@settings(max_examples=150, deadline=None)
@given(zeta=st.floats(0.0, 4.0), a=st.floats(-2.0, 2.0), b=st.floats(-2.0, 2.0), constant=st.floats(-1.0, 1.0), tolerance=st.sampled_from([0.0, 0.25]))
def test_function_is_positive_up_to_the_point_called_certain(zeta, a, b, constant, tolerance):
    assume(constant + a > 1e-6)
    propagator = Propagator.of_flow(lane(spring(1.0, zeta)))
    _, certain = first_zero(propagator, np.array([constant]), np.array([a]), np.array([b]), np.array([12.0]), tolerance)
    many = Propagator.of_flow(np.repeat(lane(spring(1.0, zeta)), 500, axis=-1))
    C, S = many.weights(np.linspace(0.0, certain[0], 500))
    assert np.all(constant + C * a + S * b > -1e-12)


@pytest.mark.parametrize("matrix", [[[-3.0, 0.2], [0.0, -0.5]], [[-4.0, 1.0], [0.1, -2.5]], [[-0.3, 0.0], [0.0, -0.1]]])
def test_the_radius_of_a_step_is_right_also_with_negative_real_eigenvalues(matrix):
    M = np.array(matrix)
    expected = np.max(np.abs(np.linalg.eigvals(np.eye(2) + M)))
    assert Propagator.of_step(M[..., None]).radius[0] == pytest.approx(expected, rel=1e-12)
