"""A lesson in German: its page, its bench and what it is told speak German, and nothing English is left over."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from seen import look
from waiting import until

from ferrolab.controls import CONTROLS
from ferrolab.words import load

pytestmark = pytest.mark.browser

SLUG = "der-langsame-aufprall"
KEY = f"ferrolab:lesson:{SLUG}"

#: Everything a person can read or hear: texts and spoken attributes, through every shadow root.
EVERYTHING = """() => {
  const said = [];
  const read = (node) => {
    if (node.nodeType === Node.TEXT_NODE) said.push(node.textContent);
    if (node.nodeType !== Node.ELEMENT_NODE && node.nodeType !== Node.DOCUMENT_FRAGMENT_NODE) return;
    if (["SCRIPT", "STYLE", "TEMPLATE"].includes(node.tagName)) return;
    for (const name of ["aria-label", "aria-valuetext", "title", "alt", "placeholder"]) {
      const value = node.getAttribute?.(name);
      if (value) said.push(node.tagName === "DATA" ? value.split(":")[0] : value); // what follows is a call to the library
    }
    if (node.shadowRoot) node.shadowRoot.childNodes.forEach(read);
    node.childNodes.forEach(read);
  };
  read(document.documentElement);
  const plotted = Bokeh.documents.flatMap((doc) => [...doc._all_models.values()]).flatMap((model) =>
    [model.axis_label, ...(model.data instanceof Map ? (model.data.get("text") ?? []) : (model.data?.text ?? []))]);
  return [...said, ...plotted].filter((text) => typeof text === "string").map((text) => text.trim()).filter(Boolean);
}"""


def texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    else:
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts(item)


def pieces(text: str) -> Iterator[str]:
    """What stands between the placeholders of a text, where it is long enough to be told from German."""
    return (piece.strip(" .,:;()") for piece in re.split(r"\{\w+\}", text) if len(piece.strip(" .,:;()")) > 4)


def english_only() -> set[str]:
    sections = ("page", "picture", "script", "session", "bench")
    german = " ".join(text for section in (*sections, "library", "parts") for text in texts(load("de")[section]))
    controls = [name for control in CONTROLS.values() for name in (control.label, *(label for _, label in control.options))]
    english = {piece for section in sections for text in texts(load("en")[section]) for piece in pieces(text)}
    return {piece for piece in english | set(controls) if piece not in german}


def left_over(page) -> list[tuple[str, str]]:
    said = page.evaluate(EVERYTHING)
    assert any("Prüfstand" in text for text in said) and len(said) > 150
    return sorted({(piece, text) for text in said for piece in english_only() if f" {piece} " in f" {text} "})


def slide(page, value: float) -> None:
    slider = page.get_by_role("slider", name="Kontaktsteifigkeit")
    slider.evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input', {bubbles: true})); }", str(value))


def test_no_english_is_left_on_a_german_page(page) -> None:
    assert len(english_only()) > 150
    page.goto(f"lessons/{SLUG}/index.html")
    page.wait_for_selector('#bench[data-bench-state="live"]')
    assert page.locator("html").get_attribute("lang") == "de"
    assert left_over(page) == []
    page.get_by_label("Etwa gleich stark").check()
    page.get_by_role("button", name="Vorhersage festhalten").click()
    look(page, KEY, log_stiffness=4)
    slide(page, 6)
    look(page, KEY, log_stiffness=6)
    sign = page.get_by_role("group", name="Vorzeichenzeile", exact=True).inner_text()
    assert "FALSCHES VORZEICHEN" in sign and "−160,86" in sign and "+3,63" in sign
    assert page.get_by_role("slider", name="Kontaktsteifigkeit").get_attribute("aria-valuetext") == "zehn hoch 6,00"
    page.get_by_role("button", name="Fehlertoleranz").click()
    look(page, KEY, stepping="tolerance")
    page.locator("[data-check='timing-term'] .check-state:has-text('erreicht')").wait_for()
    form = page.locator("[data-question=hundredfold]")
    form.get_by_role("button", name="Antworten").click()
    assert form.locator(".verdict").inner_text() == "Schreib zuerst eine Antwort."
    form.get_by_label("Deine Zahl").fill("100,5")
    form.get_by_role("button", name="Antworten").click()
    assert form.locator(".verdict").inner_text() == "✓ Richtig."
    page.get_by_role("button", name="Alle Hinweise zeigen").click()
    until(page, "document.querySelector('#announce').textContent.includes('Prüfpunkt erreicht')")
    assert left_over(page) == []
    assert "3,9" in page.locator("section", has=page.locator("#model")).first.inner_text()


def test_a_failure_and_a_damaged_past_are_told_in_german(page) -> None:
    page.goto("index.html")
    page.evaluate("key => localStorage.setItem(key, '{')", KEY)
    page.route(re.compile(r"/runtime/(memory-|.*\.tar)"), lambda route: route.abort())
    page.goto(f"lessons/{SLUG}/index.html")
    page.wait_for_selector('#bench[data-bench-state="failed"]')
    alert = page.get_by_role("alert").filter(has_text="Der Prüfstand läuft nicht")
    assert "ließ sich nicht laden" in alert.inner_text()
    assert "beiseitegelegt" in page.locator("#notice").inner_text()
    assert page.get_by_role("button", name="Noch einmal versuchen").is_visible()
    page.watch.troubles[:] = [one for one in page.watch.troubles if "ERR_FAILED" not in one]


def test_the_list_of_lessons_names_the_language_of_a_lesson(page) -> None:
    page.goto("index.html")
    card = page.locator(f"[data-lesson={SLUG}]")
    assert card.get_by_role("link").get_attribute("hreflang") == "de"
    assert card.locator("[lang=de]").inner_text().startswith("LEKTION 9")
    assert "DEUTSCH" in card.inner_text()
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.locator("[data-lesson=the-slow-impact] [hreflang]").count() == 0


def test_a_page_brings_the_words_of_its_own_language_alone(page) -> None:
    page.goto(f"lessons/{SLUG}/index.html")
    words = json.loads(page.locator("#words-data").text_content())
    assert words["language"] == words["bench"]["language"] == "de"
    assert "WRONG SIGN" not in page.content()
