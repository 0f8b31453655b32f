"""Plots as inline SVG, without a library.

The report has to be one file that asks no server for anything, prints in black and white, and can be built where only
numpy is installed. Pure-Python chart libraries fail one of the three (a script from elsewhere, a style sheet by class
names that clash, or no logarithmic axis for both signs); what a report needs of a plot is two hundred lines.

Every line has its own marker and dash as well as its colour (Okabe and Ito's, told apart by colour-blind readers).
"""

from __future__ import annotations

import math
from html import escape

from ferrolab.audit.study.figure import Cells, Figure, Series
from ferrolab.audit.study.scale import Scale, showable
from ferrolab.audit.study.typeset import as_label

WIDTH, HEIGHT = 760.0, 430.0
LEFT, RIGHT, TOP, BOTTOM = 74.0, 16.0, 14.0, 50.0
LEGEND_LINE, LEGEND_GAP = 20.0, 14.0
TONES = ("#0072b2", "#d55e00", "#009e73", "#333333", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d00")
MARKERS = ("circle", "square", "triangle", "diamond", "cross", "plus", "down", "ring")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "5 2", "12 4", "1 2", "4 4")
# A letter of the legend is about this wide (px at its font size): to know where the next entry starts.
LETTER = 6.6
# More markers than this on one line are a smear.
MOST_MARKERS = 60


def draw(figure: Figure) -> str:
    """The figure as one `<svg>` element, with its caption as the accessible description."""
    x = Scale.fitted(figure.x, [value for one in figure.series for value in one.x])
    y = Scale.fitted(figure.y, [value for one in figure.series for value in one.y])
    legend, extra = _legend(figure)
    height = HEIGHT + extra
    parts = [
        f'<svg viewBox="0 0 {WIDTH:g} {height:g}" role="img" aria-labelledby="{figure.id}-d">',
        f'<desc id="{figure.id}-d">{escape(figure.caption)}</desc>',
        _clip(figure.id),
    ]
    if figure.cells is not None:
        parts.append(_cells(figure.cells, x, y, figure.id))
    parts.append(_frame(figure, x, y))
    parts += [_series(one, figure, x, y) for one in figure.series]
    return "".join([*parts, legend, "</svg>"])


def _across(part: float) -> float:
    return LEFT + part * (WIDTH - LEFT - RIGHT)


def _up(part: float) -> float:
    return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)


def _clip(name: str) -> str:
    # A little wider than the frame, so that a marker on its edge stays whole.
    edge = 6.0
    wide, high = WIDTH - LEFT - RIGHT + 2 * edge, HEIGHT - TOP - BOTTOM + 2 * edge
    box = f'x="{LEFT - edge:g}" y="{TOP - edge:g}" width="{wide:g}" height="{high:g}"'
    inside = f'x="{LEFT:g}" y="{TOP:g}" width="{WIDTH - LEFT - RIGHT:g}" height="{HEIGHT - TOP - BOTTOM:g}"'
    return f'<clipPath id="{name}-c"><rect {box}/></clipPath><clipPath id="{name}-i"><rect {inside}/></clipPath>'


def _frame(figure: Figure, x: Scale, y: Scale) -> str:
    out = ['<g class="grid">']
    labels = ['<g class="tick">']
    for value, label in x.ticks():
        at = _across(x.place(value))
        out.append(f'<path d="M{at:.1f} {_up(0):.1f}V{_up(1):.1f}"/>')
        labels.append(f'<text x="{at:.1f}" y="{_up(0) + 18:.1f}" text-anchor="middle">{escape(label)}</text>')
    for value, label in y.ticks():
        at = _up(y.place(value))
        out.append(f'<path d="M{_across(0):.1f} {at:.1f}H{_across(1):.1f}"/>')
        labels.append(f'<text x="{LEFT - 8:.1f}" y="{at + 4:.1f}" text-anchor="end">{escape(label)}</text>')
    middle = 0.5 * (_up(0) + _up(1))
    names = (
        f'<text class="axis" x="{0.5 * (_across(0) + _across(1)):.1f}" y="{HEIGHT - 10:.1f}" text-anchor="middle">{as_label(figure.x.label)}</text>'
        f'<text class="axis" transform="translate(16 {middle:.1f}) rotate(-90)" text-anchor="middle">{as_label(figure.y.label)}</text>'
    )
    box = f'<rect class="frame" x="{LEFT:g}" y="{TOP:g}" width="{WIDTH - LEFT - RIGHT:g}" height="{HEIGHT - TOP - BOTTOM:g}"/>'
    return "".join([*out, "</g>", *labels, "</g>", names, box])


