"""What the bench may import, and that its two halves agree."""

import ast
import re
import sys
from pathlib import Path

import pytest
from bokeh.models import LayoutDOM

import ferrolab.bench
from ferrolab.bench import MODELS_JS, models
from ferrolab.words import load

FOLDER = Path(ferrolab.bench.__file__).parent
ALLOWED = {"numpy", "panel", "bokeh", "param", "ferrolab.audit", "ferrolab.controls", "ferrolab.words", "ferrolab.smoothing", "ferrolab.bench"}
SCRIPT = "\n".join(path.read_text(encoding="utf-8") for path in MODELS_JS)
TWINS = [model for model in vars(models).values() if isinstance(model, type) and issubclass(model, LayoutDOM) and model is not LayoutDOM]


def imported(path):
    """Every module a file imports by an absolute name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            if node.module == "ferrolab":
                yield from (f"ferrolab.{alias.name}" for alias in node.names)
            else:
                yield node.module


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda path: path.name)
def test_the_bench_holds_no_mathematics_and_no_grading(path):
    strangers = [
        name
        for name in imported(path)
        if name.split(".")[0] not in sys.stdlib_module_names
        and not any(name == allowed or name.startswith(f"{allowed}.") for allowed in ALLOWED)
    ]
    assert strangers == []


def test_the_script_needs_no_eval_no_network_and_no_colour_of_its_own():
    code = SCRIPT.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"\beval\b|new Function|https?:|fetch\(|XMLHttpRequest|innerHTML", code)
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b|rgba?\(", code)


@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: twin.__name__)
def test_each_model_has_the_same_properties_on_both_sides(twin):
    body = re.search(rf"class {twin.__name__} extends LayoutDOM \{{(.*?)\n  \}}\n", SCRIPT, re.S).group(1)
    define = body[body.index("this.define") :]
    scripted = set(re.findall(r"(?:^\s+|\{)(\w+): \[|, (\w+): \[", define, re.M))
    names = {first or second for first, second in scripted}
    assert names == twin.properties() - LayoutDOM.properties()
    assert "static __module__ = MODULE" in body and f'MODULE = "{twin.__module__}"' in SCRIPT


def texts(value):
    """Every text in a table of words."""
    if isinstance(value, str):
        return {value}
    return {text for item in (value.values() if isinstance(value, dict) else value) for text in texts(item)}


def test_no_string_the_learner_reads_is_kept_outside_the_files_of_words():
    known = {text for text in texts(load()["bench"]) if len(text) > 12}
    for path in FOLDER.rglob("*.py"):
        constants = {n.value for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Constant)}
        assert not known & constants, path.name


def test_every_string_the_bench_asks_for_is_in_the_words_and_none_is_left_over():
    asked = {False: set(), True: set()}
    for path in FOLDER.rglob("*.py"):
        code = path.read_text(encoding="utf-8")
        theirs = "distance_strings as strings" in code
        asked[theirs] |= set(re.findall(r"\bstrings\.([A-Z][A-Z_0-9]*)\b", code))
        asked[True] |= set(re.findall(r"\bdistance\.([A-Z][A-Z_0-9]*)\b", code))
    words = load()["bench"]
    assert {name.lower() for name in asked[False]} | {"distance"} == set(words)
    assert {name.lower() for name in asked[True]} == set(words["distance"])
