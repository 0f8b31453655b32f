"""The part of the audit on smoothed contact: what it says is what it measured."""

import numpy as np
import pytest

from ferrolab import smoothing
from ferrolab.audit.study import smoothing_part


@pytest.fixture(scope="module")
def part(audit):
    return audit[smoothing_part.ID]


def test_refining_the_step_lifts_the_mass_and_does_not_converge(part):
    heights = [step.hover for step in part.steps]
    assert np.all(np.diff(heights) > 0.0)
    # Halving the step from 2e-4 to 1e-4 s adds ln(2)/kappa.
    assert heights[-1] - heights[-2] == pytest.approx(np.log(2.0) / 300.0, rel=0.05)


def test_the_matching_sharpness_depends_on_the_step(part):
    products = [step.kappa_noise for step in part.steps]
    assert np.all(np.diff(products) > 0.0)
    assert part.steps[2].kappa_best == smoothing.match(0.02, 1e-3).kappa


def test_only_one_scaling_has_hard_contact_as_its_limit_on_the_bar(part):
    sharp = {row.scaling: row.bar for row in part.scalings if row.kappa == 3000.0}
    assert sharp["sweep"] == pytest.approx(1.0, abs=1e-3)
    assert sharp["converged"] == pytest.approx(1.87, abs=0.005)


def test_the_pathwise_estimate_is_cheap_only_where_smoothing_is_wide(part):
    assert part.variances[0].ratio > 100.0
    assert part.variances[-1].ratio < 0.3


def test_the_gradient_converges_with_the_sweeps(part):
    errors = [row.gradient_error for row in part.sweeps]
    assert np.all(np.diff(errors) < 0.0)
    assert errors[-1] < 1e-12


def test_its_findings_carry_the_measured_figures(part):
    text = " ".join(part.section().findings)
    for figure in ("9.6 mm", "-5.6 mm", "1.87 times", "2.22 at", "8.67 at"):
        assert figure in text
