"""JAX and diffrax, which nobody here wrote, on the decisive cell: a tolerance, and autodiff through it.

The system is written down again in JAX. Needs the extra `witness`.
"""

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="the extra `witness` is not installed")
diffrax = pytest.importorskip("diffrax", reason="the extra `witness` is not installed")
jax.config.update("jax_enable_x64", True)
jnp = jax.numpy

from ferrolab.audit import Settings  # noqa: E402
from ferrolab.audit.reference import reference  # noqa: E402
from ferrolab.contact import HuntCrossley, KelvinVoigt  # noqa: E402
from ferrolab.derivative import Autodiff, jacobian  # noqa: E402
from ferrolab.integrate import DormandPrince, SemiImplicitEuler  # noqa: E402
from ferrolab.systems import BouncingMass  # noqa: E402

GRAVITY, ZETA, HORIZON, START = 9.81, 0.1606, 0.8, (1.0, 0.0)
RTOL, FIRST_STEP, PROBE = 1e-11, 1e-6, 1e-6


def spring_push(h, v, k):
    return jnp.maximum(-k * h - 2.0 * ZETA * jnp.sqrt(k) * v, 0.0)


def hunt_crossley_push(h, v, k):
    return jnp.maximum(-k * h * (1.0 - 0.12 * v), 0.0)


def flow(x0, k, push=spring_push, rtol=RTOL, horizon=HORIZON, reverse=False):
    """The state at the horizon, by diffrax's Dormand-Prince 5(4) under a tolerance."""

    def field(t, x, k):
        h, v = x
        return jnp.stack([v, jnp.where(h < 0.0, push(h, v, k), 0.0) - GRAVITY])

    return diffrax.diffeqsolve(
        diffrax.ODETerm(field), diffrax.Dopri5(), 0.0, horizon, FIRST_STEP, x0, args=k,
        stepsize_controller=diffrax.PIDController(rtol=rtol, atol=1e-3 * rtol),
        saveat=diffrax.SaveAt(t1=True), max_steps=20_000,
        adjoint=diffrax.RecursiveCheckpointAdjoint() if reverse else diffrax.ForwardMode(),
    ).ys[-1]  # fmt: skip


@pytest.fixture(scope="module")
def forward():
    """jax.jacfwd of the flow, compiled once for every stiffness and tolerance."""
    return jax.jit(lambda k, rtol: jax.jacfwd(lambda x: flow(x, k, rtol=rtol))(jnp.array(START)))


def exact(k):
    return reference(Settings(stiffness=k), np.array([k]))


def distance(J, other):
    """Largest absolute entry of the difference over that of the other."""
    return np.max(np.abs(np.asarray(J) - other)) / np.max(np.abs(other))


def test_autodiff_under_a_tolerance_has_the_wrong_sign(forward):
    J = np.asarray(forward(1e6, RTOL))
    assert J[1, 0] == pytest.approx(-199.38, abs=0.05)


def test_its_own_finite_difference_is_right():
    end = jax.jit(lambda x: flow(x, 1e6))
    x = np.array(START)
    columns = [(end(jnp.array(x + PROBE * axis)) - end(jnp.array(x - PROBE * axis))) / (2.0 * PROBE) for axis in np.eye(2)]
    J = np.stack(columns, axis=1)
    assert J[1, 0] == pytest.approx(3.6166, abs=0.01)
    assert J[1, 0] == pytest.approx(exact(1e6).jacobian_law[0, 1, 0], rel=3e-3)


def test_reverse_mode_drops_the_same_term(forward):
    back = jax.jit(jax.grad(lambda x: flow(x, 1e6, reverse=True)[1]))(jnp.array(START))
    np.testing.assert_allclose(back, forward(1e6, RTOL)[1], rtol=1e-9)


@pytest.mark.parametrize("k", [1e2, 1e4, 1e6])
def test_it_tends_to_the_branch_jacobian_not_to_the_exact_one(forward, k):
    loose, tight = (forward(k, rtol) for rtol in (1e-6, 1e-12))
    assert distance(tight, exact(k).jacobian_branch[0]) < 1e-3
    assert distance(tight, exact(k).jacobian_branch[0]) < 0.1 * distance(loose, exact(k).jacobian_branch[0])
    assert distance(tight, exact(k).jacobian_law[0]) > 0.4


@pytest.mark.parametrize("k", [1e4, 1e6])
def test_our_tolerance_autodiff_agrees_with_it(forward, k):
    ours = jacobian(BouncingMass(KelvinVoigt(k)), START, HORIZON, DormandPrince(rtol=RTOL), Autodiff()).jacobian
    np.testing.assert_allclose(ours, forward(k, RTOL), rtol=2e-3)


@pytest.mark.parametrize("k", [1e4, 1e6])
def test_one_matrix_makes_it_exact(k):
    """Flight by hand, the saltation matrix at touch-down, and diffrax for what follows."""
    speed = np.sqrt(2.0 * GRAVITY * START[0])
    fall = speed / GRAVITY
    damping = 2.0 * ZETA * np.sqrt(k)
    flight, entry = np.array([[1.0, fall], [0.0, 1.0]]), np.array([[1.0, 0.0], [-damping, 1.0]])
    # The contact is entered from just below the plane: there the force is on from the first stage.
    after = jax.jacfwd(lambda x: flow(x, k, rtol=1e-12, horizon=HORIZON - fall))(jnp.array([-1e-13, -speed]))
    law, branch = exact(k).jacobian_law[0], exact(k).jacobian_branch[0]
    # What is left comes from the one step that straddles the end of the push.
    assert distance(np.asarray(after) @ entry @ flight, law) < 5e-3
    assert distance(np.asarray(after) @ flight, branch) < 5e-3
    assert distance(np.asarray(after) @ flight, law) > 5.0


def test_a_force_that_enters_continuously_needs_no_matrix():
    J = jax.jit(jax.jacfwd(lambda x: flow(x, 1e6, push=hunt_crossley_push)))(jnp.array(START))
    law = reference(Settings(stiffness=1e6, law=HuntCrossley.name), np.array([1e6])).jacobian_law[0]
    assert distance(J, law) < 0.01


@pytest.mark.parametrize("dt, entry", [(1e-4, -160.86), (1e-5, -199.22)])
def test_a_tape_through_fixed_steps_is_our_autodiff(dt, entry):
    """Semi-implicit Euler as a `lax.scan`, differentiated by JAX: the product of steps is all autodiff sees."""

    def rollout(x0):
        def step(x, _):
            h, v = x
            v = v + dt * (jnp.where(h < 0.0, spring_push(h, v, 1e6), 0.0) - GRAVITY)
            return jnp.stack([h + dt * v, v]), None

        return jax.lax.scan(step, x0, None, length=round(HORIZON / dt))[0]

    J = jax.jit(jax.jacfwd(rollout))(jnp.array(START))
    assert J[1, 0] == pytest.approx(entry, abs=0.005)
    ours = jacobian(BouncingMass(KelvinVoigt(1e6)), START, HORIZON, SemiImplicitEuler(dt), Autodiff()).jacobian
    np.testing.assert_allclose(ours, J, rtol=1e-7)
