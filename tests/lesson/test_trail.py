"""A trail only grows, survives a round trip, and refuses rubbish with a sentence."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ferrolab.lesson import Trail, TrailError
from ferrolab.lesson.trail import MAX_EVENTS, MAX_TEXT

scalars = st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False, width=32) | st.text(max_size=20)
tables = st.dictionaries(st.text(max_size=10), scalars, max_size=5)
seen = st.fixed_dictionaries({"kind": st.just("seen"), "controls": tables, "readout": tables})
answered = st.fixed_dictionaries({"kind": st.just("answered"), "question": st.text(min_size=1, max_size=20), "response": scalars})
events = st.lists(seen | answered, max_size=20)
rubbish = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | st.sampled_from(["version", "lesson", "events", "kind"]), inner, max_size=5),
    max_leaves=20,
)


def full(events: list) -> dict:
    return {"version": 1, "lesson": "a-lesson", "events": events}


@given(events)
def test_what_is_written_reads_back_the_same(found: list) -> None:
    written = json.loads(json.dumps(full(found)))
    assert Trail.from_dict(written, "a-lesson").to_dict() == written


@given(events, seen | answered)
def test_appending_keeps_every_earlier_event_in_place(found: list, event: dict) -> None:
    trail = Trail.from_dict(full(found))
    longer = trail.append(event)
    assert longer.events[: len(trail.events)] == trail.events
    assert longer.events[-1].to_dict() == event
    assert len(longer.events) - len(trail.events) in (0, 1)


@given(seen | answered)
def test_an_event_repeated_at_once_is_written_once(event: dict) -> None:
    trail = Trail("a-lesson").append(event)
    assert trail.append(event) is trail


@given(rubbish)
@example({"version": 1, "lesson": "x", "events": [{"kind": "seen", "controls": {}, "readout": {"a": math.nan}}]})
@example({"version": 1, "lesson": "x", "events": [{"kind": "seen", "controls": {}, "readout": {"a": 10**400}}]})
@example({"version": 10**5000, "lesson": "x", "events": []})
@example({"version": True, "lesson": "x", "events": []})
@example({"version": 1, "lesson": "x", "events": [{"kind": ["seen"]}]})
def test_rubbish_is_refused_with_a_sentence_or_is_a_trail(value: object) -> None:
    try:
        Trail.from_dict(value)
    except TrailError as error:
        assert str(error).endswith(".")
    else:
        assert set(value) == {"version", "lesson", "events"}  # type: ignore[arg-type]


@given(events.filter(bool), st.data(), rubbish)
def test_rubbish_in_place_of_one_event_never_crashes(found: list, data: st.DataObject, value: object) -> None:
    found[data.draw(st.integers(0, len(found) - 1))] = value
    try:
        Trail.from_dict(full(found))
    except TrailError as error:
        assert "event" in str(error)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "must be an object, not nothing"),
        ([], "must be an object, not a list"),
        ({"version": 1}, "exactly the keys"),
        ({"version": 2, "lesson": "x", "events": []}, "version 2"),
        ({"version": 1, "lesson": 5, "events": []}, "lesson must be a name"),
        ({"version": 1, "lesson": "x", "events": {}}, "must be a list"),
        ({"version": 1, "lesson": "x", "events": [7]}, "event 1 of the trail must be an object"),
        ({"version": 1, "lesson": "x", "events": [{"kind": "left"}]}, "'seen' or 'answered'"),
        ({"version": 1, "lesson": "x", "events": [{"kind": "seen", "controls": {}}]}, "exactly the keys"),
        ({"version": 1, "lesson": "x", "events": [{"kind": "seen", "controls": {}, "readout": 1}]}, "readout of event 1"),
        ({"version": 1, "lesson": "x", "events": [{"kind": "answered", "question": "q", "response": [[1]]}]}, "does not belong"),
        ({"version": 1, "lesson": "x", "events": [{"kind": "answered", "question": "q", "response": "x" * (MAX_TEXT + 1)}]}, "may hold"),
        ({"version": 1, "lesson": "x", "events": [{}] * (MAX_EVENTS + 1)}, "may have"),
    ],
)  # fmt: skip
def test_each_refusal_says_what_is_wrong(value: object, words: str) -> None:
    with pytest.raises(TrailError, match=words):
        Trail.from_dict(value)


def test_a_trail_of_another_lesson_is_refused() -> None:
    with pytest.raises(TrailError, match="belongs to the lesson 'a-lesson'"):
        Trail.from_dict(full([]), "another")


def test_a_full_trail_refuses_to_grow() -> None:
    trail = Trail.from_dict(full([{"kind": "answered", "question": "q", "response": i} for i in range(MAX_EVENTS)]))
    with pytest.raises(TrailError, match="start over"):
        trail.append({"kind": "answered", "question": "q", "response": "one more"})


def test_a_readout_is_recorded_with_just_what_is_kept() -> None:
    readout = {"entry": -1.5, "split": {"integrator": 2.0}, "message": "long", "dt": 1e-4}
    trail = Trail("x").append_seen({"dt": 1e-4}, readout, {"entry", "split.integrator", "dt"})
    assert trail.to_dict()["events"][0]["readout"] == {"entry": -1.5, "split.integrator": 2.0}
    assert trail.seen[0].get("split.integrator") == 2.0
    assert trail.seen[0].get("dt") == 1e-4
