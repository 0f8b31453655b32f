"""The runtime in a real browser: the bench goes live from this origin alone, fails in words and comes back."""

import json
import os
import re
import shutil
import threading

import pytest
from playwright.sync_api import expect
from waiting import until

from ferrolab.audit import Settings, readout
from ferrolab.bench import numerals, strings
from ferrolab.site.build import MARKER
from ferrolab.site.serve import make_server

LESSON = "lessons/the-gradient-that-lies/"
SETTLED = "document.getElementById('bench').dataset.benchState !== 'loading'"

pytestmark = pytest.mark.browser


def state(page):
    until(page, SETTLED)
    return page.get_attribute("#bench", "data-bench-state")


def unlock(page):
    """Answer the prediction, which lets the learner touch the bench."""
    page.locator("#predict-form").get_by_role("radio").first.check()
    page.get_by_role("button", name="Keep my prediction").click()


def slider(page):
    return page.get_by_role("slider", name="Contact stiffness")


def forgive(page, pattern):
    """Take what a test provoked out of the page's troubles."""
    page.watch.troubles = [trouble for trouble in page.watch.troubles if not re.search(pattern, trouble)]


def test_the_bench_goes_live_with_its_controls(page):
    page.goto(LESSON)
    assert state(page) == "live"
    unlock(page)
    assert slider(page).input_value() == "4"
    for name in ("1e-4 s", "1e-5 s", "1e-6 s"):
        assert page.get_by_role("radio", name=name).count() == 1
    assert page.get_by_role("button", name="Error tolerance").get_attribute("aria-pressed") == "false"


POSITIONS = """
import argparse, json
import bokeh.model, ferrolab.bench.view
codes = [bokeh.model.Model.trigger.__code__, ferrolab.bench.view.View.work.__code__, argparse.Namespace.__init__.__code__]
json.dumps([[place for place in code.co_positions() if place[0]][-1] for code in codes])
"""


def test_bytecode_knows_its_lines_and_leaves_the_columns_out(page):
    """Columns would add a megabyte to a first visit, and a traceback points to none where there is no source."""
    page.goto(LESSON)
    assert state(page) == "live"
    places = json.loads(page.workers[0].evaluate("code => self.pyodide.runPython(code)", POSITIONS))
    for line, _, *columns in places:
        assert line > 0 and columns == [None, None]


def test_the_bench_works_under_the_policy_the_server_sends(open_page):
    page = open_page()
    answer = page.goto(LESSON)
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    expect(page.locator("#bench")).to_have_attribute("data-bench-state", "live")
    unlock(page)
    slider(page).fill("6.5")
    expect(page.get_by_role("row", name=strings.STIFFNESS_ROW)).to_contain_text(numerals.power(10**6.5, 3))


def test_the_text_can_be_read_before_any_python_has_come(page):
    page.route("**/runtime/**", lambda route: None)
    page.goto(LESSON)
    assert page.locator("h1").inner_text() == "The gradient that lies"
    assert page.locator("math").count() > 3
    assert page.locator("main svg").count() >= 1
    assert page.get_attribute("#bench", "data-bench-state") == "loading"
    assert page.get_by_role("progressbar").is_visible()


def test_progress_is_told_in_words_stage_by_stage(page):
    page.add_init_script(
        """
        window.stages = [];
        new MutationObserver(() => {
          const text = document.querySelector('.bench-status-stage')?.textContent;
          if (text && text !== window.stages.at(-1)) window.stages.push(text);
        }).observe(document, { subtree: true, childList: true, characterData: true });
        """
    )
    page.goto(LESSON)
    assert state(page) == "live"
    assert page.evaluate("window.stages") == [
        "Starting Python in your browser", "Loading the numerical core", "Setting up the bench",
    ]


def test_the_last_value_of_a_dragged_slider_arrives(page):
    page.goto(LESSON)
    assert state(page) == "live"
    unlock(page)
    slider(page).scroll_into_view_if_needed()
    box = slider(page).bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 3, middle)
    page.mouse.down()
    for step in range(80):
        page.mouse.move(box["x"] + box["width"] * (1 / 3 + step / 200), middle)
    page.mouse.up()
    value = float(slider(page).input_value())
    assert value > 5
    entry = readout(Settings(stiffness=10**value)).entry
    row = page.get_by_role("row", name=strings.ENTRY_ROW)
    expect(row).to_contain_text(numerals.signed(entry))


def test_a_file_that_does_not_come_is_named_and_retry_brings_the_bench_up(page):
    page.route(re.compile(r"/runtime/(memory|vendor)-"), lambda route: route.abort())
    page.goto(LESSON)
    assert state(page) == "failed"
    alert = page.get_by_role("alert").filter(has_text="The bench is not running")
    assert re.search(r"The file vendor-\w+\.tar could not be loaded. Check your connection", alert.inner_text())
    page.unroute(re.compile(r"/runtime/(memory|vendor)-"))
    page.get_by_role("button", name="Retry").click()
    assert state(page) == "live"
    forgive(page, "ERR_FAILED")


def test_a_runtime_that_does_not_start_is_told_and_retry_brings_the_bench_up(page):
    page.route("**/*.wasm", lambda route: route.abort())
    page.goto(LESSON)
    assert state(page) == "failed"
    assert "pyodide.asm.wasm" in page.get_by_role("alert").filter(has_text="The bench is not running").inner_text()
    page.unroute("**/*.wasm")
    page.get_by_role("button", name="Retry").click()
    assert state(page) == "live"
    forgive(page, "ERR_FAILED|wasm|Failed to fetch")


@pytest.fixture
def under_a_path(built_site, tmp_path):
    """Serve the site below /teaching/ferrolab/, as a project page of a static host would be."""
    (tmp_path / MARKER).write_text("{}")
    shutil.copytree(built_site, tmp_path / "teaching" / "ferrolab", copy_function=os.link)
    with make_server(tmp_path, port=0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"{server.address}teaching/ferrolab/"
        server.shutdown()


def test_the_site_works_below_a_path(page, under_a_path):
    page.watch.origin = under_a_path.removesuffix("/teaching/ferrolab/")
    page.goto(under_a_path)
    page.get_by_role("link", name="The gradient that lies").first.click()
    assert state(page) == "live"
    assert {url for url in page.watch.requests if url.startswith("http") and "/teaching/ferrolab/" not in url} == set()
