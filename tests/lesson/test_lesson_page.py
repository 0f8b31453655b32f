"""The page in a browser: the lock, the settle rule, what is kept, what is set aside, the phone's bar."""

from __future__ import annotations

import json

import pytest
from seen import look
from waiting import until

pytestmark = pytest.mark.browser

ADDRESS = "lessons/the-gradient-that-lies/index.html"
KEY = "ferrolab:lesson:the-gradient-that-lies"
SETTLED_MS = 1200  # the rule's 600 ms and the worker's answer


def open_lesson(page, *, live: bool = True) -> None:
    page.goto(ADDRESS)
    if live:
        page.wait_for_selector('#bench[data-bench-state="live"]')


def predict(page) -> None:
    page.get_by_label("It grows").check()
    page.get_by_role("button", name="Keep my prediction").click()


def checks(page) -> list[str]:
    return [item.split("\n")[-1].split()[-1] for item in page.get_by_role("list", name="Pass checks").locator("li").all_inner_texts()]


def met(page, count: int) -> None:
    until(page, "n => document.querySelectorAll('#checks .met').length === n", count)


def slide(page, value: float) -> None:
    slider = page.get_by_role("slider", name="Contact stiffness")
    slider.evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input', {bubbles: true})); e.dispatchEvent(new Event('change', {bubbles: true})); }", str(value))


def stored(page) -> dict:
    return json.loads(page.evaluate("key => localStorage.getItem(key)", KEY))


def test_the_bench_is_locked_until_a_prediction_is_kept(page) -> None:
    open_lesson(page)
    assert page.locator("#bench").evaluate("e => e.inert")
    assert page.locator("#bench-lock").is_visible()
    page.wait_for_timeout(SETTLED_MS)
    met(page, 0)
    predict(page)
    assert not page.locator("#bench").evaluate("e => e.inert")
    assert not page.locator("#bench-lock").is_visible()
    assert stored(page)["prediction"] == "grows"
    until(page, "document.querySelectorAll('#checks .met').length > 0")


def test_a_student_passes_reloads_and_starts_over(page) -> None:
    open_lesson(page)
    predict(page)
    slide(page, 6)
    look(page, KEY, log_stiffness=6)
    page.get_by_role("radio", name="1e-5 s").check(force=True)
    page.wait_for_selector("#stuck-here:has-text('waiting for the finer step')")
    page.get_by_role("radio", name="1e-6 s").check(force=True)
    met(page, 3)
    assert "It grows" in page.locator("#truth-predicted").inner_text()
    assert page.locator("#truth-answer").is_visible()
    page.get_by_role("button", name="Error tolerance").click()
    met(page, 4)
    assert page.locator("[data-when-passed]").is_visible()
    until(page, "key => JSON.parse(localStorage.getItem(key)).grade.passed", KEY)

    page.reload(wait_until="commit")
    # From what is kept, before Python is up.
    until(
        page, "document.querySelectorAll('#checks .met').length === 4 && document.querySelector('#bench').dataset.benchState === 'loading'"
    )
    page.wait_for_selector('#bench[data-bench-state="live"]')
    met(page, 4)
    page.goto("index.html")
    assert "passed" in page.locator("[data-lesson='the-gradient-that-lies'] .progress-text").inner_text()

    open_lesson(page)
    page.get_by_role("button", name="Start over").click()
    assert page.get_by_role("button", name="Keep it").evaluate("e => e === document.activeElement")
    page.get_by_role("button", name="Keep it").click()
    met(page, 4)
    page.get_by_role("button", name="Start over").click()
    page.get_by_role("button", name="Forget it all").click()
    met(page, 0)
    assert page.evaluate("key => localStorage.getItem(key)", KEY) is None
    assert page.locator("#bench").evaluate("e => e.inert")
    page.reload()
    met(page, 0)


