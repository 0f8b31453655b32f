"""Stochastic smoothing: unbiased where it must be, biased where it must be, the same numbers everywhere."""

import concurrent.futures
import math
import multiprocessing
import threading
from functools import partial

import numpy as np
import pytest

from ferrolab.contact import HardImpulse, SmoothedImpulse
from ferrolab.integrate.time_stepping import TimeStepping
from ferrolab.smoothing import (
    FirstOrder,
    OfActions,
    OfRelease,
    OfState,
    Sampling,
    UnitStep,
    ZerothOrder,
    average,
    estimate,
    estimates,
    velocity_average,
)
from ferrolab.smoothing.average import average_of_step
from ferrolab.smoothing.drop import touching_heights
from ferrolab.smoothing.moments import Moments
from ferrolab.smoothing.quadrature import average as quadrature
from ferrolab.systems import FallingMass
from ferrolab.validate import InvalidInput

DT = 2e-3
ZEROTH = [ZerothOrder(b, a) for b in ("none", "center", "leave-one-out") for a in (False, True)]
# A right estimator leaves this many standard errors once in 16,000 tries; the seeds are fixed.
SIGMAS = 4.0

RELEASE = {
    "hard velocity": OfRelease("hard", DT),
    "hard height": OfRelease("hard", DT, output="height"),
    "soft velocity": OfRelease("soft", DT),
    "smoothed velocity": OfRelease("smoothed", DT, 150.0),
}


def reference(objective, theta, scale):
    breaks = touching_heights(objective.dt, 100) if isinstance(objective, OfRelease) else (0.0,)
    return quadrature(lambda points: objective.value(points[:, None]), theta, scale, breaks)


# The references

@pytest.mark.parametrize("theta", [-0.15, 0.0, 0.07])
def test_the_quadrature_gives_the_closed_form_of_the_step(theta):
    found = quadrature(lambda x: (x > 0) * 1.0, theta, 0.1, breaks=[0.0])
    assert found == pytest.approx(average_of_step(theta, 0.1), rel=1e-10)


def test_the_slope_of_the_averaged_step_is_the_published_one():
    assert average_of_step(0.0, 0.1)[1] == pytest.approx(3.98942, abs=5e-6)


def test_the_quadrature_integrates_polynomials_under_noise():
    found = quadrature(lambda x: x**3, 0.7, 0.3)
    assert found == pytest.approx((0.7**3 + 3 * 0.7 * 0.3**2, 3 * 0.7**2 + 3 * 0.3**2), rel=1e-12)


@pytest.mark.parametrize("noise", [0.003, 0.02, 0.08])
@pytest.mark.parametrize("height", [0.05, 0.19, 0.2, 0.3])
def test_the_average_of_the_hard_drop_is_that_of_the_quadrature(height, noise):
    found = average(np.array([height]), noise, DT)
    velocity = reference(RELEASE["hard velocity"], height, noise)
    assert (found.velocity[0], found.velocity_gradient[0]) == pytest.approx(velocity, rel=1e-10, abs=1e-10)
    level = reference(RELEASE["hard height"], height, noise)
    assert (found.height[0], found.height_gradient[0]) == pytest.approx(level, rel=1e-9, abs=1e-9)
    assert velocity_average(np.array([height]), noise, DT) == (found.velocity, found.velocity_gradient)


# Bias

@pytest.mark.parametrize("estimator", ZEROTH, ids=repr)
@pytest.mark.parametrize("objective", [UnitStep(), *RELEASE.values()], ids=["unit step", *RELEASE])
def test_the_zeroth_order_estimate_is_unbiased_within_its_own_error(objective, estimator):
    theta = 0.05 if isinstance(objective, UnitStep) else 0.195
    value, slope = reference(objective, theta, 0.02)
    found = estimate(objective, theta, Sampling(0.02, 40_000, seed=11), estimator)
    assert abs(found.value - value) < SIGMAS * found.value_error + 1e-12
    assert abs(found.gradient[0] - slope) < SIGMAS * found.standard_error[0]
    assert found.standard_error[0] == pytest.approx(math.sqrt(found.variance[0] / 40_000))


@pytest.mark.parametrize(
    "objective",
    [RELEASE["smoothed velocity"], OfRelease("soft", DT, damping_ratio=0.0), OfRelease("soft", DT, damping_ratio=0.0, output="height")],
    ids=["smoothed velocity", "undamped soft velocity", "undamped soft height"],
)
def test_the_pathwise_estimate_is_unbiased_where_nothing_jumps(objective):
    _, slope = reference(objective, 0.195, 0.02)
    found = estimate(objective, 0.195, Sampling(0.02, 40_000, seed=2), FirstOrder())
    assert abs(found.gradient[0] - slope) < SIGMAS * found.standard_error[0]
    assert found.standard_error[0] < 0.1 * abs(slope)


