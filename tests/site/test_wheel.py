"""Teaching from the installed wheel, in an empty folder, without a clone."""

import os
import re
import socket
import subprocess
import sys
import sysconfig
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel of this tree."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    [made] = out.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def ferrolab(wheel, tmp_path_factory):
    """Run the installed command in an empty folder: a fresh environment, with the dependencies of this one lent to it."""
    home = tmp_path_factory.mktemp("venv") / "venv"
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    subprocess.run([sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", str(wheel)], check=True, capture_output=True)
    [packages] = home.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    folder = tmp_path_factory.mktemp("empty")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*arguments, code=0, **options):
        done = subprocess.run([home / "bin" / "ferrolab", *arguments], cwd=folder, env=environment, capture_output=True, text=True, **options)
        assert done.returncode == code, done.stderr + done.stdout
        return done.stdout

    run.folder, run.command, run.environment = folder, home / "bin" / "ferrolab", environment
    told = subprocess.run([python, "-c", "import ferrolab; print(ferrolab.__file__)"], capture_output=True, text=True, cwd=folder, env=environment)
    assert told.stdout.startswith(str(home)), "the wheel's own ferrolab must be the one that runs"
    return run


def test_the_wheel_carries_the_pages_the_lessons_and_the_docs(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for name in ("ferrolab/_web/lesson.js", "ferrolab/_web/templates/lesson.html", "ferrolab/_lessons/the-gradient-that-lies/lesson.md",
                 "ferrolab/_docs/writing-a-lesson.md", "ferrolab/lesson/starter/lesson.md", "ferrolab/site/lock.json", "ferrolab/site/dev/live.js", "ferrolab/_web/sw.js"):
        assert name in names
    assert not any("__pycache__" in name or name.startswith("tests/") for name in names)


def test_an_instructor_begins_checks_and_builds_in_an_empty_folder(ferrolab):
    assert "fine" in ferrolab("check"), "without lessons here, ours are checked"
    ferrolab("new", "lesson", "my-lesson")
    assert re.fullmatch(r"lessons/my-lesson: fine .*\n", ferrolab("check"))
    assert "passed" in ferrolab("grade", "lessons/my-lesson", "lessons/my-lesson/trails/passing.json")
    ferrolab("build", "--only-mine", "--out", "mine")
    pages = sorted(path.parent.name for path in (ferrolab.folder / "mine" / "lessons").glob("*/index.html"))
    assert pages == ["my-lesson"]
    ferrolab("export", "scorm", "lessons/my-lesson", "--out", "my-lesson.zip")
    with zipfile.ZipFile(ferrolab.folder / "my-lesson.zip") as package:
        assert package.namelist()[0] == "imsmanifest.xml" and "assets/course/scorm.js" in package.namelist()


def test_the_lessons_stand_beside_ours_and_are_served(ferrolab):
    if not (ferrolab.folder / "lessons").is_dir():
        ferrolab("new", "lesson", "my-lesson")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([ferrolab.command, "serve", "--port", str(port)], cwd=ferrolab.folder, env=ferrolab.environment, stdout=subprocess.PIPE, text=True)
    try:
        address = next(match[1] for line in server.stdout if (match := re.search(r"ferrolab is at (http://\S+)", line)))
        for path, words in (("", "My lesson"), ("", "The gradient that lies"), ("lessons/my-lesson/", "bench"), ("sw.js", "my-lesson")):
            with urllib.request.urlopen(address + path) as answer:
                assert words in answer.read().decode()
    finally:
        server.terminate()
        server.wait()
