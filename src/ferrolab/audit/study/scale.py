"""From data to the unit interval: linear, logarithmic, and logarithmic for both signs; and where ticks go."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ferrolab.audit.study.figure import Axis
from ferrolab.audit.study.typeset import MINUS, RAISED

# At most this many labelled ticks on an axis.
MOST_TICKS = 8


@dataclass(frozen=True)
class Scale:
    """An axis fitted to its data. `low` and `high` are in the transformed coordinate (a power of ten on log axes)."""

    axis: Axis
    low: float
    high: float

    @classmethod
    def fitted(cls, axis: Axis, values: Iterable[float | None]) -> Scale:
        """Wide enough for every value the axis can show, rounded out to whole decades where it is logarithmic."""
        shown = [_forward(axis, value) for value in values if showable(axis, value)]
        if axis.limits is not None:
            return cls(axis, _forward(axis, axis.limits[0]), _forward(axis, axis.limits[1]))
        low, high = (min(shown), max(shown)) if shown else (0.0, 1.0)
        if axis.scale == "linear":
            pad = 0.04 * (high - low) or 1.0
            return cls(axis, low - pad, high + pad)
        low, high = math.floor(low + 1e-9), math.ceil(high - 1e-9)
        return cls(axis, float(low), float(high if high > low else low + 1))

    def place(self, value: float) -> float:
        """0 at the left (or bottom), 1 at the right (or top)."""
        part = (_forward(self.axis, value) - self.low) / (self.high - self.low)
        return 1.0 - part if self.axis.reversed else part

    def ticks(self) -> list[tuple[float, str]]:
        """(value, label) pairs."""
        if self.axis.scale == "linear":
            return _linear_ticks(self.low, self.high)
        span = int(round(self.high - self.low))
        stride = max(1, math.ceil(span / MOST_TICKS))
        first = int(round(self.low))
        if self.axis.scale == "log":
            return [(10.0**p, power_label(p)) for p in range(first, int(round(self.high)) + 1, stride)]
        unit = self.axis.linear_up_to
        out = [(0.0, "0")]
        for p in range(1, max(abs(first), int(round(self.high))) + 1, stride):
            size = unit * 10.0 ** (p - 1)
            out += [(size, f"{size:g}"), (-size, f"{MINUS}{size:g}")]
        return [(value, label) for value, label in out if self.low - 1e-9 <= _forward(self.axis, value) <= self.high + 1e-9]


def showable(axis: Axis, value: float | None) -> bool:
    """Whether the axis has a place for the value."""
    return value is not None and math.isfinite(value) and (axis.scale != "log" or value > 0.0)


def power_label(power: int) -> str:
    """10^power, as people write it."""
    return "1" if power == 0 else "10" + str(power).translate(RAISED)


def _forward(axis: Axis, value: float) -> float:
    if axis.scale == "linear":
        return value
    if axis.scale == "log":
        return math.log10(value)
    size = abs(value) / axis.linear_up_to
    return math.copysign(size if size <= 1.0 else 1.0 + math.log10(size), value)


def _linear_ticks(low: float, high: float) -> list[tuple[float, str]]:
    raw = (high - low) / (MOST_TICKS - 2)
    size = 10.0 ** math.floor(math.log10(raw))
    step = next(size * m for m in (1.0, 2.0, 2.5, 5.0, 10.0) if size * m >= raw)
    first = math.ceil(low / step - 1e-9)
    digits = max(0, -math.floor(math.log10(step) + 1e-9) + (1 if f"{step:e}".startswith("2.5") else 0))
    last = math.floor(high / step + 1e-9)
    return [(i * step, f"{i * step:.{digits}f}".replace("-", MINUS)) for i in range(first, last + 1)]
