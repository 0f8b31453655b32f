"""A worker that ends, stalls or is refused: said in words within ten seconds, with a way on, and nothing lost."""

import re

import pytest
from hosting import block
from playwright.sync_api import expect
from seen import look, seen
from waiting import SOON_MS, until, wait_for

LESSON = "lessons/the-gradient-that-lies/"
KEY = "ferrolab:lesson:the-gradient-that-lies"

# Keeps hold of every worker, so that a test can end one as a browser does: at once, and without a word.
KEEP_WORKERS = """
window.workers = [];
window.Worker = class extends Worker { constructor(...all) { super(...all); window.workers.push(this); } };
"""
PASSES_MS = 9000
"""What the page's clock is set forward by: its patience with anything is a little less."""

WITHOUT_LOCKS = "Object.defineProperty(navigator, 'locks', {value: undefined});"

pytestmark = pytest.mark.browser


def bench(page, state, timeout=None):
    expect(page.locator("#bench")).to_have_attribute("data-bench-state", state, timeout=timeout)


def live(page, *, locks=True):
    """Open the lesson, with its bench live and unlocked."""
    page.add_init_script(KEEP_WORKERS)
    if not locks:
        page.add_init_script(WITHOUT_LOCKS)
    page.clock.install()
    page.goto(LESSON)
    bench(page, "live")
    page.locator("#predict-form").get_by_role("radio").first.check()
    page.get_by_role("button", name="Keep my prediction").click()


def slider(page):
    return page.get_by_role("slider", name="Contact stiffness")


def end_worker(page):
    page.evaluate("window.workers.at(-1).terminate()")


def sentence(page):
    return page.get_by_role("alert").filter(has_text="The bench is not running")


def forgive(page, pattern):
    page.watch.troubles = [trouble for trouble in page.watch.troubles if not re.search(pattern, trouble)]


def test_without_locks_a_worker_that_ends_is_missed_and_the_pending_moves_are_made_again(page):
    live(page, locks=False)
    slider(page).fill("5")
    look(page, KEY, log_stiffness=5)
    before = len(seen(page, KEY))
    end_worker(page)
    slider(page).fill("6")  # sent, and never answered
    slider(page).fill("6.5")
    page.get_by_role("radio", name="1e-5 s").check(force=True)
    page.clock.run_for(PASSES_MS)
    bench(page, "failed", SOON_MS)
    expect(sentence(page)).to_contain_text("stopped answering. Your progress is kept", timeout=SOON_MS)
    page.get_by_role("button", name="Retry").click()
    bench(page, "live")
    expect(slider(page)).to_have_value("6.5")
    expect(page.get_by_role("radio", name="1e-5 s")).to_be_checked()
    assert len(seen(page, KEY)) >= before


def test_a_worker_that_ends_in_the_midst_of_a_computation_is_noticed_at_once(page):
    live(page)
    block(page, 60_000)
    slider(page).fill("7")
    slider(page).fill("7.25")  # kept by the slider until the one before is answered
    end_worker(page)
    bench(page, "failed", SOON_MS)
    expect(sentence(page)).to_contain_text("stopped answering. Your progress is kept", timeout=SOON_MS)
    assert slider(page).count() == 0  # nothing that was computed before stands there as live
    assert "the bench has stopped" in page.locator("#bar-sign").text_content()
    page.get_by_role("button", name="Retry").click()
    bench(page, "live")
    expect(slider(page)).to_have_value("7.25")


def test_a_long_computation_is_no_death(page):
    live(page)
    block(page, 3000)
    slider(page).fill("6")
    page.clock.run_for(2 * PASSES_MS)
    assert page.get_attribute("#bench", "data-bench-state") == "live"
    look(page, KEY, log_stiffness=6)


def test_without_locks_a_long_computation_is_told_of_and_goes_on(page):
    """The worker takes the turn and then says nothing, as one that has ended would: the page offers, and does not act."""

    def slow(route):
        answer = route.fetch()
        script = answer.text()
        assert script.count("session.receive(") == 1
        busy = "for (const end = Date.now() + 5000; /\"new\":6[,}]/.test(data.text) && Date.now() < end; ); session.receive("
        route.fulfill(response=answer, body=script.replace("session.receive(", busy))

    page.route("**/worker.js", slow)
    live(page, locks=False)
    slider(page).fill("6")
    page.wait_for_timeout(500)
    page.clock.run_for(PASSES_MS)
    notice = page.get_by_role("status").filter(has_text="The bench is still computing")
    expect(notice).to_be_visible(timeout=SOON_MS)
    assert page.get_by_role("button", name="Retry").is_visible()
    assert page.get_attribute("#bench", "data-bench-state") == "live"
    expect(notice).to_have_count(0)
    look(page, KEY, log_stiffness=6)


