"""The memory snapshot: what it starts, what happens without it, and what it must not freeze."""

import json
import os
import re
import shutil

import pytest
from bokeh.core.serialization import Buffer, Serialized
from bokeh.document import Document
from hosting import LESSON, live, visit

from ferrolab.bench import DEFAULT_VIEW
from ferrolab.site import prepared, rest
from ferrolab.site.archive import Pack
from ferrolab.site.bridge import embed
from ferrolab.site.build import assets_folder, load_lessons, read_manifest
from ferrolab.site.errors import RuntimeCheckError
from ferrolab.site.layout import find_sources
from ferrolab.site.session import Session
from ferrolab.site.snapshot import check_trial, libraries_of
from ferrolab.words import for_bench

LESSONS = load_lessons(find_sources().lessons)
TRIAL = {"models": {"Row": 1}, "messages": {"document": 1, "readout": 3}, "addresses": [], "opened": []}


def test_a_trial_that_does_otherwise_than_the_archives_is_refused():
    for what, other in (("models", {"Row": 2}), ("messages", {"document": 2}), ("addresses", ["//x.y"])):
        with pytest.raises(RuntimeCheckError, match=what):
            check_trial({**TRIAL, what: other}, TRIAL)
    with pytest.raises(RuntimeCheckError, match="reads lib/theme.json"):
        check_trial({**TRIAL, "opened": ["dev/urandom", "lib/theme.json"]}, TRIAL)


@pytest.fixture
def post():
    said = []

    def hear(kind, text, buffers):
        message = json.loads(text)
        said.append((kind, Serialized(message, [Buffer(id, data) for id, data in buffers]) if kind == "patch" else message))

    hear.said = said
    return hear


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
def test_a_page_that_takes_a_prepared_document_sees_what_the_session_has(lesson, post):
    words = for_bench(lesson.language)
    text = prepared.prepare(lesson.bench, words)
    control, values = next((name, one) for name, one in settings(lesson).items())
    session = Session(lesson.to_dict(), None, "dark", post, {control: values[-1]})
    session.open()
    session._in_turn = True  # as the page gives one, for a readout that takes long
    session._bench.work()
    session._bridge.flush()
    kinds = [kind for kind, _ in post.said]
    assert kinds.index("document") < kinds.index("patch") < kinds.index("readout")
    shown = dict(post.said)["document"]
    assert shown == json.loads(text)
    page = Document.from_json(shown["doc"])
    for kind, message in post.said:
        if kind == "patch":
            page.apply_json_patch(message)
    reloaded = Document.from_json(json.loads(embed(session._document))["doc"])  # as the page's, it has gone through JSON
    assert attributes(page) == attributes(reloaded)
    assert dict(post.said)["readout"]["controls"][control] == values[-1]
    assert prepared.take(lesson.bench, "light", words).embedded is None, "the next session has one of its own"


def test_a_prepared_bench_that_speaks_other_words_is_not_taken():
    words = for_bench("en")
    prepared.prepare(DEFAULT_VIEW, words)
    assert prepared.take(DEFAULT_VIEW, "light", {**words, "bench": {**words["bench"], "region": "other"}}).embedded is None


def attributes(document):
    """The attributes of each model by its id, with ids in the place of models."""
    found = {}

    def flat(value):
        if isinstance(value, list):
            return [flat(one) for one in value]
        if not isinstance(value, dict):
            return value
        if value.get("type") == "ndarray" and 0 in value["shape"]:
            return []  # an empty array in the place of an empty list is no change to Bokeh
        if "id" in value and "attributes" in value:
            found[value["id"]] = {name: flat(one) for name, one in value["attributes"].items()}
        return {"id": value["id"]} if "id" in value else {name: flat(one) for name, one in value.items()}

    flat(json.loads(embed(document))["doc"]["roots"])
    return found


def settings(lesson):
    from ferrolab.controls import CONTROLS

    view = prepared.make(lesson.bench, "light", for_bench(lesson.language)).bench
    return {name: CONTROLS[name].values for name in view.CONTROL_IDS if getattr(CONTROLS[name], "values", None)}


