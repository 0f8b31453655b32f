"""The archives: they bring the bench up in Pyodide, hold nothing else, and a missing file is noticed."""

import io
import json
import subprocess
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from ferrolab.site import archive
from ferrolab.site.archive import build_archives, check_document, pack, vendor_files
from ferrolab.site.build import load_lessons, worker_environment
from ferrolab.site.errors import HashError, LockError, RuntimeCheckError
from ferrolab.site.fetch import Fetcher, cache_directory
from ferrolab.site.layout import find_sources
from ferrolab.site.lock import Lock, load_lock
from ferrolab.site.vendor import check_against_pyodide, prepare_vendor, wanted

PYC_MAGIC_314 = 3627
"""CPython 3.14's bytecode version: bytes 0 and 1 of a .pyc, little-endian."""

UNCHECKED_HASH = 1


@pytest.fixture(scope="module")
def paths():
    with Fetcher(cache_directory()) as fetcher:
        return fetcher.fetch_all(load_lock().files)


@pytest.fixture(scope="module")
def vendor(paths):
    return prepare_vendor(load_lock(), paths, cache_directory())


@pytest.fixture(scope="module")
def ingredients(vendor):
    sources = find_sources()
    return vendor, sources.package, load_lessons(sources.lessons), sources.web / "unpack.js", worker_environment()


@pytest.fixture(scope="module")
def archives(ingredients):
    return build_archives(*ingredients)


def entries(made):
    with tarfile.open(fileobj=io.BytesIO(made.data)) as tar:
        return {member.name: tar.extractfile(member).read() for member in tar.getmembers()}


def test_every_bench_comes_up_in_pyodide_from_the_archives_alone(archives, ingredients):
    benches = {lesson.bench for lesson in ingredients[2]}
    trial = archives.trial
    assert trial["messages"]["document"] == len(benches) and "patch" not in trial["messages"]
    assert trial["messages"]["readout"] >= len(("first", "then one each", "of four settings"))
    assert trial["models"]["ferrolab.bench.models.Pacer"] == len(benches)
    assert trial["addresses"] == []


def test_the_archives_hold_bytecode_of_this_python_that_is_never_checked_against_a_source(archives):
    compiled = {name: data for made in (archives.vendor, archives.ferrolab) for name, data in entries(made).items() if name.endswith(".pyc")}
    assert len(compiled) > 500
    for name, data in compiled.items():
        assert int.from_bytes(data[:2], "little") == PYC_MAGIC_314, name
        assert int.from_bytes(data[4:8], "little") == UNCHECKED_HASH, name
    assert not any(name.endswith(".py") for name in entries(archives.vendor))


def test_the_archives_hold_no_build_tool_no_test_and_nothing_the_bench_does_without(archives):
    ours = set(entries(archives.ferrolab))
    assert "ferrolab/site/session.pyc" in ours
    assert not ours & {"ferrolab/site/build.pyc", "ferrolab/lesson/page.pyc", "ferrolab/cli.pyc"}
    tops = {name.split("/")[0] for name in entries(archives.vendor)}
    assert {"numpy", "bokeh", "panel", "param"} <= tops
    assert not tops & {"pandas", "tornado", "scipy", "markdown_it", "PIL", "requests"}
    assert not any("/tests/" in name for name in entries(archives.vendor))


def test_a_module_that_is_left_out_fails_the_build(ingredients, monkeypatch):
    def without_yaml(packages, read):
        return [name for name in vendor_files(packages, read) if name != "yaml/scanner.pyc"]

    monkeypatch.setattr(archive, "vendor_files", without_yaml)
    with pytest.raises(RuntimeCheckError, match="yaml.scanner"):
        build_archives(*ingredients)


def test_a_package_that_python_314_cannot_compile_fails_the_build(ingredients, tmp_path):
    vendor, package, *rest = ingredients
    broken = tmp_path / "ferrolab"
    broken.mkdir()
    (broken / "__init__.py").write_text("def (")
    with pytest.raises(RuntimeCheckError, match="does not compile"):
        build_archives(vendor, broken, *rest)


