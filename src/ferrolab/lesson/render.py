"""From the prose of a lesson to the HTML of its parts. Build time only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from jinja2 import Environment
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from ferrolab.lesson.equations import mathml
from ferrolab.lesson.markdown import DIRECTIVE, directive, equation_in_text, parser
from ferrolab.lesson.model import Lesson
from ferrolab.lesson.picture import draw
from ferrolab.lesson.prose import PART_IDS, parts
from ferrolab.lesson.values import LivingFigure, parse_value
from ferrolab.words import Words, load, number

BENCH = "\x00bench\x00"  # where the bench stands; NUL cannot come out of Markdown, which replaces it
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_IN_EQUATION = re.compile(r"(?<=<mn>)\d+\.\d+(?=</mn>)")
_SCIENTIFIC = re.compile(r"e([+\-]?\d+)")


class Renderer:
    """Renders one lesson; `blocks` is the environment holding the template of each directive."""

    def __init__(self, lesson: Lesson, blocks: Environment) -> None:
        self.lesson = lesson
        self._words = load(lesson.language)
        self._blocks: Any = blocks.get_template("blocks.html").module
        self._open: list[str] = []
        self._md = self._parser()

    def document(self) -> tuple[str, str]:
        """The HTML before the bench and after it, each part a section."""
        body = self._marked("".join(self._section(tokens) for tokens in _sections(self._md.parse(self.lesson.prose))))
        before, _, after = body.partition(BENCH)
        return before, after

    def inline(self, source: str) -> Markup:
        """A text of lesson.toml as HTML."""
        return Markup(self._marked(self._md.renderInline(source)))

    def _marked(self, html: str) -> str:
        """`html` with the numbers of its equations in the marks of the lesson's language, and code that may be scrolled by key."""
        html = html.replace("<pre>", '<pre tabindex="0">')
        return _IN_EQUATION.sub(lambda match: number(match[0], self._words), html)

    def _parser(self) -> MarkdownIt:
        md = parser()
        md.add_render_rule("math_inline", lambda _, tokens, i, *__: equation_in_text(tokens, i))
        md.add_render_rule("math_inline_double", lambda _, tokens, i, *__: mathml(tokens[i].content, block=True))
        md.add_render_rule("math_block", lambda _, tokens, i, *__: f'<div class="equation">{mathml(tokens[i].content, block=True)}</div>\n')
        md.add_render_rule("myst_role", lambda _, tokens, i, *__: self._role(tokens[i]))
        md.add_render_rule(f"container_{DIRECTIVE}_open", lambda _, tokens, i, *__: self._enter(tokens[i]))
        md.add_render_rule(f"container_{DIRECTIVE}_close", lambda _, tokens, i, *__: self._open.pop())
        md.add_render_rule("table_open", lambda *_: '<div class="scroll"><table>\n')
        md.add_render_rule("table_close", lambda *_: "</table></div>\n")
        return md

    def _section(self, tokens: Sequence[Token]) -> str:
        html = self._md.renderer.render(tokens, self._md.options, {})
        if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h2":
            name = tokens[1].content.strip()
            at = parts(self.lesson.language).index(name)
            slug = PART_IDS[at]
            html = html.replace("<h2>", f'<h2 id="{slug}"><span class="part" aria-hidden="true">{at + 1}</span>', 1)
            # The bench stands between parts, outside of every section.
            inside, bench, rest = html.partition(BENCH)
            return f'<section class="lesson-part" aria-labelledby="{slug}">\n{inside}</section>\n{bench}{rest}'
        return html

    def _role(self, token: Token) -> str:
        if token.meta["name"] == "value":
            return str(living(parse_value(token.content), self._words))
        return str(Markup('<span class="control">{}</span>').format(token.content))

    def _enter(self, token: Token) -> str:
        """The opening of a directive; what closes it goes on the stack."""
        d = directive(token.info)
        html, close = self._directive(d.name, d.argument)
        self._open.append(close)
        return html

    def _directive(self, name: str, argument: str) -> tuple[str, str]:
        lesson, blocks, t = self.lesson, self._blocks, self._words["page"]
        if name == "bench":
            return BENCH, ""
        if name == "predict":
            return str(blocks.predict(lesson.predict, self.inline, t)), ""
        if name == "truth":
            return str(blocks.truth(lesson.predict, self.inline, t)), ""
        if name == "question":
            at = [q.id for q in lesson.questions].index(argument) + 1
            return str(blocks.question(lesson.question(argument), at, self.inline, t)), ""
        if name == "figure":
            figure = next(f for f in lesson.figures if f.id == argument)
            return f'<figure id="figure-{figure.id}">{draw(figure, self._words)}<figcaption>', "</figcaption></figure>\n"
        if name == "step":
            step = next(s for s in lesson.steps if s.id == argument)
            return str(blocks.step_open(step, self.inline, t)), "</div></div>\n"
        if name == "stuck":
            stuck = next(s for s in lesson.stuck if s.id == argument)
            return str(blocks.stuck_open(stuck, self.inline, t)), "</div>\n"
        if name == "passed":
            return '<div class="passed" data-when-passed hidden>\n', "</div>\n"
        return '<div class="note">\n', "</div>\n"


def living(figure: LivingFigure, words: Words) -> Markup:
    """A living figure as HTML: the number as quoted, in the marks of `words`, with its call for whoever asks."""
    shown = _SCIENTIFIC.sub(lambda m: f" × 10{str(int(m[1])).translate(_SUPERSCRIPTS)}", number(str(figure.text), words))
    shown = re.sub(r"^-", "\u2212", shown)
    call = str(figure.call) + (f" over {figure.over}" if figure.over else "")
    return Markup('<data class="living" value="{}" title="{}">{}</data>').format(f"{figure.quoted:g}", words["page"]["computed"].format(call=call), shown)


def _sections(tokens: Sequence[Token]) -> list[list[Token]]:
    """The tokens, cut before every second-level heading that stands at the top level."""
    cut: list[list[Token]] = [[]]
    for token in tokens:
        if token.type == "heading_open" and token.tag == "h2" and token.level == 0:
            cut.append([])
        cut[-1].append(token)
    return cut
