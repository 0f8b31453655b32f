"""What the README says is what the library computes; its commands exist; its figure is the one the library draws."""

import importlib.util
import re
from pathlib import Path

import pytest
from ferrolab.audit import Settings, exponent, readout, split
from ferrolab.cli import build_parser
from ferrolab.contact import KelvinVoigt
from ferrolab.derivative import EventAware, jacobian
from ferrolab.integrate import RungeKutta4
from ferrolab.systems import BouncingMass

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FINDING = re.search(r"## The finding\n(.*?)!\[", README, re.S)[1]


def entry(**settings):
    return readout(Settings(1e6, **settings), costs=False).entry


@pytest.mark.parametrize(
    "quoted, value",
    [
        ("dv/dh0 = -199.4 where", lambda: split(Settings(1e6)).jacobian_branch[1][0]),
        ("where 3.6147 is right", lambda: split(Settings(1e6)).jacobian_penalty[1][0]),
        ("returns 3.61466;", lambda: entry(stepper="rk4", derivative="event-aware")),
        ("# dv/dh0 =    3.61466", lambda: entry(stepper="rk4", derivative="event-aware")),
        ("# dv/dh0 = -199.417", lambda: entry(stepper="rk4", derivative="event-aware", saltation=False)),
        ("# dv/dh0 = -199.4\n", lambda: entry(stepping="tolerance", derivative="autodiff")),
    ],
)
def test_a_quoted_number_is_the_computed_one_to_its_digits(quoted, value):
    assert quoted in README
    text = re.findall(r"-?\d+\.\d+", quoted)[0]
    assert f"{value():.{len(text.split('.')[1])}f}" == text


def test_a_hundred_times_finer_steps_and_a_tolerance_leave_it_there():
    for settings in (dict(stepper="rk4"), dict(stepper="rk4", dt=1e-6), dict(stepping="tolerance", derivative="autodiff")):
        assert entry(**settings) == pytest.approx(-199.4, rel=0.02)


def test_the_error_grows_as_the_square_root_of_the_stiffness():
    grown = [abs(split(Settings(k)).shares.event) for k in (1e4, 1e8)]
    assert grown[1] / grown[0] == pytest.approx(100.0, rel=2e-3)
    assert exponent(Settings(1e6, stepper="rk4", dt=1e-5, derivative="event-aware", saltation=False)) == pytest.approx(0.52, abs=0.01)


def test_the_finding_is_told_in_five_sentences():
    assert len(re.findall(r"[.](?=\s)", re.sub(r"`[^`]*`", "", FINDING))) == 5


def test_the_python_example_returns_what_it_says():
    system = BouncingMass(KelvinVoigt(stiffness=[1e4, 1e6]))
    found = jacobian(system, [1.0, 0.0], 0.8, RungeKutta4(dt=1e-4), EventAware()).jacobian[:, 1, 0]
    assert "# " + ", ".join(f"{value:.6f}" for value in found) in README


@pytest.mark.parametrize("command", re.findall(r"^ferrolab ([^#\n]+)", README, re.M))
def test_every_command_is_one_the_command_line_accepts(command):
    build_parser().parse_args(command.split())


@pytest.mark.parametrize("script", re.findall(r"`?(scripts/\w+)", README))
def test_every_script_exists(script):
    assert (ROOT / script).exists()


def test_every_picture_exists():
    for path in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README):
        assert (ROOT / path).is_file()


def test_the_figure_is_the_one_the_library_draws():
    spec = importlib.util.spec_from_file_location("figures", ROOT / "scripts" / "figures.py")
    figures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(figures)
    kept, drawn = figures.FINDING.read_text(encoding="utf-8"), figures.finding()
    number = r"-?\d+\.?\d*"
    assert re.sub(number, "#", kept) == re.sub(number, "#", drawn)
    # A tenth of a pixel: the last bit of a coordinate may differ between platforms.
    positions = ([float(x) for x in re.findall(number, text)] for text in (kept, drawn))
    assert next(positions) == pytest.approx(next(positions), abs=0.1)
