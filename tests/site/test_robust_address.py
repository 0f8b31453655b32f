"""The state of the bench is in the page's address: a link restores it, and believes nothing that the bench has not."""

import pytest
from playwright.sync_api import expect
from seen import look, seen
from waiting import SOON_MS, until

LESSON = "lessons/the-gradient-that-lies/"
KEY = "ferrolab:lesson:the-gradient-that-lies"
SETTLED_MS = 1200

pytestmark = pytest.mark.browser


def open_lesson(page, hash=""):
    page.goto(LESSON + hash)
    expect(page.locator("#bench")).to_have_attribute("data-bench-state", "live")


def predict(page):
    page.get_by_label("It grows").check()
    page.get_by_role("button", name="Keep my prediction").click()


def slider(page):
    return page.get_by_role("slider", name="Contact stiffness")


def address(page):
    return page.evaluate("location.hash")


def becomes(page, hash):
    until(page, "hash => location.hash === hash", hash)


def test_the_address_follows_the_bench_at_rest_and_a_link_brings_it_back(page):
    open_lesson(page)
    assert address(page) == ""  # a bench as it starts needs none
    predict(page)
    page.evaluate("window.written = 0; const keep = history.replaceState; history.replaceState = function (...all) { written += 1; keep.apply(this, all); }; null")
    for value in ("5", "5.5", "6"):
        slider(page).fill(value)
    page.get_by_role("radio", name="1e-5 s").check(force=True)
    becomes(page, "#bench?log_stiffness=6&dt=1e-05&stepping=fixed")
    assert page.evaluate("written") == 1
    assert page.evaluate("history.length") == 2  # about:blank and this page: the way back is not paved with moves
    link = page.url

    stranger = page.context.browser.new_context(service_workers="block")
    reader = stranger.new_page()
    reader.goto(link)
    expect(reader.locator("#bench")).to_have_attribute("data-bench-state", "live")
    assert slider(reader).input_value() == "6"
    # What a link shows counts once it has been looked at, after the prediction, as anything does.
    reader.wait_for_timeout(SETTLED_MS)
    assert seen(reader, KEY) == []
    predict(reader)
    look(reader, KEY, log_stiffness=6)
    assert [event["controls"]["dt"] for event in seen(reader, KEY)] == [1e-5]
    assert reader.locator("#notice").is_hidden()
    # On to another link within the page, and back to the bench as it starts.
    reader.evaluate("location.hash = '#bench?stepping=tolerance&log_stiffness=3'")
    expect(reader.get_by_role("button", name="Error tolerance")).to_have_attribute("aria-pressed", "true")
    becomes(reader, "#bench?log_stiffness=3&dt=0.0001&stepping=tolerance")
    reader.get_by_role("button", name="Start over").click()
    reader.get_by_role("button", name="Forget it all").click()
    becomes(reader, "")
    stranger.close()


def test_what_a_link_asks_for_and_the_bench_has_not_is_left_out_with_a_notice(page):
    open_lesson(page, "#bench?log_stiffness=99&colour=<img src=x onerror=alert(1)>&dt=1e-06")
    expect(page.locator("#notice")).to_contain_text("The link asks for “log_stiffness=99", timeout=SOON_MS)
    expect(page.locator("#notice")).to_contain_text("which this bench does not have", timeout=SOON_MS)
    assert page.locator("#notice img").count() == 0
    predict(page)
    expect(page.get_by_role("radio", name="1e-6 s")).to_be_checked()
    assert slider(page).input_value() == "4"
    becomes(page, "#bench?log_stiffness=4&dt=1e-06&stepping=fixed")


def test_links_to_parts_of_the_text_go_where_they_went_and_stay(page):
    open_lesson(page, "#feedback")
    assert page.locator("#feedback").evaluate("e => Math.abs(e.getBoundingClientRect().top) < innerHeight")
    page.wait_for_timeout(SETTLED_MS)
    assert address(page) == "#feedback"
    predict(page)
    page.get_by_role("navigation", name="Parts of the lesson").get_by_role("link").last.click()
    part = address(page)
    assert part.startswith("#") and "?" not in part
    page.wait_for_timeout(SETTLED_MS)
    assert address(page) == part
    slider(page).fill("6")
    becomes(page, "#bench?log_stiffness=6&dt=0.0001&stepping=fixed")
    page.go_back()
    assert address(page) == "#feedback"
    assert slider(page).input_value() == "6"
    page.go_forward()
    becomes(page, "#bench?log_stiffness=6&dt=0.0001&stepping=fixed")


def test_other_parameters_of_the_address_are_left_alone_and_the_link_can_be_copied(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{LESSON}?from=syllabus&x=%20y")
    expect(page.locator("#bench")).to_have_attribute("data-bench-state", "live")
    predict(page)
    slider(page).fill("7")
    becomes(page, "#bench?log_stiffness=7&dt=0.0001&stepping=fixed")
    assert page.evaluate("location.search") == "?from=syllabus&x=%20y"
    page.get_by_role("button", name="Copy a link to this setting").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