def test_the_pathwise_estimate_of_a_damped_spring_is_biased_by_the_jump_of_its_force():
    # The damper's force is there at once at touch-down: the term that autodiff leaves out of one rollout is left out of
    # the average over many.
    _, slope = reference(RELEASE["soft velocity"], 0.195, 0.02)
    found = estimate(RELEASE["soft velocity"], 0.195, Sampling(0.02, 40_000, seed=2), FirstOrder())
    assert abs(found.gradient[0] - slope) > 50.0 * found.standard_error[0]
    assert abs(found.gradient[0]) < 0.5 * abs(slope)


def test_the_pathwise_estimate_is_biased_at_a_jump():
    found = estimate(UnitStep(), 0.0, Sampling(0.1, 5000), FirstOrder())
    assert found.gradient[0] == 0.0 and found.standard_error[0] == 0.0
    assert average_of_step(0.0, 0.1)[1] > 3.9
    # The hard drop's velocity jumps: no sample ever sees it.
    found = estimate(RELEASE["hard velocity"], 0.195, Sampling(0.02, 5000), FirstOrder())
    _, slope = reference(RELEASE["hard velocity"], 0.195, 0.02)
    assert found.gradient[0] == 0.0
    assert slope < -30.0


def test_the_hard_height_s_pathwise_slope_is_the_saw_tooth_s_and_not_the_average_s():
    found = estimate(RELEASE["hard height"], 0.1, Sampling(0.02, 5000), FirstOrder())
    _, slope = reference(RELEASE["hard height"], 0.1, 0.02)
    assert found.gradient[0] == 1.0
    assert abs(slope) < 0.02


# Variance

def test_a_baseline_and_antithetic_pairs_lower_the_variance_and_change_no_mean():
    objective, sampling = OfRelease("hard", DT), Sampling(0.02, 20_000, seed=4)
    plain, centred, left_out = (estimate(objective, 0.19, sampling, ZerothOrder(b)) for b in ("none", "center", "leave-one-out"))
    # f(theta) is 0 here: as a baseline it does nothing, and the mean of the others does better than nothing.
    assert centred.gradient[0] == plain.gradient[0]
    assert left_out.variance[0] < plain.variance[0]
    pairs = estimate(objective, 0.19, sampling, ZerothOrder(antithetic=True))
    assert pairs.evaluations == 2 * pairs.samples
    assert 2.0 * pairs.variance[0] < plain.variance[0]  # at the same number of evaluations


def test_the_error_falls_as_the_root_of_the_samples():
    objective = OfRelease("hard", DT)
    few, many = (estimate(objective, 0.195, Sampling(0.02, n), ZerothOrder()) for n in (2000, 32_000))
    assert few.standard_error[0] / many.standard_error[0] == pytest.approx(4.0, rel=0.1)


def test_which_estimator_is_cheaper_depends_on_how_sharp_the_function_is_against_the_noise():
    def ratio(kappa):
        objective, sampling = OfRelease("smoothed", 1e-3, kappa), Sampling(0.02, 4000)
        return (
            estimate(objective, 0.2, sampling, ZerothOrder("center")).variance[0]
            / estimate(objective, 0.2, sampling, FirstOrder()).variance[0]
        )

    assert ratio(20.0) > 10.0
    assert ratio(1000.0) < 1.0


# Noise of states, initial conditions and actions

def test_noise_on_a_state_on_initial_conditions_and_on_actions():
    mass, law, stepper = FallingMass(), SmoothedImpulse(100.0), TimeStepping(DT)
    cases = [
        (OfState(mass, law, stepper, 1, 1), [0.003, -0.5], 0.01),
        (OfState(mass, law, stepper, 50, 1), [0.05, -0.1], 0.01),
        (OfActions(mass, law, stepper, (0.05, 0.0), 25, 1), [0.0, 2.0, -1.0, 0.5], 1.5),
    ]
    for objective, theta, scale in cases:
        sampling = Sampling(scale, 30_000, seed=9, chunk=10_000)
        zeroth = estimate(objective, theta, sampling, ZerothOrder("leave-one-out", antithetic=True))
        first = estimate(objective, theta, sampling, FirstOrder())
        error = np.hypot(zeroth.standard_error, first.standard_error)
        assert zeroth.gradient.shape == (len(theta),)
        assert np.all(np.abs(zeroth.gradient - first.gradient) < SIGMAS * error)
        assert np.any(np.abs(first.gradient) > 10.0 * error)


