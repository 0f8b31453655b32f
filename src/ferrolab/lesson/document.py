"""A page of the documentation: Markdown with tables, equations and living figures. Build time only."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from ferrolab.lesson.equations import mathml
from ferrolab.lesson.markdown import equation_in_text, parser
from ferrolab.lesson.values import LivingFigure, parse_value
from ferrolab.words import load

_COMMENT = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)


@dataclass(frozen=True)
class Document:
    """A rendered page: its title, the HTML below the title, and the living figures it quotes."""

    title: str
    body: Markup
    figures: tuple[LivingFigure, ...]


def render_document(source: str, link: Callable[[str], str] = lambda target: target) -> Document:
    """`source` as a page; `link` turns the target of each link into an address.

    The first line is the title, as a first-level heading; a comment may stand before it. HTML is shown as text.
    """
    from ferrolab.lesson.render import living

    figures: list[LivingFigure] = []

    def role(tokens: list, i: int) -> str:
        if tokens[i].meta["name"] != "value":
            return str(Markup('<span class="control">{}</span>').format(tokens[i].content))
        figures.append(parse_value(tokens[i].content))
        return str(living(figures[-1], load()))

    md = parser()
    md.add_render_rule("math_inline", lambda _, tokens, i, *__: equation_in_text(tokens, i))
    md.add_render_rule("math_inline_double", lambda _, tokens, i, *__: mathml(tokens[i].content, block=True))
    md.add_render_rule("math_block", lambda _, tokens, i, *__: f'<div class="equation">{mathml(tokens[i].content, block=True)}</div>\n')
    md.add_render_rule("myst_role", lambda _, tokens, i, *__: role(tokens, i))
    md.add_render_rule("table_open", lambda *_: '<div class="scroll"><table>\n')
    md.add_render_rule("table_close", lambda *_: "</table></div>\n")
    tokens = md.parse(_COMMENT.sub("", source))
    if len(tokens) < 3 or tokens[0].type != "heading_open" or tokens[0].tag != "h1":
        raise ValueError("a document must begin with its title as a first-level heading")
    for i, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", re.sub(r"[^a-z0-9]+", "-", tokens[i + 1].content.lower()).strip("-"))
        for child in token.children or []:
            if child.type == "link_open":
                child.attrSet("href", link(str(child.attrs["href"])))
    return Document(tokens[1].content, Markup(md.renderer.render(tokens[3:], md.options, {})), tuple(figures))
