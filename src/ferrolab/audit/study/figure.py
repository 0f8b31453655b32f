"""A plot described by its data. `svg` draws it; nothing here knows how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SCALES = ("linear", "log", "symlog")


@dataclass(frozen=True)
class Axis:
    """`symlog` is linear within +-`linear_up_to` and logarithmic beyond, for values of both signs.

    limits: (low, high), or None to fit the data. reversed: the larger values to the left.
    """

    label: str
    scale: str = "linear"
    linear_up_to: float = 1.0
    limits: tuple[float, float] | None = None
    reversed: bool = False


@dataclass(frozen=True)
class Series:
    """One line: None in `y` (or a value the axis cannot show) leaves a gap.

    Attributes:
        line, markers: what is drawn. dashed: for what is predicted rather than measured.
        tone: index of its colour and marker, the same thing the same tone in every figure of a part.
    """

    label: str
    x: Sequence[float]
    y: Sequence[float | None]
    tone: int
    line: bool = True
    markers: bool = True
    dashed: bool = False


@dataclass(frozen=True)
class Cells:
    """A grid of values shown as shades: `z[i][j]` at `y[i]`, `x[j]`, darker is smaller; None is left white."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    z: Sequence[Sequence[float | None]]
    log: bool = True


@dataclass(frozen=True)
class Figure:
    """A plot and its caption. The caption says what is held and what is varied."""

    id: str
    caption: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    cells: Cells | None = None
