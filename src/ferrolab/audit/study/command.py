"""`ferrolab audit`: options in, report out. Exit 0 done, 1 the file could not be written, 2 bad input."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ferrolab.audit.study.csv_file import as_csv
from ferrolab.audit.study.html import as_html
from ferrolab.audit.study.options import Options
from ferrolab.audit.study.parts import PARTS
from ferrolab.audit.study.progress import Reporter
from ferrolab.audit.study.study import study
from ferrolab.audit.study.text import as_text

NUMBERS = {
    "stiffness": "k (1/s^2) of the parts that hold it",
    "rtol": "tolerance of the step size controller",
    "height": "start height (m)",
    "velocity": "start velocity (m/s, up positive)",
    "horizon": "time simulated (s)",
    "damping_ratio": "damping ratio of the spring-damper",
    "gravity": "gravity (m/s^2)",
}


def number(text: str) -> float:
    """A number, or argparse's error that says it was none."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"was {text!r}; it must be a number") from None


def stiffness_range(text: str) -> tuple[float, float]:
    """`start:stop`, log10 of the stiffness."""
    try:
        start, stop = (float(part) for part in text.split(":"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"was {text!r}; it must be start:stop in log10 k, for example 2:8") from None
    return start, stop


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `ferrolab audit`."""
    default = Options()
    parser.add_argument("--only", action="append", default=[], metavar="PART", help="one part, may be repeated: " + ", ".join(PARTS))
    shown = " ".join(f"{dt:g}" for dt in default.dts)
    parser.add_argument("--dt", dest="dts", type=number, nargs="+", default=default.dts, metavar="X", help=f"fixed steps (s), {shown} unless given")
    parser.add_argument("--range", type=stiffness_range, default=(default.start, default.stop), metavar="A:B", help="sweep of log10 k, 2:8 unless given")
    parser.add_argument("--stepper", default=default.stepper, metavar="NAME", help=f"fixed stepper, {default.stepper} unless given")
    for name, text in NUMBERS.items():
        value = getattr(default, name)
        parser.add_argument("--" + name.replace("_", "-"), type=number, default=value, metavar="X", help=f"{text}, {value:g} unless given")
    parser.add_argument("--thorough", action="store_true", help="also what takes about half an hour: gradient descent with located and adaptive rollouts")
    parser.add_argument("--quiet", action="store_true", help="no progress on the standard error stream")
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print every field as JSON")
    output.add_argument("--csv", action="store_true", help="print every value as CSV, a line each")
    output.add_argument("--html", type=Path, metavar="FILE", help="write the report with plots to FILE")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compute and write; returns the exit code."""
    options = Options(
        start=args.range[0], stop=args.range[1], dts=tuple(args.dts), stepper=args.stepper, thorough=args.thorough,
        **{name: getattr(args, name) for name in NUMBERS},
    )  # fmt: skip
    if args.html is not None and (why := _obstacle(args.html)):
        return _refuse(args.html, why)
    reporter = None if args.quiet else Reporter(len(set(args.only)) or len(PARTS))
    found = study(options, args.only, reporter)
    if args.html is not None:
        try:
            args.html.write_text(as_html(found), encoding="utf-8")
        except OSError as error:
            return _refuse(args.html, error.strerror or "it cannot be written")
        print(f"wrote {args.html}")
    elif args.json:
        print(json.dumps(found.as_dict(), indent=1, allow_nan=False))
    else:
        print(as_csv(found) if args.csv else as_text(found), end="" if args.csv else "\n")
    return 0


def _obstacle(path: Path) -> str:
    """Return why `path` cannot be written, found out before the long work, or "" when it can."""
    if not path.parent.is_dir():
        return "its folder does not exist"
    if path.is_dir():
        return "it is a folder"
    new = not path.exists()
    try:
        path.open("ab").close()
    except OSError:
        return "it cannot be written"
    if new:
        path.unlink()
    return ""


def _refuse(path: Path, why: str) -> int:
    print(f"ferrolab: argument --html: was {str(path)!r}; {why}. Name a file in a folder that can be written to.", file=sys.stderr)
    return 1
