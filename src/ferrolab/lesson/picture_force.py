"""The picture of touch-down: the force of both laws over the first and only contact, the jump of one of them."""

from __future__ import annotations

import html
import math

from ferrolab.lesson.model import Figure
from ferrolab.lesson.svg import Scale, linear, path
from ferrolab.words import Words, number

_WIDTH, _HEIGHT = 640, 318
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 618, 32, 264
_SAMPLES = 400
_BEFORE, _AFTER = 0.4, 1.3  # of the spring-damper's contact time


def force_at_entry(figure: Figure, words: Words) -> str:
    """The SVG of the contact force (m/s²) over the time since touch-down (ms), spring-damper and Hunt-Crossley, named in `words`."""
    from ferrolab.audit import Settings
    from ferrolab.audit.entry import entry, force_near_entry

    jumping = Settings(stiffness=10.0**figure.log_stiffness)
    starting = Settings(stiffness=10.0**figure.log_stiffness, law="hunt-crossley")
    touch, names = entry(jumping), words["picture"]
    window = (-_BEFORE * touch.contact_time, _AFTER * touch.contact_time)
    curves = {}
    for name, settings in (("starting", starting), ("jumping", jumping)):
        time, force = force_near_entry(settings, window, _SAMPLES)
        curves[name] = ((1e3 * time).tolist(), force.tolist())
    peak = max(max(force) for _, force in curves.values())
    x = linear(1e3 * window[0], 1e3 * window[1], _LEFT, _RIGHT)
    y = linear(0.0, 1.06 * peak, _BOTTOM, _TOP)
    # The first two samples stand before touch-down. The jump between is drawn apart, so that it is seen for what it is.
    time, force = curves["jumping"]
    top = y(touch.jump)
    parts = [
        f'<svg class="picture" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html.escape(figure.alt)}">',
        *_axes(x, y, 1e3 * window[1], peak, words),
        path("starting", *curves["starting"], x, y, 1.2),
        path("jumping", time[:2], force[:2], x, y, 1.2),
        path("jumping", time[2:], force[2:], x, y, 1.2),
        f'<line class="jump" x1="{x(0):.1f}" x2="{x(0):.1f}" y1="{y(0):.1f}" y2="{top:.1f}"/>',
        f'<circle class="jump-end" cx="{x(0):.1f}" cy="{y(0):.1f}" r="4"/>',
        f'<circle class="jump-end full" cx="{x(0):.1f}" cy="{top:.1f}" r="4"/>',
        f'<text class="label jump-label" x="{x(0) - 9:.1f}" y="{(top + y(0)) / 2 - 2:.1f}" text-anchor="end">{names["jumps"]}</text>',
    ]
    at = 1e3 * touch.contact_time
    parts += [
        _named("jumping-label", names["spring_damper"], x(0.45 * at), y(0.55 * max(force)), "middle"),
        _named("starting-label", names["hunt_crossley"], x(0.7 * at) + 14, y(_force_at(curves["starting"], 0.7 * at)) - 4, "start"),
        "</svg>",
    ]
    return "".join(parts)


def _axes(x: Scale, y: Scale, stop: float, peak: float, words: Words) -> list[str]:
    step = 10.0 ** math.floor(math.log10(peak))
    milliseconds = 10.0 ** math.floor(math.log10(stop))
    times = [i * milliseconds for i in range(int(stop / milliseconds) + 1)]
    forces = [i * step for i in range(int(1.06 * peak / step) + 1)]
    return [
        f'<line class="floor" x1="{_LEFT}" x2="{_RIGHT}" y1="{y(0):.1f}" y2="{y(0):.1f}"/>',
        *(f'<line class="rule" x1="{_LEFT}" x2="{_RIGHT}" y1="{y(f):.1f}" y2="{y(f):.1f}"/>' for f in forces[1:]),
        *(f'<text class="tick" x="{x(t):.1f}" y="{_BOTTOM + 21}" text-anchor="middle">{number(f"{t:g}", words)}</text>' for t in times),
        *(f'<text class="tick" x="{_LEFT - 8}" y="{y(f) + 4:.1f}" text-anchor="end">{number(f"{f:g}", words)}</text>' for f in forces),
        f'<text class="axis" x="4" y="16">{words["picture"]["force"]}</text>',
        f'<text class="axis" x="{(_LEFT + _RIGHT) / 2:.0f}" y="{_BOTTOM + 45}" text-anchor="middle">{words["picture"]["time_since"]}</text>',
    ]


def _named(style: str, name: str, x: float, y: float, anchor: str) -> str:
    return f'<text class="label {style}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{name}</text>'


def _force_at(curve: tuple[list[float], list[float]], time: float) -> float:
    """The force of `curve` at the sample nearest to `time` (ms)."""
    times, forces = curve
    return forces[min(range(len(times)), key=lambda i: abs(times[i] - time))]
