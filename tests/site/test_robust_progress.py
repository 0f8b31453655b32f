"""Progress under every misfortune: a storage that refuses, an older version's data, another tab, a page put to sleep."""

import json

import pytest
from playwright.sync_api import expect
from seen import seen
from waiting import SOON_MS, until, wait_for

LESSON = "lessons/the-gradient-that-lies/"
KEY = "ferrolab:lesson:the-gradient-that-lies"
ASIDE = "ferrolab:set-aside:the-gradient-that-lies"
SETTLED_MS = 1200  # the rule's 600 ms and the worker's answer

pytestmark = pytest.mark.browser


def live(page):
    expect(page.locator("#bench")).to_have_attribute("data-bench-state", "live")


def predict(page, choice="It grows"):
    page.get_by_label(choice).check()
    page.get_by_role("button", name="Keep my prediction").click()


def answer(page, question, response):
    form = page.locator(f'[data-question="{question}"]')
    form.get_by_role("textbox").fill(response)
    form.get_by_role("button", name="Answer").click()


def slide(page, value):
    page.get_by_role("slider", name="Contact stiffness").fill(str(value))


def kept(page):
    return json.loads(page.evaluate("key => localStorage.getItem(key)", KEY))


def places(page):
    """Return the stiffnesses in the kept trail."""
    return {event["controls"]["log_stiffness"] for event in seen(page, KEY)}


def until_seen(page, *values):
    wait_for(lambda: places(page) >= set(values), lambda: f"of {values} only {places(page)} is kept as looked at")


def met(page, count):
    expect(page.locator("#checks .met")).to_have_count(count)


@pytest.fixture
def two_tabs(page):
    """Return two tabs with the lesson, both live."""
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto(LESSON)
    for tab in (page, other):
        live(tab)
    return page, other


def test_two_tabs_add_up_and_neither_is_graded_to_less(two_tabs):
    one, other = two_tabs
    one.bring_to_front()
    predict(one)
    expect(other.locator("#predict-kept")).to_be_visible()  # the prediction holds in both
    until_seen(one, 4)
    answer(one, "exponent", "1/2")
    slide(one, 6)
    until_seen(one, 4, 6)
    other.bring_to_front()
    expect(other.locator('[data-question="exponent"] .verdict')).to_contain_text("Right")
    answer(other, "missing-term", "the timing term")
    slide(other, 7)
    until_seen(other, 4, 6, 7)
    # A check that takes three time steps at one stiffness, seen partly here and partly there.
    one.bring_to_front()
    one.get_by_role("radio", name="1e-5 s").check(force=True)
    expect(one.locator("#stuck-here")).to_contain_text("waiting for the finer step")
    other.bring_to_front()
    slide(other, 6)
    other.get_by_role("radio", name="1e-6 s").check(force=True)
    met(other, 3)
    met(one, 3)
    assert places(one) == {4, 6, 7}
    assert {id for id, answered in kept(one)["answers"].items() if answered["right"]} == {"exponent", "missing-term"}
    expect(one.locator('[data-question="missing-term"] .verdict')).to_contain_text("Right")
    # Whichever writes last, writes everything.
    before = kept(one)["trail"]["events"]
    other.bring_to_front()
    slide(other, 3)
    until_seen(other, 3)
    after = kept(other)["trail"]["events"]
    assert [event for event in before if event not in after] == []


def test_starting_over_in_one_tab_is_followed_by_the_other(two_tabs):
    one, other = two_tabs
    one.bring_to_front()
    predict(one)
    until_seen(one, 4)
    one.get_by_role("button", name="Start over").click()
    one.get_by_role("button", name="Forget it all").click()
    met(one, 0)
    expect(other.locator("#notice")).to_contain_text("You started over in another tab, and this one has followed", timeout=SOON_MS)
    met(other, 0)
    assert other.locator("#bench").evaluate("e => e.inert")
    assert one.evaluate("key => localStorage.getItem(key)", KEY) is None
    other.bring_to_front()
    predict(other, "It does not move")
    until_seen(other, 4)
    assert [event["response"] for event in kept(other)["trail"]["events"] if event["kind"] == "answered"] == ["unmoved"]
    expect(one.locator("#predict-kept")).to_be_visible()


DENIED = """
Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('denied', 'SecurityError'); }});
"""


