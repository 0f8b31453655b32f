"""The core against figures made by tools that share no code with it. See tests/data/README.md for their sources."""

from __future__ import annotations

import numpy as np
import pytest

from ferrolab.audit import Settings, exponent, readout, split, timing_term
from ferrolab.derivative import Autodiff, FiniteDifference, jacobian
from ferrolab.integrate import EventDriven, SemiImplicitEuler
from ferrolab.integrate.event_driven import exact_flow
from ferrolab.systems import BouncingMass
from ferrolab.contact import RigidImpact

from .golden import closed_form, lab
from .precise import semi_implicit_march

FIXED = 1e-9  # relative, of the fixed-step and rigid figures: the tolerance the golden file states
CLOSED = 1e-10  # of the closed form
ENTRIES, COUNTS = 1e-2, 2e-2  # of the tolerance route, platform dependent: the tolerances the golden file states

fixed_rows = pytest.mark.parametrize("row", lab()["sweep"], ids=lambda row: f"k=1e{row['log_k']:g},dt={row['dt']:g}")
adaptive_rows = pytest.mark.parametrize("row", lab()["adaptive"], ids=lambda row: f"k=1e{row['log_k']:g}")
closed_rows = pytest.mark.parametrize("case", closed_form(), ids=lambda case: f"k={case['stiffness']:g}")


def relative(found, reference) -> float:
    """Largest absolute entry of the difference over that of the reference: the lab's own measure."""
    found, reference = np.asarray(found, dtype=float), np.asarray(reference, dtype=float)
    return float(np.max(np.abs(found - reference)) / np.max(np.abs(reference)))


def at(row: dict, **others) -> Settings:
    return Settings(10.0 ** row["log_k"], **others)


@fixed_rows
def test_fixed_step_autodiff_jacobian_is_the_golden_one_in_every_entry(row):
    found = readout(at(row, dt=row["dt"]))
    np.testing.assert_allclose(found.jacobian, row["jac_penalty_autodiff"], rtol=FIXED)
    assert found.entry == pytest.approx(row["penalty_entry"], rel=FIXED)
    assert found.status == "ok"


@fixed_rows
def test_rigid_jacobian_at_the_realised_restitution_is_the_golden_one_in_every_entry(row):
    found = readout(at(row, dt=row["dt"]))
    np.testing.assert_allclose(found.jacobian_exact, row["jac_rigid_saltation"], rtol=FIXED)
    np.testing.assert_allclose(found.state_rigid, row["rigid_end"], rtol=FIXED)
    assert found.restitution == pytest.approx(row["measured_restitution"], rel=FIXED)
    assert found.entry_exact == pytest.approx(row["exact_entry"], rel=FIXED)


@fixed_rows
def test_fixed_step_errors_sign_and_step_count_are_the_golden_ones(row):
    found = readout(at(row, dt=row["dt"]))
    assert found.gradient_error == pytest.approx(row["gradient_error"], rel=FIXED)
    assert found.sign_agrees is row["sign_agrees"]
    assert found.accepted_steps == row["fixed_steps"] == found.evaluations.fixed


@fixed_rows
def test_fixed_step_final_state_is_the_golden_one(row):
    # 2e-9 and not 1e-9: the golden march adds 80,000 rounded steps and is itself off by up to 8.7e-10 (k = 1e8,
    # dt = 1e-5). The next test holds this core to 1e-11 of a march in thirty digits instead.
    found = readout(at(row, dt=row["dt"]))
    np.testing.assert_allclose(found.state, row["penalty_end"], rtol=2e-9)
    assert found.forward_error == pytest.approx(row["forward_error"], abs=1e-9)


@pytest.mark.parametrize("log_k", [4.0, 8.0])
def test_fixed_step_final_state_is_that_of_a_march_in_thirty_digits(log_k):
    # 80,000 steps; rounding of doubles in the leap is amplified by the contact to about 1e-12 (measured 2.5e-13).
    found = readout(Settings(10.0**log_k, dt=1e-5))
    np.testing.assert_allclose(found.state, semi_implicit_march(10.0**log_k, 1e-5, 80_000), rtol=0, atol=1e-11)


@closed_rows
def test_split_matrices_are_those_of_the_fifty_digit_closed_form(case):
    found = split(Settings(case["stiffness"]))
    for name in ("jacobian_penalty", "jacobian_branch", "jacobian_rigid", "state", "state_rigid"):
        np.testing.assert_allclose(getattr(found, name), case[name], rtol=CLOSED, err_msg=name)
    assert found.restitution == pytest.approx(case["restitution"], rel=CLOSED)


@closed_rows
def test_exact_flow_reports_impact_time_and_contact_duration(case):
    setting = Settings(case["stiffness"])
    flow = exact_flow(setting.system(np.array([case["stiffness"]])), setting.start[:, None], setting.horizon)
    assert flow.first_event[0] == pytest.approx(case["impact_time"], rel=CLOSED)
    assert flow.contact_time[0] == pytest.approx(case["contact_duration"], rel=CLOSED)
    assert flow.events[0] == 1


