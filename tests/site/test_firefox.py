"""Every lesson in Firefox, walked by its own passing trail: predicted, looked at, answered, passed, kept."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ferrolab.bench.parts import choice_key
from ferrolab.controls import CONTROLS
from ferrolab.lesson import Lesson, load_lesson
from ferrolab.words import control_label, for_bench

pytestmark = pytest.mark.browser

LESSONS = sorted(path.parent for path in (Path(__file__).parents[2] / "lessons").glob("*/lesson.toml"))
WALK = Path(__file__).with_name("firefox") / "walk.mjs"
FIREFOX_NAMES = ("firefox-esr", "firefox")
LIMIT_SECONDS = 300


def firefox() -> str:
    """Return the path of Firefox; a machine without one fails the test, it does not skip it."""
    path = os.environ.get("FERROLAB_FIREFOX") or next(filter(None, map(shutil.which, FIREFOX_NAMES)), None)
    if path is None:
        pytest.fail("no Firefox on the PATH; install it or set FERROLAB_FIREFOX (scripts/test does)")
    return path


def acts(lesson: Lesson, events: list[dict]) -> list[dict]:
    """Return what to do on the page for each event of a trail: controls to change, or a question to answer."""
    now = {name: control.default for name, control in CONTROLS.items()}
    done = []
    for event in events:
        if event["kind"] == "seen":
            changed = {name: value for name, value in event["controls"].items() if now[name] != value}
            now |= changed
            done.append({"set": [_change(name, value, lesson.language) for name, value in changed.items()], "controls": event["controls"]})
        elif event["question"] != "predict":
            done.append({"question": event["question"], "kind": lesson.question(event["question"]).kind, "response": event["response"]})
    return done


def _change(name: str, value: float | str | bool, language: str) -> dict:
    control = CONTROLS[name]
    label = control_label(control, for_bench(language))
    return {"kind": control.kind, "label": label, "value": choice_key(value) if control.kind == "choice" else value}


@pytest.mark.parametrize("folder", LESSONS, ids=lambda folder: folder.name)
def test_a_student_passes_in_firefox(folder: Path, site_address: str) -> None:
    lesson = load_lesson(folder)
    events = json.loads((folder / "trails" / "passing.json").read_text(encoding="utf-8"))["events"]
    prediction = next(choice.id for choice in lesson.predict.choices if not choice.correct)
    job = {
        "firefox": firefox(), "address": site_address, "slug": lesson.slug, "prediction": prediction,
        "returns": folder == LESSONS[0], "acts": acts(lesson, events),
    }  # fmt: skip
    done = subprocess.run(["node", str(WALK), json.dumps(job)], capture_output=True, text=True, timeout=LIMIT_SECONDS)
    told = json.loads(done.stdout or json.dumps({"error": done.stderr}))
    assert told.get("error") is None, f"{told['error']}\n{told.get('troubles')}"
    assert told["troubles"] == []
    assert told["passed"] and told["truth"] and told["afterwards"] and told["card"]
    assert told["language"] == lesson.language
    answered = {event["question"]: event["response"] for event in told["events"] if event["kind"] == "answered"}
    assert answered["predict"] == prediction