@pytest.mark.parametrize(
    ("trial", "words"),
    [
        ({"models": {"panel.models.layout.Column": 1}, "addresses": []}, "panel.models.layout.Column"),
        ({"models": {"Row": 1}, "addresses": ["https://example.org/x.css"]}, "https://example.org/x.css"),
    ],
)
def test_a_document_that_asks_for_what_the_page_has_not_is_refused(trial, words):
    with pytest.raises(RuntimeCheckError, match=words):
        check_document(trial)


def test_the_same_files_make_the_same_archive(tmp_path):
    for name, data in (("b.pyc", b"b"), ("a.pyc", b"a")):
        (tmp_path / name).write_bytes(data)
    first, second = pack("x", tmp_path, ["b.pyc", "a.pyc"]), pack("x", tmp_path, ["a.pyc", "b.pyc"])
    assert first == second
    (tmp_path / "a.pyc").write_bytes(b"changed")
    assert pack("x", tmp_path, ["a.pyc", "b.pyc"]).name != first.name


def test_the_page_unpacks_an_archive_to_the_same_files(tmp_path):
    long = "/".join(["a_folder_with_a_long_name"] * 6) + "/data.json"
    for name, data in (("top.pyc", b"\0" * 512), ("inner/odd.bin", b"\1" * 700), (long, b"{}"), ("empty", b"")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    names = ["top.pyc", "inner/odd.bin", long, "empty"]
    (tmp_path / "x.tar").write_bytes(pack("x", tmp_path, names).data)
    script = """
        import fs from "node:fs";
        const { unpack } = await import(process.argv[1]);
        const files = {};
        const FS = { mkdirTree() {}, writeFile: (path, bytes) => { files[path] = Buffer.from(bytes).toString("hex"); } };
        unpack(FS, new Uint8Array(fs.readFileSync(process.argv[2])), "/root");
        console.log(JSON.stringify(files));
    """
    unpack = find_sources().web / "unpack.js"
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script, unpack.as_uri(), str(tmp_path / "x.tar")],
        capture_output=True, text=True, check=True,
    )
    assert json.loads(done.stdout) == {f"/root/{name}": (tmp_path / name).read_bytes().hex() for name in names}


@pytest.mark.parametrize(
    ("name", "is_wanted"),
    [
        ("panel/reactive.py", True),
        ("panel/theme/css/default.css", True),
        ("numpy/_core/_multiarray_umath.cpython-314-wasm32-emscripten.so", True),
        ("yaml/_yaml.cpython-313-x86_64-linux-gnu.so", False),
        ("numpy/_core/tests/test_api.py", False),
        ("panel/dist/panel.min.js", False),
        ("bokeh-3.10.0.dist-info/METADATA", True),
        ("bokeh-3.10.0.dist-info/RECORD", False),
        ("panel-1.10.0.data/data/etc/x.json", False),
    ],
)
def test_only_what_a_page_can_use_is_unpacked_of_a_wheel(name, is_wanted):
    assert wanted(name) is is_wanted


def test_a_wasm_wheel_must_be_the_one_pyodide_itself_publishes(paths):
    lock = load_lock()

    def with_numpy(**changes) -> Lock:
        return replace(lock, files=tuple(replace(file, **changes) if file.name.startswith("numpy-") else file for file in lock.files))

    check_against_pyodide(lock, paths)
    with pytest.raises(HashError, match="not the genuine file"):
        check_against_pyodide(with_numpy(sha256="0" * 64), paths)
    with pytest.raises(LockError, match="not a file of Pyodide"):
        check_against_pyodide(with_numpy(name="numpy-9-wasm32.whl"), paths)


def test_compiled_packages_are_made_once(paths, vendor, monkeypatch):
    monkeypatch.setattr("ferrolab.site.vendor.run_in_pyodide", None)
    assert prepare_vendor(load_lock(), paths, cache_directory()) == vendor
    assert Path(vendor.stdlib).is_file()