def test_a_readout_out_of_view_is_not_looked_at(page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_lesson(page)
    predict(page)
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(SETTLED_MS)
    met(page, 0)
    page.get_by_role("button", name="Open the bench").click()
    until(page, "document.querySelectorAll('#checks .met').length > 0")


def test_the_phones_bar_carries_the_sign_line_and_opens_and_closes_the_bench(page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_lesson(page)
    predict(page)
    assert "WRONG SIGN \u221216.76, exact +3.59" in " ".join(page.locator("#bar-sign").inner_text().split())
    page.get_by_role("button", name="Open the bench").click()
    slider = page.get_by_role("slider", name="Contact stiffness")
    box = slider.bounding_box()
    assert box and 0 <= box["y"] <= 844
    slide(page, 2)
    page.keyboard.press("Escape")
    assert page.get_by_role("button", name="Open the bench").evaluate("e => e === document.activeElement")
    until(page, "document.getElementById('bar-sign').textContent.includes('same sign')")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    "value",
    ["{", "null", "[]", '"text"', '{"version": 99}', '{"version": 1, "prediction": 5, "answers": {}, "trail": null, "grade": null, "controls": null}',
     '{"version": 1, "prediction": null, "answers": {}, "trail": {"version": 1, "lesson": "the-gradient-that-lies", "events": [{"kind": "seen"}]}, "grade": null, "controls": null}'],
)  # fmt: skip
def test_a_kept_value_that_cannot_be_read_is_set_aside_with_a_sentence(page, value: str) -> None:
    page.goto("index.html")
    page.evaluate("([key, value]) => localStorage.setItem(key, value)", [KEY, value])
    page.reload()
    assert "could not be read" in page.locator("[data-lesson='the-gradient-that-lies'] .progress-text").inner_text()
    open_lesson(page, live=False)
    assert "set aside" in page.locator("#notice").inner_text()
    assert page.evaluate("localStorage.getItem('ferrolab:set-aside:the-gradient-that-lies')") == value
    assert checks(page) == ["yet"] * 4
    predict(page)
    assert stored(page)["prediction"] == "grows"


def test_questions_are_explained_kept_and_told_to_the_grade(page) -> None:
    open_lesson(page, live=False)
    predict(page)
    exponent = page.locator('[data-question="exponent"]')
    exponent.get_by_role("button", name="Answer").click()
    assert "Type an answer first" in exponent.locator(".verdict").inner_text()
    exponent.get_by_role("textbox").fill("two")
    exponent.get_by_role("button", name="Answer").click()
    assert "Type a number" in exponent.locator(".verdict").inner_text()
    exponent.get_by_role("textbox").fill("1/2")
    exponent.get_by_role("textbox").press("Enter")
    assert "Right" in exponent.locator(".verdict").inner_text()
    assert exponent.locator(".explanation.right").is_visible() and not exponent.locator(".explanation.wrong").is_visible()
    term = page.locator('[data-question="missing-term"]')
    term.get_by_role("textbox").fill("The timing term!")
    term.get_by_role("button", name="Answer").click()
    assert "Right" in term.locator(".verdict").inner_text()
    whose = page.locator('[data-question="whose-exponent"]')
    whose.get_by_label("Of the spring").check()
    whose.get_by_role("button", name="Answer").click()
    assert whose.locator(".explanation.wrong").is_visible()

    page.wait_for_selector('#bench[data-bench-state="live"]')  # answers given before it was up are told now
    page.wait_for_selector("#stuck-exponent-of-the-spring.live")
    until(page, "key => JSON.parse(localStorage.getItem(key)).trail?.events.length >= 4", KEY)
    answered = {e["question"]: e["response"] for e in stored(page)["trail"]["events"] if e["kind"] == "answered"}
    assert answered == {"predict": "grows", "exponent": 0.5, "missing-term": "The timing term!", "whose-exponent": "spring"}
    page.reload()
    assert "Right" in page.locator('[data-question="exponent"] .verdict').inner_text()
    page.goto("index.html")
    assert "2 of 9 questions" in page.locator("[data-lesson='the-gradient-that-lies'] .progress-text").inner_text()


def test_every_message_can_be_read_on_request(page) -> None:
    open_lesson(page, live=False)
    assert page.locator("[data-stuck]:visible").count() == 0
    page.get_by_role("button", name="Show every message").click()
    assert page.locator("[data-stuck]:visible").count() == 7


def test_light_and_dark_can_be_chosen_and_are_kept(page) -> None:
    open_lesson(page, live=False)
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_role("button", name="Switch to dark colours").click()
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    assert page.evaluate(paper) == dark


def test_the_text_is_whole_without_scripts(browser, site_address) -> None:
    context = browser.new_context(base_url=site_address, java_script_enabled=False)
    page = context.new_page()
    page.goto(ADDRESS)
    assert page.locator("math").count() > 20 and page.locator("svg.picture").is_visible()
    assert page.locator("[data-stuck]:visible").count() == 7
    assert page.get_by_text("The bench needs JavaScript").is_visible()
    context.close()


def test_a_bench_that_fails_can_be_retried_even_before_the_prediction(browser, site_address) -> None:
    context = browser.new_context(base_url=site_address)
    page = context.new_page()
    context.route("**/runtime/*-*.*", lambda route: route.abort())
    page.goto(ADDRESS)
    page.wait_for_selector('#bench[data-bench-state="failed"]')
    assert "bench failed" in page.locator("#bench-state").inner_text()
    assert not page.locator("#bench").evaluate("e => e.inert")
    context.unroute("**/runtime/*-*.*")
    page.get_by_role("button", name="Retry").click()
    page.wait_for_selector('#bench[data-bench-state="live"]', timeout=60_000)
    assert page.locator("#bench").evaluate("e => e.inert")
    context.close()
