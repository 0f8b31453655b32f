"""What the bench may import, and that its two halves agree."""

import ast
import re
import sys
from pathlib import Path

import pytest
from bokeh.models import LayoutDOM

import ferrolab.bench
from ferrolab.bench import MODELS_JS, models, strings

FOLDER = Path(ferrolab.bench.__file__).parent
ALLOWED = {"numpy", "panel", "bokeh", "param", "ferrolab.audit", "ferrolab.controls", "ferrolab.smoothing", "ferrolab.bench"}
SCRIPT = MODELS_JS.read_text(encoding="utf-8")
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


def test_no_string_the_learner_reads_is_kept_outside_strings():
    texts = {value for name, value in vars(strings).items() if name.isupper() and isinstance(value, str) and len(value) > 12}
    for path in FOLDER.rglob("*.py"):
        if path.name == "strings.py":
            continue
        constants = {n.value for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Constant)}
        assert not texts & constants, path.name
