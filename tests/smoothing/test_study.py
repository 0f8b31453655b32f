"""The study of the falling mass: its fast rollout against the stepper, the match, the readout as it refines."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from ferrolab import smoothing
from ferrolab.contact import HardImpulse, PenaltyImpulse, SmoothedImpulse
from ferrolab.derivative.time_stepping import march_jacobian
from ferrolab.integrate.time_stepping import TimeStepping
from ferrolab.smoothing import HEIGHTS, Settings, drop, match, mismatch
from ferrolab.smoothing.readout import LATE
from ferrolab.systems import FallingMass
from ferrolab.validate import InvalidInput

STEPS = {"hard": HardImpulse(), "soft": PenaltyImpulse(1e4, 200.0), "smoothed": SmoothedImpulse(300.0)}


@pytest.mark.parametrize("dt", [5e-3, 1e-3])
@pytest.mark.parametrize("model", STEPS)
def test_the_fast_drop_is_the_stepper_s(model, dt):
    # Heights that no step finds exactly at the ground, where rounding would choose the branch.
    release = np.linspace(0.0003, 0.4, 37) + 1e-5 * np.pi
    fast = drop(model, release, dt)
    states = np.stack([release, np.zeros_like(release)], axis=-1)
    slow = march_jacobian(FallingMass(), STEPS[model], states, round(0.2 / dt), TimeStepping(dt))
    assert fast.height == pytest.approx(slow.state[:, 0], rel=1e-10, abs=1e-12)
    assert fast.velocity == pytest.approx(slow.state[:, 1], rel=1e-10, abs=1e-11)
    assert fast.height_gradient == pytest.approx(slow.jacobian[:, 0, 0], rel=1e-8, abs=1e-9)
    assert fast.velocity_gradient == pytest.approx(slow.jacobian[:, 1, 0], rel=1e-8, abs=1e-7)


def test_lanes_of_sharpness_are_each_their_own():
    kappa = np.array([30.0, 300.0])
    together = drop("smoothed", HEIGHTS, 2e-3, kappa[:, None])
    for i, k in enumerate(kappa):
        assert together.velocity[i] == pytest.approx(drop("smoothed", HEIGHTS, 2e-3, k).velocity, rel=1e-13)
    plain = drop("smoothed", HEIGHTS, 2e-3, kappa[:, None], tangent=False)
    assert np.array_equal(plain.velocity, together.velocity)


@pytest.mark.parametrize("noise", [0.002, 0.02, 0.1])
def test_the_matching_sharpness_is_a_minimum_that_scipy_finds_too(noise):
    found = match(noise, 1e-3)
    there = minimize_scalar(
        lambda x: float(mismatch(10.0**x, noise, 1e-3)),
        bracket=(math.log10(found.kappa) - 0.3, math.log10(found.kappa), math.log10(found.kappa) + 0.3),
        options={"xtol": 1e-9},
    )
    assert math.log10(found.kappa) == pytest.approx(there.x, abs=1e-3)
    assert found.mismatch == pytest.approx(there.fun, rel=1e-6)
    assert not found.at_edge
    # No better one elsewhere.
    others = mismatch(10.0 ** np.linspace(0.0, 4.5, 200), noise, 1e-3)
    assert np.min(others) > found.mismatch * (1.0 - 1e-9)


def test_where_one_step_is_long_the_match_is_that_of_the_logistic_and_the_normal_distribution():
    # min over c of the integral of (1/(1+exp(-c x)) - Phi(x))^2, by scipy, is at c = 1.701...
    x = np.linspace(-12.0, 12.0, 4001)
    normal = 0.5 * np.array([math.erfc(-t / math.sqrt(2.0)) for t in x])
    best = minimize_scalar(lambda c: np.sum((1.0 / (1.0 + np.exp(-c * x)) - normal) ** 2), bounds=(1.0, 3.0), method="bounded")
    assert match(0.001, 5e-3).kappa * 0.001 == pytest.approx(best.x, rel=0.01)
    # Shorter steps apply the factor more often: no fixed product of sharpness and noise matches.
    assert match(0.02, 1e-3).kappa * 0.02 > 2.0 * best.x


def test_a_match_at_the_end_of_the_search_says_so():
    assert match(1e-5, 5e-3).at_edge


# The readout

ASKED = Settings(model="stochastic", release_height=0.2, samples=300, dt=2e-3)


@pytest.mark.parametrize("model", smoothing.MODELS)
@pytest.mark.parametrize("height", [0.0, 0.1, 0.194, 0.2, 0.3137, 0.4])
def test_the_readout_is_plain_json_with_no_nan_and_every_key_at_every_stage(model, height):
    settings = replace(ASKED, model=model, release_height=height, samples=60)
    quick = smoothing.readout(settings)
    assert all(quick[key] is None for key in LATE)
    stages = [refined.readout for refined in smoothing.refine(settings)]
    for stage in (quick, *stages):
        assert stage.keys() == quick.keys()
        assert json.loads(json.dumps(stage, allow_nan=False)) == stage
    last = stages[-1]
    assert last["complete"] and last["drawn"] == 60
    assert [key for key in LATE if last[key] is None] in ([], ["sample_ratio"])
    assert last["final_velocity"] is not None and last["final_height"] is not None


def test_the_quick_readout_says_what_the_drop_says():
    for model in ("hard", "soft", "smoothed"):
        told = smoothing.readout(replace(ASKED, model=model))
        for height in (0.2, 0.2011):
            told = smoothing.readout(replace(ASKED, model=model, release_height=height))
            landed = drop(model, np.array([height]), 2e-3)
            assert told["final_velocity"] == pytest.approx(landed.velocity[0], rel=1e-12)
            assert told["velocity_gradient"] == pytest.approx(landed.velocity_gradient[0], rel=1e-12)
            assert told[f"{model}_final_height"] == pytest.approx(landed.height[0], rel=1e-12)


def test_before_contact_the_hard_gradient_is_zero_and_the_smoothed_one_reaches_out():
    told = smoothing.readout(replace(ASKED, model="hard", release_height=0.2))
    assert told["before_contact"]
    assert told["hard_velocity_gradient"] == 0.0
    assert told["smoothed_velocity_gradient"] < -10.0
    assert not smoothing.readout(replace(ASKED, release_height=0.19))["before_contact"]


def test_refining_adds_samples_until_all_are_in_and_then_the_match():
    stages = [refined.readout for refined in smoothing.refine(replace(ASKED, samples=1000))]
    drawn = [stage["drawn"] for stage in stages]
    assert drawn == sorted(drawn) and drawn[-1] == 1000
    assert len(stages) <= 24
    assert [stage["complete"] for stage in stages] == [False] * (len(stages) - 1) + [True]
    assert stages[-1]["kappa_best"] == match(0.02, 2e-3).kappa
    assert stages[-1]["mismatch_ratio"] >= 1.0


def test_refining_again_gives_the_same_numbers_whatever_came_between():
    first = [refined.readout for refined in smoothing.refine(ASKED)][-1]
    next(smoothing.refine(replace(ASKED, kappa=80.0)))
    assert [refined.readout for refined in smoothing.refine(ASKED)][-1] == first


def test_the_refined_numbers_are_those_of_the_estimators_and_of_the_curve():
    settings = replace(ASKED, samples=1000)
    *_, last = smoothing.refine(settings)
    told, curve = last.readout, last.curve
    place = int(np.argmin(np.abs(HEIGHTS - 0.2)))
    assert curve.drawn == 1000
    assert curve.velocity[place] == pytest.approx(told["final_velocity"], rel=1e-9)
    assert curve.velocity_gradient[place] == pytest.approx(told["zeroth_gradient"], rel=1e-9)
    assert curve.height[place] == pytest.approx(told["final_height"], rel=1e-9)
    assert curve.height_gradient[place] == pytest.approx(told["height_gradient"], rel=1e-9)
    assert abs(told["zeroth_gradient"] - told["average_gradient"]) < 4.0 * told["zeroth_error"]
    assert told["first_gradient"] == 0.0
    exact = smoothing.average_curve(0.02, 2e-3)
    assert curve.velocity == pytest.approx(exact.velocity, abs=0.25)
    assert len(last.drawn_heights) == len(last.drawn_velocities) == 60


def test_the_match_seen_through_the_readout_is_one_at_the_best_sharpness():
    best = match(0.02, 2e-3).kappa
    *_, last = smoothing.refine(replace(ASKED, kappa=best))
    assert last.readout["mismatch_ratio"] == pytest.approx(1.0, abs=1e-9)


def test_the_landing_height_is_where_the_hard_velocity_jumps():
    for dt in (5e-3, 1e-3):
        at = smoothing.landing_height(dt)
        below, above = drop("hard", np.array([at - 1e-9, at + 1e-9]), dt).velocity
        assert below == 0.0 and above == pytest.approx(-1.962)


def test_the_pictures_have_the_lengths_they_say():
    gap, factor = smoothing.force_profile(300.0)
    assert factor[len(gap) // 2] == pytest.approx(0.5)
    assert np.all(np.diff(factor) < 0.0)
    heights, velocities = smoothing.objective(ASKED, 0.15, 0.25)
    assert set(np.round(np.unique(velocities), 6)) == {0.0, -1.962}
    assert smoothing.curves("hard", 300.0, 1e-3) is smoothing.curves("hard", 200.0, 1e-3)


def test_settings_are_refused_in_a_sentence():
    for bad in ({"model": "rigid"}, {"kappa": 0.0}, {"noise": math.nan}, {"samples": 1}, {"dt": 0.3}, {"release_height": -0.1}, {"seed": 1.5}):
        with pytest.raises(InvalidInput, match=f"{next(iter(bad))} was .* it must be"):
            Settings(**bad)
