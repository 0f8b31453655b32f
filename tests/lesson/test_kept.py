"""What a browser keeps and how two tabs' progress is put together (web/lesson/kept.js, merge.js), run in Node."""

from __future__ import annotations

import json
import random
import subprocess
from typing import Any

import pytest
from places import ROOT

from ferrolab.lesson import Lesson, Trail, TrailError, grade

HARNESS = """
const { isTrail, readProgress, writeProgress } = await import(process.argv[1] + "/kept.js");
const { union, bestGrade } = await import(process.argv[1] + "/merge.js");
let text = "";
for await (const part of process.stdin) text += part;
const acts = { isTrail, readProgress, union, bestGrade, same: (a, b) => union(a, b) === a, again: (t, s) => writeProgress(readProgress(t, s)) };
console.log(JSON.stringify(JSON.parse(text).map(([what, ...given]) => acts[what](...given))));
"""
SLUG = "the-gradient-that-lies"


def run(*acts: list[Any]) -> list[Any]:
    command = ["node", "--input-type=module", "-e", HARNESS, (ROOT / "web" / "lesson").as_uri()]
    done = subprocess.run(command, input=json.dumps(acts), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def trail(*events: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"version": 1, "lesson": SLUG, "events": list(events), **more}


def seen(**controls: Any) -> dict[str, Any]:
    return {"kind": "seen", "controls": controls, "readout": {"entry": 1.5}}


def answered(question: Any, response: Any) -> dict[str, Any]:
    return {"kind": "answered", "question": question, "response": response}


def nested(depth: int) -> Any:
    return 1 if depth == 0 else {"a": nested(depth - 1)}


TRAILS = [
    None, 5, "text", [], {}, trail(), trail(version=2), trail(version="1"), trail(lesson="another"), trail(more=1), trail(events={}),
    trail(seen(dt=1e-4)), trail(seen(dt=1e-4) | {"kind": "sawn"}), trail(seen(dt=1e-4) | {"when": 5}), trail({"kind": "seen"}),
    trail(seen() | {"controls": []}), trail(seen() | {"readout": None}), trail(seen(a=nested(3))), trail(seen(a=nested(4))), trail(seen(a=1e301)),
    trail(seen(a=1e300)), trail(seen(a="x" * 2000)), trail(seen(a="x" * 2001)), trail(seen(a=list(range(200)))), trail(seen(a=list(range(201)))),
    trail(answered("predict", "grows")), trail(answered("predict", 0.5)), trail(answered("", "x")), trail(answered(5, "x")), trail(answered("x" * 2001, 1)),
    trail(answered("q", [1, 2])), trail(answered("q", [[1]])), trail(answered("q", None)), trail(*[answered("q", 1)] * 5000), trail(*[answered("q", 1)] * 5001),
    trail(None), trail([]), trail(seen(**{str(i): 1 for i in range(201)})),
]  # fmt: skip


def test_the_page_and_the_library_take_the_same_trails() -> None:
    def takes(value: Any) -> bool:
        try:
            Trail.from_dict(value, SLUG)
        except TrailError:
            return False
        return True

    expected = [takes(value) for value in TRAILS]
    assert set(expected) == {True, False}
    assert run(*(["isTrail", value, SLUG] for value in TRAILS)) == expected


def kept(**more: Any) -> str:
    value = {"version": 2, "round": 0, "prediction": None, "answers": {}, "trail": None, "grade": None, "controls": None}
    return json.dumps(value | more)


GRADE = {"passed": False, "checks": [{"id": "a", "label": "A", "met": False, "detail": ""}], "steps": [], "stuck": []}


@pytest.mark.parametrize(
    "more",
    [{"version": 3}, {"version": "2"}, {"version": "__proto__"}, {"round": -1}, {"round": 1.5}, {"round": None}, {"prediction": 5}, {"answers": []},
     {"answers": {"q": {"response": 1}}}, {"answers": {"q": {"response": {}, "right": True}}}, {"trail": 5}, {"trail": trail(lesson="another")}, {"grade": {}},
     {"grade": GRADE | {"steps": [5]}}, {"grade": GRADE | {"stuck": "x"}}, {"grade": GRADE | {"checks": [None]}}, {"controls": 5}, {"controls": {"dt": {"a": []}}}],
)  # fmt: skip
def test_a_kept_value_with_anything_else_in_it_is_refused(more: dict[str, Any]) -> None:
    assert run(["readProgress", kept(**more), SLUG]) == [None]


def test_a_kept_value_is_read_as_it_was_written() -> None:
    value = kept(prediction="grows", answers={"q": {"response": 0.5, "right": True}}, trail=trail(seen(dt=1e-4)), grade=GRADE, controls={"dt": 1e-4}, round=3)
    [again] = run(["again", value, SLUG])
    assert json.loads(again) == json.loads(value)


def test_what_the_first_version_kept_is_brought_to_this_one() -> None:
    old = json.loads(kept(prediction="grows", trail=trail(seen(dt=1e-4)), grade=GRADE)) | {"version": 1}
    del old["round"]
    [new] = run(["readProgress", json.dumps(old), SLUG])
    assert new == old | {"version": 2, "round": 0}


def parts(events: list[dict[str, Any]], chance: random.Random) -> list[dict[str, Any]]:
    return [event for event in events if chance.random() < 0.6]


def test_the_union_of_two_trails_is_worth_at_least_as_much_as_either(lesson: Lesson) -> None:
    """Two tabs went on from the same beginning; whichever takes in the other, nothing is lost and no check is."""
    events = json.loads((ROOT / "lessons" / SLUG / "trails" / "passing.json").read_text(encoding="utf-8"))
    events = events["trail"]["events"] if "trail" in events else events["events"]
    assert grade(lesson, Trail.from_dict(trail(*events), SLUG)).passed
    chance = random.Random(5)
    pairs = []
    for _ in range(200):
        start = events[: chance.randrange(len(events))]
        pairs.append((trail(*start, *parts(events, chance)), trail(*start, *parts(events, chance))))
    met_more = 0
    for (one, other), whole, back in zip(pairs, run(*(["union", *pair] for pair in pairs)), run(*(["union", b, a] for a, b in pairs)), strict=True):
        def worth(value: dict[str, Any]) -> set[str]:
            return {check.id for check in grade(lesson, Trail.from_dict(value, SLUG)).checks if check.met}

        assert worth(whole) >= worth(one) | worth(other)
        assert worth(whole) == worth(back)
        assert whole["events"][: len(one["events"])] == one["events"]
        met_more += worth(whole) > worth(one)
        count = lambda value, event: value["events"].count(event)  # noqa: E731
        assert all(count(whole, event) == max(count(one, event), count(other, event)) for event in events)
    assert met_more > 20


def test_a_trail_that_lacks_nothing_is_left_as_it_is() -> None:
    long, short = trail(seen(dt=1), seen(dt=2), seen(dt=1)), trail(seen(dt=1), seen(dt=2))
    assert run(["same", long, short], ["same", short, long], ["same", long, long]) == [True, False, True]
    assert run(["union", None, short], ["union", short, None], ["union", None, None]) == [short, short, None]


def test_a_union_that_is_too_long_keeps_each_thing_once() -> None:
    one = trail(*[seen(dt=i) for i in range(3000)], *[seen(dt=1)] * 1900)
    other = trail(*[seen(dt=-i) for i in range(1, 2000)])
    [whole] = run(["union", one, other])
    assert len(whole["events"]) == 4999
    assert Trail.from_dict(whole, SLUG)


def test_until_it_is_graded_anew_a_grade_is_as_good_as_either() -> None:
    met = {"id": "a", "label": "A", "met": True, "detail": "there"}
    [best] = run(["bestGrade", GRADE | {"steps": ["1"]}, GRADE | {"checks": [met], "passed": True, "steps": ["2"]}])
    assert best["checks"] == [met] and best["passed"] and best["steps"] == ["1", "2"]
