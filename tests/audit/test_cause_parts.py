"""The parts of the audit that find the cause: refinement, tolerance, budget, alignment, probes, the table, the split."""

import numpy as np
import pytest

from ferrolab.audit.study import equal_budget, event_alignment
from ferrolab.audit.study.options import Options

EXACT, BRANCH = 3.61465950922, -199.4172168


# Refinement


def test_refinement_does_not_repair_autodiff(audit):
    for order in audit["refinement"].orders:
        assert abs(order.autodiff) < 0.05
    finest = [row for row in audit["refinement"].rows if row.steps_in_contact == 3000]
    assert all(row.error_autodiff > 0.4 for row in finest)


def test_refinement_converges_with_the_matrix_at_the_order_of_the_method(audit):
    for order in audit["refinement"].orders:
        assert order.event_aware == pytest.approx(1.0, abs=0.05)
        assert order.event_aware_rk4 == pytest.approx(4.0, abs=0.2)


def test_equally_resolved_contacts_still_obey_the_square_root_law(audit):
    growth = {row.steps_in_contact: row.exponent for row in audit["refinement"].growth}
    # The finite part of the branch Jacobian bends the law a little at the soft end: -199.42/-16.658 is not quite 10.
    for n in (300, 1000, 3000):
        assert growth[n] == pytest.approx(0.52, abs=0.005)
    ends = {row.steps_in_contact: row.ends for row in audit["refinement"].growth}
    assert ends[1000] == pytest.approx(0.5127, abs=5e-4)


def test_steps_in_contact_are_what_they_say(audit):
    contact = {2.0: 3.48430564e-01, 6.0: 2.86179226e-03}
    for row in audit["refinement"].rows:
        if row.log_stiffness in contact:
            assert contact[row.log_stiffness] / row.dt == pytest.approx(row.steps_in_contact, rel=0.06)


# Tolerance ladder


def test_differences_swing_through_both_signs_before_they_settle(audit):
    ladder = audit["tolerance-ladder"]
    entries = {rung.rtol: rung.entry for rung in ladder.route("finite-difference")}
    assert entries[1e-4] == pytest.approx(-279.8, abs=1.0)
    assert entries[1e-5] > 100.0
    assert entries[1e-6] == pytest.approx(-38.1, abs=0.5)
    assert entries[1e-11] == pytest.approx(EXACT, rel=0.01)
    assert ladder.settles_at("finite-difference") == pytest.approx(1e-11)


def test_no_tolerance_repairs_autodiff_and_every_tolerance_will_do_for_the_matrix(audit):
    ladder = audit["tolerance-ladder"]
    assert ladder.settles_at("autodiff") is None
    assert [rung.rtol for rung in ladder.route("autodiff")][-1] == 1e-12
    assert ladder.route("autodiff")[-1].entry == pytest.approx(BRANCH, abs=0.05)
    assert ladder.settles_at("event-aware") == 1e-4
    errors = [rung.error for rung in ladder.route("event-aware")]
    assert all(later < earlier for earlier, later in zip(errors, errors[1:]))


def test_cost_of_the_published_tolerance(audit):
    rung = next(r for r in audit["tolerance-ladder"].route("finite-difference") if r.rtol == 1e-11)
    assert rung.accepted == pytest.approx(199, abs=4)
    assert rung.evaluations == pytest.approx(14_800, rel=0.02)
    assert rung.evaluations % 7 == 0


# Equal budget


def test_best_error_never_rises_with_the_budget_and_respects_it(audit):
    budget = audit["equal-budget"]
    for one in equal_budget.COMPETITORS:
        best = [row for row in budget.best if row.label == one.label]
        errors = [row.error for row in best if row.error is not None]
        assert errors == sorted(errors, reverse=True)
        assert all(row.evaluations <= row.budget for row in best if row.error is not None)


def test_within_ten_thousand_evaluations_only_the_right_routes_are_right(audit):
    error = {row.label: row.error for row in audit["equal-budget"].best if row.budget == 10_000}
    assert error["spring-damper, tolerance, event-aware"] < 1e-10
    assert error["spring-damper, RK4, event-aware"] < 1e-4
    assert error["Hunt–Crossley, tolerance, autodiff"] < 1e-2
    assert error["spring-damper, Euler, autodiff"] > 10.0
    assert error["spring-damper, tolerance, autodiff"] > 10.0


# Event alignment


@pytest.fixture(scope="module")
def alignment(audit):
    return audit["event-alignment"]


def test_a_lucky_grid_does_not_help(alignment):
    held = [row for row in alignment.rows if row.phase == 0.0 and row.hit_time == "held constant"]
    assert all(row.error > 40.0 for row in held)
    assert held[-1].entry == pytest.approx(BRANCH, rel=0.01)


def test_differentiating_the_hit_time_repairs_it_wherever_the_grid_lies(alignment):
    moved = [row for row in alignment.rows if row.hit_time == "differentiated"]
    assert all(row.error < 0.06 for row in moved)
    finest = min(row.dt for row in moved)
    assert all(row.error < 0.01 for row in moved if row.dt == finest)


