"""The picture of force at a distance: the share of the contact impulse at work over the gap, hard and smoothed."""

from __future__ import annotations

import html

from ferrolab.lesson.model import Figure
from ferrolab.lesson.svg import Scale, linear, path
from ferrolab.words import Words, number

_WIDTH, _HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 618, 32, 246
_LOW, _HIGH = -2.0, 4.0  # cm
_AT = 1.0  # cm, where the reach is marked


def reach(figure: Figure, words: Words) -> str:
    """The SVG of the share of the impulse over the gap (cm), named in `words`."""
    from ferrolab import smoothing

    kappa = 10.0 ** (figure.log_kappa or 0.0)
    gaps = [_LOW + (_HIGH - _LOW) * i / 240 for i in range(241)]
    shares = [smoothing.sigma(kappa, 0.01 * gap) for gap in gaps]
    x, y = linear(_LOW, _HIGH, _LEFT, _RIGHT), linear(0.0, 1.0, _BOTTOM, _TOP)
    names = words["picture"]
    there = y(smoothing.sigma(kappa, 0.01 * _AT))
    parts = [
        f'<svg class="picture" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html.escape(figure.alt)}">',
        f'<rect class="ground" x="{_LEFT}" y="{_TOP}" width="{x(0) - _LEFT:.1f}" height="{_BOTTOM - _TOP}"/>',
        *_axes(x, y, words),
        path("rigid", [_LOW, 0.0, 0.0, _HIGH], [1.0, 1.0, 0.0, 0.0], x, y, 0.0),
        path("starting", gaps, shares, x, y, 1.2),
        f'<line class="leader" x1="{x(_AT):.1f}" x2="{x(_AT):.1f}" y1="{there:.1f}" y2="{there - 52:.1f}"/>',
        f'<circle class="reach-end" cx="{x(_AT):.1f}" cy="{there:.1f}" r="4.5"/>',
        _named("starting-label", names["reaching"], x(_AT) + 6, there - 58, "start"),
        _named("rigid-label", names["all_or_nothing"], x(0) + 9, y(0.93), "start"),
        f'<text class="tick" x="{_LEFT + 8}" y="{_BOTTOM - 10}">{names["below"]}</text>',
        f'<text class="tick" x="{_RIGHT}" y="{_TOP + 22}" text-anchor="end">{names["above"]}</text>',
        "</svg>",
    ]
    return "".join(parts)


def _axes(x: Scale, y: Scale, words: Words) -> list[str]:
    return [
        f'<line class="floor" x1="{_LEFT}" x2="{_RIGHT}" y1="{y(0):.1f}" y2="{y(0):.1f}"/>',
        *(f'<line class="rule" x1="{_LEFT}" x2="{_RIGHT}" y1="{y(s):.1f}" y2="{y(s):.1f}"/>' for s in (0.5, 1.0)),
        *(f'<text class="tick" x="{x(g):.1f}" y="{_BOTTOM + 21}" text-anchor="middle">{_whole(g)}</text>' for g in range(int(_LOW), int(_HIGH) + 1)),
        *(f'<text class="tick" x="{_LEFT - 8}" y="{y(s) + 4:.1f}" text-anchor="end">{number(f"{s:g}", words)}</text>' for s in (0, 0.5, 1)),
        f'<text class="axis" x="4" y="16">{words["picture"]["impulse"]}</text>',
        f'<text class="axis" x="{(_LEFT + _RIGHT) / 2:.0f}" y="{_BOTTOM + 45}" text-anchor="middle">{words["picture"]["gap"]}</text>',
    ]


def _whole(value: int) -> str:
    return f"{value}".replace("-", "\u2212")


def _named(style: str, name: str, x: float, y: float, anchor: str) -> str:
    return f'<text class="label {style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{name}</text>'
