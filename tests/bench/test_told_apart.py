"""Curves of one picture are told apart by dash or marker, and by colour for whoever sees colours differently."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from bokeh.models import GlyphRenderer, Line, Plot, Scatter

from ferrolab.bench import VIEWS, Bench
from ferrolab.bench.tokens import SCHEMES, tokens

# How a display looks to whoever lacks one kind of cone, in linear RGB: G. M. Machado, M. M. Oliveira and
# L. A. F. Fernandes, "A physiologically-based model for simulation of color vision deficiency", IEEE TVCG 15 (2009).
VISION = {
    "all": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
FEWEST = 10.0
"""Least distance of two colours in CIE L*a*b*; about 2 can just be told apart side by side."""

#: Colours that stand for different things in one picture.
TOGETHER = (
    ("fixed", "tolerance", "trajectory"),
    ("fixed", "exact"), ("tolerance", "exact"), ("event", "exact"),
    ("fixed", "event", "model"), ("tolerance", "event", "model"),
    ("exact", "model", "fixed", "tolerance", "event"),
    ("good", "bad"),
)  # fmt: skip


def lab(colour: str, vision: str) -> np.ndarray:
    """CIE L*a*b* (D65) of an sRGB colour as it is seen."""
    srgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.asarray(VISION[vision]) @ linear, 0, 1)
    xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]) @ seen
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz / [0.95047, 1.0, 1.08883])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("vision", VISION)
def test_colours_that_meet_in_a_picture_stay_apart(scheme: str, vision: str) -> None:
    palette = tokens(scheme)
    close = {}
    for group in TOGETHER:
        for one, other in combinations(group, 2):
            apart = np.linalg.norm(lab(getattr(palette, one), vision) - lab(getattr(palette, other), vision))
            if apart < FEWEST:
                close[one, other] = round(float(apart), 1)
    assert close == {}


def curves(plot: Plot) -> list[tuple[str, str]]:
    """Dash and marker of each line of data in a plot; a marker belongs to the line drawn just before it."""
    found = []
    for renderer in (r for r in plot.renderers if isinstance(r, GlyphRenderer) and r.x_range_name == "default"):
        glyph, data = renderer.glyph, renderer.data_source.data
        if isinstance(glyph, Line) and len(data.get(glyph.x, [])) > 3:  # three points draw a guide of a slope
            found.append([(str(glyph.line_dash), "none"), renderer])
        elif isinstance(glyph, Scatter) and found and isinstance(glyph.marker, str) and glyph.fill_color == found[-1][1].glyph.line_color:
            found[-1][0] = (found[-1][0][0], glyph.marker)
    return [dress for dress, _ in found]


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("stepping", ["fixed", "tolerance"])
def test_each_curve_of_a_picture_has_a_dash_and_marker_of_its_own(name: str, stepping: str) -> None:
    bench = Bench(view=name)
    if "stepping" in bench.CONTROL_IDS:
        bench.set_controls({"stepping": stepping})
    bench.work()
    plots = [model for model in bench._parts.root.references() if isinstance(model, Plot)]
    drawn = [curves(plot) for plot in plots]
    assert sum(len(lines) >= 2 for lines in drawn) >= 2
    for lines in drawn:
        assert len(set(lines)) == len(lines), lines
