"""Packages for learning management systems: SCORM 1.2 under scorm-again's runtime in Chromium, and their form."""

import io
import json
import re
import zipfile
from xml.etree import ElementTree

import pytest
from packages import hosted, predict, slide
from waiting import until, wait_for

from ferrolab.cli import main
from ferrolab.lesson import Trail, load_lesson
from ferrolab.lesson.compact import LIMIT, compact, expand
from ferrolab.lesson.new import new_lesson
from ferrolab.site.export import KINDS, make_package, page_path
from ferrolab.site.layout import find_sources

WEB = find_sources().web


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return new_lesson("my-lesson", tmp_path_factory.mktemp("lessons"))


@pytest.fixture(scope="module")
def lesson(folder):
    return load_lesson(folder)


@pytest.fixture(scope="module", params=KINDS)
def package(request, lesson, built_site):
    data = make_package(request.param, lesson, built_site, WEB)
    assert data == make_package(request.param, lesson, built_site, WEB)
    return request.param, zipfile.ZipFile(io.BytesIO(data))


def test_a_package_is_complete_and_names_nothing_foreign(package, lesson):
    kind, archive = package
    names = archive.namelist()
    page = archive.read(page_path(lesson)).decode()
    assert f'data-lms="{kind}"' in page and 'href="../../index.html"' not in page
    for target in re.findall(r"<[^>]+?\s(?:src|href)=\"([^\"#]+)", page):
        assert target.startswith("../../") and target.removeprefix("../../") in names
    assert {"assets/course/lms.js", "assets/course/scorm.js", "assets/course/xapi.js", "assets/worker.js"} <= set(names)
    assert any(name.endswith("/pyodide.asm.wasm") for name in names)
    assert "sw.js" not in names and "offline.js" not in page, "a course's page leaves nothing in the browser"
    assert not any(name.endswith((".br", ".gz")) or name == "index.html" for name in names)


def test_the_site_itself_has_no_way_to_report_to_a_course(built_site):
    assert not [path.name for path in built_site.rglob("*.js") if path.name in {"lms.js", "scorm.js", "xapi.js"}]


def test_the_scorm_manifest_lists_every_file_and_begins_at_the_page(lesson, built_site):
    with zipfile.ZipFile(io.BytesIO(make_package("scorm", lesson, built_site, WEB))) as archive:
        names = archive.namelist()
        root = ElementTree.fromstring(archive.read(names[0]))
    space = {"m": "http://www.imsproject.org/xsd/imscp_rootv1p1p2"}
    assert names[0] == "imsmanifest.xml" and root.findtext(".//m:schemaversion", namespaces=space) == "1.2"
    resource = root.find(".//m:resource", space)
    assert resource.get("href") == page_path(lesson)
    assert resource.get("{http://www.adlnet.org/xsd/adlcp_rootv1p2}scormtype") == "sco"
    assert sorted(file.get("href") for file in resource.findall("m:file", space)) == sorted(names[1:])
    assert root.find(".//m:item", space).get("identifierref") == resource.get("identifier")


def test_the_cmi5_structure_names_the_page_and_is_done_when_passed(lesson, built_site):
    with zipfile.ZipFile(io.BytesIO(make_package("cmi5", lesson, built_site, WEB))) as archive:
        root = ElementTree.fromstring(archive.read("cmi5.xml"))
    space = {"c": "https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd"}
    unit = root.find("c:au", space)
    assert unit.findtext("c:url", namespaces=space) == page_path(lesson)
    assert unit.get("moveOn") == "Passed" and unit.get("id").startswith("urn:")
    assert unit.findtext("c:title/c:langstring", namespaces=space) == lesson.title


@pytest.mark.parametrize(("arguments", "words"), [(["nowhere", "--out", "x.zip"], "there is no lesson 'nowhere'"), (["the-gradient-that-lies", "--out", "no/such/x.zip"], "is no folder")])
def test_what_cannot_be_exported_is_told_in_a_sentence(arguments, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["export", "scorm", *arguments]) == 1
    assert words in capsys.readouterr().err


