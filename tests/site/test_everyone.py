"""For everyone: no serious fault that axe-core knows, by keyboard alone, in words, at any width, in any colours."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
from everyone import FOCUSED, LISTEN, SLUGS, open_lesson, predict, put_in_scheme, tab_to, violations
from PIL import Image
from playwright.sync_api import expect
from seen import look
from waiting import until

pytestmark = pytest.mark.browser

PLAIN_PAGES = (
    "index.html",
    "instructors/index.html",
    "instructors/writing-a-lesson.html",
    "instructors/diagnostics.html",
    "instructors/students.html",
)
WIDE = {"width": 1440, "height": 900}
PHONE = {"has_touch": True, "is_mobile": True}
FEWEST = 24
"""Pixels a control must measure at least (WCAG 2.2, 2.5.8); links within a sentence are excepted."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_the_plain_pages(open_page, scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    for address in PLAIN_PAGES:
        page.goto(address)
        assert violations(page) == [], address


@pytest.mark.parametrize("slug", SLUGS)
def test_axe_finds_nothing_serious_in_a_lesson_before_while_and_after(open_page, slug: str) -> None:
    page = open_page()
    open_lesson(page, slug)
    for scheme in ("light", "dark"):
        put_in_scheme(page, scheme)
        assert violations(page) == [], f"locked, {scheme}"
    predict(page)
    look(page, f"ferrolab:lesson:{slug}")
    page.get_by_text("Show as table" if page.locator("html").get_attribute("lang") == "en" else "Als Tabelle zeigen").first.click()
    page.locator("[data-question] button").first.click()
    page.evaluate(
        "document.body.classList.add('has-passed'); for (const e of document.querySelectorAll('[data-when-passed], [data-stuck]')) e.hidden = false"
    )
    for scheme in ("light", "dark"):
        put_in_scheme(page, scheme)
        page.wait_for_timeout(300)
        assert violations(page) == [], f"in use, {scheme}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_where_the_worker_failed(open_page, scheme: str) -> None:
    page = open_page(color_scheme=scheme)
    page.route(re.compile(r"/runtime/(memory-|.*\.tar)"), lambda route: route.abort())
    page.goto(f"lessons/{SLUGS[0]}/index.html")
    page.wait_for_selector('#bench[data-bench-state="failed"]')
    assert violations(page) == []
    page.watch.troubles[:] = [one for one in page.watch.troubles if "ERR_FAILED" not in one]


def is_met(page, check: str) -> None:
    page.locator(f"[data-check={check}].met").wait_for()


def test_the_keyboard_alone_passes_lesson_1(page) -> None:
    open_lesson(page, "the-gradient-that-lies")
    press = page.keyboard.press
    press("Tab")
    assert page.evaluate(FOCUSED)["name"] == "Skip to the text"
    press("Enter")
    tab_to(page, lambda f: f["type"] == "radio")
    press("Space")
    tab_to(page, lambda f: f["name"] == "Keep my prediction")
    press("Enter")
    assert page.evaluate(FOCUSED)["id"] == "predict-kept"
    slider = tab_to(page, lambda f: f["type"] == "range")
    assert (slider["name"], slider["text"]) == ("Contact stiffness", "ten to the 4.00")
    press("PageUp")
    press("PageUp")
    assert page.evaluate(FOCUSED)["text"] == "ten to the 6.00"
    is_met(page, "wrong-sign")
    step = tab_to(page, lambda f: f["type"] == "radio" and f["value"] == "1e-4", key="Shift+Tab")
    assert step["name"] == "1e-4 s"
    for value in ("1e-5", "1e-6"):
        press("ArrowRight")
        assert page.evaluate(FOCUSED)["value"] == value
        look(page, "ferrolab:lesson:the-gradient-that-lies", dt=float(value))
    is_met(page, "finer-no-better")
    toggle = tab_to(page, lambda f: f["pressed"] is not None)
    assert (toggle["name"], toggle["pressed"]) == ("Error tolerance", "false")
    press("Space")
    assert page.evaluate(FOCUSED)["pressed"] == "true"
    page.locator("body.has-passed").wait_for()
    tab_to(page, lambda f: f["tag"] == "summary")
    press("Enter")
    page.get_by_role("region", name="Error against stiffness").get_by_role("row").nth(7).wait_for()


