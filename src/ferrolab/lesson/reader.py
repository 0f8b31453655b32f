"""Reading a table strictly: every key known, every value of its kind, every fault reported once."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Path = tuple[str | int, ...]
_REQUIRED: Any = object()
_FEW = 12  # more names than this are not read out


@dataclass
class Report:
    """Collects faults as (path into the data, code, message, fix)."""

    faults: list[tuple[Path, str, str, str]] = field(default_factory=list)

    def add(self, path: Path, code: str, message: str, fix: str) -> None:
        self.faults.append((path, code, message, fix))


def spell(path: Path) -> str:
    """A path as a person writes it: checks[2].needs[1].where, counting from 1."""
    text = ""
    for part in path:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text or "the file"


def closest(word: str, known: Any) -> str:
    """'did you mean ...' for a misspelt word, else the list of what is known, or the nearest of a long one."""
    names = sorted(known)
    near = difflib.get_close_matches(word, names, 1)
    if near:
        return f"Did you mean {near[0]!r}?"
    if len(names) <= _FEW:
        return f"It may be one of: {', '.join(names)}."
    nearest = difflib.get_close_matches(word, names, 3, 0.0)
    return f"The nearest are {', '.join(nearest)}; the check vocabulary in the guide lists all {len(names)}."


class Table:
    """One table being read. Getters ask for keys; `done` reports what is missing and what nobody asked for."""

    def __init__(self, value: Any, path: Path, report: Report) -> None:
        self.path, self.report = path, report
        self.given: dict[str, Any] = {}
        self.known: set[str] = set()
        self.missing: dict[str, str] = {}
        if isinstance(value, Mapping):
            self.given = dict(value)
            self.usable = True
        else:
            self.usable = False
            report.add(path, "L005", f"{spell(path)} is {value!r} and must be a table.", "Write it as a table of keys.")

    def get(self, key: str, kind: str, ok: Callable[[Any], bool], default: Any = _REQUIRED, schema: Any = None) -> Any:
        """The value of `key` when `ok`; a fault and None (or the default) otherwise. `kind` finishes 'must be ...'.

        `schema` says the same as `ok` in JSON Schema; it is read by `ferrolab.lesson.schema` and not used here.
        """
        self.known.add(key)
        if key not in self.given:
            if default is _REQUIRED and self.usable:
                self.missing[key] = kind
            return None if default is _REQUIRED else default
        value = self.given[key]
        if not ok(value):
            path = (*self.path, key)
            self.report.add(path, "L005", f"{spell(path)} is {_short(value)} and must be {kind}.", f"Change it to {kind}.")
            return None if default is _REQUIRED else default
        return value

    def text(self, key: str, default: Any = _REQUIRED, schema: Any = None) -> Any:
        return self.get(key, "a text that is not empty", lambda v: isinstance(v, str) and bool(v.strip()), default, schema)

    def number(self, key: str, default: Any = _REQUIRED) -> Any:
        value = self.get(key, "a finite number", is_number, default)
        return float(value) if is_number(value) else value

    def whole(self, key: str, least: int = 1, default: Any = _REQUIRED) -> Any:
        return self.get(
            key, f"a whole number of at least {least}", lambda v: type(v) is int and v >= least, default
        )

    def flag(self, key: str, default: Any = _REQUIRED) -> Any:
        return self.get(key, "true or false", lambda v: isinstance(v, bool), default)

    def texts(self, key: str, default: Any = _REQUIRED, schema: Any = None) -> tuple[str, ...]:
        kind = "a list of texts"
        value = self.get(key, kind, lambda v: isinstance(v, list) and all(isinstance(t, str) and t.strip() for t in v), default, schema)
        return tuple(value or ())

    def one_of(self, key: str, choices: tuple[str, ...], default: Any = _REQUIRED) -> Any:
        return self.get(key, "one of " + ", ".join(choices), lambda v: v in choices, default)

    def table(self, key: str, default: Any = _REQUIRED) -> Table | None:
        value = self.get(key, "a table", lambda v: isinstance(v, Mapping), default)
        return Table(value, (*self.path, key), self.report) if isinstance(value, Mapping) else None

    def tables(self, key: str, least: int = 0) -> list[Table]:
        kind = "a list of tables" + (f" with at least {least} of them" if least else "")
        ok = lambda v: isinstance(v, list) and len(v) >= least and all(isinstance(t, Mapping) for t in v)  # noqa: E731
        value = self.get(key, kind, ok, _REQUIRED if least else [])
        return [Table(t, (*self.path, key, i), self.report) for i, t in enumerate(value or [])]

    def entries(self, names: Iterable[str]) -> Iterator[tuple[str, Any]]:
        """Every key with its value, a table as a `Table`; the keys should be among `names`, which the caller judges."""
        for key, value in self.given.items():
            self.known.add(key)
            yield key, Table(value, (*self.path, key), self.report) if isinstance(value, Mapping) else value

    def done(self, *, all_known: bool = True) -> None:
        """Report missing keys and, when `all_known` keys have been asked for, unknown ones. A misspelt key is one fault."""
        for key in self.given:
            if all_known and key not in self.known:
                path = (*self.path, key)
                self.report.add(path, "L003", f"{spell(path)} is not a key of the format.", closest(key, self.known))
                for near in difflib.get_close_matches(key, self.missing, 1):
                    del self.missing[near]
        for key, kind in self.missing.items():
            self.report.add(self.path, "L004", f"{spell(self.path)} has no {key!r}.", f"Add {key} = …; it must be {kind}.")


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
