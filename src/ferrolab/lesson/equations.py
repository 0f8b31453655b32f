"""Equations: LaTeX to MathML at build time, cleaned and set for a page without a mathematics font.

The converter passes raw text and attributes through, so its tree is rebuilt from lists of what may stay: an equation
cannot carry a script, a link or a style into the page.
"""

from __future__ import annotations

import html
import re
from xml.etree import ElementTree

from latex2mathml import exceptions
from latex2mathml.converter import convert_to_element

_ELEMENTS = set(
    "math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover "
    "munderover mmultiscripts mprescripts mtable mtr mtd".split()
)
_ATTRIBUTES = set(
    "display mathvariant stretchy form lspace rspace fence separator accent accentunder linethickness width height depth "
    "columnalign rowspacing columnspacing displaystyle scriptlevel movablelimits largeop symmetric minsize maxsize".split()
)
_ARITY = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}
_ERRORS = (
    *(e for e in vars(exceptions).values() if isinstance(e, type) and issubclass(e, Exception)),
    IndexError,  # what the converter raises for some unfinished input
    KeyError,
)
_UPRIGHT = re.compile("[\u0391-\u03a9]\\Z")
_PREFIX_AFTER = {"=", "(", "[", ",", "<", ">", "\u2264", "\u2265"}
_BLANKS = dict.fromkeys(map(ord, "\n\t\u00a0"), " ")  # the white space that may stand in an equation
_TIGHT = {"|", "\u2223", "/"}


class EquationError(ValueError):
    """An equation that cannot be shown; the message is one sentence without its end."""


def mathml(latex: str, *, block: bool) -> str:
    """MathML for `latex`, carrying its source as alternative text. Raises `EquationError`."""
    source = latex.strip()
    if not source:
        raise EquationError("an equation is empty")
    if not source.translate(_BLANKS).isprintable():
        raise EquationError(f"{source!r} holds characters that cannot be shown")
    if source.count("{") != source.count("}"):
        raise EquationError(f"the braces of {source!r} do not match")
    root = ElementTree.Element("root")
    try:
        math = convert_to_element(source, display="block" if block else "inline", parent=root)
    except _ERRORS as error:
        raise EquationError(f"{source!r} is not an equation the converter knows ({type(error).__name__})") from None
    for node in math.iter():
        _clean(node, source)
    for node in math.iter():
        _set(node)
    math.set("alttext", source)
    return ElementTree.tostring(math, encoding="unicode", short_empty_elements=False)


def _clean(node: ElementTree.Element, source: str) -> None:
    """Keep what MathML needs; text becomes characters, which the serialiser escapes again."""
    if node.tag not in _ELEMENTS:
        raise EquationError(f"{source!r} uses <{node.tag}>, which is not allowed")
    if len(node) != _ARITY.get(node.tag, len(node)):
        raise EquationError(f"{source!r} leaves out an argument")
    for name in set(node.attrib) - _ATTRIBUTES:
        if name != "xmlns":  # HTML knows <math> without it, and the page holds no address that is not its own
            raise EquationError(f"{source!r} sets {name!r}, which is not allowed")
        del node.attrib[name]
    node.text = html.unescape(node.text or "")
    node.tail = None
    if node.tag in ("mi", "mo") and node.text.startswith("\\"):
        raise EquationError(f"the command {node.text} of {source!r} is not known")


def _set(node: ElementTree.Element) -> None:
    """Upright capital Greek, signs that know they are signs, bars and slashes kept close, brackets that fit."""
    if node.tag == "mi" and _UPRIGHT.match(node.text or ""):
        node.set("mathvariant", "normal")
    children = list(node)
    if node.tag == "msup" and len(children) == 2 and children[1].tag == "mo":
        children[1].attrib |= {"lspace": "0", "rspace": "0"}
    for before, child in zip([None, *children], children, strict=False):
        if child.tag != "mo":
            continue
        follows = before is None or before.tag == "mspace" or (before.tag == "mo" and before.text in _PREFIX_AFTER)
        if child.text in ("\u2212", "+") and node.tag in ("mrow", "mtd") and follows:
            child.attrib |= {"form": "prefix", "lspace": "0", "rspace": "0.05em"}
        elif child.text in _TIGHT:
            child.attrib |= {"stretchy": "false", "lspace": "0.06em", "rspace": "0.06em"}
    for opening, table, closing in zip(children, children[1:], children[2:], strict=False):
        if table.tag == "mtable" and opening.text == "[" and closing.text == "]":
            table.set("class", "brackets")  # drawn by the style sheet
            node.remove(opening)
            node.remove(closing)