@pytest.mark.parametrize("slug", SLUGS)
def test_every_control_can_be_reached_and_says_what_it_is_at_200_percent_too(page, slug: str) -> None:
    open_lesson(page, slug)
    predict(page)
    page.locator("#bench-panel").focus()
    kinds = []
    for _ in range(60):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUSED)
        if found is None or not page.evaluate("document.getElementById('bench').contains(document.activeElement)"):
            break
        assert found["name"] and found["outlined"], found
        if found["type"] == "range":
            assert found["text"], found
        kinds.append(found["type"] or found["tag"])
    assert kinds.count("range") >= 1 and kinds.count("radio") >= 1 and kinds.count("summary") >= 2
    # A window of 1440 by 900 at 200 % is one of 720 by 450.
    page.set_viewport_size({"width": 720, "height": 450})
    page.evaluate("scrollTo(0, 0)")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#bar-open").click()
    page.get_by_role("slider").first.scroll_into_view_if_needed()
    assert page.get_by_role("slider").first.is_visible() and page.locator(".bench-scroll").evaluate("e => e.clientHeight") >= 200


def key_number(page, name: str):
    return page.get_by_role("table", name="Key numbers").get_by_role("row", name=name).get_by_role("cell")


def table_of(page, heading: str) -> list[list[str]]:
    region = page.get_by_role("region", name=heading, exact=True)
    region.get_by_role("row").nth(1).wait_for()
    return region.get_by_role("row").evaluate_all("rows => rows.map((row) => [...row.cells].map((cell) => cell.textContent))")


def test_a_picture_says_in_a_sentence_and_in_a_table_what_it_shows(page) -> None:
    open_lesson(page, "the-gradient-that-lies")
    predict(page)
    sentence = page.locator("p:has-text('Log–log plot of three errors')").first
    assert "You are at ten to the 4.00" in sentence.text_content()
    number, unit = key_number(page, "gradient error").evaluate("cell => cell.textContent").split(" ")
    assert float(number) > 0 and unit == "relative"  # read apart
    offer = page.get_by_text("Show as table").first
    place = offer.bounding_box()
    offer.click()
    page.get_by_role("region", name="Error against stiffness").get_by_role("cell", name="5.67").wait_for()  # the curves come when there is time
    assert offer.bounding_box() == place, "what closes the table stays under the pointer that opened it"
    rows = table_of(page, "Error against stiffness")
    assert rows[0] == ["stiffness k (1/s²)", "trajectory", "gradient, tolerance", "gradient, fixed step"]
    assert [row[0] for row in rows[1:]] == ["10²", "10³", "10⁴", "10⁵", "10⁶", "10⁷", "10⁸"]
    # What the picture draws at 10⁴ is what the readout says there.
    assert rows[3][3] == key_number(page, "gradient error").inner_text().split()[0]
    page.get_by_role("radio", name="1e-5 s").check(force=True)
    until(
        page,
        "before => { const find = (root) => root.querySelector('[aria-label=\\'Error against stiffness\\'] tbody') ?? [...root.querySelectorAll('*')]"
        ".filter((e) => e.shadowRoot).map((e) => find(e.shadowRoot)).find(Boolean); return find(document).textContent !== before; }",
        "".join("".join(row) for row in rows[1:]),
    )


def test_what_happens_is_said_once(page) -> None:
    page.add_init_script(f"document.addEventListener('DOMContentLoaded', {LISTEN})")
    open_lesson(page, "the-gradient-that-lies")
    until(page, "heard.some((text) => text.includes('Bench ready'))")
    page.wait_for_timeout(1500)
    started = page.evaluate("heard.splice(0)")
    assert sum("Setting up the bench" in text for text in started) == 1, started
    assert sum("Bench ready" in text for text in started) == 1, started
    predict(page)
    page.wait_for_timeout(2500)
    page.evaluate(LISTEN)  # what the bench has brought since
    page.evaluate("heard.splice(0)")
    page.get_by_role("slider", name="Contact stiffness").press("PageUp")
    until(page, "heard.length > 0")
    page.wait_for_timeout(2500)
    said = [text for text in page.evaluate("heard") if "Pass check" not in text]
    assert len(said) == 1 and said[0].startswith("Stiffness ten to the 5.00. Wrong sign: returned minus"), said


#: What has a transition or an animation, through every shadow root.
MOVING = """() => {
          const found = [];
          const look = (root) => root.querySelectorAll("*").forEach((node) => {
            for (const pseudo of [null, "::before", "::after"]) {
              const style = getComputedStyle(node, pseudo);
              const durations = `${style.transitionDuration}, ${style.animationName === "none" ? "0s" : style.animationDuration}`;
              if (durations.split(", ").some((time) => parseFloat(time) > 0.001)) found.push(`${node.tagName}.${node.className}${pseudo ?? ""} ${durations}`);
            }
            if (node.shadowRoot) look(node.shadowRoot);
          });
          look(document);
          return found;
        }"""