@adaptive_rows
def test_tolerance_route_entries_are_the_golden_ones(row):
    found = readout(at(row, stepping="tolerance"))
    assert found.derivative == "finite-difference"
    assert found.entry == pytest.approx(row["adaptive_entry"], rel=ENTRIES)
    assert relative(found.jacobian, row["jac_adaptive_richardson"]) < ENTRIES
    # The rollout itself is controlled to 1e-11 a step; a contact amplifies it (measured 2e-9 at most).
    np.testing.assert_allclose(found.state, row["adaptive_end"], atol=1e-8)
    assert found.restitution == pytest.approx(row["decomp_continuous_restitution"], abs=1e-8)


@adaptive_rows
def test_tolerance_route_costs_what_the_golden_one_costs(row):
    found = readout(at(row, stepping="tolerance"))
    assert found.accepted_steps == pytest.approx(row["adaptive_steps"], rel=COUNTS)
    assert found.evaluations.tolerance == pytest.approx(row["adaptive_jacobian_evals"], rel=COUNTS)
    assert found.evaluations.fixed == row["fixed_evals"]
    assert found.evaluations.ratio == pytest.approx(row["adaptive_cost_ratio"], rel=COUNTS)


@adaptive_rows
def test_plain_difference_without_extrapolation_is_the_golden_one(row):
    setting = at(row, stepping="tolerance")
    found = jacobian(setting.system(np.array(setting.stiffness)), setting.start, setting.horizon, setting.tolerance, FiniteDifference(richardson=False))
    assert relative(found.jacobian, row["jac_adaptive_fd_1e-6"]) < ENTRIES


@fixed_rows
def test_two_way_split_has_the_golden_integrator_share(row):
    # The golden reference is a difference over tolerance rollouts, good to ENTRIES of its own largest entry, about 3.6.
    found = readout(at(row, dt=row["dt"]))
    assert found.split.integrator == pytest.approx(row["discretisation_error_at"], abs=ENTRIES * 3.7)


@pytest.mark.parametrize("log_k", [2.0, 3.0, 4.0, 5.0])
def test_two_way_split_has_the_golden_contact_model_share_while_that_exceeds_the_noise_of_its_reference(log_k):
    # Above 1e5 the golden figure is the noise of its difference reference: its 9.4e-3 at 1e6 is 1.06e-2 in closed form.
    (row,) = [row for row in lab()["adaptive"] if row["log_k"] == log_k]
    assert readout(at(row)).split.contact_model == pytest.approx(row["model_error_at"], rel=ENTRIES)


@pytest.mark.parametrize("dt", lab()["divergence_exponent"])
@pytest.mark.parametrize("span", ["4_8", "2_8", "4_6", "6_8"])
def test_divergence_exponent_over_each_range_is_the_golden_one(dt, span):
    start, stop = map(float, span.split("_"))
    expected = lab()["divergence_exponent"][dt][span]
    assert exponent(Settings(1e4, dt=float(dt)), start, stop) == pytest.approx(expected, rel=FIXED)


@pytest.mark.parametrize("name", lab()["timing_term"])
def test_timing_terms_are_the_golden_ones(name):
    rows = dict(lab()["timing_term"][name])
    e = rows.pop("restitution", 0.6)
    for speed, expected in rows.items():
        assert timing_term(e, float(speed)) == pytest.approx(expected, rel=1e-14)  # one product and one quotient


@pytest.mark.parametrize("rtol", lab()["loose_tolerance_entry_at_1e6"])
def test_too_loose_a_tolerance_returns_the_golden_wrong_entry(rtol):
    found = readout(Settings(1e6, stepping="tolerance", rtol=float(rtol)))
    assert found.entry == pytest.approx(lab()["loose_tolerance_entry_at_1e6"][rtol], rel=ENTRIES)


@pytest.mark.parametrize("case", lab()["saltation_vs_fd"], ids=lambda case: f"h={case['h']},v={case['v']},T={case['t']}")
def test_rigid_saltation_jacobian_and_its_differences_are_the_golden_ones(case):
    system, x0 = BouncingMass(RigidImpact(case["e"])), [case["h"], case["v"]]
    flow = exact_flow(system, np.array(x0)[:, None], case["t"])
    np.testing.assert_allclose(flow.tangent[..., 0], case["saltation"], rtol=FIXED, atol=1e-14)
    differences = jacobian(system, x0, case["t"], EventDriven(), FiniteDifference(probe=1e-6, richardson=False))
    # A central difference at 1e-6 keeps ten digits of a double: 1e-16 / 1e-6 = 1e-10, a few of it per bounce.
    assert relative(differences.jacobian, case["saltation"]) < max(2 * case["rel_err"], 2e-9)


def test_autodiff_entry_of_the_golden_file_is_reached_through_the_public_call_too():
    (row,) = [row for row in lab()["sweep"] if row["log_k"] == 6.0 and row["dt"] == 1e-4]
    setting = at(row)
    found = jacobian(setting.system(np.array(1e6)), [1.0, 0.0], 0.8, SemiImplicitEuler(dt=1e-4), Autodiff())
    assert found.jacobian[1, 0] == pytest.approx(row["penalty_entry"], rel=FIXED)
    assert found.success
