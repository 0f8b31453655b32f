"""The JSON Schema of lesson.toml, for editors: taken from the reader itself, so that the two cannot part.

The functions of `parse` are run on a `Recorder` in place of a `Table`. It answers nothing and writes down which keys
are asked for, of which kind, and which are needed. Where the reader branches (a question's kind, a need that is an
answer), it is run again until every branch has been taken.

What one value must have to do with another is beyond a schema: that ids are unique and references resolve, that one
choice is the correct one, that quoted digits hold. `ferrolab check` judges those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ferrolab.lesson.parse import read_lesson
from ferrolab.lesson.quantities import QUANTITIES
from ferrolab.lesson.reader import _REQUIRED, Report, Table
from ferrolab.lesson.requirements import QUANTITY

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_RUNS = 24  # enough for three kinds and three yes-or-no branches on one table, in every combination
_TEXT = {"type": "string", "pattern": "\\S"}

Place = tuple[str, ...]
Schema = dict[str, Any]


@dataclass
class _Shape:
    """One table as one run saw it."""

    properties: dict[str, Schema] = field(default_factory=dict)
    required: set[str] = field(default_factory=set)
    of_quantities: bool = False  # every key is a quantity, and all values are alike


class _Given:
    """The keys of a table that is not there: whether one is given is this run's decision."""

    def __init__(self, ask: Callable[[str], bool]) -> None:
        self._ask = ask

    def __contains__(self, key: str) -> bool:
        return self._ask(key)


class Recorder(Table):
    """Stands for a table while the reader runs; see the module."""

    def __init__(self, book: dict[Place, list[tuple[tuple, _Shape]]], place: Place, run: int) -> None:
        self.path, self.report, self.known, self.usable = (), Report(), set(), True
        self._book, self._place, self._run = book, place, run
        self._shape, self._decisions = _Shape(), []
        self.given: Any = _Given(self._is_given)

    def _is_given(self, key: str) -> bool:
        yes = bool(self._run >> sum(1 for what, _ in self._decisions if what != "one of") & 1)
        self._decisions.append((key, yes))
        return yes

    def _note(self, key: str, schema: Schema, default: Any) -> None:
        self._shape.properties[key] = schema
        if default is _REQUIRED:
            self._shape.required.add(key)

    def _inner(self, key: str) -> Recorder:
        return Recorder(self._book, (*self._place, key), self._run)

    def get(self, key: str, kind: str, ok: Callable[[Any], bool], default: Any = _REQUIRED, schema: Any = None) -> Any:
        if schema is None:
            raise TypeError(f"{key!r} is read by a rule of its own; give get() the same rule as a schema.")
        self._note(key, schema, default)
        return None if default is _REQUIRED else default

    def text(self, key: str, default: Any = _REQUIRED, schema: Any = None) -> Any:
        return self.get(key, "", bool, default, schema or _TEXT)

    def number(self, key: str, default: Any = _REQUIRED) -> Any:
        return self.get(key, "", bool, default, {"type": "number"})

    def whole(self, key: str, least: int = 1, default: Any = _REQUIRED) -> Any:
        return self.get(key, "", bool, default, {"type": "integer", "minimum": least})

    def flag(self, key: str, default: Any = _REQUIRED) -> Any:
        return self.get(key, "", bool, default, {"type": "boolean"})

    def texts(self, key: str, default: Any = _REQUIRED, schema: Any = None) -> tuple[str, ...]:
        self.get(key, "", bool, default, schema or {"type": "array", "items": _TEXT})
        return ()

    def one_of(self, key: str, choices: tuple[str, ...], default: Any = _REQUIRED) -> Any:
        choice = choices[self._run % len(choices)]
        self._decisions.append(("one of", choice))
        self._note(key, {"const": choice}, default)
        return choice

    def table(self, key: str, default: Any = _REQUIRED) -> Table:
        self._note(key, {"table": (*self._place, key)}, default)
        return self._inner(key)

    def tables(self, key: str, least: int = 0) -> list[Table]:
        self._note(key, {"type": "array", "minItems": least, "items": {"table": (*self._place, key)}}, _REQUIRED if least else [])
        return [self._inner(key)]

    def entries(self, names: Iterable[str]) -> Iterator[tuple[str, Any]]:
        if set(names) != set(QUANTITIES):
            raise TypeError("a table of entries must be keyed by quantities; teach the schema another kind.")
        self._shape.of_quantities = True
        self._leave()
        yield next(iter(QUANTITIES)), self._inner("*")

    def done(self, *, all_known: bool = True) -> None:
        self._leave()

    def _leave(self) -> None:
        seen = self._book.setdefault(self._place, [])
        if all(decisions != tuple(self._decisions) for decisions, _ in seen):
            seen.append((tuple(self._decisions), self._shape))


def lesson_schema() -> Schema:
    """The schema, as JSON-able data."""
    book: dict[Place, list[tuple[tuple, _Shape]]] = {}
    for run in range(_RUNS):
        read_lesson(Recorder(book, (), run), "slug", "")
    return {
        "$schema": DIALECT,
        "title": "lesson.toml of ferrolab",
        "$comment": "Made by `ferrolab schema` from the reader of lessons. `ferrolab check` judges more than this can.",
        **_schema(book, ()),
        "$defs": {"quantity": {"enum": sorted(QUANTITIES)}},
    }


def _schema(book: dict[Place, list[tuple[tuple, _Shape]]], place: Place) -> Schema:
    shapes = book[place]
    by_text: dict[str, Schema] = {repr(one): one for one in (_object(book, place, shape) for _, shape in shapes)}
    found = _merged(list(by_text.values()))
    return found[0] if len(found) == 1 else {"anyOf": found}


def _merged(found: list[Schema]) -> list[Schema]:
    """Objects that differ in nothing but the word one key must be, as one object that lists the words."""
    for key in [key for key, value in found[0].get("properties", {}).items() if "const" in value and len(found) > 1]:
        rest = [{**one, "properties": {k: v for k, v in one["properties"].items() if k != key}} for one in found]
        if all(one == rest[0] for one in rest):
            words = list(dict.fromkeys(one["properties"][key]["const"] for one in found))
            return [{**found[0], "properties": {**found[0]["properties"], key: {"enum": words}}}]
    return found


def _object(book: dict[Place, list[tuple[tuple, _Shape]]], place: Place, shape: _Shape) -> Schema:
    if shape.of_quantities:  # each with a value or a table of bounds
        value = {"anyOf": [{"type": ["string", "boolean", "number"]}, _schema(book, (*place, "*"))]}
        return {"type": "object", "propertyNames": QUANTITY, "additionalProperties": value}
    return {
        "type": "object",
        "properties": {key: _resolve(book, value) for key, value in shape.properties.items()},
        "required": sorted(shape.required),
        "additionalProperties": False,
    }


def _resolve(book: dict[Place, list[tuple[tuple, _Shape]]], value: Schema) -> Schema:
    if "table" in value:
        return _schema(book, value["table"])
    if "items" in value and "table" in value["items"]:
        return {**value, "items": _resolve(book, value["items"])}
    return value
