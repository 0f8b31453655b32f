"""`ferrolab verify`: evidence files computed again, as a table, CSV or JSON for the instructor."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ferrolab.lesson.evidence import MAX_BYTES, EvidenceError, Verdict, read_evidence, verify
from ferrolab.lesson.load import load_lesson
from ferrolab.lesson.model import Lesson

HOLDS, DIFFERS, BAD_INPUT = 0, 1, 2
COLUMNS = (
    "file", "name", "lesson", "result", "passed", "checks_met", "checks", "questions_right", "questions", "readouts",
    "readouts_agree", "grade_agrees", "same_lesson", "same_trail_as", "note",
)  # fmt: skip
_FORMULA = tuple("=+-@\t\r")  # a spreadsheet would compute a cell that begins so


@dataclass(frozen=True)
class Row:
    """One file: its verdict, or why there is none."""

    file: str
    verdict: Verdict | None
    lesson: Lesson | None
    note: str = ""
    same_trail_as: str = ""

    @property
    def holds(self) -> bool:
        return self.verdict is not None and self.verdict.holds


def verify_command(
    paths: Sequence[Path], lessons: Sequence[Path], *, csv_file: Path | None = None, as_json: bool = False
) -> int:
    """Verify the evidence in `paths` (files, or folders of them) with the lesson folders `lessons`, and print a table.

    Returns 0 when every file holds, 1 when one does not or cannot be read, 2 when there is none or the CSV cannot be
    written.
    """
    try:
        files = evidence_files(paths)
        known = {folder.name: load_lesson(folder) for folder in lessons}
    except ValueError as error:
        print(f"ferrolab: {error}", file=sys.stderr)
        return BAD_INPUT
    rows = []
    for number, file in enumerate(files, 1):
        rows.append(judge(file, known))
        if len(files) > 1 and not as_json and sys.stderr.isatty():
            print(f"\r{number} of {len(files)}", end="" if number < len(files) else "\n", file=sys.stderr, flush=True)
    rows = _with_copies(rows)
    if csv_file is not None:
        try:
            with csv_file.open("w", encoding="utf-8", newline="") as out:
                write_csv(rows, out)
        except OSError as error:
            print(f"ferrolab: {str(csv_file)!r} cannot be written ({error.strerror}); choose another file with --csv.", file=sys.stderr)
            return BAD_INPUT
    print(json.dumps([_as_dict(row) for row in rows], indent=1, ensure_ascii=False) if as_json else table(rows))
    return HOLDS if all(row.holds for row in rows) else DIFFERS


def evidence_files(paths: Iterable[Path]) -> list[Path]:
    """The files in `paths`, and every .json in the folders among them. Raises ValueError when there is none."""
    out: list[Path] = []
    for path in paths:
        if path.is_dir():
            found = sorted(path.rglob("*.json"))
            if not found:
                raise ValueError(f"the folder {str(path)!r} holds no evidence; it is a .json file that the lesson page saves.")
            out += found
        elif path.is_file():
            out.append(path)
        else:
            raise ValueError(f"there is no file {str(path)!r}; give evidence files, or a folder of them.")
    return list(dict.fromkeys(out))


def judge(file: Path, lessons: dict[str, Lesson]) -> Row:
    """The row of one file; a file that is no evidence is a row that says so."""
    try:
        if file.stat().st_size > MAX_BYTES:
            raise EvidenceError(f"the file is larger than {MAX_BYTES} bytes, and no evidence is.")
        evidence = read_evidence(file.read_bytes())
    except OSError as error:
        return Row(str(file), None, None, f"the file cannot be read ({error.strerror}).")
    except EvidenceError as error:
        return Row(str(file), None, None, str(error))
    lesson = lessons.get(evidence.lesson)
    if lesson is None:
        return Row(str(file), None, None, f"the lesson {evidence.lesson!r} is not here; name its folder with --lessons.")
    verdict = verify(evidence, lesson)
    return Row(str(file), verdict, lesson, _note(verdict))


def _note(verdict: Verdict) -> str:
    different = [one for one in verdict.readouts if one.differences]
    notes = []
    if different:
        more = f" and {len(different) - 1} more" if len(different) > 1 else ""
        notes.append(f"event {different[0].number}: {different[0].differences[0]}{more}")
    if not verdict.grade_agrees:
        notes.append("the grade handed in is not what the trail is worth")
    if not verdict.same_lesson:
        notes.append("made with another version of the lesson")
    return "; ".join(notes)


def _with_copies(rows: list[Row]) -> list[Row]:
    """The rows, each with the first file that holds the very same trail."""
    first: dict[str, str] = {}
    out = []
    for row in rows:
        same = ""
        if row.verdict is not None:
            key = json.dumps(row.verdict.evidence.trail.to_dict(), sort_keys=True)
            same = first.setdefault(key, row.file)
        out.append(Row(row.file, row.verdict, row.lesson, row.note, same if same != row.file else ""))
    return out


def fields(row: Row) -> dict[str, Any]:
    """The row's columns."""
    out: dict[str, Any] = {**dict.fromkeys(COLUMNS, ""), "file": row.file, "note": row.note, "same_trail_as": row.same_trail_as}
    if row.verdict is None or row.lesson is None:
        return {**out, "result": "unreadable"}
    verdict = row.verdict
    return out | {
        "name": verdict.evidence.name, "lesson": verdict.evidence.lesson, "result": "holds" if verdict.holds else "differs",
        "passed": verdict.grade.passed, "checks_met": sum(c.met for c in verdict.grade.checks), "checks": len(verdict.grade.checks),
        "questions_right": verdict.questions_right, "questions": len(row.lesson.questions),
        "readouts": len(verdict.readouts), "readouts_agree": verdict.agreeing,
        "grade_agrees": verdict.grade_agrees, "same_lesson": verdict.same_lesson,
    }  # fmt: skip


