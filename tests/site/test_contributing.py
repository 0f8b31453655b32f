"""The examples of CONTRIBUTING.md are code that works where it says it goes."""

import re
from pathlib import Path

import numpy as np
import pytest

from ferrolab.derivative import Autodiff, FiniteDifference, jacobian
from ferrolab.integrate import RungeKutta4
from ferrolab.systems import BouncingMass

TEXT = (Path(__file__).resolve().parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
HEUN, HERTZ = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def made(source: str, name: str):
    space = {"__name__": __name__}
    exec(compile(source, "CONTRIBUTING.md", "exec"), space)
    return space[name]


def test_the_stepper_of_the_guide_has_the_order_it_states():
    heun = made(HEUN, "Heun")

    def end(steps):
        y = np.array([1.0])
        for _ in range(steps):
            y = y + heun(dt=1.0).increment(lambda y: -y, y, 1.0 / steps)
        return float(y[0])

    errors = [abs(end(n) - np.exp(-1.0)) for n in (50, 100)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(heun.order, abs=0.05)


def test_the_contact_law_of_the_guide_pushes_has_its_gradient_and_carries_a_jacobian():
    hertz = made(HERTZ, "Hertz")
    law = hertz(1e6)
    gap, rate = np.array([-1e-3, -1e-2]), np.array([1.0, -1.0])
    by_gap = (law.unclamped_force(gap + 1e-8, rate) - law.unclamped_force(gap - 1e-8, rate)) / 2e-8
    np.testing.assert_allclose(law.force_gradient(gap, rate)[0], by_gap, rtol=1e-5)
    system = BouncingMass(law)
    by_tape = jacobian(system, [1.0, 0.0], 0.8, RungeKutta4(dt=1e-5), Autodiff()).jacobian
    by_probe = jacobian(system, [1.0, 0.0], 0.8, RungeKutta4(dt=1e-5), FiniteDifference()).jacobian
    np.testing.assert_allclose(by_tape, by_probe, rtol=1e-2)  # nothing jumps at touch-down, so autodiff is right


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:src|tests|scripts|docs)/[\w./-]+)`", TEXT))))
def test_a_file_the_guide_names_is_there_unless_it_is_to_be_written(path):
    assert (Path(__file__).resolve().parents[2] / path).exists() or path.endswith(("heun.py", "hertz.py"))
