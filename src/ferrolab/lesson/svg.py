"""What the pictures share: scales and paths of inline SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Scale = Callable[[float], float]


def linear(a: float, b: float, at_a: float, at_b: float) -> Scale:
    return lambda v: at_a + (v - a) / (b - a) * (at_b - at_a)


def path(
    name: str, xs: Sequence[float], ys: Sequence[float], x: Scale, y: Scale, spacing: float, clip: tuple[float, float] | None = None
) -> str:
    """A path with points about `spacing` pixels apart, and every corner kept; what lies outside `clip` is left out."""
    points: list[tuple[float, float]] = []
    for i, (a, b) in enumerate(zip(xs, ys, strict=True)):
        p = (x(a), y(b))
        if clip is not None and not clip[0] <= p[1] <= clip[1]:
            continue
        if not points or i == len(xs) - 1 or abs(p[0] - points[-1][0]) + abs(p[1] - points[-1][1]) >= spacing:
            points.append(p)
    d = "M" + "L".join(f"{px:.1f} {py:.1f}" for px, py in points)
    return f'<path class="{name}" d="{d}"/>'