def test_the_first_import_brings_the_files_once(monkeypatch):
    import sys

    calls = []
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    rest.wake(lambda: calls.append(1))
    for _ in range(2):
        with pytest.raises(ModuleNotFoundError):
            __import__("there_is_no_such_module")
    assert calls == [1]


def test_libraries_are_named_by_their_content_and_in_one_order():
    import io
    import tarfile

    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in ("numpy/b/_two.cpython.so", "numpy/a/_one.cpython.so", "numpy/a/one.pyc"):
            entry = tarfile.TarInfo(name)
            entry.size = 1
            archive.addfile(entry, io.BytesIO(b"x"))
    found = libraries_of(Pack("vendor.tar", buffer.getvalue(), 3))
    assert list(found) == ["numpy/a/_one.cpython.so", "numpy/b/_two.cpython.so"]
    assert re.fullmatch(r"one-[0-9a-f]{16}\.so", found["numpy/a/_one.cpython.so"].name)


# In the browser


@pytest.fixture
def page(visitor):
    return visitor().new_page()


def started_from(page):
    [worker] = page.workers
    return worker.evaluate("self.startedFrom")


def python(page, source):
    [worker] = page.workers
    return worker.evaluate("(source) => self.pyodide.runPython(source)", source)


@pytest.mark.browser
def test_a_fast_first_visit_and_every_later_one_start_from_the_snapshot_with_other_random_numbers(page, host, built_site):
    numbers = set()
    manifest = read_manifest(assets_folder(built_site))
    visit(page, host.address)
    for _ in range(2):
        assert started_from(page) == "snapshot"
        numbers.add(python(page, "import random; random.random()"))
        page.goto("about:blank")
        page.goto(host.address + LESSON)
        live(page)
    assert len(numbers) == 2
    asked = [path.split("/")[-1] for path, _, _ in host.sent]
    assert asked.count(manifest["snapshot"]["name"]) == 1
    unneeded = {manifest["stdlib"]["name"], *(one["name"] for one in manifest["archives"])}
    assert not unneeded & set(asked), "what the snapshot makes unnecessary stays off the wire"
    assert python(page, "import csv; ','.join(next(csv.reader(['a,b'])))") == "a,b", "a module it lacks comes when it is needed"
    assert unneeded <= {path.split("/")[-1] for path, _, _ in host.sent}


@pytest.mark.browser
def test_a_slow_first_visit_starts_from_the_archives_and_keeps_the_snapshot_for_the_next(page, host, built_site):
    name = read_manifest(assets_folder(built_site))["snapshot"]["name"]
    host.rate = 1.5e6
    page.goto(host.address + LESSON)
    live(page)
    assert started_from(page) == "archives"
    host.rate = None
    visit(page, host.address)
    assert any(path.endswith(name) for path, _, _ in host.sent)
    page.goto("about:blank")
    host.sent.clear()
    page.goto(host.address + LESSON)
    live(page)
    assert started_from(page) == "snapshot" and host.bodies == []


REFUSING = "export const withLibraries = null, take = null, restoring = () => { throw new Error('refused by the test'); };"


@pytest.mark.browser
@pytest.mark.parametrize("trouble", ["it is not what was built", "it does not restore", "it is not there"])
def test_a_snapshot_that_fails_gives_way_to_the_archives(visitor, host, built_site, tmp_path, trouble):
    page = visitor(service_workers="block").new_page()
    if trouble == "it is not what was built":
        damaged = shutil.copytree(built_site, tmp_path / "site", copy_function=os.link)
        snapshot = read_manifest(assets_folder(damaged))["snapshot"]
        for path in (damaged / "runtime").glob(f"{snapshot['name']}*"):
            path.unlink()
        (damaged / "runtime" / snapshot["name"]).write_bytes(bytes(snapshot["size"]))
        host.publish(damaged)
    elif trouble == "it does not restore":
        page.route("**/snapshot.js", lambda route: route.fulfill(body=REFUSING, content_type="text/javascript"))
    else:
        page.route("**/runtime/memory-*", lambda route: route.fulfill(status=404))
    page.goto(host.address + LESSON)
    live(page)
    assert started_from(page) == "archives"
