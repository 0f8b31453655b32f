"""docs/lesson-toml.md: every key of lesson.toml, from what the reader of lessons declares (see `schema`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ferrolab.lesson.schema import lesson_schema

MEANINGS: dict[str, str] = {
    "format": "the version of the format",
    "title": "as it stands on the page and in the list of lessons",
    "number": "its place in the list",
    "topic": "in a few words, beside the number",
    "minutes": "how long a learner takes",
    "language": '`"en"` unless given, or `"de"`: the page, its bench and its messages follow',
    "summary": "a sentence or two in the list of lessons",
    "authors": "names, shown at the foot of the page",
    "bench": '`"gradient-that-lies"` unless given',
    "controls": "ids of the controls the lesson uses, among those of its bench",
    "predict": "the question before the bench unlocks",
    "predict.ask": "the question",
    "predict.choices": "at least two",
    "predict.choices[].id": "what the trail records",
    "predict.choices[].text": "what the learner reads",
    "predict.choices[].correct": "true in exactly one",
    "predict.explain": "what the bench says about it, right or wrong",
    "predict.revealed_by": "id of the check after which the truth stands beside the guess",
    "checks": "what a pass asks for, shown under the bench",
    "checks[].id": "also the name of its trail, missing-ID",
    "checks[].label": "the name of the check",
    "checks[].hint": "what to do next, while it is not met",
    "checks[].needs": "all of them must hold; see requirements below",
    "checks[].builds_on": "ids of checks without which this one cannot be met",
    "checks[].opening": "true when the bench may meet it as it opens",
    "steps": "the steps of the guided practice",
    "steps[].id": "as in `::: step ID`",
    "steps[].title": "its heading",
    "steps[].done": "all of them must hold; see requirements below",
    "stuck": "ways of being stuck",
    "stuck[].id": "as in `::: stuck ID`",
    "stuck[].title": "the heading of its message",
    "stuck[].when": "one of them must hold: a requirement (below), or the two keys that follow",
    "stuck[].when[].now": "what the latest readouts all satisfy, written like `where`",
    "stuck[].when[].last": "how many readouts, 1 unless given; goes with `now`",
    "stuck[].until": "what takes the message away; one or both keys",
    "stuck[].until.met": "id of a check",
    "stuck[].until.answered": "id of a question answered rightly",
    "questions": "asked where the prose places them",
    "questions[].id": "as in `::: question ID`",
    "questions[].kind": "decides which keys go with it",
    "questions[].ask": "the question",
    "questions[].right": "the explanation after a right answer",
    "questions[].wrong": "the explanation after a wrong one",
    "questions[].choices": 'with `kind = "choice"`: at least two',
    "questions[].choices[].id": "what the trail records",
    "questions[].choices[].text": "what the learner reads",
    "questions[].choices[].correct": "true in exactly one",
    "questions[].answer": 'with `kind = "numeric"`: the right number',
    "questions[].tolerance": 'with `kind = "numeric"`: how far off is still right, in the unit of the answer',
    "questions[].unit": 'with `kind = "numeric"`: shown behind the field',
    "questions[].value": 'with `kind = "numeric"`: the call that computes the answer, `over` and `scale=` included',
    "questions[].accept": 'with `kind = "short"`: forms, one of which the answer must contain',
    "figures": "pictures drawn by the library",
    "figures[].id": "as in `::: figure ID`",
    "figures[].kind": "what is drawn",
    "figures[].log_stiffness": 'with `kind = "height"` or `"force-at-entry"`: log10 of the stiffness it is drawn at',
    "figures[].log_kappa": 'with `kind = "reach"`: log10 of the sharpness it is drawn at',
    "figures[].alt": "what there is to see, in words",
    "constants": "numbers the prose may state without computing them",
    "constants[].text": "the number with what stands around it, as in the prose",
    "constants[].why": "why it need not be computed",
}
REQUIREMENT: dict[str, str] = {
    "where": "what a readout must satisfy: quantities, each with a value or with bounds",
    "count": "how many such readouts, 1 unless given; above 1 it goes with `distinct`",
    "distinct": "the quantity in which they must differ; goes with `count`",
    "beside": "what the one readout they are compared with must satisfy",
    "same": "quantities that must be equal in both; goes with `beside`",
    "less": "quantities that must be smaller than in the one beside; goes with `beside`",
    "ratio": "a quantity divided by the same of the one beside; goes with `beside`",
    "ratio.of": "the quantity",
    "ratio.at_least": "goes with `of`; one bound at least",
    "ratio.at_most": "goes with `of`; one bound at least",
    "answered": "id of a question, or `predict`; stands without any `where`",
    "correct": "true for a right answer; goes with `answered`. False is for stuck messages only",
}
CONDITION: dict[str, str] = {
    "at_least": "the smallest value",
    "at_most": "the largest value",
    "within": "the largest distance from the quantity `of`, relative to it; goes with `of`",
    "of": "the quantity to be close to; goes with `within`",
}


@dataclass(frozen=True)
class Key:
    """One key: `place` as in `MEANINGS`, its kind in words, and whether the table must have it."""

    place: str
    kind: str
    needed: bool


def keys() -> dict[str, list[Key]]:
    """The keys of the file, those of a requirement, and those of a bound, each once."""
    schema = lesson_schema()
    found = {"file": list(_keys(schema, "")), "requirement": [], "condition": []}
    needs = schema["properties"]["checks"]["items"]["properties"]["needs"]["items"]
    found["requirement"] = _once(_keys(needs, ""))
    where = next(one["properties"]["where"] for one in needs["anyOf"] if "where" in one["properties"])
    found["condition"] = _once(_keys(where["additionalProperties"]["anyOf"][1], ""))
    found["file"] = _once(found["file"])
    return found


def _once(found: Iterator[Key] | list[Key]) -> list[Key]:
    return list({key.place: key for key in found}.values())


def _keys(schema: dict[str, Any], place: str) -> Iterator[Key]:
    for one in schema.get("anyOf", [schema]):
        for name, value in one.get("properties", {}).items():
            here = f"{place}.{name}" if place else name
            if place.endswith(("needs[]", "done[]", "when[]")) and name in REQUIREMENT:
                continue  # described once
            yield Key(here, _kind(value), name in one["required"])
            inner = value.get("items", value)
            if isinstance(inner, dict):
                yield from _keys(inner, f"{here}[]" if inner is not value else here)


def _kind(value: dict[str, Any]) -> str:
    if "const" in value or "enum" in value:
        words = [value["const"]] if "const" in value else value["enum"]
        return " or ".join(f'`"{word}"`' if isinstance(word, str) else f"`{word}`" for word in words)
    if "$ref" in value:
        return "a quantity"
    if value.get("type") == "array":
        items = value.get("items", {})
        return "tables" if "properties" in items or "anyOf" in items else "quantities" if "$ref" in items else "texts"
    if value.get("type") == "integer":
        return f"a whole number of at least {value['minimum']}"
    kinds = {"string": "a text", "number": "a number", "boolean": "`true` or `false`", "object": "a table"}
    kind = kinds.get(value.get("type", ""), "a value or a table of bounds")
    return f"{kind} above 0" if "exclusiveMinimum" in value else "an id" if value.get("pattern", "").startswith("^[A-Za-z]") else kind


def keys_page() -> str:
    """The page, without the comment that says it is made."""
    found = keys()
    parts = [
        "# Every key of lesson.toml\n\n"
        "What a table must have is marked *needed*; the rest may be left out. `checks[]` is one table under `[[checks]]`. Any other key "
        "is refused. "
        "Questions, their choices and explanations, and the titles of steps and stuck messages may hold equations, living figures "
        "and `{control}`; the head, `label`, `hint` and `alt` are plain text.\n"
    ]
    heads = {"": "The head", "predict": "`[predict]`"}
    for group in ("", "predict", "checks", "steps", "stuck", "questions", "figures", "constants"):
        rows = [key for key in found["file"] if _group(key.place) == group]
        parts += [f"\n## {heads.get(group, f'`[[{group}]]`')}\n\n", _table(rows, MEANINGS)]
    parts += ["\n## A requirement\n\nOne table of `needs`, `done` or `when`: either about readouts, with `where`, or about an answer. "
              "See the [vocabulary](vocabulary.md) for examples.\n\n"]
    parts += [_table([Key(k.place, k.kind, False) for k in found["requirement"]], REQUIREMENT)]
    parts += ["\n## Bounds\n\nIn `where`, `beside` and `now` a quantity has a value, or a table of these.\n\n", _table(found["condition"], CONDITION)]
    return "".join(parts)


def _group(place: str) -> str:
    first, _, rest = place.partition(".")
    return first.removesuffix("[]") if rest else ""


def _table(rows: list[Key], meanings: dict[str, str]) -> str:
    lines = [f"| `{row.place}` | {row.kind} | {'needed' if row.needed else ''} | {meanings[row.place]} |\n" for row in rows]
    return "| key | what it is | | meaning |\n|---|---|---|---|\n" + "".join(lines)
