"""Evidence: what holds, what was forged, what is no evidence; and the tables an instructor gets."""

from __future__ import annotations

import copy
import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from places import LESSON_ONE, ROOT
from hypothesis import given
from hypothesis import strategies as st

from ferrolab.cli import main
from ferrolab.lesson import Trail, grade, load_lesson
from ferrolab.lesson.evidence import EvidenceError, Verdict, lesson_key, read_evidence, verify
from ferrolab.lesson.verify import Row, table, write_csv

LESSON = load_lesson(LESSON_ONE)


def evidence_of(folder: Path, trail: str = "passing", name: str = "Ada") -> dict[str, Any]:
    lesson = load_lesson(folder)
    given = json.loads((folder / "trails" / f"{trail}.json").read_text(encoding="utf-8"))
    return {
        "evidence": 1, "lesson": lesson.slug, "lesson_key": lesson_key(lesson), "ferrolab": "0.1.0", "name": name,
        "made": "2026-03-01T10:00:00.000Z", "trail": given, "grade": grade(lesson, Trail.from_dict(given)).to_dict(),
    }  # fmt: skip


def judged(value: dict[str, Any]) -> Verdict:
    return verify(read_evidence(json.dumps(value).encode()), LESSON)


@pytest.mark.parametrize("path", sorted(ROOT.glob("lessons/*/trails/*.json")), ids=lambda path: f"{path.parents[1].name}/{path.stem}")
def test_evidence_of_every_trail_of_every_lesson_holds(path: Path) -> None:
    folder = path.parents[1]
    verdict = verify(read_evidence(json.dumps(evidence_of(folder, path.stem)).encode()), load_lesson(folder))
    assert verdict.holds and verdict.same_lesson and verdict.agreeing == len(verdict.readouts) > 0
    assert verdict.grade.passed == path.stem.startswith("passing")


def seen(value: dict[str, Any], number: int = 0) -> dict[str, Any]:
    return [event for event in value["trail"]["events"] if event["kind"] == "seen"][number]


FORGERIES = {
    "a figure changed": lambda v: seen(v)["readout"].update(gradient_error=0.0),
    "a sign turned": lambda v: seen(v)["readout"].update(sign_agrees=True),
    "a figure left out": lambda v: seen(v)["readout"].pop("gradient_error"),
    "other settings": lambda v: seen(v)["controls"].update(log_stiffness=4.01),
    "settings no bench has": lambda v: seen(v)["controls"].update(dt=1e-12),
    "a control no bench has": lambda v: seen(v)["controls"].update(gravity=3.7),
    "a status made up": lambda v: seen(v)["readout"].update(status="fine"),
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=list(FORGERIES))
def test_a_forged_readout_is_found_and_only_that_one(forge: Any) -> None:
    value = evidence_of(LESSON_ONE)
    forge(value)
    verdict = judged(value)
    assert not verdict.holds
    assert [bool(one.differences) for one in verdict.readouts].count(True) == 1
    assert verdict.readouts[0].differences


def test_a_pass_by_forgery_is_graded_by_what_the_library_computes() -> None:
    value = evidence_of(LESSON_ONE, "failing")
    forged = copy.deepcopy(evidence_of(LESSON_ONE))
    for event in forged["trail"]["events"]:
        if event["kind"] == "seen":
            event["controls"]["log_stiffness"] = 2.0  # nothing is wrong down there
    value["trail"], value["grade"] = forged["trail"], forged["grade"]
    verdict = judged(value)
    assert not verdict.holds and not verdict.grade_agrees and not verdict.grade.passed


def test_a_grade_that_is_not_the_trails_is_found() -> None:
    value = evidence_of(LESSON_ONE, "failing")
    value["grade"] = evidence_of(LESSON_ONE)["grade"]
    verdict = judged(value)
    assert verdict.agreeing == len(verdict.readouts) and not verdict.grade_agrees and not verdict.holds