def test_a_storage_that_is_closed_is_told_of_and_the_lesson_goes_on(page):
    page.add_init_script(DENIED)
    page.goto(LESSON)
    live(page)
    predict(page)
    expect(page.locator("#notice")).to_contain_text("does not let the page keep anything", timeout=SOON_MS)
    expect(page.locator("#notice")).to_contain_text("save your evidence file", timeout=SOON_MS)
    expect(page.locator("#checks .met").first).to_be_visible()
    answer(page, "exponent", "1/2")
    page.get_by_role("button", name="Start over").click()
    page.get_by_role("button", name="Forget it all").click()
    met(page, 0)
    page.goto("index.html")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_a_storage_that_has_room_again_keeps_everything(page):
    page.goto(LESSON)
    live(page)
    page.evaluate("window.keep = Storage.prototype.setItem; Storage.prototype.setItem = () => { throw new DOMException('no room', 'QuotaExceededError'); }; null")
    predict(page)
    expect(page.locator("#checks .met").first).to_be_visible()
    expect(page.locator("#notice")).to_contain_text("refuses to keep", timeout=SOON_MS)
    page.evaluate("Storage.prototype.setItem = window.keep; null")
    slide(page, 5)
    until_seen(page, 4, 5)
    expect(page.locator("#notice")).to_be_hidden()


def test_a_value_that_cannot_be_read_survives_a_storage_without_room_for_it(page):
    page.goto("index.html")
    page.evaluate("key => localStorage.setItem(key, 'garbage')", KEY)
    no_room = "const keep = Storage.prototype.setItem; Storage.prototype.setItem = function (key, text) {"
    no_room += " if (key.includes('set-aside')) throw new DOMException('no room', 'QuotaExceededError'); keep.call(this, key, text); };"
    page.add_init_script(no_room)
    page.goto(LESSON)
    expect(page.locator("#notice")).to_contain_text("no room to set it aside", timeout=SOON_MS)
    predict(page)
    assert page.evaluate("key => localStorage.getItem(key)", KEY) == "garbage"


def test_what_two_failures_left_is_kept_side_by_side(page):
    page.goto("index.html")
    for garbage in ("one", "two"):
        page.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEY, garbage])
        page.goto(LESSON)
        expect(page.locator("#notice")).to_contain_text("set aside", timeout=SOON_MS)
        page.goto("index.html")
    assert page.evaluate("key => [localStorage.getItem(key), localStorage.getItem(key + ':2')]", ASIDE) == ["one", "two"]


def test_what_the_first_version_kept_is_taken_over(page):
    page.goto("index.html")
    old = {"version": 1, "prediction": "grows", "answers": {"exponent": {"response": 0.5, "right": True}, "gone": {"response": "x", "right": True}},
           "trail": {"version": 1, "lesson": "the-gradient-that-lies", "events": [{"kind": "answered", "question": "gone", "response": "x"}]},
           "grade": None, "controls": {"log_stiffness": 6, "dt": 1e-5, "stepping": "fixed"}}  # fmt: skip
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEY, json.dumps(old)])
    page.goto(LESSON)
    assert page.locator("#notice").is_hidden()
    expect(page.locator('[data-question="exponent"] .verdict')).to_contain_text("Right")
    live(page)
    expect(page.get_by_role("slider", name="Contact stiffness")).to_have_value("6")
    until(page, "key => JSON.parse(localStorage.getItem(key)).version === 2", KEY)
    assert kept(page)["trail"]["events"][0]["question"] == "gone"


def freeze(page, state):
    session = page.context.new_cdp_session(page)
    session.send("Page.setWebLifecycleState", {"state": state})


def test_a_page_that_slept_goes_on_and_its_sleep_is_nobodys_looking(page):
    page.goto(LESSON)
    live(page)
    predict(page)
    until_seen(page, 4)
    # A laptop closed just after a move: the clock runs on, and no event says so.
    page.evaluate(
        """
        window.asleep = 0;
        const clock = performance.now.bind(performance);
        performance.now = () => clock() + window.asleep;
        """
    )
    slide(page, 6)
    until(page, "document.getElementById('bar-sign').textContent.includes('160')")
    page.evaluate("window.asleep = 3600e3")
    page.wait_for_timeout(250)
    assert places(page) == {4}
    until_seen(page, 4, 6)
    expect(page.locator("#bench")).to_have_attribute("data-bench-state", "live")

    freeze(page, "frozen")
    freeze(page, "active")
    slide(page, 7)
    until_seen(page, 7)


def test_a_page_come_back_to_shows_all_that_was_kept(browser_with_memory, site_address):
    """Back from another page, whether the browser had kept this one alive or loads it again."""
    context = browser_with_memory.new_context(base_url=site_address, service_workers="block")
    page = context.new_page()
    page.goto(LESSON)
    live(page)
    predict(page)
    slide(page, 6)
    until_seen(page, 6)
    count = page.locator("#checks .met").count()
    page.goto("index.html")
    page.go_back(wait_until="commit")
    live(page)
    expect(page.locator("#checks .met")).to_have_count(count)
    expect(page.get_by_role("slider", name="Contact stiffness")).to_have_value("6")
    slide(page, 7)
    until_seen(page, 6, 7)
    context.close()
