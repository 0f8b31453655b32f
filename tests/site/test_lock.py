"""The lock: what it holds, and how a malformed one is refused."""

import copy
import json

import pytest

from ferrolab.site.errors import LockError
from ferrolab.site.lock import LOCK_PATH, load_lock, parse_lock

GOOD = {
    "version": 1, "pyodide": "1", "python": "3.14", "abi": "a", "platform": "p",
    "files": [{
        "name": "a.whl", "kind": "wheel", "sha256": "0" * 64, "size": 3,
        "sources": [{"pypi": "a", "version": "1", "member": "m"}],
    }],
}


def changed(change):
    data = copy.deepcopy(GOOD)
    change(data)
    return data


def test_the_lock_of_the_project_is_sound_and_complete():
    lock = load_lock()
    runtime = {file.name for file in lock.of_kind("runtime")}
    assert {"pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"} == runtime
    packages = {file.name.split("-")[0] for file in lock.of_kind("wheel")}
    assert {"numpy", "panel", "bokeh", "param", "jinja2", "markupsafe", "packaging", "pyviz_comms", "pyyaml"} == packages


def test_numpy_is_asked_of_pyodide_itself_before_any_mirror():
    [numpy] = [file for file in load_lock().files if file.name.startswith("numpy-")]
    assert [source.registry for source in numpy.sources] == ["url", "pypi"]
    assert numpy.sources[0].name.endswith(numpy.name)
    assert numpy.sources[1].member.endswith(numpy.name)


def test_panel_and_bokeh_are_the_ones_the_project_installs():
    names = {file.name.rsplit("-py3", 1)[0] for file in load_lock().of_kind("wheel")}
    pins = json.dumps((LOCK_PATH.parents[3] / "pyproject.toml").read_text(encoding="utf-8"))
    for package in ("panel", "bokeh"):
        [version] = [name.split("-")[1] for name in names if name.startswith(f"{package}-")]
        assert f"{package}=={version}" in pins


def test_a_source_reads_as_words():
    source = parse_lock(GOOD).file("a.whl").sources[0]
    assert str(source) == "m in pypi package a 1"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.pop("pyodide"), "the lock lacks pyodide"),
        (lambda d: d.update(extra=1), "unknown keys extra"),
        (lambda d: d.update(version=2), "version 2"),
        (lambda d: d["files"][0].update(sha256="ABC"), "a.whl has sha256 'ABC'"),
        (lambda d: d["files"][0].update(size=0), "a.whl has size 0"),
        (lambda d: d["files"][0].update(name="../a.whl"), "'../a.whl'"),
        (lambda d: d["files"][0].update(kind="data"), "kind 'data'"),
        (lambda d: d["files"][0].update(sources=[]), "a.whl has no source"),
        (lambda d: d["files"][0]["sources"][0].pop("version"), "source 1 lacks version"),
        (lambda d: d["files"][0]["sources"][0].pop("pypi"), "must name one of url, npm, pypi"),
        (lambda d: d["files"].append(d["files"][0]), "a.whl more than once"),
    ],
)
def test_a_malformed_lock_is_refused_in_words(change, words):
    with pytest.raises(LockError, match="."):
        parse_lock(changed(change))
    try:
        parse_lock(changed(change))
    except LockError as error:
        assert words in str(error)


def test_a_missing_or_broken_lock_file_is_named(tmp_path):
    with pytest.raises(LockError, match="absent.json"):
        load_lock(tmp_path / "absent.json")
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    with pytest.raises(LockError, match="not JSON"):
        load_lock(broken)


def test_asking_for_a_file_the_lock_does_not_have_says_so():
    with pytest.raises(LockError, match="no file called 'b.whl'"):
        parse_lock(GOOD).file("b.whl")
