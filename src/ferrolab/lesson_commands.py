"""The part of the command line that is about lessons: check, new, record, grade, verify, export, schema. Registered by `ferrolab.cli`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

DONE, FAILED, BAD_INPUT = 0, 1, 2
LESSONS = Path("lessons")


def add_lesson_commands(commands: Any) -> None:
    """Add the subcommands to `commands`, an argparse subparsers object."""
    check = commands.add_parser("check", help="check lessons: files, recorded trails, and every figure in the prose")
    check.add_argument("paths", nargs="*", type=Path, metavar="LESSON", help="lesson folders, or folders of lessons; lessons/ here unless given")
    check.add_argument("--json", action="store_true", help="print JSON instead of text")
    check.set_defaults(run=_check)

    new = commands.add_parser("new", help="begin a lesson: new lesson my-lesson")
    new.add_argument("what", choices=("lesson",), metavar="lesson", help="the word lesson")
    new.add_argument("slug", metavar="NAME", help="the folder's name: small letters, digits and hyphens")
    new.add_argument("--dir", type=Path, default=LESSONS, metavar="DIR", help="where to make it, lessons unless given")
    new.set_defaults(run=_new)

    record = commands.add_parser("record", help="record a trail of a lesson from a list of what is looked at and answered")
    record.add_argument("lesson", type=Path, metavar="LESSON", help="the lesson's folder")
    record.add_argument("out", type=Path, metavar="OUT.json", help="the file to write")
    record.add_argument("steps", metavar="STEPS", help='JSON: [{"see": {"log_stiffness": 6}}, {"answer": ["id", response]}]')
    record.set_defaults(run=_record)

    grade = commands.add_parser("grade", help="grade a recorded trail")
    grade.add_argument("lesson", type=Path, metavar="LESSON", help="the lesson's folder")
    grade.add_argument("trail", type=Path, metavar="TRAIL.json", help="a trail as the page and ferrolab record it")
    grade.add_argument("--json", action="store_true", help="print the grade as the page has it, to the byte")
    grade.set_defaults(run=_grade)

    verify = commands.add_parser("verify", help="compute the evidence that learners hand in again")
    verify.add_argument("paths", nargs="+", type=Path, metavar="EVIDENCE", help="files that the page saved, or folders of them")
    verify.add_argument("--csv", type=Path, default=None, metavar="FILE", help="write a line for each file there too")
    verify.add_argument("--json", action="store_true", help="print JSON, with every figure, instead of a table")
    verify.add_argument("--lessons", type=Path, default=None, metavar="DIR", help="your lessons, beside ours; lessons/ here unless given")
    verify.set_defaults(run=_verify)

    export = commands.add_parser("export", help="make a package of one lesson for a learning management system")
    export.add_argument("kind", choices=("scorm", "cmi5"), metavar="KIND", help="scorm (SCORM 1.2) or cmi5 (xAPI)")
    export.add_argument("lesson", metavar="LESSON", help="the lesson's folder, or the name of one of ours")
    export.add_argument("--out", type=Path, required=True, metavar="FILE.zip", help="the file to write")
    export.set_defaults(run=_export)

    schema = commands.add_parser("schema", help="print the JSON Schema of lesson.toml, for an editor")
    schema.set_defaults(run=_schema)


def _check(args: argparse.Namespace) -> int:
    from ferrolab.lesson.command import check_command

    return check_command(args.paths, as_json=args.json)


def _new(args: argparse.Namespace) -> int:
    from ferrolab.lesson.new import new_lesson

    try:
        folder = new_lesson(args.slug, args.dir)
    except (OSError, ValueError) as error:
        print(f"ferrolab: {error}", file=sys.stderr)
        return BAD_INPUT
    print(f"The lesson is in {folder}. Rewrite lesson.md and lesson.toml; see it with `ferrolab serve --watch`, and run `ferrolab check {folder}`.")
    return DONE


def _record(args: argparse.Namespace) -> int:
    from ferrolab.lesson.recording import record_command

    return record_command(args.lesson, args.out, args.steps)


def _grade(args: argparse.Namespace) -> int:
    from ferrolab.lesson.handin import grade_command

    return grade_command(args.lesson, args.trail, as_json=args.json)


def _schema(args: argparse.Namespace) -> int:
    from ferrolab.lesson.schema import lesson_schema

    print(json.dumps(lesson_schema(), indent=1))
    return DONE


def _verify(args: argparse.Namespace) -> int:
    from ferrolab.lesson.verify import verify_command
    from ferrolab.site.errors import SiteError
    from ferrolab.site.layout import find_sources, with_mine

    try:
        folders = with_mine(find_sources(), args.lessons).lesson_folders
    except SiteError as error:
        print(f"ferrolab: {error}", file=sys.stderr)
        return BAD_INPUT
    return verify_command(args.paths, folders, csv_file=args.csv, as_json=args.json)


def _export(args: argparse.Namespace) -> int:
    from ferrolab.site.build import read_lessons
    from ferrolab.site.errors import SiteError
    from ferrolab.site.export import export
    from ferrolab.site.layout import find_sources, with_mine

    try:
        sources = with_mine(find_sources(), None)
        ours = {folder.name: folder for folder in sources.lesson_folders}
        folder = Path(args.lesson)
        if not folder.is_dir():
            if args.lesson not in ours:
                raise SiteError(f"there is no lesson {args.lesson!r}; give its folder, or one of: {', '.join(ours)}")
            folder = ours[args.lesson]
        [lesson] = read_lessons([folder])
        export(args.kind, lesson, args.out, sources, progress=lambda line: print(line, flush=True))
    except SiteError as error:
        print(f"ferrolab: {error}", file=sys.stderr)
        return FAILED
    return DONE