def test_noise_on_the_position_of_one_hard_step_is_the_step_function_s():
    stepper = TimeStepping(DT)
    free = -0.5 - DT * 9.81
    objective = OfState(FallingMass(), HardImpulse(), stepper, 1, 1)

    def at_height(points):
        return objective.value(np.column_stack([points, np.full(len(points), -0.5)]))

    middle = 0.5 * DT * 0.5
    value, slope = average_of_step(0.004 - middle, 0.01)
    assert quadrature(at_height, 0.004, 0.01, [middle]) == pytest.approx((free * value, free * slope), rel=1e-10)


# The same everywhere

SAMPLING = Sampling(0.02, 2500, seed=3, chunk=400)


def bits(found):
    return (found.value, *found.gradient, *found.variance, *found.standard_error, found.samples)


# A process that has threads, as one of pytest's has, cannot be forked safely.
PROCESSES = partial(concurrent.futures.ProcessPoolExecutor, mp_context=multiprocessing.get_context("spawn"))


@pytest.mark.parametrize("pool", [concurrent.futures.ThreadPoolExecutor, PROCESSES], ids=["threads", "processes"])
def test_executors_give_the_same_bits(pool):
    objective = OfRelease("smoothed", 5e-3)
    alone = [bits(e) for e in estimates(objective, 0.2, SAMPLING, ZerothOrder("leave-one-out"))]
    with pool(2) as executor:
        together = [bits(e) for e in estimates(objective, 0.2, SAMPLING, ZerothOrder("leave-one-out"), executor)]
    assert together == alone
    assert len(alone) == 7


def test_dask_workers_give_the_same_bits():
    from distributed import Client, LocalCluster

    objective = OfRelease("smoothed", 5e-3)
    alone = bits(estimate(objective, 0.2, SAMPLING, FirstOrder()))
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        assert bits(estimate(objective, 0.2, SAMPLING, FirstOrder(), client.get_executor())) == alone


def test_the_seed_and_the_chunk_belong_to_the_result():
    objective = OfRelease("hard", DT)
    first = bits(estimate(objective, 0.2, SAMPLING, ZerothOrder()))
    assert bits(estimate(objective, 0.2, SAMPLING, ZerothOrder())) == first
    assert bits(estimate(objective, 0.2, Sampling(0.02, 2500, seed=4, chunk=400), ZerothOrder())) != first


def test_progress_is_told_and_cancels():
    told = []

    def progress(drawn, asked):
        told.append((drawn, asked))
        return drawn < 1000

    found = estimate(OfRelease("hard", DT), 0.2, SAMPLING, ZerothOrder(), progress=progress)
    assert told == [(400, 2500), (800, 2500), (1200, 2500)]
    assert found.samples == 1200 and not found.complete
    assert bits(found) == bits(list(estimates(OfRelease("hard", DT), 0.2, SAMPLING, ZerothOrder()))[2])


class Gate:
    """An objective that counts its chunks and, from the third on, waits until it is let go."""

    def __init__(self):
        self.chunks, self.open = 0, threading.Event()

    def value(self, points):
        self.chunks += 1
        if self.chunks > 2:
            assert self.open.wait(20)
        return points[:, 0]


def test_cancelling_keeps_the_other_chunks_from_being_worked_on():
    gate = Gate()
    with concurrent.futures.ThreadPoolExecutor(1) as executor:
        running = estimates(gate, 0.2, Sampling(0.02, 1000, chunk=10), ZerothOrder(), executor)
        assert next(running).samples == 10
        running.close()
        gate.open.set()
        assert executor.submit(lambda: 1).result(timeout=20) == 1
    assert gate.chunks <= 3  # the two that were let through and the one that was at work


def test_merged_moments_are_those_of_all_the_samples():
    x = np.random.default_rng(0).normal(3.0, 2.0, size=(1000, 2))
    merged = Moments.of(x[:1]).merged(Moments.of(x[1:700])).merged(Moments.of(x[700:]))
    assert merged.mean == pytest.approx(x.mean(axis=0), rel=1e-13)
    assert merged.variance == pytest.approx(x.var(axis=0, ddof=1), rel=1e-12)


def test_bad_sampling_is_refused():
    for bad in (
        lambda: Sampling(0.0, 10),
        lambda: Sampling(0.1, 1),
        lambda: Sampling(0.1, 2.5),
        lambda: Sampling(0.1, 10, seed=-1),
        lambda: ZerothOrder("guess"),
        lambda: OfRelease("stochastic", DT),
        lambda: estimate(UnitStep(), np.nan, Sampling(0.1, 10), ZerothOrder()),
    ):
        with pytest.raises(InvalidInput, match="must be"):
            bad()
