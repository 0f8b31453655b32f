"""The documentation: its pages, its links, its commands, its snippets, and the numbers it quotes."""

import json
import re
import shlex
from pathlib import Path

import pytest

from ferrolab.cli import build_parser
from ferrolab.lesson.bare import bare_numbers, is_lone_number
from ferrolab.lesson.document import render_document
from ferrolab.lesson.load import load_lesson
from ferrolab.lesson.markdown import parser
from ferrolab.lesson.new import new_lesson
from ferrolab.site.docs import doc_pages, documents
from ferrolab.site.errors import SiteError
from ferrolab.site.layout import Sources, find_sources

ROOT = Path(__file__).resolve().parents[2]
SOURCES = find_sources()
FILES = documents(SOURCES)
NOTES = sorted(name for name in FILES if name.startswith("model-"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def fences(path, language):
    return [text for found, text in FENCE.findall(path.read_text(encoding="utf-8")) if found == language]


def commands():
    for path in [*FILES.values(), ROOT / "CONTRIBUTING.md"]:
        for text in fences(path, ""):
            for line in text.replace("\\\n", " ").splitlines():
                if line.startswith("ferrolab "):
                    yield pytest.param(shlex.split(line, comments=True)[1:], id=f"{path.stem}: {line}")


def test_there_is_a_page_for_each_bench_view_and_for_all_that_was_promised():
    from ferrolab.bench import VIEWS

    assert {name.removeprefix("model-") for name in NOTES} == set(VIEWS)
    assert {"index", "writing-a-lesson", "vocabulary", "diagnostics", "static-host", "lms", "evidence", "students", "privacy"} <= set(FILES)


def test_every_link_leads_to_a_page():
    pages = doc_pages(SOURCES)
    links = 0
    for name, data in pages.items():
        for target in re.findall(r'<a href="([^"]+)"', data.decode()):
            if target.startswith("../"):
                continue  # the head and foot of the page; see test_build.py
            links += 1
            file, _, part = target.partition("#")
            page = pages[f"instructors/{file}"].decode() if file else data.decode()
            assert not part or f'id="{part}"' in page, (name, target)
    assert links > 15


def test_a_link_to_nowhere_is_told(tmp_path):
    (tmp_path / "index.md").write_text("# Index\n\n[there](nowhere.md)\n")
    with pytest.raises(SiteError, match="nowhere.md"):
        doc_pages(Sources(SOURCES.package, SOURCES.web, SOURCES.lessons, docs=tmp_path))


@pytest.mark.parametrize("arguments", commands())
def test_a_command_in_the_documentation_is_one(arguments):
    assert build_parser().parse_args(arguments).run


def test_the_snippets_of_the_guide_are_a_lesson(tmp_path):
    folder = new_lesson("from-the-guide", tmp_path)
    path = folder / "lesson.toml"
    head = path.read_text(encoding="utf-8").partition("# Asked before the bench unlocks")[0]
    path.write_text(head + "\n".join(fences(FILES["writing-a-lesson"], "toml")), encoding="utf-8")
    lesson = load_lesson(folder)
    assert [question.kind for question in lesson.questions] == ["choice", "numeric", "short"]


def test_the_trail_of_the_guide_passes_the_new_lesson(tmp_path):
    from ferrolab.lesson import grade
    from ferrolab.lesson.replay import record

    [command] = [text for text in fences(FILES["writing-a-lesson"], "") if "ferrolab record" in text]
    [steps] = re.findall(r"'(\[.*\])'", command, re.DOTALL)
    lesson = load_lesson(new_lesson("my-lesson", tmp_path))
    assert grade(lesson, record(lesson, json.loads(steps))).passed


@pytest.mark.parametrize("name", FILES)
def test_a_quoted_figure_holds(name):
    document = render_document(FILES[name].read_text(encoding="utf-8"))
    for figure in document.figures:
        assert figure.holds(figure.compute()), (figure.text, figure.compute())
    assert document.figures or name not in NOTES


@pytest.mark.parametrize("name", NOTES)
def test_a_model_note_holds_no_bare_number(name):
    for token in parser().parse(FILES[name].read_text(encoding="utf-8")):
        for child in token.children or []:
            assert child.type != "text" or bare_numbers(child.content, []) == [], child.content
            assert child.type != "math_inline" or not is_lone_number(child.content)


@pytest.mark.parametrize("source", ["", "text", "## Second\n"])
def test_a_document_without_a_title_is_refused(source):
    with pytest.raises(ValueError, match="title"):
        render_document(source)
