"""Lesson 3's bench as its page's worker holds it: what is recorded is complete, and replays to the digit."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ferrolab.lesson import Trail, load_lesson
from ferrolab.lesson.compact import LIMIT, compact, expand
from ferrolab.lesson.replay import disagreements
from ferrolab.site.session import Session

FOLDER = Path(__file__).parents[2] / "lessons" / "forces-at-a-distance"
LESSON = load_lesson(FOLDER)


class Page:
    """A page that hears everything and speaks as runtime.js does."""

    def __init__(self, trail=None):
        self.heard = []
        self.session = Session(LESSON.to_dict(), trail, "light", lambda kind, text, _: self.heard.append((kind, json.loads(text))))
        self.session.open()
        self.bench = self.session._bench

    def last(self, kind):
        return next(message for name, message in reversed(self.heard) if name == kind)

    def readouts(self):
        return [message for name, message in self.heard if name == "readout"]

    def settle(self):
        self.session.receive("settled", json.dumps({"seq": self.last("readout")["seq"]}))
        return self.last("grade")["trail"]["events"]


def in_a_loop(visit):
    """Run a visit in an event loop, as the page does, in a thread of its own."""

    async def run():
        return visit()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(run())).result()


def test_a_readout_is_recorded_when_its_samples_are_in_and_not_before():
    def visit():
        page = Page()
        page.bench.set_controls({"model": "stochastic", "log_samples": 3.0, "release_height": 0.21})
        while not page.bench.readout["drawn"]:  # the pictures come first
            page.bench._step()
        assert 0 < page.bench.readout["drawn"] < 1000
        early = page.settle()
        page.bench.work()
        return early, page.settle(), [message["readout"]["complete"] for message in page.readouts()]

    early, late, told = in_a_loop(visit)
    assert early == []
    [seen] = late
    assert seen["readout"]["complete"] is True and seen["readout"]["zeroth_error"] > 0
    assert told == [False, False, True]


def test_what_is_recorded_is_what_the_library_computes():
    def visit():
        page = Page()
        for controls in ({}, {"model": "smoothed", "release_height": 0.21}, {"model": "stochastic"}, {"drop_dt": 5e-3, "log_kappa": 2.0}):
            page.bench.set_controls(controls)
            page.bench.work()
            page.settle()
        return page.last("grade")["trail"]

    trail = Trail.from_dict(in_a_loop(visit), LESSON.slug)
    assert len(trail.seen) == 4
    assert [disagreements(event, LESSON.bench) for event in trail.seen] == [[]] * 4


def test_starting_over_takes_every_control_back():
    def visit():
        page = Page()
        page.bench.set_controls({"model": "smoothed", "release_height": 0.1, "log_kappa": 1.5, "drop_dt": 2e-3})
        page.session.receive("reset", "{}")
        return page.bench.controls

    assert in_a_loop(visit) == {"release_height": 0.3, "model": "hard", "drop_dt": 1e-3, "log_kappa": 2.48, "log_noise": -1.7, "log_samples": 2.0}


@pytest.mark.parametrize("name", ["passing", "missing-samples"])
def test_a_trail_of_this_bench_fits_where_a_course_keeps_it(name):
    trail = Trail.from_dict(json.loads((FOLDER / "trails" / f"{name}.json").read_text()), LESSON.slug)
    text = compact(LESSON, trail)
    assert len(text) < LIMIT / 8
    again = expand(LESSON, text)
    assert [event.to_dict() for event in again.answered] == [event.to_dict() for event in trail.answered]
    assert [event.controls for event in again.seen] == [event.controls for event in trail.seen]
    for here, there in zip(again.seen, trail.seen, strict=True):
        assert here.readout == pytest.approx(there.readout, rel=1e-9)
