"""Every trail of every lesson gets the same grade, to the byte, in CPython, in Pyodide under Node and in a page."""

import json

import pytest

from ferrolab.lesson import Trail, grade, load_lesson
from ferrolab.site.fetch import Fetcher, cache_directory
from ferrolab.site.layout import find_sources
from ferrolab.site.lock import load_lock
from ferrolab.site.node import run_in_pyodide
from ferrolab.site.vendor import prepare_vendor

LESSONS = [load_lesson(folder) for folder in find_sources().lesson_folders]

GRADE_IN_PAGE = """
async ([lesson, trails]) => {
  const worker = new Worker(new URL("worker.js", document.querySelector("script[src$='/lesson.js']").src), { type: "module" });
  const grades = [];
  await new Promise((resolve, reject) => {
    let turn = 0;
    const next = () => (turn < trails.length ? worker.postMessage({ kind: "turn", turn, act: "trail", text: JSON.stringify({ trail: trails[turn++] }) }) : resolve());
    worker.onmessage = ({ data }) => {
      if (data.kind === "said" && data.what === "grade") grades.push(JSON.stringify(JSON.parse(data.text).grade));
      if (data.kind === "opened") {
        grades.length = 0; // that of the empty trail
        next();
      }
      if (data.kind === "done") next();
      if (data.kind === "failed") reject(new Error(data.detail));
    };
    worker.postMessage({ kind: "start", text: JSON.stringify({ lesson, trail: null, scheme: "light", controls: null, words: JSON.parse(document.getElementById("words-data").textContent).bench }) });
  });
  worker.terminate();
  return grades;
}
"""


def trails_of(lesson):
    folder = next(folder for folder in find_sources().lesson_folders if folder.name == lesson.slug)
    paths = sorted((folder / "trails").glob("*.json"))
    assert len(paths) >= 3
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths]


def grades_of(lesson):
    return [grade(lesson, Trail.from_dict(trail, lesson.slug)).to_json() for trail in trails_of(lesson)]


def test_pyodide_in_node_grades_as_cpython_does():
    lock, cache = load_lock(), cache_directory()
    with Fetcher(cache) as fetcher:
        vendor = prepare_vendor(lock, fetcher.fetch_all(lock.files), cache)
    argument = [{"lesson": lesson.to_dict(), "trail": trail} for lesson in LESSONS for trail in trails_of(lesson)]
    answers = run_in_pyodide(
        "grade_trails.py", argument, core=vendor.core, stdlib=vendor.stdlib,
        mounts={"/source": find_sources().package.parent, "/packages": vendor.packages}, path=["/source", "/packages"],
    )
    assert answers == [text for lesson in LESSONS for text in grades_of(lesson)]


@pytest.mark.browser
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_the_page_grades_as_cpython_does(page, lesson):
    page.goto(f"lessons/{lesson.slug}/index.html")
    shipped = json.loads(page.locator("#lesson-data").text_content())
    assert page.evaluate(GRADE_IN_PAGE, [shipped, trails_of(lesson)]) == grades_of(lesson)
