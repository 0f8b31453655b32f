"""A student's whole path in a browser: nothing leaves the site's origin, the evidence holds, questions come back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from places import LESSON_ONE
from test_lesson_page import ADDRESS, slide
from waiting import until

from ferrolab.lesson import Trail, grade, load_lesson
from ferrolab.lesson.evidence import read_evidence, verify

pytestmark = pytest.mark.browser
RETRIEVAL = "ferrolab:retrieval"


@pytest.fixture
def student(browser, site_address):
    """A new student's page with the site's own policy in force, and everything it sent for."""
    context = browser.new_context(base_url=site_address, viewport={"width": 1440, "height": 900}, accept_downloads=True)
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.asked, page.troubles = [], []
    context.on("request", lambda request: page.asked.append(request.url))
    context.on("page", lambda other: page.troubles.append(f"another page: {other.url}") if other is not page else None)
    page.on("websocket", lambda socket: page.troubles.append(f"websocket: {socket.url}"))
    page.on("console", lambda message: message.type == "error" and page.troubles.append(message.text))
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    yield page
    context.close()


def live(page) -> None:
    page.locator('#bench[data-bench-state="live"]').wait_for()


def answer(page, question: str, choice: str, scope: str = "") -> None:
    form = page.locator(f"{scope} [data-question={question}]")
    form.get_by_label(choice).check()
    form.get_by_role("button", name="Answer").click()


def save_evidence(page, folder: Path) -> dict:
    with page.expect_download() as download:
        page.get_by_role("button", name="Save my evidence file").click()
    path = folder / "evidence.json"
    download.value.save_as(path)
    assert download.value.suggested_filename == "ferrolab-the-gradient-that-lies.json"
    return json.loads(path.read_text(encoding="utf-8"))


def test_nothing_leaves_the_origin_on_a_students_whole_path(student, site_address: str, tmp_path: Path) -> None:
    page = student
    page.goto("index.html")
    assert not page.locator("#review").is_visible()
    page.get_by_role("link", name="The gradient that lies").first.click()
    live(page)
    page.get_by_role("button", name="Save my evidence file").click()
    assert "nothing to hand in" in page.locator("#handin-said").inner_text()

    page.get_by_label("It grows").check()
    page.get_by_role("button", name="Keep my prediction").click()
    page.evaluate("scrollTo(0, 0)")
    slide(page, 6)
    page.locator("#checks .met").first.wait_for()
    answer(page, "which-way", "Both fall.")
    answer(page, "which-way", "The forward error falls, the gradient error rises.")
    answer(page, "smaller-step", "No. The error stays")
    page.get_by_label("Your name, if you want it in the file").fill("Ada Lovelace")
    until(page, "JSON.parse(localStorage.getItem('ferrolab:lesson:the-gradient-that-lies')).trail.events.length >= 5")
    value = save_evidence(page, tmp_path)

    lesson = load_lesson(LESSON_ONE)
    verdict = verify(read_evidence(json.dumps(value).encode()), lesson)
    assert verdict.holds and verdict.same_lesson and verdict.agreeing == len(verdict.readouts) >= 1
    assert value["name"] == "Ada Lovelace" and verdict.questions_right == 2
    # The page's grade, written again as the page writes it, is CPython's to the byte.
    assert json.dumps(value["grade"], ensure_ascii=False, separators=(",", ":")) == grade(lesson, Trail.from_dict(value["trail"])).to_json()

    page.goto("index.html")
    page.locator("#review-said:has-text('No question is due. The next one comes back tomorrow.')").wait_for()
    kept = json.loads(page.evaluate("key => localStorage.getItem(key)", RETRIEVAL))
    assert set(kept["cards"]) == {"the-gradient-that-lies/which-way", "the-gradient-that-lies/smaller-step"}
    for card in kept["cards"].values():
        card["due"] -= 1
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [RETRIEVAL, json.dumps(kept)])
    page.reload()
    page.locator("#review-said:has-text('2 questions are due.')").wait_for()
    answer(page, "which-way", "The forward error falls, the gradient error rises.", "#review")
    page.locator("#review .explanation.right").wait_for()
    # Wrong on its first day, so right today is its first right answer: it comes back tomorrow.
    assert page.locator("#review-said").inner_text() == "It comes back tomorrow. One more is due."
    page.get_by_role("button", name="Next question").click()
    page.locator("#review [data-question=smaller-step]").wait_for()
    answer(page, "smaller-step", "Yes, if it is small enough.", "#review")
    assert "That was the last for today." in page.locator("#review-said").inner_text()

    page.get_by_role("link", name="Privacy").click()
    assert page.get_by_role("heading", name="Privacy", level=1).is_visible()
    page.get_by_role("link", name="For instructors").first.click()
    page.get_by_role("link", name="Writing a lesson, step by step").click()
    page.goto(ADDRESS)
    live(page)
    page.get_by_role("button", name="Start over").click()
    page.get_by_role("button", name="Forget it all").click()
    page.locator("#checks .met").first.wait_for(state="detached")
    assert json.loads(page.evaluate("key => localStorage.getItem(key)", RETRIEVAL))["cards"] == {}

    assert page.troubles == []
    assert len(page.asked) > 30
    strays = [url for url in page.asked if not url.startswith((site_address, "data:", f"blob:{site_address}"))]
    assert strays == []
    assert page.context.cookies() == []


def test_the_review_says_so_when_a_question_cannot_be_loaded(page) -> None:
    card = {"repetitions": 1, "easiness": 2.5, "interval": 1, "due": 1}
    page.goto("index.html")
    text = json.dumps({"version": 1, "cards": {"the-gradient-that-lies/which-way": card}})
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [RETRIEVAL, text])
    page.route("**/questions.html", lambda route: route.abort())
    page.reload()
    page.locator("#review-said:has-text('could not be loaded')").wait_for()
    page.watch.troubles[:] = [one for one in page.watch.troubles if "ERR_FAILED" not in one]
