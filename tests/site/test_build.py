"""The built site: all its own, complete, small enough, and never half there."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from ferrolab.site import build
from ferrolab.site.archive import Archives, Pack
from ferrolab.site.build import MARKER, assets_folder, build_site, load_lessons, read_manifest
from ferrolab.site.errors import FetchError, HashError, SiteError
from ferrolab.site.layout import find_sources
from ferrolab.site.lock import Source, load_lock
from ferrolab.site.snapshot import Snapshot

NOT_OURS = {"bokeh.min.js", "pyodide.mjs", "pyodide.asm.mjs"}
"""Scripts with addresses in their text that a page of ours never asks for: the browser tests watch that."""

TEXT_SUFFIXES = {".html", ".css", ".js", ".mjs", ".json", ".svg"}
NAMES_NOT_ADDRESSES = re.compile(r"https?://www\.w3\.org/(?:\d{4}/\w+|1998/Math/MathML|1999/xlink)")
ADDRESS = re.compile(r"https?:(?:\\?/){2}[^\s\"'<>)]+|(?:src|href|url)\s*[=(]\s*[\"']?//[^\s\"'<>)]+")
LARGEST_TRANSFER = {"snapshot": 20_000_000, "archives": 12_000_000}
"""Bytes over the wire of a first visit, over a fast link and over a slow one."""


def texts(site: Path):
    for path in site.rglob("*"):
        if path.is_file() and path.suffix in TEXT_SUFFIXES and path.name not in NOT_OURS:
            yield path, path.read_text(encoding="utf-8")


def test_no_file_of_ours_names_a_foreign_address(built_site):
    found = {
        str(path.relative_to(built_site)): foreign
        for path, text in texts(built_site)
        if (foreign := [address for address in ADDRESS.findall(text) if not NAMES_NOT_ADDRESSES.match(address)])
    }
    assert found == {}
    assert len(list(texts(built_site))) > 10


def test_the_search_for_foreign_addresses_finds_them():
    for text in ('<img src="//a.b/c">', "fetch('https://a.b')", '"https:\\/\\/a.b"', "url(//a.b/c.woff)"):
        assert ADDRESS.search(text), text
    assert not ADDRESS.search("a // comment, and x = y //2")


def test_every_reference_of_every_page_is_relative_and_there(built_site):
    references = 0
    for page in built_site.rglob("*.html"):
        for target in re.findall(r"<[^>]+?\s(?:src|href)=\"([^\"#]+)", page.read_text(encoding="utf-8")):
            references += 1
            assert not target.startswith("/"), (page, target)
            assert (page.parent / target).exists(), (page, target)
    assert references > 5


@pytest.mark.parametrize("way", LARGEST_TRANSFER)
def test_what_a_first_visit_transfers_is_small(built_site, way):
    manifest = read_manifest(assets_folder(built_site))
    snapshot = manifest["snapshot"]
    own = {
        "snapshot": [snapshot["name"], *(name for _, name in snapshot["libraries"])],
        "archives": [manifest["stdlib"]["name"], *(one["name"] for one in manifest["archives"])],
    }[way]
    runtime = built_site / "runtime"
    files = [*assets_folder(built_site).rglob("*"), *(runtime / manifest["core"]).iterdir(), *(runtime / name for name in own)]
    files += [max(built_site.glob("lessons/*/index.html"), key=lambda path: path.stat().st_size)]
    sent = 0
    for path in files:
        if path.is_file() and path.suffix not in (".br", ".gz"):
            packed = path.with_name(path.name + ".br")
            sent += (packed if packed.is_file() else path).stat().st_size
    assert 5_000_000 < sent < LARGEST_TRANSFER[way]


def test_each_lesson_has_a_page_and_its_data(built_site):
    for lesson in load_lessons(find_sources().lessons):
        folder = built_site / "lessons" / lesson.slug
        assert lesson.title in (folder / "index.html").read_text(encoding="utf-8")
        assert json.loads((folder / "lesson.json").read_text(encoding="utf-8"))["slug"] == lesson.slug


@pytest.fixture
def quick(monkeypatch):
    """Replace what takes long and is tested elsewhere: the trial in Pyodide and the compression."""
    made = Archives(Pack("vendor-0.tar", b"v", 1), Pack("ferrolab-0.tar", b"f", 1), {})
    snapshot = Snapshot(Pack("memory-0.bin", b"m", 1), 1, {})
    monkeypatch.setattr(build, "build_archives", lambda *arguments: made)
    monkeypatch.setattr(build, "make_snapshot", lambda *arguments: snapshot)
    monkeypatch.setattr(build, "compress_files", lambda paths, cache: None)


def former_site(folder: Path) -> Path:
    folder.mkdir()
    (folder / MARKER).write_text('{"key": "former"}')
    (folder / "index.html").write_text("former")
    return folder


def remains(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_a_build_that_fails_at_its_end_leaves_the_former_site(tmp_path, quick, monkeypatch):
    out = former_site(tmp_path / "site")

    def fail(paths, cache):
        raise SiteError("out of disk")

    monkeypatch.setattr(build, "compress_files", fail)
    with pytest.raises(SiteError, match="out of disk"):
        build_site(out)
    assert remains(tmp_path) == ["site", "site/index.html", f"site/{MARKER}"]
    assert (out / "index.html").read_text() == "former"


def test_a_file_with_a_wrong_hash_builds_nothing(tmp_path, quick):
    lock = load_lock()
    [first, *others] = lock.files
    wrong = replace(lock, files=(replace(first, sha256="0" * 64), *others))
    with pytest.raises(HashError, match=first.name):
        build_site(tmp_path / "site", lock=wrong)
    assert remains(tmp_path) == []


def test_a_file_without_a_reachable_source_builds_nothing(tmp_path, quick):
    lock = load_lock()
    [first, *others] = lock.files
    away = replace(first, sha256="1" * 64, sources=(Source("url", "http://127.0.0.1:9/away"),))
    with pytest.raises(FetchError, match=f"{first.name} could not be fetched"):
        build_site(tmp_path / "site", lock=replace(lock, files=(away, *others)))
    assert remains(tmp_path) == []


def test_a_former_site_is_replaced_whole_and_an_unchanged_one_left_alone(tmp_path, quick):
    out = former_site(tmp_path / "site")
    (out / "stale.html").write_text("from an older version")
    build_site(out)
    assert not (out / "stale.html").exists()
    assert len(list(out.glob("runtime/core-*/pyodide.asm.wasm"))) == 1
    assert remains(tmp_path)[0] == "site"
    told = []
    build_site(out, progress=told.append)
    assert told == [f"The site in {out} is up to date."]


def test_a_folder_that_is_no_site_is_never_replaced(tmp_path, quick):
    out = tmp_path / "precious"
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    with pytest.raises(SiteError, match="is no site made by ferrolab"):
        build_site(out)
    assert (out / "thesis.tex").read_text() == "years of work"


def test_lessons_that_are_not_there_or_broken_are_named(tmp_path):
    with pytest.raises(SiteError, match="has no lesson"):
        load_lessons(tmp_path)
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "lesson.toml").write_text("title = ")
    with pytest.raises(SiteError, match="one"):
        load_lessons(tmp_path)


def test_sources_that_are_missing_are_named(tmp_path):
    with pytest.raises(SiteError, match="no web folder"):
        find_sources(tmp_path / "a" / "b" / "ferrolab")


def test_a_place_that_cannot_be_written_is_refused_before_the_long_work(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "load_lock", lambda: pytest.fail("the work had begun"))
    occupied = tmp_path / "file"
    occupied.write_text("not a folder")
    with pytest.raises(SiteError, match="cannot be written .*--out"):
        build_site(occupied / "site", progress=lambda line: None)
