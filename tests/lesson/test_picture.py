"""The picture of the height stays inside its plot at every stiffness a lesson may ask for."""

from __future__ import annotations

import re

import pytest

from ferrolab.lesson.model import Figure
from ferrolab.lesson.picture import draw

LEFT, RIGHT, TOP, BOTTOM = 48, 618, 32, 264


def drawn(log_stiffness: float) -> str:
    return draw(Figure("bounce", "height", "A bounce.", log_stiffness=log_stiffness))


@pytest.mark.parametrize("log_stiffness", [2, 2.3, 2.6, 3, 4, 6, 8])
def test_curves_and_the_magnifiers_frame_lie_inside_the_plot(log_stiffness: float) -> None:
    svg = drawn(log_stiffness)
    points = [tuple(map(float, pair)) for d in re.findall(r' d="([^"]+)"', svg) for pair in re.findall(r"([\d.-]+) ([\d.-]+)", d)]
    assert len(points) > 100
    for box in re.findall(r'class="lens" x="([\d.-]+)" y="([\d.-]+)" width="([\d.-]+)" height="([\d.-]+)"', svg):
        x, y, width, height = map(float, box)
        points += [(x, y), (x + width, y + height)]
    assert all(LEFT <= x <= RIGHT and TOP <= y <= BOTTOM for x, y in points)


def test_a_contact_that_is_large_already_is_not_magnified() -> None:
    assert "magnified" not in drawn(2) and "magnified" in drawn(4)