def _series(one: Series, figure: Figure, x: Scale, y: Scale) -> str:
    pieces: list[list[tuple[float, float]]] = [[]]
    for a, b in zip(one.x, one.y):
        if showable(figure.x, a) and showable(figure.y, b):
            pieces[-1].append((_across(x.place(a)), _up(y.place(b))))
        elif pieces[-1]:
            pieces.append([])
    colour = TONES[one.tone % len(TONES)]
    out = [f'<g clip-path="url(#{figure.id}-c)" stroke="{colour}" fill="{colour}"><title>{escape(one.label)}</title>']
    if one.line:
        path = "".join("M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in piece) for piece in pieces if len(piece) > 1)
        if path:
            out.append(f'<path class="line" d="{path}"{_dash(one)}/>')
    points = [point for piece in pieces for point in piece]
    if one.markers:
        stride = max(1, -(-len(points) // MOST_MARKERS))
        out += [_marker(one.tone, a, b) for a, b in points[::stride]]
    return "".join([*out, "</g>"])


def _dash(one: Series) -> str:
    pattern = "5 4" if one.dashed else DASHES[one.tone % len(DASHES)]
    return f' stroke-dasharray="{pattern}"' if pattern else ""


def _marker(tone: int, a: float, b: float) -> str:
    kind, r = MARKERS[tone % len(MARKERS)], 3.6
    if kind in ("circle", "ring"):
        fill = ' fill="#fff"' if kind == "ring" else ""
        return f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{r:g}"{fill}/>'
    shapes = {
        "square": f"M{a - r:.1f} {b - r:.1f}h{2 * r:g}v{2 * r:g}h{-2 * r:g}z",
        "triangle": f"M{a:.1f} {b - 1.2 * r:.1f}l{1.2 * r:.1f} {2.1 * r:.1f}h{-2.4 * r:.1f}z",
        "down": f"M{a:.1f} {b + 1.2 * r:.1f}l{1.2 * r:.1f} {-2.1 * r:.1f}h{-2.4 * r:.1f}z",
        "diamond": f"M{a:.1f} {b - 1.3 * r:.1f}l{1.3 * r:.1f} {1.3 * r:.1f}l{-1.3 * r:.1f} {1.3 * r:.1f}l{-1.3 * r:.1f} {-1.3 * r:.1f}z",
        "cross": f"M{a - r:.1f} {b - r:.1f}l{2 * r:g} {2 * r:g}m0 {-2 * r:g}l{-2 * r:g} {2 * r:g}",
        "plus": f"M{a - r:.1f} {b:.1f}h{2 * r:g}m{-r:g} {-r:g}v{2 * r:g}",
    }
    return f'<path d="{shapes[kind]}"/>'


def _legend(figure: Figure) -> tuple[str, float]:
    """The legend under the plot, entries side by side; and its height."""
    out, a, b = ['<g class="key">'], LEFT, HEIGHT + LEGEND_GAP
    for one in figure.series:
        wide = 34.0 + LETTER * len(one.label) + 16.0
        if a > LEFT and a + wide > WIDTH:
            a, b = LEFT, b + LEGEND_LINE
        colour = TONES[one.tone % len(TONES)]
        out.append(f'<g stroke="{colour}" fill="{colour}">')
        if one.line:
            out.append(f'<path class="line" d="M{a:.1f} {b - 4:.1f}h26"{_dash(one)}/>')
        if one.markers:
            out.append(_marker(one.tone, a + 13.0, b - 4.0))
        out.append(f'</g><text x="{a + 33:.1f}" y="{b:.1f}">{as_label(one.label)}</text>')
        a += wide
    return "".join([*out, "</g>"]), b - HEIGHT + 8.0


def _cells(cells: Cells, x: Scale, y: Scale, name: str) -> str:
    """Shades of grey, dark for small values; one path for each shade, so that the file stays small."""
    values = [value for row in cells.z for value in row if value is not None and (value > 0.0 or not cells.log)]
    change = (lambda v: math.log10(max(v, min(values)))) if cells.log else (lambda v: v)
    low, high = change(min(values)), change(max(values))
    half_x, half_y = 0.5 * (cells.x[1] - cells.x[0]), 0.5 * (cells.y[1] - cells.y[0])
    shades: dict[int, list[str]] = {}
    for row, at_y in zip(cells.z, cells.y):
        bottom, top = _up(y.place(at_y - half_y)), _up(y.place(at_y + half_y))
        for value, at_x in zip(row, cells.x):
            if value is None:
                continue
            left, right = _across(x.place(at_x - half_x)), _across(x.place(at_x + half_x))
            shade = 96 + int(9 * (change(value) - low) / ((high - low) or 1.0) + 0.5) * 15
            shades.setdefault(shade, []).append(f"M{left:.1f} {top:.1f}h{right - left + 0.2:.1f}v{bottom - top + 0.2:.1f}h{left - right - 0.2:.1f}z")
    paths = "".join(f'<path fill="rgb({s},{s},{s})" d="{"".join(shades[s])}"/>' for s in sorted(shades))
    return f'<g clip-path="url(#{name}-i)">{paths}</g>'