def test_evidence_of_a_reworded_lesson_still_holds_and_says_so() -> None:
    value = evidence_of(LESSON_ONE)
    value["lesson_key"] = "0" * 16
    value["grade"]["checks"][0]["label"] = "Another label"
    verdict = judged(value)
    assert verdict.holds and not verdict.same_lesson


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "no evidence"),
        (b'{"evidence": 2}', "no evidence of version 1"),
        (b'{"evidence": true}', "no evidence"),
        (b'{"evidence": 1}', "exactly the keys"),
        (json.dumps({**evidence_of(LESSON_ONE), "name": "x" * 201}).encode(), "name must be"),
        (json.dumps({**evidence_of(LESSON_ONE), "grade": 1}).encode(), "grade must be"),
        (json.dumps({**evidence_of(LESSON_ONE), "lesson": "another"}).encode(), "belongs to the lesson"),
        (json.dumps({**evidence_of(LESSON_ONE), "trail": None}).encode(), "must be an object"),
    ],
)
def test_what_is_no_evidence_is_refused_in_a_sentence(data: bytes, words: str) -> None:
    with pytest.raises(EvidenceError, match=words):
        read_evidence(data)


json_values = st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3), max_leaves=8)  # fmt: skip


@given(st.sampled_from(["name", "trail", "grade", "lesson_key", "evidence"]), json_values)
def test_any_value_anywhere_is_refused_or_judged(key: str, value: Any) -> None:
    try:
        verdict = judged({**evidence_of(LESSON_ONE, "failing"), key: value})
    except EvidenceError as error:
        assert str(error).endswith(".")
    else:
        assert verdict.agreeing <= len(verdict.readouts)


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    """A folder as a class leaves it: one good, one the same under another name, one forged, one of another lesson, rubbish."""
    folder = tmp_path / "handed-in"
    (folder / "late").mkdir(parents=True)
    good, forged = evidence_of(LESSON_ONE, name="=HYPERLINK(1)"), evidence_of(LESSON_ONE, "missing-exponent", "Bob\x1b[2J")
    FORGERIES["a sign turned"](forged)
    files = {"a.json": good, "late/b.json": {**good, "name": "Copy"}, "c.json": forged, "d.json": {**good, "lesson": "away", "trail": {**good["trail"], "lesson": "away"}}}
    for name, value in files.items():
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    (folder / "e.json").write_text("not evidence")
    return folder


def test_a_folder_becomes_a_table_and_a_csv(handed_in: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "class.csv"
    assert main(["verify", str(handed_in), "--csv", str(out)]) == 1
    text = capsys.readouterr().out
    assert "2 of 5 files hold" in text and "\x1b" not in text and "not who looked at them" in text
    assert "the same trail as" in text and "sign_agrees is recorded as True" in text
    rows = {Path(row["file"]).name: row for row in csv.DictReader(io.StringIO(out.read_text(encoding="utf-8")))}
    assert {name: row["result"] for name, row in rows.items()} == {
        "a.json": "holds", "b.json": "holds", "c.json": "differs", "d.json": "unreadable", "e.json": "unreadable",
    }  # fmt: skip
    assert rows["a.json"]["name"] == "'=HYPERLINK(1)" and rows["a.json"]["passed"] == "yes"
    assert rows["a.json"]["readouts_agree"] == rows["a.json"]["readouts"] and rows["a.json"]["checks_met"] == "4"
    assert rows["c.json"]["checks_met"] == "3" or rows["c.json"]["passed"] == "no"
    assert Path(rows["b.json"]["same_trail_as"]).name == "a.json"


def test_json_says_for_each_readout_whether_it_holds(handed_in: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(handed_in / "c.json"), "--json"]) == 1
    [report] = json.loads(capsys.readouterr().out)
    assert [one["agrees"] for one in report["figures"]].count(False) == 1
    assert report["grade"]["passed"] is False


def test_one_good_file_ends_with_zero(handed_in: Path) -> None:
    assert main(["verify", str(handed_in / "a.json")]) == 0


@pytest.mark.parametrize("make", [lambda folder: folder / "nowhere.json", lambda folder: folder])
def test_nothing_to_verify_is_bad_input(tmp_path: Path, make: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(make(tmp_path))]) == 2
    assert capsys.readouterr().err.startswith("ferrolab: ")


def test_a_csv_that_cannot_be_written_is_bad_input(handed_in: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(handed_in / "a.json"), "--csv", str(handed_in / "no" / "x.csv")]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_row_without_a_verdict_has_empty_columns() -> None:
    out = io.StringIO()
    write_csv([Row("x.json", None, None, "why")], out)
    [row] = csv.DictReader(io.StringIO(out.getvalue()))
    assert row["result"] == "unreadable" and row["note"] == "why" and row["passed"] == ""
    assert "0 of 1 files" in table([Row("x.json", None, None, "why")])
