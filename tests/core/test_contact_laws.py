"""The contact laws: what they push with, that they never pull, and what touching down does to their force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ferrolab.contact import LAWS, HuntCrossley, KelvinVoigt, RigidImpact
from ferrolab.systems import BouncingMass
from ferrolab.validate import InvalidInput

below = st.floats(-0.1, -1e-6)
rates = st.floats(-10.0, 10.0)
stiffnesses = st.floats(2.0, 8.0).map(lambda p: 10.0**p)
forces = st.sampled_from([lambda k: KelvinVoigt(k, 0.1606), lambda k: KelvinVoigt(k, 2.0), lambda k: HuntCrossley(k, 0.12), lambda k: HuntCrossley(k, 1.0)])


def acceleration(law, h, v):
    return BouncingMass(law).field(np.array([h, v]))[1]


@given(law=forces, k=stiffnesses, h=st.floats(-0.1, 1.0), v=rates)
def test_contact_never_pulls(law, k, h, v):
    assert acceleration(law(k), h, v) >= -9.81


@given(law=forces, k=stiffnesses, h=st.floats(0.0, 1.0), v=rates)
def test_contact_does_nothing_at_or_above_the_plane(law, k, h, v):
    assert acceleration(law(k), h, v) == -9.81


@given(k=stiffnesses, zeta=st.floats(0.0, 2.0), h=below, v=rates)
def test_spring_damper_pushes_with_the_textbook_force(k, zeta, h, v):
    c = 2 * zeta * np.sqrt(k)
    expected = max(0.0, -k * h - c * v) - 9.81
    assert acceleration(KelvinVoigt(k, zeta), h, v) == pytest.approx(expected, rel=1e-12, abs=1e-9)


@given(k=stiffnesses, a=st.floats(0.0, 1.0), h=below, v=rates)
def test_hunt_crossley_pushes_with_the_textbook_force(k, a, h, v):
    expected = max(0.0, k * -h * (1 - a * v)) - 9.81
    assert acceleration(HuntCrossley(k, a), h, v) == pytest.approx(expected, rel=1e-12, abs=1e-9)


@given(law=forces, k=stiffnesses, h=below, v=rates)
def test_force_gradient_is_the_derivative_of_the_force(law, k, h, v):
    law = law(k)
    found = np.array([float(np.asarray(part)) for part in law.force_gradient(h, v)])
    # Both forces are polynomials of degree one in each argument: a central difference is exact up to rounding.
    by_gap = (law.unclamped_force(h + 1e-3, v) - law.unclamped_force(h - 1e-3, v)) / 2e-3
    by_rate = (law.unclamped_force(h, v + 1.0) - law.unclamped_force(h, v - 1.0)) / 2.0
    scale = abs(law.unclamped_force(h, v)) + k
    np.testing.assert_allclose(found, [by_gap, by_rate], rtol=1e-9, atol=1e-11 * scale)


@given(k=stiffnesses, v=st.floats(-20.0, -0.01))
def test_spring_damper_jumps_at_touch_down_by_c_times_the_speed_and_hunt_crossley_does_not(k, v):
    hair = -1e-15
    spring, smooth = KelvinVoigt(k), HuntCrossley(k)
    jump = acceleration(spring, hair, v) - acceleration(spring, 0.0, v)
    assert jump == pytest.approx(float(spring.damping) * abs(v), rel=1e-6, abs=1e-9)
    # What a hair of depth adds to Hunt-Crossley is the spring's own k |h| (1 + a |v|).
    assert acceleration(smooth, hair, v) - acceleration(smooth, 0.0, v) <= 1e-15 * k * (1 + 0.12 * 20) * 1.1 + 4e-15


@given(law=forces, k=stiffnesses, h=below, v=rates)
def test_tangent_of_the_field_is_its_derivative_on_the_branch_taken(law, k, h, v):
    system = BouncingMass(law(k))
    force = float(system.law.unclamped_force(h, v))
    # Away from the edge of the clamp, so that both sides of the difference are on one branch.
    assume(abs(force) > 1e-3 * k)
    x, step = np.array([h, v]), 1e-7
    assume(h + step < 0)
    numeric = np.stack([(system.field(x + step * a) - system.field(x - step * a)) / (2 * step) for a in np.eye(2)], axis=1)
    found = system.field_tangent(x, np.eye(2))
    scale = np.max(np.abs(found))
    np.testing.assert_allclose(found, numeric, rtol=0, atol=1e-6 * scale + 1e-8 * abs(force))


@given(k=st.lists(stiffnesses, min_size=1, max_size=4), h=st.floats(-0.1, 0.1), v=rates)
def test_lanes_of_stiffness_push_each_with_its_own(k, h, v):
    together = BouncingMass(KelvinVoigt(np.array(k))).field(np.stack([np.full(len(k), h), np.full(len(k), v)]))
    for lane, stiffness in enumerate(k):
        np.testing.assert_array_equal(together[:, lane], BouncingMass(KelvinVoigt(stiffness)).field(np.array([h, v])))


def test_the_laws_are_named_as_the_command_line_names_them():
    assert LAWS[:3] == ("kelvin-voigt", "hunt-crossley", "rigid")


@pytest.mark.parametrize("make, name", [
    (lambda: KelvinVoigt(0.0), "stiffness"),
    (lambda: KelvinVoigt(-1.0), "stiffness"),
    (lambda: KelvinVoigt(np.nan), "stiffness"),
    (lambda: KelvinVoigt(np.inf), "stiffness"),
    (lambda: KelvinVoigt([1e4, 0.0]), "stiffness"),
    (lambda: KelvinVoigt("stiff"), "stiffness"),
    (lambda: KelvinVoigt(1e4, -0.1), "damping_ratio"),
    (lambda: HuntCrossley(1e4, -0.1), "dissipation"),
    (lambda: HuntCrossley(1e4, np.nan), "dissipation"),
    (lambda: RigidImpact(-0.1), "restitution"),
    (lambda: RigidImpact(np.nan), "restitution"),
    (lambda: BouncingMass(KelvinVoigt(1e4), gravity=0.0), "gravity"),
    (lambda: BouncingMass(KelvinVoigt(1e4), gravity=-9.81), "gravity"),
])  # fmt: skip
def test_bad_parameters_are_refused_by_name(make, name):
    with pytest.raises(InvalidInput, match=rf"^{name} was .*; it must be ") as refused:
        make()
    assert refused.value.name == name


@pytest.mark.parametrize("law", [KelvinVoigt(1e4), HuntCrossley(1e4), RigidImpact(0.6)], ids=lambda law: law.name)
def test_a_law_cannot_be_changed_after_it_is_made(law):
    with pytest.raises(AttributeError):
        law.stiffness = 1.0