#: Controls smaller than `fewest` pixels either way.
SMALL = """(fewest) => {
  const found = [];
  const look = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) look(node.shadowRoot);
      if (!node.matches("a[href], button, summary, input, select, textarea") || node.closest("[inert], [hidden], .skip")) continue;
      if (node.matches("p:not(footer p) a, li:not(nav li) a, dd a, .card a")) continue;
      const target = node.matches("input[type=radio]") ? node.closest("label") : node;
      const box = target.getBoundingClientRect();
      if (box.width === 0 || !target.checkVisibility()) continue;
      if (box.height < fewest - 0.5 || box.width < fewest - 0.5) found.push(`${node.tagName} ${node.textContent.trim().slice(0, 30)} ${box.width}x${box.height}`);
    }
  };
  look(document);
  return found;
}"""


@pytest.mark.parametrize("slug", SLUGS)
def test_a_lesson_works_by_touch_on_a_narrow_phone(open_page, slug: str) -> None:
    page = open_page(**PHONE, reduced_motion="reduce")
    page.set_viewport_size({"width": 320, "height": 640})
    open_lesson(page, slug)
    assert page.evaluate(MOVING) == []
    sign = page.locator("#bar-sign")
    assert any(word in sign.inner_text().lower() for word in ("predict", "vorhersagen"))
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    page.locator("#predict-form .option").first.tap()
    page.locator("#predict-form button").tap()
    page.locator("#bar-open").tap()
    page.locator("body.sheet-open").wait_for()
    inner = page.locator(".bench-scroll")
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 640})
        page.wait_for_timeout(300)
        assert page.evaluate(SMALL, FEWEST) == [], width
        assert inner.evaluate("e => e.scrollWidth <= e.clientWidth"), f"the bench is wider than a sheet of {width}"
        assert inner.evaluate("e => e.clientHeight") >= 300
    slider = page.get_by_role("slider", name=re.compile("Release height|Contact stiffness|Kontaktsteifigkeit"))
    before = slider.get_attribute("aria-valuetext")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.touchscreen.tap(box["x"] + 0.2 * box["width"], box["y"] + box["height"] / 2)
    expect(slider).not_to_have_attribute("aria-valuetext", before)
    page.locator("#sheet-close").tap()
    assert not page.locator("body.sheet-open").count()


def test_the_key_numbers_are_in_sight_on_a_laptop(page) -> None:
    page.set_viewport_size(WIDE)
    open_lesson(page, "the-gradient-that-lies")
    predict(page)
    page.evaluate("scrollTo(0, 0)")
    fold = page.locator(".bench-scroll").bounding_box()
    for name in ("forward error", "gradient error", "exponent"):
        box = key_number(page, name).bounding_box()
        assert box["y"] + box["height"] <= fold["y"] + fold["height"], name
    page.locator(".bench-scroll").evaluate("e => e.scrollTo(0, e.scrollHeight)")
    box = page.get_by_role("group", name="Sign line").bounding_box()
    assert box["y"] >= fold["y"] - 1 and box["y"] + box["height"] <= fold["y"] + fold["height"]


def pixels(locator) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(locator.screenshot())).convert("RGB"), dtype=int)


def test_slider_and_switch_are_seen_in_forced_colours(open_page) -> None:
    page = open_page(forced_colors="active")
    open_lesson(page, "the-gradient-that-lies")
    predict(page)
    rail = pixels(page.get_by_role("slider", name="Contact stiffness"))
    middle = rail[rail.shape[0] // 2 - 6 : rail.shape[0] // 2 + 6]
    for side in (middle[:, 20:60], middle[:, -60:-20]):
        assert np.ptp(side.sum(axis=2), axis=0).min() > 150, "the track cannot be told from the page"
    button = page.get_by_role("button", name="Error tolerance")
    off = pixels(button)[:, :50]
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.wait_for_timeout(500)
    on = pixels(button)[:, :50]
    assert np.ptp(off.sum(axis=2)) > 150 and np.abs(on - off).sum(axis=2).max() > 150, "the switch looks the same on and off"
    page.get_by_role("slider", name="Contact stiffness").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("slider", name="Contact stiffness").evaluate("e => getComputedStyle(e).outlineStyle") != "none"
