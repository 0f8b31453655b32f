"""Equations become MathML that cannot carry anything else into the page."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ferrolab.lesson.equations import EquationError, mathml

ALLOWED = {"math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "ms", "mfrac", "msqrt", "mroot", "mstyle", "merror", "mpadded",
           "mphantom", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts", "mprescripts", "mtable", "mtr", "mtd"}  # fmt: skip
PIECES = ["x", "^", "_", "{", "}", "\\frac", "\\text{", "<script>", "&lt;", '"', "\\href{javascript:x}{y}", "\\class{a}", "\\style{a}",
          "\\begin{bmatrix}", "\\end{bmatrix}", "&", "\\\\", "\\lvert", "|", "-", "=", "\\unknown", "\\left(", "\\right)", " "]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=30))
def test_any_input_is_refused_or_becomes_well_formed_mathml_alone(latex: str) -> None:
    try:
        out = mathml(latex, block=False)
    except EquationError as error:
        assert str(error)
        return
    root = ElementTree.fromstring(out)
    assert {node.tag for node in root.iter()} <= ALLOWED
    names = {name for node in root.iter() for name in node.attrib}
    assert not names & {"href", "style", "id", "src"} and not any(name.startswith("on") for name in names)


def test_text_in_an_equation_is_text() -> None:
    out = mathml(r"\text{<script>alert(1)</script>}", block=True)
    assert "<script" not in out and "&lt;script&gt;" in out


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        ("", "empty"),
        ("0\x1f0", "cannot be shown"),
        ("{", "do not match"),
        (r"\nosuch x", r"\\nosuch"),
        (r"\frac{1}", "leaves out an argument"),
        (r"\href{javascript:alert(1)}{x}", "'href'"),
        (r"\style{color:red}{x}", "'style'"),
        ("x^", "is not an equation"),
    ],
)
def test_a_wrong_equation_is_refused_with_a_sentence(latex: str, words: str) -> None:
    with pytest.raises(EquationError, match=words):
        mathml(latex, block=False)


def test_the_source_stands_as_alternative_text_and_no_namespace_is_left() -> None:
    out = mathml(r"a < \frac{1}{2}", block=True)
    assert 'alttext="a &lt; \\frac{1}{2}"' in out and 'display="block"' in out and "http" not in out


def test_matrices_are_bracketed_by_the_style_sheet() -> None:
    out = mathml(r"\begin{bmatrix} -e & 0 \\ 1 & -e \end{bmatrix}", block=True)
    assert 'class="brackets"' in out and "[" not in out.split(">", 1)[1]
