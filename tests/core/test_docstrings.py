"""The examples in docstrings give what they say."""

import doctest
import importlib
from pathlib import Path

import pytest

import ferrolab

SOURCE = Path(ferrolab.__file__).parent
WITH_EXAMPLES = sorted(path for path in SOURCE.rglob("*.py") if "\n>>> " in path.read_text(encoding="utf-8") or "    >>> " in path.read_text(encoding="utf-8"))


def test_there_are_examples():
    assert WITH_EXAMPLES


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_examples_of_a_module_hold(path):
    name = ".".join(("ferrolab", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0 and result.failed == 0
