"""The page: readable before any script runs, nothing foreign in it, nothing injected."""

from __future__ import annotations

import dataclasses
import json
import re
from html.parser import HTMLParser

import pytest
from places import LESSON_ONE

from ferrolab.lesson import Lesson, load_lesson, render_index, render_page
from ferrolab.lesson.document import render_document
from ferrolab.lesson.page import json_for_html
from ferrolab.lesson.prose import parts

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
NAMED_BY_CONTENT = {"button", "a"}


class Page(HTMLParser):
    """Elements with attributes and text, and whether every end tag closes the element that is open."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: dict[int, str] = {}
        self.open: list[int] = []
        self.faults: list[str] = []
        self.feed(html)
        self.faults += [f"<{self.elements[i][0]}> is never closed" for i in self.open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(len(self.elements) - 1)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.elements[self.open[-1]][0] != tag:
            self.faults.append(f"</{tag}> at {self.getpos()} closes what is not open")
            return
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for i in self.open:
            self.text[i] = self.text.get(i, "") + data

    def all(self, tag: str, **attributes: str) -> list[dict[str, str | None]]:
        return [a for t, a in self.elements if t == tag and all(a.get(k.rstrip("_")) == v for k, v in attributes.items())]


@pytest.fixture(scope="module")
def html() -> str:
    return render_page(load_lesson(LESSON_ONE))


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


def test_every_element_is_closed_where_it_must_be(page: Page) -> None:
    assert page.faults == []


def test_no_id_is_used_twice_and_every_reference_meets_one(page: Page) -> None:
    ids = [a["id"] for _, a in page.elements if a.get("id")]
    assert len(ids) == len(set(ids))
    for _, attributes in page.elements:
        for name in ("aria-labelledby", "aria-controls"):
            if name in attributes:
                assert attributes[name] in ids
        if (attributes.get("href") or "").startswith("#"):
            assert (attributes["href"] or "")[1:] in ids


def test_nothing_in_the_page_has_an_address_outside_it(html: str, page: Page) -> None:
    assert "http:" not in html and "https:" not in html and "//" not in re.sub(r"</?[^>]*>", "", html).replace("://", "!!")
    for _, attributes in page.elements:
        for name in ("src", "href", "action"):
            assert not re.match(r"[a-z]+:|/", attributes.get(name) or "", re.IGNORECASE), attributes


def test_no_script_or_style_stands_in_the_page(page: Page) -> None:
    for tag, attributes in page.elements:
        assert not any(name.startswith("on") for name in attributes), attributes
        assert "style" not in attributes and tag not in ("style", "iframe", "object", "embed")
    for script in page.all("script"):
        assert script.get("src") or script.get("type") == "application/json"


def test_the_six_parts_the_equations_and_the_picture_are_in_the_html(page: Page) -> None:
    headings = [page.text[i].strip() for i, (tag, _) in enumerate(page.elements) if tag == "h2"]
    assert headings == ["Predict first", *(f"{i}{part}" for i, part in enumerate(parts("en"), 1))]
    assert len(page.all("math")) > 20
    [picture] = [a for a in page.all("svg") if a.get("role") == "img"]
    assert picture["aria-label"] and len(picture["aria-label"]) > 100
    assert len(page.all("path", class_="spring")) == 2 and len(page.all("path", class_="rigid")) == 2


def test_the_bench_has_its_host_and_its_pass_checks(page: Page, lesson: Lesson) -> None:
    assert page.all("div", id="bench") == [{"id": "bench", "data-bench-state": "loading"}]
    [checks] = page.all("ul", **{"aria-label": "Pass checks"})
    assert checks["id"] == "checks"
    items = [page.text[i].split() for i, (tag, a) in enumerate(page.elements) if tag == "li" and "data-check" in a]
    assert len(items) == len(lesson.checks) and all(words[-2:] == ["not", "yet"] for words in items)


def test_every_control_of_the_page_has_a_name(page: Page) -> None:
    labelled = {i for i, (tag, _) in enumerate(page.elements) if tag == "label"}
    assert labelled
    for i, (tag, attributes) in enumerate(page.elements):
        if tag in NAMED_BY_CONTENT:
            assert page.text.get(i, "").strip() or attributes.get("aria-label"), attributes
    inside = re.findall(r"<label[^>]*>(?:(?!</label>).)*<input", render_page(load_lesson(LESSON_ONE)), re.DOTALL)
    assert len(inside) == len(page.all("input"))


def test_living_figures_carry_their_call(page: Page) -> None:
    figures = page.all("data", class_="living")
    assert len(figures) > 40
    assert all((f["title"] or "").startswith("computed: ") for f in figures)


def test_the_lesson_travels_in_the_page_as_it_does_beside_it(html: str, lesson: Lesson) -> None:
    [data] = re.findall(r'<script type="application/json" id="lesson-data">(.*?)</script>', html, re.DOTALL)
    assert Lesson.from_dict(json.loads(data)) == dataclasses.replace(lesson, prose="")


HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'


def test_hostile_texts_stay_texts(lesson: Lesson) -> None:
    question = dataclasses.replace(lesson.questions[0], ask=HOSTILE, right=HOSTILE, wrong=HOSTILE)
    stuck = dataclasses.replace(lesson.stuck[0], title=HOSTILE)
    hostile = dataclasses.replace(
        lesson, title=HOSTILE, summary=HOSTILE, topic=HOSTILE, authors=(HOSTILE,), questions=(question, *lesson.questions[1:]),
        stuck=(stuck, *lesson.stuck[1:]), checks=tuple(dataclasses.replace(c, label=HOSTILE) for c in lesson.checks),
        prose=lesson.prose.replace("If you are stuck", HOSTILE + " $\\text{<script>alert(3)</script>}$ If you are stuck"),
    )  # fmt: skip
    clean = Page(render_page(lesson))
    for html in (render_page(hostile), render_index([hostile])):
        page = Page(html)
        assert page.faults == []
        assert len(page.all("script")) <= len(clean.all("script"))
        assert page.all("img") == []
        assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)


def test_json_in_the_page_cannot_end_its_script() -> None:
    text = json_for_html({"a": "</script><!--&"})
    assert not set("<>&") & set(text) and json.loads(text) == {"a": "</script><!--&"}


@pytest.mark.parametrize("base", ["/", "https://example.org/", "..", ""])
def test_a_base_that_would_break_under_a_sub_path_is_refused(lesson: Lesson, base: str) -> None:
    with pytest.raises(ValueError, match="relative address"):
        render_page(lesson, base=base)


def test_a_full_stop_stays_with_the_equation_before_it() -> None:
    body = render_document("# T\n\nAt $k$. And $v$ too, ($h$).").body
    assert re.findall(r'<span class="keep"><math[^>]*>.*?</math>([^<]*)</span>', body) == [".", ")."]
    assert body.count("</math>") == 3 and body.endswith("</span></p>\n")


def test_the_index_lists_the_lessons_in_order_with_room_for_progress(lesson: Lesson) -> None:
    second = dataclasses.replace(lesson, slug="second", number=2, title="Second")
    page = Page(render_index([second, lesson]))
    assert page.faults == []
    links = [a["href"] for a in page.all("a") if (a.get("href") or "").startswith("lessons/")]
    assert links == ["lessons/the-gradient-that-lies/index.html", "lessons/second/index.html"]
    assert [a["data-lesson"] for a in page.all("li", class_="card")] == ["the-gradient-that-lies", "second"]