@pytest.fixture
def course(browser, lesson, built_site, tmp_path):
    """A course page with the lesson in a frame; `open` gives the frame, once the bench is live."""
    with hosted("scorm", lesson, built_site, tmp_path) as address:
        context = browser.new_context()
        context.set_default_timeout(60_000)
        page = context.new_page()
        page.troubles = []
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("console", lambda message: message.type == "error" and page.troubles.append(message.text))
        page.on("request", lambda request: request.url.startswith(("data:", "blob:", address)) or page.troubles.append(request.url))

        def open_lesson(kept=None):
            page.goto(f"{address}lms.html")
            if kept is not None:
                page.evaluate("kept => API.loadFromJSON(kept, '')", kept)
            page.evaluate("source => { document.getElementById('lesson').src = source; }", f"package/{page_path(lesson)}")
            frame = page.frame_locator("#lesson")
            frame.locator('#bench[data-bench-state="live"]').wait_for()
            return frame

        page.open_lesson = open_lesson
        page.leave = lambda: page.evaluate("() => new Promise(done => { const f = document.getElementById('lesson'); f.onload = done; f.src = 'about:blank'; })")
        page.value = lambda name: page.evaluate("name => API.LMSGetValue(name)", name)
        yield page
        assert page.troubles == []
        context.close()


def kept_with_answer(course, lesson, question):
    """Wait until the course has been told of an answer to `question`, and return what it keeps."""

    def told():
        return any(getattr(event, "question", None) == question for event in expand(lesson, course.value("cmi.suspend_data")).events)

    wait_for(told, lambda: f"no answer to {question} reached the course")
    return course.value("cmi.suspend_data")


@pytest.mark.browser
def test_a_student_passes_in_a_course_leaves_and_comes_back(course, lesson):
    frame = course.open_lesson()
    assert course.value("cmi.core.lesson_status") == "incomplete"
    predict(frame)
    slide(frame, 2)
    until(course, "API.LMSGetValue('cmi.suspend_data').length > 12")
    assert course.value("cmi.core.score.raw") == "0"
    slide(frame, 6)
    until(course, "API.LMSGetValue('cmi.core.lesson_status') === 'passed'")
    assert course.value("cmi.core.score.raw") == "100"
    frame.get_by_label("The gradient error.").check()
    frame.locator("[data-question=which-way]").get_by_role("button", name="Answer").click()
    kept = kept_with_answer(course, lesson, "which-way")
    assert [event.to_dict()["kind"] for event in expand(lesson, kept).events].count("answered") == 2
    course.leave()
    said = course.evaluate("said")
    assert {answer for _, _, answer in said} == {"true"}, "the runtime refused a value"
    assert ["cmi.core.exit", "", "true"] in said and any(re.fullmatch(r"\d{4}:\d{2}:\d{2}", value) for name, value, _ in said if name == "cmi.core.session_time")
    assert all(len(value) <= LIMIT for name, value, _ in said if name == "cmi.suspend_data")
    assert course.evaluate("Object.keys(localStorage).filter(key => key.startsWith('ferrolab:')).length") == 0

    frame = course.open_lesson({"core": {"lesson_status": "passed", "score": {"raw": "100"}, "entry": "resume"}, "suspend_data": kept})
    frame.locator("#checks .met").first.wait_for()
    assert frame.get_by_label("It gets worse.").is_checked() and not frame.locator("#bench-lock").is_visible()
    assert frame.locator("[data-question=which-way] .verdict").inner_text() == "✓ Right."
    assert course.value("cmi.core.lesson_status") == "passed"


@pytest.mark.browser
def test_a_student_who_ends_without_passing_is_reported_so(course):
    frame = course.open_lesson()
    predict(frame)
    frame.get_by_role("button", name="Finish and tell my course").click()
    assert "without passing" in frame.locator("#finish-said").inner_text()
    assert course.value("cmi.core.lesson_status") == "failed"


@pytest.mark.browser
def test_progress_at_the_limit_of_suspend_data_comes_back(course, lesson, folder):
    trail = Trail.from_dict(json.loads((folder / "trails" / "passing.json").read_text(encoding="utf-8")))
    template = trail.seen[0].readout
    for i in range(601):
        for dt in (1e-4, 1e-5):
            trail = trail.append({"kind": "seen", "controls": {"log_stiffness": round(2 + i / 100, 2), "dt": dt, "stepping": "fixed"}, "readout": dict(template)})
    text = compact(lesson, trail)
    assert LIMIT - 8 < len(text) <= LIMIT
    frame = course.open_lesson({"core": {"lesson_status": "incomplete", "entry": "resume"}, "suspend_data": text})
    frame.locator("#checks .met").first.wait_for()
    until(course, "said.some(([name]) => name === 'cmi.suspend_data')")
    again = course.value("cmi.suspend_data")
    assert len(again) <= LIMIT
    assert course.value("cmi.core.lesson_status") == "passed"


@pytest.mark.browser
def test_a_package_outside_of_a_course_says_so(browser, lesson, built_site, tmp_path):
    with hosted("scorm", lesson, built_site, tmp_path) as address:
        page = browser.new_page()
        page.goto(f"{address}package/{page_path(lesson)}")
        page.locator("#notice").filter(has_text="does not answer").wait_for()
        page.close()
