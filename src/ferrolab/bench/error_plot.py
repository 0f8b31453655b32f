"""The picture of lesson 1: three errors against stiffness, log–log.

Gradient error of the fixed step (solid, dots), gradient error under a tolerance
(dashed, squares) and forward error (dotted, triangles).
"""

from __future__ import annotations

from . import strings
from .curve_plot import CurvePlot, CurveStyle

#: Decades of the error axis before any curve asks for more.
_DECADES = (-4, 3)

_STYLES = {
    "trajectory": CurveStyle("trajectory", [2, 3], "triangle", 8, 2.12, 13, "left", 0.5),
    "tolerance": CurveStyle("tolerance", [7, 4], "square", 6, 5.25, -15, "right", 0.02),
    "fixed": CurveStyle("fixed", "solid", "circle", 7, 5.25, 13, "right", 10.0),
}


class ErrorPlot(CurvePlot):
    """The curves "trajectory", "tolerance" and "fixed"."""

    def __init__(self, start: float, stop: float, scheme: str) -> None:
        """Build an empty plot over `start` to `stop` decades of stiffness."""
        super().__init__(start, stop, scheme, _STYLES, strings.CURVES, _DECADES)

    def move(self, kind: str, stiffness: float, gradient: float | None, forward: float | None) -> None:
        """Mark the learner's position: `stiffness` (1/s^2) and the two errors read there.

        `kind` is the curve the gradient error belongs to, "fixed" or "tolerance".
        """
        self.mark(stiffness, (("trajectory", forward), (kind, gradient)))