def write_csv(rows: Iterable[Row], out: Any) -> None:
    """Write one line a file; a cell that a spreadsheet would take for a formula begins with an apostrophe."""
    writer = csv.DictWriter(out, COLUMNS)
    writer.writeheader()
    for row in rows:
        writer.writerow({key: _cell(value) for key, value in fields(row).items()})


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)


def table(rows: Sequence[Row]) -> str:
    """The rows for a terminal; a name cannot smuggle control characters into it."""
    lines = [("name", "lesson", "passed", "checks", "questions", "figures", "result", "file")]
    for row in rows:
        f = fields(row)
        if row.verdict is None:
            lines.append(("", "", "", "", "", "", "unreadable", Path(row.file).name))
        else:
            lines.append((
                f["name"] or "(no name)", f["lesson"], "yes" if f["passed"] else "no", f"{f['checks_met']}/{f['checks']}",
                f"{f['questions_right']}/{f['questions']}", f"{f['readouts_agree']}/{f['readouts']}", f["result"], Path(row.file).name,
            ))  # fmt: skip
    lines = [tuple(_printable(cell) for cell in line) for line in lines]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    out = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
    for row in rows:
        notes = [row.note] if row.note else []
        if row.same_trail_as:
            notes.append(f"the same trail as {row.same_trail_as}")
        out += [f"{row.file}: {_printable('; '.join(notes))}"] if notes else []
    held = sum(row.holds for row in rows)
    return "\n".join([*out, f"{held} of {len(rows)} files hold what the library computes. This proves the figures, not who looked at them."])


def _as_dict(row: Row) -> dict[str, Any]:
    out = fields(row)
    if row.verdict is not None:
        out["grade"] = row.verdict.grade.to_dict()
        out["figures"] = [{"event": r.number, "controls": dict(r.controls), "agrees": not r.differences, "differences": list(r.differences)} for r in row.verdict.readouts]
    return out
