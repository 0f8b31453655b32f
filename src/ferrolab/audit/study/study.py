"""The audit as one call."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np

from ferrolab import __version__
from ferrolab.audit.study.options import Options
from ferrolab.audit.study.parts import PARTS, Result
from ferrolab.audit.study.progress import Reporter
from ferrolab.audit.study.section import Section
from ferrolab.validate import one_of

# Raised whenever a field of the JSON changes its meaning or its name.
FORMAT_VERSION = 1


@dataclass(frozen=True)
class Environment:
    """What the figures were computed with."""

    ferrolab: str
    numpy: str
    python: str
    machine: str

    @classmethod
    def here(cls) -> Environment:
        return cls(__version__, np.__version__, platform.python_version(), f"{platform.system()} {platform.machine()}")


@dataclass(frozen=True)
class Study:
    """The measured audit.

    Attributes:
        options: what was asked. environment: what computed it. results: part id -> its frozen result, in order.
    """

    options: Options
    environment: Environment
    results: dict[str, Result]

    def __getitem__(self, part: str) -> Result:
        return self.results[part]

    def sections(self) -> tuple[Section, ...]:
        """The parts as the writers want them."""
        return tuple(result.section() for result in self.results.values())

    def as_dict(self) -> dict:
        """Plain types, ready for JSON; no NaN and no infinity. The parts' own fields, by their names."""
        parts = {}
        for name, result in self.results.items():
            parts[name] = {key: value for key, value in asdict(result).items() if key != "options"}
            parts[name]["findings"] = list(result.section().findings)
        return {"version": FORMAT_VERSION, "options": asdict(self.options), "environment": asdict(self.environment), "parts": parts}


def study(options: Options | None = None, only: Iterable[str] = (), reporter: Reporter | None = None) -> Study:
    """Audit the bouncing mass.

    Args:
        options: what to ask; the published lesson's drop unless given.
        only: names of `PARTS` to compute, in any order; all of them when empty.
        reporter: told about every part as it runs; silent unless given.

    Raises:
        InvalidInput: a part is unknown.
    """
    options = options or Options()
    wanted = {one_of("only", name, PARTS) for name in only} or set(PARTS)
    results = {}
    for name, run in PARTS.items():
        if name not in wanted:
            continue
        if reporter is None:
            results[name] = run(options)
            continue
        reporter.start(name)
        results[name] = run(options, reporter.tell)
        reporter.done()
    return Study(options, Environment.here(), results)
