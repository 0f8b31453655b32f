"""The Markdown of a lesson: which parser, which plugins, and how its equations become MathML.

HTML in the source is text (`html=False`), so a lesson cannot inject any. Directives are fenced containers
(``::: name argument``), living figures and names of controls are roles (``{value}`...` ``), equations stand between
dollars.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from latex2mathml.converter import convert
from latex2mathml.exceptions import (
    DenominatorNotFoundError,
    DoubleSubscriptsError,
    DoubleSuperscriptsError,
    ExtraLeftOrMissingRightError,
    InvalidAlignmentError,
    InvalidStyleForGenfracError,
    InvalidWidthError,
    LimitsMustFollowMathOperatorError,
    MissingEndError,
    MissingSuperScriptOrSubscriptError,
    NoAvailableTokensError,
    NumeratorNotFoundError,
)
from markdown_it import MarkdownIt
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

DIRECTIVE = "directive"
_LATEX_ERRORS = (
    DenominatorNotFoundError,
    DoubleSubscriptsError,
    DoubleSuperscriptsError,
    ExtraLeftOrMissingRightError,
    InvalidAlignmentError,
    InvalidStyleForGenfracError,
    InvalidWidthError,
    LimitsMustFollowMathOperatorError,
    MissingEndError,
    MissingSuperScriptOrSubscriptError,
    NoAvailableTokensError,
    NumeratorNotFoundError,
    IndexError,  # what the converter raises for some unfinished input
    KeyError,
)


class EquationError(ValueError):
    """An equation the converter refuses; the message is one sentence without its end."""


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


def mathml(latex: str, *, block: bool) -> str:
    """MathML for `latex`, carrying its source as alternative text. Raises `EquationError`."""
    if not latex.strip():
        raise EquationError("an equation is empty")
    if latex.count("{") != latex.count("}"):
        raise EquationError(f"the braces of {latex.strip()!r} do not match")
    try:
        out = convert(latex.strip(), display="block" if block else "inline")
    except _LATEX_ERRORS as error:
        raise EquationError(f"{latex.strip()!r} is not an equation the converter knows ({type(error).__name__})") from None
    unknown = re.search(r"<m[a-z]+[^>]*>\\([A-Za-z]+)", out)
    if unknown:
        raise EquationError(f"the command \\{unknown.group(1)} is not known")
    # HTML knows <math> without a namespace, and the page holds no address that is not its own.
    out = out.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")
    return out.replace("<math", f'<math alttext="{html.escape(latex.strip())}"', 1)
