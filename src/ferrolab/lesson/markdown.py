"""The Markdown of a lesson: which parser and which plugins.

HTML in the source is text (`html=False`), so a lesson cannot inject any. Directives are fenced containers
(``::: name argument``), living figures and names of controls are roles (``{value}`...` ``), equations stand between
dollars (see `equations`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from ferrolab.lesson.equations import mathml

DIRECTIVE = "directive"
_STOP = re.compile(r"[.,;:!?)]+")


@dataclass(frozen=True)
class Directive:
    """``::: name argument`` as written."""

    name: str
    argument: str


def directive(info: str) -> Directive:
    """Read what stands after the colons."""
    name, _, argument = info.strip().partition(" ")
    return Directive(name, argument.strip())


def equation_in_text(tokens: Sequence[Token], i: int) -> str:
    """The inline equation `tokens[i]` as HTML, held together with the punctuation after it, which no line may begin with."""
    html = mathml(tokens[i].content, block=False)
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    stop = _STOP.match(after.content) if after is not None and after.type == "text" else None
    if stop is None:
        return html
    after.content = after.content[stop.end() :]
    return f'<span class="keep">{html}{stop.group(0)}</span>'


def parser() -> MarkdownIt:
    """A fresh parser; the caller adds its own render rules."""
    md = MarkdownIt("commonmark", {"html": False, "typographer": True})
    md.enable(["table", "replacements", "smartquotes"])
    md.use(container_plugin, name=DIRECTIVE, validate=lambda info, markup: bool(info.strip()))
    md.use(dollarmath_plugin, double_inline=True)
    md.use(myst_role_plugin)
    return md
