"""When questions come back: SM-2 as published, and what is kept in the browser, run in Node."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from places import ROOT

LESSON_SCRIPTS = ROOT / "web" / "lesson"

HARNESS = """
const { review, newCard } = await import(process.argv[1] + "/sm2.js");
const { Retrieval, dayOf } = await import(process.argv[1] + "/retrieval.js");
const store = new Map();
globalThis.localStorage = { getItem: (key) => store.get(key) ?? null, setItem: (key, value) => store.set(key, value) };
const out = [];
for (const [what, ...rest] of JSON.parse(process.argv[2])) {
  if (what === "qualities") {
    let card = newCard(), today = 0;
    const steps = [];
    for (const quality of rest[0]) {
      card = review(card, quality, today);
      steps.push([card.interval, Math.round(card.easiness * 1000) / 1000, card.repetitions]);
      today = card.due;
    }
    out.push(steps);
  }
  if (what === "store") store.set("ferrolab:retrieval", rest[0]);
  if (what === "kept") out.push(JSON.parse(store.get("ferrolab:retrieval") ?? "null"));
  if (what === "day") out.push(dayOf(new Date(rest[0])));
  const at = new Retrieval(() => new Date(rest[0]));
  if (what === "answered") out.push(at.answered(...rest.slice(1)));
  if (what === "due") out.push(at.due(rest[1]).map(({ slug, question }) => `${slug}/${question}`));
  if (what === "next") out.push(at.next(rest[1]));
  if (what === "forget") at.forget(rest[1]);
}
console.log(JSON.stringify(out));
"""


def run(*acts: list[Any], zone: str = "UTC") -> list[Any]:
    command = ["node", "--input-type=module", "-e", HARNESS, LESSON_SCRIPTS.as_uri(), json.dumps(acts)]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": __import__("os").environ["PATH"], "TZ": zone})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_intervals_are_those_of_the_published_algorithm() -> None:
    [good, perfect, hard] = run(["qualities", [4] * 5], ["qualities", [5] * 3], ["qualities", [3] * 12])
    assert [interval for interval, _, _ in good] == [1, 6, 15, 38, 95]
    assert {easiness for _, easiness, _ in good} == {2.5}
    assert [easiness for _, easiness, _ in perfect] == [2.6, 2.7, 2.8] and perfect[2][0] == 17
    assert [easiness for _, easiness, _ in hard][:2] == [2.36, 2.22] and hard[-1][1] == 1.3


def test_a_wrong_answer_starts_the_item_again_and_leaves_its_easiness() -> None:
    [steps] = run(["qualities", [5, 5, 5, 2, 4, 4]])
    assert steps[3] == [1, 2.8, 0]
    assert [interval for interval, _, _ in steps[4:]] == [1, 6]


NOON = "2026-03-01T12:00:00"
KNOWN = {"a": ["one", "two"], "b": ["three"]}


def test_a_question_comes_back_after_midnight_and_trying_again_the_same_day_moves_nothing() -> None:
    out = run(
        ["answered", NOON, "a", "one", False], ["answered", NOON, "a", "one", True], ["due", NOON, KNOWN],
        ["due", "2026-03-02T00:00:01", KNOWN], ["answered", "2026-03-02T08:00:00", "a", "one", True],
        ["answered", "2026-03-03T08:00:00", "a", "one", True], ["due", "2026-03-08T23:00:00", KNOWN], ["due", "2026-03-09T01:00:00", KNOWN],
        zone="America/New_York",
    )  # fmt: skip
    assert out == [1, 1, [], ["a/one"], 1, 6, [], ["a/one"]]


def test_the_longest_due_comes_first_and_the_next_day_is_known() -> None:
    out = run(
        ["answered", "2026-03-03T09:00:00", "b", "three", True], ["answered", NOON, "a", "two", True], ["next", NOON, KNOWN],
        ["due", "2026-03-09T12:00:00", KNOWN], ["next", "2026-03-09T12:00:00", KNOWN], ["forget", NOON, "a"], ["due", "2026-03-09T12:00:00", KNOWN],
    )  # fmt: skip
    assert out == [1, 1, 1, ["a/two", "b/three"], 0, ["b/three"]]
    assert run(["next", NOON, KNOWN]) == [None]


def test_a_question_the_lesson_no_longer_has_is_not_asked() -> None:
    assert run(["answered", NOON, "gone", "one", True], ["due", "2027-01-01T00:00:00", KNOWN])[-1] == []


def test_rubbish_in_the_storage_is_left_out() -> None:
    good = {"repetitions": 1, "easiness": 2.5, "interval": 1, "due": 1}
    for text in ("{", "null", "[]", '{"version": 9, "cards": {}}', '{"version": 1, "cards": null}', json.dumps({"version": 1, "cards": {"a/one": {**good, "due": "x"}}})):
        assert run(["store", text], ["due", NOON, KNOWN], ["answered", NOON, "a", "one", True]) == [[], 1]
    mixed = json.dumps({"version": 1, "cards": {"a/one": good, "a/two": 5}})
    assert run(["store", mixed], ["due", NOON, KNOWN]) == [["a/one"]]