def test_hit_time_derivative_matches_differences_of_the_same_grid(alignment):
    """Move the start and let the grid move with touch-down: the two-part rollout's own central difference."""
    options, dt, probe = Options(), 1e-4, 1e-7
    m, n = event_alignment.counts(options, dt, 0.0)
    _, moved = event_alignment._two_phase(options, dt, 0.0)
    for column, name in enumerate(("height", "velocity")):
        ends = []
        for sign in (1.0, -1.0):
            near = Options(**{name: getattr(options, name) + sign * probe})
            ends.append(event_alignment.two_part(near, near.touch_down, m, n, aligned=True)[0])
        np.testing.assert_allclose((ends[0] - ends[1]) / (2.0 * probe), moved[:, column], rtol=1e-5, atol=1e-5)


# Probe sweep


def test_differences_of_the_exact_flow_have_truncation_plateau_and_rounding(audit):
    regime = audit["probe-sweep"].regimes[0]
    assert regime.stepping == "exact flow"
    assert regime.above == pytest.approx(2.0, abs=0.05)
    assert regime.below == pytest.approx(-1.0, abs=0.2)
    assert regime.best_error < 1e-9


def test_small_probes_see_the_branch_of_a_fixed_step(audit):
    fixed = {row.probe: row.entry for row in audit["probe-sweep"].curve("fixed 0.0001 s")}
    for probe, entry in fixed.items():
        if 1e-10 < probe < 1e-5:
            assert entry == pytest.approx(-160.8576, abs=1e-3)
    assert fixed[0.01] > 0.0


def test_a_tolerance_needs_a_probe_above_its_own_noise(audit):
    rows = {row.probe: row.error for row in audit["probe-sweep"].curve("tolerance 1e-11")}
    assert rows[1e-3] < 1e-4
    assert rows[1e-12] > 1.0


# Law x stepping x route


@pytest.mark.parametrize(
    "law, stepper, parameter, derivative, entry, within",
    [
        ("kelvin-voigt", "semi-implicit-euler", 1e-4, "autodiff", -160.86, 0.005),
        ("kelvin-voigt", "semi-implicit-euler", 1e-5, "autodiff", -199.22, 0.005),
        ("kelvin-voigt", "dormand-prince", 1e-11, "finite-difference", 3.6156, 0.01),
        ("kelvin-voigt", "dormand-prince", 1e-11, "autodiff", -199.4, 0.05),
        ("kelvin-voigt", "dormand-prince", 1e-11, "event-aware", EXACT, 1e-8),
        ("kelvin-voigt", "rk4", 1e-4, "event-aware", 3.6146612817, 1e-8),
        ("kelvin-voigt", "rk4", 1e-4, "event-aware without its matrix", -199.4175, 1e-4),
        ("hunt-crossley", "semi-implicit-euler", 1e-4, "autodiff", 38.2, 0.05),
        ("hunt-crossley", "semi-implicit-euler", 1e-5, "autodiff", 8.57, 0.005),
        ("hunt-crossley", "dormand-prince", 1e-11, "autodiff", 3.41, 0.05),
        ("rigid", "semi-implicit-euler", 1e-4, "autodiff", 0.0, 1e-12),
        ("rigid", "dormand-prince", 1e-11, "event-aware", 3.612104994, 1e-8),
    ],
)
def test_cells_of_the_table(audit, law, stepper, parameter, derivative, entry, within):
    assert audit["combinations"].cell(law, stepper, parameter, derivative).entry == pytest.approx(entry, abs=within)


def test_a_force_without_a_jump_has_no_matrix_to_miss(audit):
    cells = [c for c in audit["combinations"].cells if c.law == "hunt-crossley"]
    with_it = [c.entry for c in cells if c.derivative == "event-aware"]
    without = [c.entry for c in cells if c.derivative == "event-aware without its matrix"]
    np.testing.assert_allclose(with_it, without, rtol=1e-9)


def test_every_combination_is_there_once(audit):
    cells = audit["combinations"].cells
    names = {(c.law, c.stepper, c.parameter, c.derivative) for c in cells}
    assert len(cells) == len(names) == 3 * 7 * 4


# Three-way split

SHARES = {2.0: (1.6673326, 1.1811), 4.0: (20.269927, 0.107731), 6.0: (203.03188, 0.0106076), 8.0: (2030.3517, 0.00105906)}
ENTRIES = {
    2.0: (3.36437497667, 1.697042353, 3.278462465),
    4.0: (3.61236611139, -16.65756051, 3.58835037),
    6.0: (3.61465950922, -199.4172168, 3.612104994),
    8.0: (3.61468219764, -2026.736985, 3.614425229),
}


@pytest.mark.parametrize("log", list(SHARES))
def test_shares_and_entries(audit, log):
    point = next(p for p in audit["split"].points if p.log_stiffness == log)
    assert (point.event, point.model) == (pytest.approx(SHARES[log][0], rel=1e-7), pytest.approx(SHARES[log][1], rel=1e-4))
    for found, expected in zip((point.entry_law, point.entry_branch, point.entry_rigid), ENTRIES[log]):
        assert found == pytest.approx(expected, rel=1e-8)


def test_exponents_are_one_half_and_minus_one_half(audit):
    fits = {fit.share: fit for fit in audit["split"].fits}
    assert fits["event"].exponent == pytest.approx(0.5, abs=1e-3)
    assert fits["model"].exponent == pytest.approx(-0.5, abs=5e-3)
    assert fits["event"].residual < 1e-3


def test_noise_floor_lies_far_below_every_share(audit):
    split = audit["split"]
    assert 0.0 < split.noise_floor < 1e-7
    for point in split.points:
        assert min(point.event, point.model) > 1e4 * point.floor
        assert point.floor == max(point.two_methods, point.one_ulp)