def test_what_python_failed_at_is_not_asked_for_again(page):
    live(page)
    slider(page).fill("6")
    until(page, "document.getElementById('bar-sign').textContent.includes('160')")
    page.evaluate("window.workers.at(-1).postMessage({kind: 'turn', turn: 1e9, act: 'patch', text: 'no patch'})")
    bench(page, "failed", SOON_MS)
    expect(sentence(page)).to_contain_text("ran into an error and stopped", timeout=SOON_MS)
    page.get_by_role("button", name="Retry").click()
    bench(page, "live")
    expect(slider(page)).to_have_value("6")


def test_starting_over_holds_though_the_worker_is_gone(page):
    live(page)
    until(page, "document.querySelectorAll('#checks .met').length > 0")
    end_worker(page)
    bench(page, "failed", SOON_MS)
    page.get_by_role("button", name="Start over").click()
    page.get_by_role("button", name="Forget it all").click()
    page.get_by_role("button", name="Retry").click()
    bench(page, "live")
    assert page.locator("#checks .met").count() == 0
    page.locator("#predict-form").get_by_role("radio").last.check()
    page.get_by_role("button", name="Keep my prediction").click()
    until(page, "key => JSON.parse(localStorage.getItem(key)).trail?.events.length === 1", KEY)


SNAPSHOT = "**/runtime/memory-*"
"""With it a page does not need the archives; without, it starts from them."""


@pytest.mark.parametrize("file", ["python_stdlib-*", "pyodide.asm.mjs", "manifest.js"])
def test_a_file_that_is_refused_is_named(page, file):
    page.route(SNAPSHOT, lambda route: route.abort())
    page.route(f"**/{file}", lambda route: route.abort())
    page.goto(LESSON)
    bench(page, "failed", SOON_MS)
    expect(sentence(page)).to_contain_text(f"The file {file.split('*')[0]}", timeout=SOON_MS)
    forgive(page, "ERR_FAILED|Failed to fetch")


@pytest.mark.parametrize("file", ["worker.js", "models.js"])
def test_a_script_that_is_refused_is_named_and_a_retry_loads_it(page, file):
    page.route(f"**/{file}", lambda route: route.abort())
    page.goto(LESSON)
    bench(page, "failed", SOON_MS)
    expect(sentence(page)).to_contain_text(f"The file {file}", timeout=SOON_MS)
    page.unroute(f"**/{file}")
    page.get_by_role("button", name="Retry").click()
    bench(page, "live")
    forgive(page, "ERR_FAILED|Failed to fetch")


@pytest.mark.parametrize("file", ["vendor-*", "pyodide.asm.wasm"])
def test_a_file_that_never_comes_is_named_beside_a_retry(page, file):
    held = [True]
    page.route(SNAPSHOT, lambda route: route.abort())
    page.route(f"**/{file}", lambda route: None if held[0] else route.continue_())
    page.clock.install()
    awaited = []
    page.on("request", lambda request: awaited.append(request.url))
    for answered in ("requestfinished", "requestfailed"):
        page.on(answered, lambda request: awaited.remove(request.url))
    page.goto(LESSON)
    page.wait_for_timeout(3000)  # the others come
    # Playwright hears of what has come while it asks the page for something.
    wait_for(lambda: page.evaluate("true") and len(awaited) == 1, lambda: f"waiting for {awaited}")
    forgive(page, "ERR_FAILED")
    page.clock.run_for(PASSES_MS)
    note = page.get_by_role("status").filter(has_text="longer than usual")
    expect(note).to_contain_text(file.split("*")[0], timeout=SOON_MS)
    assert page.get_attribute("#bench", "data-bench-state") == "loading"  # a slow link is not cut off
    held[0] = False
    page.get_by_role("button", name="Retry").click()
    bench(page, "live")
    assert note.count() == 0


def test_webassembly_that_a_policy_refuses_is_named(page):
    def refuse(route):
        answer = route.fetch()
        policy = answer.headers["content-security-policy"].replace(" 'wasm-unsafe-eval'", "").replace(" 'unsafe-eval'", "")
        route.fulfill(response=answer, headers=answer.headers | {"content-security-policy": policy})

    page.route("**/worker.js", refuse)
    page.goto(LESSON)
    bench(page, "failed", SOON_MS)
    expect(sentence(page)).to_contain_text("WebAssembly, which the bench is computed with, is refused here", timeout=SOON_MS)
    forgive(page, "Content Security Policy|WebAssembly")


def test_a_browser_without_webassembly_is_told_so_at_once(page):
    page.add_init_script("delete window.WebAssembly")
    page.goto(LESSON)
    bench(page, "failed", SOON_MS)
    expect(sentence(page)).to_contain_text("it needs WebAssembly and module workers", timeout=SOON_MS)
    assert page.get_by_role("button", name="Retry").count() == 0
