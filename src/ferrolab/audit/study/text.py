"""The audit for people at a terminal."""

from __future__ import annotations

import textwrap
from dataclasses import asdict

from ferrolab.audit.study.section import Section, Table
from ferrolab.audit.study.study import Study

WIDTH = 110


def as_text(study: Study) -> str:
    """All sections: findings first, then their tables."""
    drop = ", ".join(f"{name} {value}" for name, value in asdict(study.options).items())
    made = study.environment
    head = [f"ferrolab {made.ferrolab} audit of the bouncing mass (numpy {made.numpy}, Python {made.python}, {made.machine})", *_wrapped(drop)]
    return "\n".join(head + ["\n" + _section(number, section) for number, section in enumerate(study.sections(), 1)])


def _section(number: int, section: Section) -> str:
    title = f"{number}. {section.title}: {section.question}"
    lines = [title, "=" * len(title), *_wrapped(f"Held: {section.held}."), *_wrapped(f"Varied: {section.varied}.")]
    for finding in section.findings:
        lines += _wrapped(finding, first="* ", rest="  ")
    for table in section.tables:
        lines += ["", *_wrapped(table.caption), table_text(table)]
    lines += ["", "Compute it again: " + section.commands[0]]
    return "\n".join(lines)


def table_text(table: Table) -> str:
    """Aligned columns; numbers to the right."""
    heads = [column.label + (f" ({column.unit})" if column.unit else "") for column in table.columns]
    rows = table.shown()
    right = [all(not isinstance(row[i], str) for row in table.cells()) for i in range(len(heads))]
    widths = [max(len(text) for text in column) for column in zip(heads, *rows)]
    fit = lambda texts: "  ".join(t.rjust(w) if r else t.ljust(w) for t, w, r in zip(texts, widths, right)).rstrip()  # noqa: E731
    return "\n".join(fit(line) for line in [heads, *rows])


def _wrapped(text: str, first: str = "", rest: str = "") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest)
