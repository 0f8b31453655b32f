"""Pictures drawn at build time from the core, as inline SVG that takes its colours from the page."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from ferrolab.lesson.model import Figure
from ferrolab.lesson.picture_force import force_at_entry
from ferrolab.lesson.picture_reach import reach
from ferrolab.lesson.svg import Scale, linear, path
from ferrolab.words import Words, load, number

_WIDTH, _HEIGHT = 640, 318
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 618, 32, 264
_ZOOM = (384, 40, 618, 142)  # left, top, right, bottom of the inset
_LOW, _HIGH = -1.25, 1.9  # what the inset shows, in depths of the contact
_SAMPLES = 800


def draw(figure: Figure, words: Words | None = None) -> str:
    """The SVG of `figure`, with its alternative text as its accessible name and its names in `words`, or in English."""
    return {"height": _height, "force-at-entry": force_at_entry, "reach": reach}[figure.kind](figure, words or load())


def _height(figure: Figure, words: Words) -> str:
    """Height over time, of the spring and of the rigid floor, with the contact magnified."""
    from ferrolab.audit import Settings, trajectory

    settings, names = Settings(stiffness=10.0**figure.log_stiffness), words["picture"]
    flight = trajectory(settings, samples=_SAMPLES)
    time, spring, rigid = _curves(flight)
    contact = (flight.impact_time, flight.impact_time + flight.contact_time)
    half = 0.9 * flight.contact_time
    near = trajectory(settings, samples=_SAMPLES, window=(sum(contact) / 2 - half, sum(contact) / 2 + half))

    x, y = linear(0, settings.horizon, _LEFT, _RIGHT), linear(min(-0.16, 1.1 * min(spring)), settings.height, _BOTTOM, _TOP)
    parts = [
        f'<svg class="picture" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html.escape(figure.alt)}">',
        f'<rect class="ground" x="{_LEFT}" y="{y(0):.1f}" width="{_RIGHT - _LEFT}" height="{_BOTTOM - y(0):.1f}"/>',
        f'<line class="floor" x1="{_LEFT}" x2="{_RIGHT}" y1="{y(0):.1f}" y2="{y(0):.1f}"/>',
        *_time_ticks(x, settings.horizon, words),
        *(f'<text class="tick" x="{_LEFT - 8}" y="{y(h) + 4:.1f}" text-anchor="end">{number(f"{h:g}", words)}</text>' for h in (0, 0.5, 1)),
        f'<text class="axis" x="4" y="16">{names["height"]}</text>',
        path("spring", time, spring, x, y, 1.2),
        path("rigid", time, rigid, x, y, 1.2),
    ]
    if _magnifies(near, x, y):
        parts += _zoom(near, x, y, names["magnified"])
    deepest = min(range(len(spring)), key=lambda i: spring[i])
    # Under the rebound; on a floor so soft that there is hardly one to see, above the deepest point.
    at = (x(0.62), y(0.06)) if _magnifies(near, x, y) else (x(time[deepest]) - 18, y(spring[deepest]) - 14)
    parts += [
        f'<text class="label spring-label" x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="start">{names["spring"]}</text>',
        f'<text class="label rigid-label" x="{x(0.545):.1f}" y="{y(0.3):.1f}" text-anchor="end">{names["rigid"]}</text>',
        "</svg>",
    ]
    return "".join(parts)


def _curves(flight: Any) -> tuple[list[float], list[float], list[float]]:
    return flight.time.tolist(), flight.height.tolist(), flight.height_rigid.tolist()


def _magnifies(near: Any, x: Scale, y: Scale) -> bool:
    """Whether the inset would be larger than what it shows; a soft floor's contact is large enough as it is."""
    left, top, right, bottom = _ZOOM
    depth = -min(near.height.tolist())
    return x(near.time[-1]) - x(near.time[0]) < 0.7 * (right - left) and y(_LOW * depth) - y(_HIGH * depth) < bottom - top


def _zoom(flight: Any, x: Scale, y: Scale, name: str) -> list[str]:
    """The contact, magnified: an inset with both curves, called `name`, and the box it shows."""
    left, top, right, bottom = _ZOOM
    time, spring, rigid = _curves(flight)
    start, stop, depth = time[0], time[-1], -min(spring)
    low, high = _LOW * depth, _HIGH * depth
    zx, zy = linear(start, stop, left, right), linear(low, high, bottom, top)

    def curve(name: str, heights: Sequence[float]) -> str:
        return path(name, time, heights, zx, zy, 1.2, clip=(top, bottom))

    box = f'x="{x(start):.1f}" y="{y(high):.1f}" width="{x(stop) - x(start):.1f}" height="{y(low) - y(high):.1f}"'
    return [
        f'<line class="leader" x1="{x(start):.1f}" y1="{y(high):.1f}" x2="{left}" y2="{bottom}"/>',
        f'<rect class="lens" {box}/>',
        f'<rect class="inset" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"/>',
        f'<rect class="ground" x="{left}" y="{zy(0):.1f}" width="{right - left}" height="{bottom - zy(0):.1f}"/>',
        f'<line class="floor" x1="{left}" x2="{right}" y1="{zy(0):.1f}" y2="{zy(0):.1f}"/>',
        curve("spring", spring),
        curve("rigid", rigid),
        f'<text class="tick" x="{right}" y="{top - 9}" text-anchor="end">{name}</text>',
    ]


def _time_ticks(x: Scale, horizon: float, words: Words) -> list[str]:
    ticks = [t / 10 for t in range(0, int(horizon * 10) + 1, 2)]
    labels = [f'<text class="tick" x="{x(t):.1f}" y="{_BOTTOM + 21}" text-anchor="middle">{number(f"{t:g}", words)}</text>' for t in ticks]
    return [*labels, f'<text class="axis" x="{(_LEFT + _RIGHT) / 2:.0f}" y="{_BOTTOM + 45}" text-anchor="middle">{words["picture"]["time"]}</text>']
