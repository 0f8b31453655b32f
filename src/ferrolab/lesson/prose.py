"""What must be true of lesson.md before anything is computed: parts, directives, no HTML, no bare numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from markdown_it.token import Token

from ferrolab.lesson.bare import bare_numbers, is_lone_number
from ferrolab.lesson.diagnostics import Diagnostic, sentence
from ferrolab.lesson.equations import EquationError, mathml
from ferrolab.lesson.markdown import DIRECTIVE, directive, parser
from ferrolab.lesson.model import Lesson
from ferrolab.lesson.reader import closest
from ferrolab.lesson.remedy import remedy
from ferrolab.lesson.values import LivingFigure, ValueSyntaxError, parse_value
from ferrolab.words import load

PART_IDS = ("challenge", "model", "guided-practice", "feedback", "retrieve-and-space", "mastery-and-project")
LEAVES = ("predict", "bench", "truth", "passed")  # directives without an argument, each placed exactly once
NAMED = {"figure": "figures", "step": "steps", "stuck": "stuck", "question": "questions"}
FREE = ("note",)
ROLES = ("value", "control")
_HTML = re.compile(r"<\s*/?[A-Za-z!][^<]*>|<\s*script", re.IGNORECASE)
_ADDRESS = re.compile(r"[a-z][a-z0-9+.\-]*:|//", re.IGNORECASE)


def parts(language: str) -> list[str]:
    """The headings of the six parts of a lesson in `language`, in order."""
    return load(language)["parts"]["names"]


@dataclass(frozen=True)
class Place:
    """A living figure where it stands."""

    file: str
    line: int
    figure: LivingFigure


class ProseCheck:
    """Judges one lesson's prose: `diagnostics` and `figures` hold what was found."""

    def __init__(self, lesson: Lesson, control_names: frozenset[str]) -> None:
        self.lesson, self.control_names = lesson, control_names
        self.constants = [c.text for c in lesson.constants]
        self.diagnostics: list[Diagnostic] = []
        self.figures: list[Place] = []

    def add(self, line: int, code: str, message: str, fix: str, file: str = "lesson.md") -> None:
        self.diagnostics.append(Diagnostic(file, line, code, message, fix))

    def document(self) -> None:
        """Check lesson.md as a whole."""
        tokens = parser().parse(self.lesson.prose)
        self._parts(tokens)
        self._directives(tokens)
        for token in tokens:
            if token.type == "math_block":
                self._equation(token.content, _line(token), block=True)
            elif token.type == "inline":
                self._inline(token, _line(token), "lesson.md")
            elif token.type == "heading_open" and token.tag == "h1":
                self.add(_line(token), "L010", "lesson.md has a first-level heading.", "Take it out: the title stands in lesson.toml.")

    def text(self, source: str, line: int, file: str, *, numbers: bool = True, inline: bool = True) -> None:
        """Check a text of lesson.toml; `numbers` false lets a wrong choice name any number."""
        if not inline:
            if numbers:
                self._bare(source, line, file)
            return
        for token in parser().parseInline(source):
            self._inline(token, line, file, numbers=numbers, spread=False)

    # -- structure ---------------------------------------------------------------------------------------------

    def _parts(self, tokens: list[Token]) -> None:
        found = [
            (tokens[i + 1].content.strip(), _line(token))
            for i, token in enumerate(tokens)
            if token.type == "heading_open" and token.tag == "h2"
        ]
        names = parts(self.lesson.language)
        for i, part in enumerate(names):
            name, line = found[i] if i < len(found) else ("", 0)
            if name != part:
                what = f"stands {name!r}" if name else "the prose ends"
                self.add(line, "L010", f"where the part {part!r} must begin {what}.", f"Write the six parts in order, this one as '## {part}'.")
                return
        for name, line in found[len(names) :]:
            self.add(line, "L010", f"{name!r} is a seventh part.", "Use a third-level heading inside a part.")

    def _directives(self, tokens: list[Token]) -> None:
        placed: dict[tuple[str, str], int] = {}
        meant: set[tuple[str, str]] = set()  # misspelt: one fault, not also a thing that is missing
        for token in tokens:
            if token.type != f"container_{DIRECTIVE}_open":
                continue
            d, line = directive(token.info), _line(token)
            known = (*LEAVES, *NAMED, *FREE)
            if d.name not in known:
                self.add(line, "L011", f"{d.name!r} is not a directive.", closest(d.name, known))
                meant |= {(name, d.argument) for name in get_close_matches(d.name, known, 1)}
                continue
            if d.name in NAMED:
                self._named(d.name, d.argument, line)
                near = get_close_matches(d.argument, self._ids(d.name), 1) if d.argument else self._ids(d.name)
                meant |= {(d.name, id) for id in near}
            elif d.argument:
                self.add(line, "L011", f"the directive {d.name!r} takes no argument, and {d.argument!r} is given.", f"Write '::: {d.name}'.")
            if d.name not in FREE and (d.name, d.argument) in placed:
                first = placed[d.name, d.argument]
                self.add(line, "L011", f"'::: {token.info.strip()}' stands on line {first} already.", "Take one of them out.")
            placed[d.name, d.argument] = line
        for leaf in LEAVES:
            if not any(name == leaf for name, _ in placed.keys() | meant):
                self.add(0, "L012", f"the prose has no '::: {leaf}'.", "Place it once.")
        for name, group in NAMED.items():
            for item in getattr(self.lesson, group):
                if (name, item.id) not in placed.keys() | meant:
                    self.add(0, "L012", f"lesson.toml declares the {name} {item.id!r}, which the prose never places.", f"Write '::: {name} {item.id}'.")

    def _ids(self, name: str) -> list[str]:
        """The ids the directive `name` may carry."""
        return [item.id for item in getattr(self.lesson, NAMED[name])]

    def _named(self, name: str, argument: str, line: int) -> None:
        ids = self._ids(name)
        if not argument:
            self.add(line, "L011", f"the directive {name!r} needs an id.", f"Write '::: {name} ID', with an id of lesson.toml.")
        elif argument not in ids:
            fix = closest(argument, ids) if ids else f"Declare it under [[{NAMED[name]}]]."
            self.add(line, "L008", f"lesson.toml declares no {name} {argument!r}.", fix)

    # -- text --------------------------------------------------------------------------------------------------

    def _inline(self, token: Token, line: int, file: str, *, numbers: bool = True, spread: bool = True) -> None:
        """Judge the children of an inline token; a text split by typography is put together again first."""
        for at, children in _lines(token.children or [], line, spread):
            text = ""
            for child in children:
                if child.type == "text":
                    text += child.content
                    continue
                text += "\x00"  # keeps what stands on both sides of an equation apart
                self._child(child, at, file)
            if _HTML.search(text):
                self.add(at, "L013", f"{_HTML.search(text).group(0)!r} is HTML.", "Write Markdown or a directive: HTML is shown as text.", file)  # type: ignore[union-attr]
            if numbers:
                self._bare(text, at, file)

    def _child(self, child: Token, line: int, file: str) -> None:
        if child.type.startswith("math_inline"):
            self._equation(child.content, line, block=False, file=file)
        elif child.type == "myst_role":
            self._role(child.meta["name"], child.content, line, file)
        elif child.type == "image":
            self.add(line, "L014", "a picture is placed by hand.", "Declare it under [[figures]] and write '::: figure ID'.", file)
        elif child.type == "link_open" and _ADDRESS.match(str(child.attrs.get("href", ""))):
            self.add(line, "L014", f"the link to {child.attrs['href']!r} leaves the site.", "Name the source in words instead.", file)

    def _role(self, name: str, content: str, line: int, file: str) -> None:
        if name not in ROLES:
            self.add(line, "L011", f"{name!r} is not a role.", closest(name, ROLES), file)
        elif name == "control":
            if content not in self.control_names:
                self.add(line, "L008", f"{content!r} is not the name of a control or of one of its positions.", closest(content, self.control_names), file)
        else:
            try:
                self.figures.append(Place(file, line, parse_value(content)))
            except ValueSyntaxError as error:
                self.add(line, "L020", sentence(error), remedy(content), file)

    def _equation(self, latex: str, line: int, *, block: bool, file: str = "lesson.md") -> None:
        try:
            mathml(latex, block=block)
        except EquationError as error:
            self.add(line, "L015", f"{error}.", "Correct the equation.", file)
        if is_lone_number(latex):
            self.add(line, "L022", f"the equation {latex.strip()!r} is a bare number.", "Write it as a {value}.", file)

    def _bare(self, text: str, line: int, file: str) -> None:
        for number in bare_numbers(text, self.constants):
            fix = "Write it as a {value} with its call, as an equation if it is a setting, or list it under [[constants]]."
            self.add(line, "L022", f"the number {number!r} stands bare in prose.", fix, file)


def _lines(children: list[Token], line: int, spread: bool) -> Iterator[tuple[int, list[Token]]]:
    """The children of an inline token, one list a source line."""
    here: list[Token] = []
    for child in children:
        if child.type in ("softbreak", "hardbreak") and spread:
            yield line, here
            here, line = [], line + 1
        else:
            here.append(child)
    yield line, here


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 0
