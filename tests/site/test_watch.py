"""`ferrolab serve --watch`: what is saved is shown, a broken edit shows why, and a normal build knows nothing of it."""

import shutil
import statistics
import threading
import time
import urllib.request
from pathlib import Path

import pytest

from ferrolab.lesson.new import new_lesson
from ferrolab.site.errors import SiteError
from ferrolab.site.layout import Sources, find_sources, with_mine
from ferrolab.site.watch import Workshop, keep_up, make_watch_server, watch

SEEN = "Find a stiffness at which the simulator gets the"


@pytest.fixture
def sources(tmp_path) -> Sources:
    """One lesson and a copy of the page's and the bench's scripts, to be edited."""
    shipped = find_sources()
    shutil.copytree(shipped.web, tmp_path / "web")
    shutil.copytree(shipped.package / "bench" / "models_js", tmp_path / "package" / "bench" / "models_js")
    new_lesson("my-lesson", tmp_path / "lessons")
    return Sources(tmp_path / "package", tmp_path / "web", tmp_path / "lessons")


def save(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def page_of(workshop: Workshop) -> str:
    return workshop.pages["lessons/my-lesson/index.html"].decode()


def test_a_saved_text_is_in_the_page_after_one_look(sources):
    workshop = Workshop(sources)
    assert not workshop.poll()
    save(sources.lessons / "my-lesson" / "lesson.md", SEEN, "Look for a stiffness where the")
    assert workshop.poll()
    assert "Look for a stiffness where the" in page_of(workshop)
    assert not workshop.poll()


def test_a_title_is_also_new_in_the_list_of_lessons_and_a_new_lesson_appears_there(sources):
    workshop = Workshop(sources)
    save(sources.lessons / "my-lesson" / "lesson.toml", 'title = "My lesson"', 'title = "Another title"')
    new_lesson("second", sources.lessons)
    assert workshop.poll()
    index = workshop.pages["index.html"].decode()
    assert "Another title" in index and "Second" in index


def test_a_lesson_that_was_removed_is_gone(sources):
    new_lesson("second", sources.lessons)
    workshop = Workshop(sources)
    shutil.rmtree(sources.lessons / "second")
    assert workshop.poll()
    assert "Second" not in workshop.pages["index.html"].decode() and "second" not in workshop.faults
    assert "lessons/second/index.html" not in workshop.pages


def test_a_broken_edit_is_a_page_with_its_diagnostics_until_it_is_put_right(sources):
    workshop = Workshop(sources)
    prose = sources.lessons / "my-lesson" / "lesson.md"
    save(prose, "::: bench\n", "::: <banch>\n")
    workshop.poll()
    broken = page_of(workshop)
    assert "L011 lesson.md:21" in broken and "&lt;banch&gt;" in broken and SEEN not in broken
    assert "My lesson" not in workshop.pages["index.html"].decode()
    save(prose, "::: <banch>\n", "::: bench\n")
    workshop.poll()
    assert SEEN in page_of(workshop)
    assert "My lesson" in workshop.pages["index.html"].decode()


def test_a_figure_that_does_not_hold_is_told_beside_the_page(sources):
    workshop = Workshop(sources)
    save(sources.lessons / "my-lesson" / "lesson.md", "{value}`45 |", "{value}`46 |")
    workshop.poll()
    assert SEEN in page_of(workshop)
    workshop.check()
    [fault] = workshop.faults["my-lesson"]
    assert fault.code == "L021" and '"code": "L021"' in workshop.state()


def test_a_template_makes_every_page_anew(sources):
    workshop = Workshop(sources)
    before = workshop.version
    save(sources.web / "templates" / "base.html", "</footer>", "</footer><!-- x -->")
    assert workshop.poll() and workshop.version == before + 1


@pytest.fixture
def watched(sources, built_site):
    """Serve the workshop over the built site; return the server."""
    stop = threading.Event()
    with make_watch_server(sources, built_site, port=0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        threading.Thread(target=keep_up, args=(server.workshop, stop), daemon=True).start()
        yield server
        stop.set()
        server.shutdown()


def test_scripts_come_from_their_source_and_everything_else_from_the_build(watched, sources):
    def read(path):
        with urllib.request.urlopen(watched.address + path) as answer:
            return answer.read()

    (sources.web / "lesson.js").write_text("// edited")
    with (sources.package / "bench" / "models_js" / "caption.js").open("a") as script:
        script.write("// edited")
    assert read("assets/lesson.js") == b"// edited"
    assert b"// edited" in read("assets/models.js") and read("assets/models.js") == sources.models_script()
    assert b"Bokeh" in read("assets/bokeh.min.js") and b'"core"' in read("assets/manifest.js")
    assert b"unregister" in read("sw.js"), "a site served here before must not stand between an author and the page"
    version = watched.workshop.version
    assert f"/__ferrolab/live.js?version={version}".encode() in read("lessons/my-lesson/"), "a save before the first event is noticed"
    for away in ("assets/templates/base.html", "assets/../lessons/my-lesson/lesson.md", "assets/main.py"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            read(away)


def test_a_built_site_holds_nothing_of_the_workshop(built_site):
    texts = [path.read_bytes() for path in built_site.rglob("*") if path.suffix in (".html", ".js", ".css")]
    assert len(texts) > 10 and not any(b"__ferrolab" in text for text in texts)


@pytest.mark.browser
def test_an_open_page_shows_what_is_saved(page, watched, sources, record_property):
    page.watch.origin = watched.address.rstrip("/")
    prose = sources.lessons / "my-lesson" / "lesson.md"
    page.goto(f"{watched.address}lessons/my-lesson/")
    shown = SEEN
    delays = []
    for number in range(5):
        new = f"Edit number {number} of the"
        page.wait_for_timeout(300)
        save(prose, shown, new)
        started = time.monotonic()
        page.wait_for_selector(f"text={new}")
        delays.append(time.monotonic() - started)
        shown = new
    # Within a second on a quiet machine; a shared one is not asked to prove it, the report keeps the figure.
    record_property("saved to shown, median (s)", round(statistics.median(delays), 3))
    print(f"saved to shown: median {statistics.median(delays):.2f} s")

    save(prose, "::: bench\n", "::: banch\n")
    page.wait_for_selector("text='banch' is not a directive")
    assert page.get_by_role("heading", name="my-lesson cannot be shown yet").is_visible()
    save(prose, "::: banch\n", "::: bench\n")
    page.wait_for_selector(f"text={shown}")
    save(prose, "{value}`45 |", "{value}`46 |")
    page.wait_for_selector("text=ferrolab check: 1 fault")
    page.get_by_text("ferrolab check: 1 fault").click()
    assert "L021 lesson.md:18" in page.locator("#ferrolab-faults").inner_text()


def test_my_lessons_stand_beside_ours_or_alone_and_one_of_the_same_name_takes_its_place(sources, tmp_path):
    mine = tmp_path / "mine"
    new_lesson("second", mine)
    both = with_mine(sources, mine)
    assert [folder.name for folder in both.lesson_folders] == ["my-lesson", "second"]
    assert [folder.name for folder in with_mine(sources, mine, only=True).lesson_folders] == ["second"]
    new_lesson("my-lesson", mine)
    assert {folder.parent for folder in with_mine(sources, mine).lesson_folders} == {mine}


def test_no_lessons_at_all_is_told_in_a_sentence(sources, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path / "web")
    with pytest.raises(SiteError, match="ferrolab new lesson"):
        with_mine(sources, None, only=True)
    with pytest.raises(SiteError, match="is no folder"):
        with_mine(sources, tmp_path / "nowhere")
    empty = Sources(sources.package, sources.web, tmp_path / "web")
    with pytest.raises(SiteError, match="no lesson to watch"):
        watch(empty)
