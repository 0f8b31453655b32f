"""Every rule's own example breaks the starter lesson in just the way the rule says, and the reference says the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from starter import broken_by, starter

from ferrolab.lesson import check_lesson
from ferrolab.lesson.diagnostics import CODES
from ferrolab.lesson.rules import RULES, Rule


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_a_rules_example_gives_its_own_code_and_no_other(tmp_path: Path, rule: Rule) -> None:
    folder = starter(tmp_path)
    broken_by(folder, rule.example)
    found = check_lesson(folder)
    assert {one.code for one in found} == {rule.code}, "\n".join(map(str, found))


def test_a_code_is_one_rule_and_codes_rise() -> None:
    assert list(CODES) == sorted({rule.code for rule in RULES})
    assert all(rule.why.endswith(".") for rule in RULES)


def test_every_code_the_check_can_give_has_a_rule() -> None:
    sources = (Path(__file__).parents[2] / "src" / "ferrolab" / "lesson").glob("*.py")
    named = {word for path in sources for word in _codes(path.read_text(encoding="utf-8"))}
    assert named == set(CODES)


def _codes(text: str) -> set[str]:
    import re

    return set(re.findall(r'"(L\d{3})"', text))
