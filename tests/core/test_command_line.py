"""`ferrolab readout | sweep | split`: what they print, in which fields, and what they refuse."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import numpy as np
import pytest

from ferrolab.audit import Settings, readout, split
from ferrolab.cli import main

READOUT = {
    "stiffness", "log_stiffness", "dt", "law", "stepping", "derivative", "status", "restitution", "state",
    "state_rigid", "forward_error", "gradient_error", "jacobian", "jacobian_exact", "entry", "entry_exact",
    "sign_agrees", "accepted_steps", "evaluations", "split", "exponent",
}  # fmt: skip
ALSO_IN_A_READOUT = {"message", "stepper", "saltation"}
SPLIT = {"jacobian_penalty", "jacobian_branch", "jacobian_rigid", "state", "state_rigid", "restitution", "shares"}


def run(capsys, *arguments) -> str:
    assert main(list(arguments)) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def refused(capsys, *arguments) -> str:
    """The one sentence on standard error of a command that exits 2 and prints nothing else."""
    try:
        code = main(list(arguments))
    except SystemExit as stop:
        code = stop.code
    captured = capsys.readouterr()
    assert code == 2
    assert captured.out == ""
    assert captured.err.startswith("ferrolab: ") and captured.err.count("\n") == 1 and captured.err.endswith("\n")
    return captured.err


def test_readout_has_exactly_the_documented_fields(capsys):
    data = json.loads(run(capsys, "readout", "--log-stiffness", "6", "--dt", "1e-4", "--json"))
    assert set(data) == READOUT | ALSO_IN_A_READOUT
    assert set(data["evaluations"]) == {"fixed", "tolerance", "ratio"}
    assert set(data["split"]) == {"integrator", "contact_model", "step", "event", "event_carried"}
    assert data == readout(Settings(1e6)).as_dict()


def test_split_has_exactly_the_documented_fields(capsys):
    data = json.loads(run(capsys, "split", "--stiffness", "1e6", "--json"))
    assert set(data) == SPLIT | {"stiffness", "jacobian_route"}
    assert set(data["shares"]) == {"integrator", "contact_model", "step", "event", "event_carried"}
    assert data == split(Settings(1e6)).as_dict()


def test_split_gives_the_published_shares_at_1e6(capsys):
    shares = json.loads(run(capsys, "split", "--stiffness", "1e6", "--json"))["shares"]
    assert shares["event"] == pytest.approx(203.03, abs=5e-3)
    assert shares["contact_model"] == pytest.approx(0.0106, abs=5e-5)


@pytest.mark.parametrize("options, entry, tolerance", [
    (("--stepper", "rk4", "--derivative", "event-aware"), 3.61466, 1e-5),
    (("--stepper", "rk4", "--derivative", "event-aware", "--no-saltation"), -199.417, 1e-3),
    (("--stepping", "tolerance", "--derivative", "autodiff"), -199.4, 0.1),
    (("--stepping", "tolerance", "--derivative", "finite-difference"), 3.615, 1e-2),
    (("--stepping", "tolerance"), 3.615, 1e-2),
    (("--derivative", "autodiff", "--stepping", "fixed"), -160.857575, 1e-6),
])  # fmt: skip
def test_readout_returns_the_figures_the_lesson_turns_on(capsys, options, entry, tolerance):
    data = json.loads(run(capsys, "readout", "--log-stiffness", "6", *options, "--json"))
    assert data["entry"] == pytest.approx(entry, abs=tolerance)
    assert data["sign_agrees"] is (entry > 0)


def test_every_option_reaches_the_setting(capsys):
    arguments = {
        "--dt": "1e-3", "--law": "hunt-crossley", "--stepping": "fixed", "--derivative": "event-aware",
        "--stepper": "rk4", "--rtol": "1e-9", "--height": "0.7", "--velocity": "-1.5", "--horizon": "0.5",
        "--damping-ratio": "0.3", "--gravity": "5",
    }  # fmt: skip
    flat = [part for pair in arguments.items() for part in pair]
    data = json.loads(run(capsys, "readout", "--log-stiffness", "3.5", *flat, "--no-saltation", "--json"))
    expected = Settings(
        10.0**3.5, dt=1e-3, law="hunt-crossley", stepping="fixed", derivative="event-aware", stepper="rk4", rtol=1e-9,
        height=0.7, velocity=-1.5, horizon=0.5, damping_ratio=0.3, gravity=5.0, saltation=False,
    )  # fmt: skip
    assert data == readout(expected).as_dict()
    assert (data["law"], data["stepper"], data["saltation"], data["log_stiffness"]) == ("hunt-crossley", "rk4", False, 3.5)


@pytest.mark.parametrize("option, value", [
    ("--height", "0.9"), ("--velocity", "0.5"), ("--horizon", "0.7"), ("--damping-ratio", "0.2"), ("--gravity", "9"),
])  # fmt: skip
def test_each_number_changes_the_answer(capsys, option, value):
    changed = json.loads(run(capsys, "readout", "--log-stiffness", "4", option, value, "--json"))
    assert changed["state"] != readout(Settings(1e4)).as_dict()["state"]


def test_looser_tolerance_changes_the_answer(capsys):
    tight, loose = (
        json.loads(run(capsys, "readout", "--log-stiffness", "6", "--stepping", "tolerance", "--rtol", rtol, "--json")) for rtol in ("1e-11", "1e-6")
    )
    assert tight["entry"] > 0 > loose["entry"]
    assert tight["accepted_steps"] > loose["accepted_steps"]


@pytest.mark.parametrize("text, expected", [
    ("2:8:0.25", np.arange(25) * 0.25 + 2),
    ("2:8:0.01", np.round(np.arange(601) * 0.01 + 2, 2)),
    ("4:4:1", [4.0]),
    ("2:3:0.3", [2.0, 2.3, 2.6, 2.9]),
    ("-1:1:1", [-1.0, 0.0, 1.0]),
])  # fmt: skip
def test_sweep_includes_the_ends_of_its_range(capsys, text, expected):
    data = json.loads(run(capsys, "sweep", f"--log-stiffness={text}", "--dt", "1e-3", "--json"))
    assert [row["log_stiffness"] for row in data] == pytest.approx(list(expected), abs=1e-12)
    assert all(set(row) == READOUT | ALSO_IN_A_READOUT for row in data)


def test_human_output_is_an_aligned_table(capsys):
    lines = run(capsys, "readout", "--log-stiffness", "6").splitlines()
    assert "WRONG SIGN" in "\n".join(lines)
    start = lines[0].index("1e+06")
    assert all(line[start - 2 : start] == "  " and line[:start].strip() and line[start:].strip() for line in lines), "two columns"
    table = run(capsys, "sweep", "--log-stiffness", "2:8:1").splitlines()
    assert len(table) == 8
    assert "of which event 203.032" in " ".join(run(capsys, "split", "--stiffness", "1e6").split())


def test_json_is_strict_even_where_numbers_are_missing(capsys):
    # Explicit Euler on a contact it cannot hold: whatever overflowed is null, and the status says why.
    out = run(capsys, "readout", "--log-stiffness", "8", "--stepper", "explicit-euler", "--dt", "1e-3", "--json")
    data = json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert data["status"] in ("unstable-step", "diverged") and data["message"]


BAD = [
    # arguments, option named, what was given, part of what it must be
    (("readout", "--log-stiffness", "abc"), "--log-stiffness", "abc", "a number"),
    (("readout", "--log-stiffness", "nan"), "--log-stiffness", "nan", "between"),
    (("readout", "--log-stiffness", "inf"), "--log-stiffness", "inf", "between"),
    (("readout", "--log-stiffness", "99"), "--log-stiffness", "99", "between"),
    (("readout", "--log-stiffness", "6", "--dt", "0"), "--dt", "0", "greater than 0"),
    (("readout", "--log-stiffness", "6", "--dt=-1e-4"), "--dt", "-0.0001", "greater than 0"),
    (("readout", "--log-stiffness", "6", "--dt", "nan"), "--dt", "nan", "finite"),
    (("readout", "--log-stiffness", "6", "--dt", "x"), "--dt", "x", "a number"),
    (("readout", "--log-stiffness", "6", "--dt", "2"), "--dt", "2", "horizon"),
    (("readout", "--log-stiffness", "6", "--dt", "1e-12"), "--dt", "1e-12", "between 1e-09"),
    (("readout", "--log-stiffness", "6", "--law", "spring"), "--law", "spring", "kelvin-voigt, hunt-crossley, rigid"),
    (("readout", "--log-stiffness", "6", "--stepper", "euler"), "--stepper", "euler", "semi-implicit-euler"),
    (("readout", "--log-stiffness", "6", "--stepping", "both"), "--stepping", "both", "fixed, tolerance"),
    (("readout", "--log-stiffness", "6", "--derivative", "adjoint"), "--derivative", "adjoint", "autodiff, finite-difference, event-aware"),
    (("readout", "--log-stiffness", "6", "--rtol", "0"), "--rtol", "0", "between"),
    (("readout", "--log-stiffness", "6", "--rtol", "2"), "--rtol", "2", "between"),
    (("readout", "--log-stiffness", "6", "--height", "-1"), "--height", "-1", "0 or greater"),
    (("readout", "--log-stiffness", "6", "--height", "0"), "--height", "0", "greater than 0"),
    (("readout", "--log-stiffness", "6", "--velocity", "nan"), "--velocity", "nan", "finite"),
    (("readout", "--log-stiffness", "6", "--horizon", "0"), "--horizon", "0", "greater than 0"),
    (("readout", "--log-stiffness", "6", "--horizon", "inf"), "--horizon", "inf", "finite"),
    (("readout", "--log-stiffness", "6", "--damping-ratio", "-0.1"), "--damping-ratio", "-0.1", "between"),
    (("readout", "--log-stiffness", "6", "--gravity", "0"), "--gravity", "0", "greater than 0"),
    (("readout", "--log-stiffness", "6", "--gravity", "-9.81"), "--gravity", "-9.81", "greater than 0"),
    (("sweep", "--log-stiffness", "2:8"), "--log-stiffness", "2:8", "start:stop:step"),
    (("sweep", "--log-stiffness", "a:b:c"), "--log-stiffness", "a:b:c", "start:stop:step"),
    (("sweep", "--log-stiffness", "8:2:1"), "--log-stiffness", "8:2:1", "rise"),
    (("sweep", "--log-stiffness", "2:8:0"), "--log-stiffness", "2:8:0", "greater than 0"),
    (("sweep", "--log-stiffness", "2:8:nan"), "--log-stiffness", "2:8:nan", "rise"),
    (("sweep", "--log-stiffness", "2:8:1e-9"), "--log-stiffness", "2:8:1e-9", "at most"),
    (("split", "--stiffness", "0"), "--stiffness", "0", "between"),
    (("split", "--stiffness=-1e6"), "--stiffness", "-1000000", "between"),
    (("split", "--stiffness", "1e99"), "--stiffness", "1e+99", "between"),
    (("split", "--stiffness", "stiff"), "--stiffness", "stiff", "a number"),
]  # fmt: skip


@pytest.mark.parametrize("arguments, option, given, required", BAD, ids=lambda part: " ".join(part) if isinstance(part, tuple) else None)
def test_bad_input_is_refused_in_one_sentence_that_names_option_value_and_requirement(capsys, arguments, option, given, required):
    sentence = refused(capsys, *arguments)
    assert f"argument {option}: was " in sentence
    assert given in sentence.split("it must")[0]
    assert required in sentence.split("it must")[1]


@pytest.mark.parametrize("arguments, named", [
    ((), "COMMAND"),
    (("readout",), "--log-stiffness"),
    (("sweep",), "--log-stiffness"),
    (("split",), "--stiffness"),
    (("readout", "--log-stiffness"), "--log-stiffness"),
    (("readout", "--log-stiffness", "6", "--colour", "red"), "--colour"),
    (("dance",), "dance"),
])  # fmt: skip
def test_missing_or_unknown_arguments_are_refused_by_name(capsys, arguments, named):
    assert named in refused(capsys, *arguments)


def test_command_is_installed_and_prints_plain_json_to_a_pipe():
    command = [sys.executable, "-m", "ferrolab.cli", "readout", "--log-stiffness", "6", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stderr == ""
    assert math.isclose(json.loads(done.stdout)["entry"], -160.8575751636255, rel_tol=1e-9)
    bad = subprocess.run([*command, "--dt", "0"], capture_output=True, text=True, timeout=120)
    assert bad.returncode == 2 and bad.stdout == "" and "--dt" in bad.stderr


@pytest.mark.parametrize("derivative", [(), ("--derivative", "finite-difference")])
def test_a_matrix_that_the_route_does_not_have_cannot_be_left_out(capsys, derivative):
    assert main(["readout", "--log-stiffness", "6", "--no-saltation", *derivative]) == 2
    told = capsys.readouterr().err
    assert told.startswith("ferrolab: argument --derivative: was '") and "it must be event-aware beside --no-saltation" in told
