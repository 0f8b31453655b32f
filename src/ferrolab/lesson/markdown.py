"""The Markdown of a lesson: which parser and which plugins.

HTML in the source is text (`html=False`), so a lesson cannot inject any. Directives are fenced containers
(``::: name argument``), living figures and names of controls are roles (``{value}`...` ``), equations stand between
dollars (see `equations`).
"""

from __future__ import annotations

from dataclasses import dataclass

from markdown_it import MarkdownIt
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

DIRECTIVE = "directive"
@dataclass(frozen=True)
class Directive:
    """``::: name argument`` as written."""

    name: str
    argument: str


def directive(info: str) -> Directive:
    """Read what stands after the colons."""
    name, _, argument = info.strip().partition(" ")
    return Directive(name, argument.strip())


def parser() -> MarkdownIt:
    """A fresh parser; the caller adds its own render rules."""
    md = MarkdownIt("commonmark", {"html": False, "typographer": True})
    md.enable(["table", "replacements", "smartquotes"])
    md.use(container_plugin, name=DIRECTIVE, validate=lambda info, markup: bool(info.strip()))
    md.use(dollarmath_plugin, double_inline=True)
    md.use(myst_role_plugin)
    return md
