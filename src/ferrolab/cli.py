"""The command line: `ferrolab readout | sweep | split | audit | check | new | record | grade | build | serve ...`. JSON on request, exit 2 on bad input."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np

from ferrolab import __version__
from ferrolab.audit import STEPPINGS, Settings, readout, split, sweep
from ferrolab.audit.study.command import add_options as add_audit_options
from ferrolab.contact import LAWS
from ferrolab.derivative import ROUTES
from ferrolab.derivative.event_aware import EventAware
from ferrolab.integrate import FIXED_STEPPERS
from ferrolab.lesson_commands import add_lesson_commands
from ferrolab.report import readout_table, split_table, sweep_table
from ferrolab.validate import InvalidInput

BAD_INPUT, FAILED = 2, 1

# Settings that are numbers, with the sentence the help shows.
NUMBERS = {
    "dt": "fixed time step (s)",
    "rtol": "tolerance of the step size controller",
    "height": "start height (m)",
    "velocity": "start velocity (m/s, up positive)",
    "horizon": "time simulated (s)",
    "damping_ratio": "damping ratio of the spring-damper",
    "gravity": "gravity (m/s^2)",
}
CHOICES = {"stepping": STEPPINGS, "derivative": ROUTES, "law": LAWS, "stepper": tuple(FIXED_STEPPERS)}


class _Parser(argparse.ArgumentParser):
    """Reports bad input as one sentence, without the usage block, and exits 2."""

    def __init__(self, *args, **options) -> None:
        super().__init__(*args, **options)
        # argparse takes -5e-1 for an option; its own pattern knows no exponents.
        self._negative_number_matcher = re.compile(r"^-(\d|\.\d)\S*$")

    def error(self, message: str) -> None:
        print(f"ferrolab: {message[:1].lower()}{message[1:]}", file=sys.stderr)
        raise SystemExit(BAD_INPUT)


def _number(name: str):
    def parse(text: str) -> float:
        try:
            return float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"was {text!r}; it must be a number") from None

    parse.__name__ = name
    return parse


def _range(text: str) -> np.ndarray:
    """`start:stop:step`, ends included."""
    try:
        start, stop, step = (float(part) for part in text.split(":"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"was {text!r}; it must be start:stop:step, for example 2:8:0.25") from None
    if not (np.isfinite([start, stop, step]).all() and step > 0 and stop >= start):
        raise argparse.ArgumentTypeError(f"was {text!r}; it must rise from start to stop by a step greater than 0")
    count = int(np.floor((stop - start) / step + 1e-9)) + 1
    if count > 100_001:
        raise argparse.ArgumentTypeError(f"was {text!r}; it must have at most 100001 points, and it has {count}")
    return np.round(start + step * np.arange(count), 12)


def _port(text: str) -> int:
    if not (text.isdecimal() and 1 <= int(text) <= 65535):
        raise argparse.ArgumentTypeError(f"was {text!r}; it must be a whole number between 1 and 65535")
    return int(text)


def _settings_options(parser: argparse.ArgumentParser) -> None:
    defaults = {f.name: f.default for f in fields(Settings)}
    for name, help_text in NUMBERS.items():
        parser.add_argument(_option(name), type=_number(name), default=defaults[name], metavar="X", help=f"{help_text}, {defaults[name]:g} unless given")
    for name, choices in CHOICES.items():
        parser.add_argument(_option(name), default=defaults[name], metavar="NAME", help="one of " + ", ".join(choices))
    parser.add_argument("--no-saltation", action="store_true", help="event-aware without its matrix, nothing else changed")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = _Parser(prog="ferrolab", description="Measure which part of a simulator makes its contact gradients wrong.")
    parser.add_argument("--version", action="version", version=f"ferrolab {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    one = commands.add_parser("readout", help="one setting, measured")
    one.add_argument("--log-stiffness", type=_number("log10"), required=True, metavar="X", help="log10 of k in 1/s^2")
    _settings_options(one)
    one.set_defaults(run=_readout)

    many = commands.add_parser("sweep", help="a readout for each stiffness of a range")
    many.add_argument("--log-stiffness", type=_range, required=True, metavar="A:B:S", help="start:stop:step of log10 k, ends included")
    _settings_options(many)
    many.set_defaults(run=_sweep)

    parts = commands.add_parser("split", help="the exact Jacobians at one stiffness and the shares of the error")
    parts.add_argument("--stiffness", type=_number("k"), required=True, metavar="K", help="k in 1/s^2")
    _settings_options(parts)
    parts.set_defaults(run=_split)

    audit = commands.add_parser("audit", help="everything at once: sweeps, tables, splits and descents, as text, JSON, CSV or HTML")
    add_audit_options(audit)

    add_lesson_commands(commands)

    build = commands.add_parser("build", help="build the static site")
    build.add_argument("--out", type=Path, default=Path("site"), metavar="DIR", help="folder to write, site unless given")
    build.set_defaults(run=_build)

    serve = commands.add_parser("serve", help="build the site if need be, and serve it on this machine")
    serve.add_argument("--port", type=_port, default=8000, metavar="N", help="port, 8000 unless given")
    serve.add_argument("--site", type=Path, default=None, metavar="DIR", help="serve this built site as it is")
    serve.add_argument("--watch", action="store_true", help="show what is saved, as it is saved; for authors")
    for command in (build, serve):
        command.add_argument("--lessons", type=Path, default=None, metavar="DIR", help="your lessons, beside ours; lessons/ here unless given")
        command.add_argument("--only-mine", action="store_true", help="leave our lessons out")
    serve.set_defaults(run=_serve)
    return parser


def _settings(args: argparse.Namespace, stiffness: float) -> Settings:
    names = [*NUMBERS, *CHOICES]
    settings = Settings(stiffness=stiffness, saltation=not args.no_saltation, **{name: getattr(args, name) for name in names})
    if args.no_saltation and settings.derivative != EventAware.name:
        raise InvalidInput("derivative", settings.derivative, f"{EventAware.name} beside --no-saltation, as no other route has a saltation matrix to leave out")
    return settings


def _power(log_stiffness: float) -> float:
    if not -3.0 <= log_stiffness <= 12.0:
        raise InvalidInput("log_stiffness", log_stiffness, "between -3 and 12")
    return 10.0**log_stiffness


def _readout(args: argparse.Namespace) -> int:
    found = readout(_settings(args, _power(args.log_stiffness)))
    _print(args, found.as_dict(), readout_table(found))
    return 0


def _sweep(args: argparse.Namespace) -> int:
    stiffness = [_power(float(x)) for x in args.log_stiffness]
    found = sweep(_settings(args, stiffness[0]), args.log_stiffness)
    _print(args, [one.as_dict() for one in found], sweep_table(found))
    return 0


def _split(args: argparse.Namespace) -> int:
    found = split(_settings(args, args.stiffness))
    _print(args, found.as_dict(), split_table(found))
    return 0


def _print(args: argparse.Namespace, data: object, text: str) -> None:
    print(json.dumps(data, indent=1, allow_nan=False) if args.json else text)


def _build(args: argparse.Namespace) -> int:
    from ferrolab.site.build import build_site
    from ferrolab.site.errors import SiteError
    from ferrolab.site.layout import find_sources, with_mine

    try:
        sources = with_mine(find_sources(), args.lessons, args.only_mine)
        build_site(args.out, sources=sources, progress=lambda line: print(line, flush=True))
    except SiteError as error:
        print(f"ferrolab: {error}", file=sys.stderr)
        return FAILED
    return 0


def _serve(args: argparse.Namespace) -> int:
    from ferrolab.site.build import build_site
    from ferrolab.site.errors import SiteError
    from ferrolab.site.layout import find_sources, with_mine
    from ferrolab.site.serve import serve

    site = args.site or Path("site")
    try:
        if args.watch:
            from ferrolab.site.watch import watch

            watch(with_mine(find_sources(), args.lessons, args.only_mine), args.port, tell=lambda line: print(line, flush=True))
            return 0
        if args.site is None:
            sources = with_mine(find_sources(), args.lessons, args.only_mine)
            build_site(site, sources=sources, progress=lambda line: print(line, flush=True))
        serve(site, args.port)
    except SiteError as error:
        print(f"ferrolab: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print()
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code: 0 done, 1 something failed, 2 bad input."""
    args = build_parser().parse_args(argv)
    try:
        return args.run(args)
    except InvalidInput as error:
        print(f"ferrolab: argument {_option(error.name)}: was {error.given!r}; it must be {error.required}", file=sys.stderr)
        return BAD_INPUT


if __name__ == "__main__":
    raise SystemExit(main())
