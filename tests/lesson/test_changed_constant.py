"""A changed constant in the core makes `ferrolab check` name every sentence that has become false, and no other.

The constant is changed in a copy of the package. What must be named is worked out here with the unchanged package, by
asking for the same quantities with the changed constant as a setting.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import ferrolab
from ferrolab.audit import Settings, trajectory
from ferrolab.lesson.drop import FUNCTIONS
from ferrolab.lesson.quantities import OF_THE_DROP
from ferrolab.lesson.values import LivingFigure, evaluate, parse_call, parse_value

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted(path.parent for path in ROOT.glob("lessons/*/lesson.toml"))
ROLE = re.compile(r"\{value\}`([^`]+)`")
CHANGED = 0.2  # the damping ratio, 0.1606 in the core
HEAVIER = 12.5  # gravity in the study of the falling mass, 9.81 in the core
WEIGHTLESS = ("sigma_at", "scaling_share")  # functions that gravity does not enter


def changed(call: str) -> float:
    """What `call` gives under the changed damping ratio."""
    name, *pairs = call.split()
    if name in WEIGHTLESS:
        return evaluate(parse_call(call)[0])
    if name in OF_THE_DROP or name in FUNCTIONS:
        return evaluate(parse_call(f"{call} gravity={HEAVIER}")[0])
    if name == "timing_term" and "restitution=" in call:  # a formula of the restitution, which it is given
        return evaluate(parse_call(call)[0])
    if name == "contact_steps":
        given = dict(pair.split("=") for pair in pairs)
        settings = Settings(stiffness=10.0 ** float(given["log_stiffness"]), damping_ratio=CHANGED)
        return trajectory(settings, samples=2).contact_time / float(given["dt"])
    return evaluate(parse_call(f"{call} damping_ratio={CHANGED}")[0])


def still_holds(source: str) -> bool:
    figure: LivingFigure = parse_value(source)
    first, _, second = source.partition("|")[2].partition(" over ")
    value = changed(first.strip()) / (changed(second.strip()) if second else 1.0)
    return figure.holds(value * figure.scale)


def false_lines(folder: Path) -> set[tuple[str, int]]:
    out = set()
    for name in ("lesson.md", "lesson.toml"):
        for number, line in enumerate((folder / name).read_text(encoding="utf-8").splitlines(), 1):
            if any(not still_holds(source.replace("\\\\", "\\")) for source in ROLE.findall(line)):
                out.add((name, number))
    source = (folder / "lesson.toml").read_text(encoding="utf-8")
    for question in tomllib.loads(source)["questions"]:
        if "value" in question and abs(changed(question["value"]) - question["answer"]) > question["tolerance"]:
            line = f'value = "{question["value"]}"'
            out.add(("lesson.toml", source[: source.index(line, source.index(f'id = "{question["id"]}"'))].count("\n") + 1))
    return out


@pytest.fixture(scope="module")
def changed_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("changed")
    shutil.copytree(Path(ferrolab.__file__).parent, root / "ferrolab", ignore=shutil.ignore_patterns("__pycache__"))
    settings = root / "ferrolab" / "audit" / "settings.py"
    text = settings.read_text(encoding="utf-8")
    assert text.count("0.1606,") == 1
    settings.write_text(text.replace("0.1606,", f"{CHANGED},"), encoding="utf-8")
    study = root / "ferrolab" / "smoothing" / "closed_form.py"
    text = study.read_text(encoding="utf-8")
    assert text.count("\nGRAVITY = 9.81\n") == 1
    study.write_text(text.replace("\nGRAVITY = 9.81\n", f"\nGRAVITY = {HEAVIER}\n"), encoding="utf-8")
    return root


@pytest.mark.parametrize("folder", LESSONS, ids=lambda folder: folder.name)
def test_every_sentence_that_has_become_false_is_named_and_no_other(changed_package: Path, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ferrolab.cli", "check", str(folder), "--json"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(changed_package)},
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    diagnostics = json.loads(done.stdout)["lessons"][0]["diagnostics"]
    named = {(one["file"], one["line"]) for one in diagnostics if one["code"] == "L021"}
    expected = false_lines(folder)
    assert named == expected
    assert len(expected) >= 10
    assert any(one["code"] == "L031" for one in diagnostics), "recorded trails no longer replay either"
