"""Lesson 2's bench as its page's worker holds it: what is recorded is what stood on the screen."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ferrolab.lesson import load_lesson
from ferrolab.site.session import Session

LESSON = Path(__file__).parents[2] / "lessons" / "who-is-to-blame"


class Page:
    """A page that hears everything and speaks as runtime.js does."""

    def __init__(self, trail=None):
        self.heard = []
        self.session = Session(load_lesson(LESSON).to_dict(), trail, "light", lambda kind, text, _: self.heard.append((kind, json.loads(text))))
        self.session.open()
        self.bench = self.session._bench

    def last(self, kind):
        return next(message for name, message in reversed(self.heard) if name == kind)

    def settle(self):
        self.session.receive("settled", json.dumps({"seq": self.last("readout")["seq"]}))
        return self.last("grade")["trail"]["events"]


def in_a_loop(visit):
    """Run a visit in an event loop, as the page does; in a thread of its own, because a browser test may have left
    its loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(visit())).result()


def test_a_readout_left_behind_is_not_recorded_while_the_next_is_worked_on():
    async def visit():
        page = Page()
        page.bench.law = "hunt-crossley"
        assert not page.bench.settled
        assert page.settle() == []
        page.bench.work()
        return page.settle()

    (seen,) = in_a_loop(visit)
    assert seen["controls"]["law"] == "hunt-crossley"


def test_the_table_comes_back_with_a_kept_trail():
    async def visit():
        page = Page()
        page.bench.set_controls({"log_stiffness": 6.0, "derivative": "event-aware", "saltation": False})
        page.settle()
        return Page(page.last("grade")["trail"]).bench._parts.cells.cells

    cells = [cell for cell in in_a_loop(visit) if cell[1] != "empty"]
    assert cells == [
        ("−16.48", "wrong-sign", "✗ wrong sign", "4", "1e-4"),
        ("−199.42", "wrong-sign", "✗ wrong sign", "6", "1e-4, no Ξ"),
    ]
