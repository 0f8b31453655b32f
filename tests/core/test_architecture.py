"""The direction of imports: which room may know which. Read from the source, so nothing hides behind a lazy import."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ferrolab

SOURCE = Path(ferrolab.__file__).parent
WEB = SOURCE.parent.parent / "web"

# Each room of the numerical core, and the rooms it may import. They also may import numpy and the standard library.
CORE = {
    "status": set(),
    "validate": set(),
    "contact": {"validate"},
    "integrate": {"status", "validate"},
    "hybrid": {"integrate", "status", "validate"},
    "systems": {"contact", "hybrid", "integrate", "status", "validate"},
    "derivative": {"contact", "hybrid", "integrate", "systems", "status", "validate"},
    "smoothing": {"contact", "derivative", "integrate", "systems", "status", "validate"},
    "audit": {"contact", "derivative", "hybrid", "integrate", "smoothing", "systems", "status", "validate", "__version__"},
}
ABOVE = {
    "controls": set(),
    "words": {"controls"},
    "report": {"audit"},
    "lesson": {"audit", "controls", "smoothing", "validate", "words", "__version__"},
    "bench": {"audit", "controls", "smoothing", "words"},
    "site": {"audit", "bench", "controls", "lesson", "validate", "words", "__version__"},
}
# What a room above the core may use from outside; the rest is standard library.
FOREIGN = {
    "controls": set(),
    "words": {"controls"},
    "report": set(),
    "lesson": {"jinja2", "markupsafe", "markdown_it", "mdit_py_plugins", "latex2mathml", "numpy"},
    "bench": {"numpy", "panel", "bokeh", "param"},
}
# Modules the browser runs without a build tool: standard library and their own room only.
GRADED_IN_THE_BROWSER = ("trail", "grade")


def files(room: str) -> list[Path]:
    return sorted((SOURCE / room).rglob("*.py")) or [SOURCE / f"{room}.py"]


def imports(path: Path) -> set[str]:
    """Absolute dotted names of every import of a file, at whatever depth of the code it stands."""
    package = ("ferrolab", *path.relative_to(SOURCE).parent.parts)
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *filter(None, [node.module])))
            found |= {f"{module}.{alias.name}" for alias in node.names} if module == "ferrolab" else {module}
    return found


def rooms_and_strangers(path: Path) -> tuple[set[str], set[str]]:
    names = imports(path)
    rooms = {name.split(".")[1] for name in names if name.startswith("ferrolab.")}
    strangers = {name.split(".")[0] for name in names if not name.startswith("ferrolab")} - set(sys.stdlib_module_names)
    return rooms, strangers


def cases(rooms):
    return [pytest.param(room, path, id=str(path.relative_to(SOURCE))) for room in rooms for path in files(room)]


@pytest.mark.parametrize("room, path", cases(CORE))
def test_the_core_imports_numpy_the_standard_library_and_rooms_below_it(room, path):
    rooms, strangers = rooms_and_strangers(path)
    assert strangers <= {"numpy"}
    assert rooms <= CORE[room] | {room}


def test_the_order_of_the_core_has_no_cycle():
    seen: set[str] = set()
    for room, below in CORE.items():
        assert below - {"__version__"} <= seen, f"{room} reaches up"
        seen.add(room)


@pytest.mark.parametrize("room, path", cases(ABOVE))
def test_rooms_above_the_core_reach_down_only(room, path):
    rooms, strangers = rooms_and_strangers(path)
    assert rooms <= ABOVE[room] | {room}
    if room in FOREIGN:
        assert strangers <= FOREIGN[room]


def test_every_room_is_in_the_order():
    there = {path.name for path in SOURCE.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    assert there <= set(CORE) | set(ABOVE), "a new room needs its place in the tables of this test"


@pytest.mark.parametrize("path", files("bench"), ids=lambda path: path.name)
def test_the_bench_does_no_grading_and_asks_the_audit_for_mathematics(path):
    rooms, _ = rooms_and_strangers(path)
    assert not rooms & {"lesson", "site", "contact", "integrate", "derivative", "systems", "hybrid"}


@pytest.mark.parametrize("module", GRADED_IN_THE_BROWSER)
def test_grading_needs_the_standard_library_alone(module):
    code = (
        "import sys, importlib\n"
        f"importlib.import_module('ferrolab.lesson.{module}')\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)))"
    )
    loaded = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout
    foreign = set(ast.literal_eval(loaded)) - {"ferrolab", "__main__", "__mp_main__", "_virtualenv", "distutils-precedence", "sitecustomize"}
    assert not {name for name in foreign if not name.startswith(("_", "__editable"))}, loaded


@pytest.mark.parametrize("path", sorted(WEB.glob("*.js")), ids=lambda path: path.name)
def test_the_page_s_scripts_hold_no_physics(path):
    script = path.read_text(encoding="utf-8")
    assert not re.search(r"9\.81|Math\.(exp|sqrt|pow|cbrt|sin|cos|tan|log)\b", script)
    assert not re.search(r"\b(stiffness|restitution|damping)\s*[*/+]", script)
