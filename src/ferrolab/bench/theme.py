"""The Bokeh theme: plots without a toolbar, a logo, a box or a default colour.

It is set on the models rather than on a document: a document applies its own
theme to whatever is added to it, and the page's document is not the bench's.
"""

from __future__ import annotations

from typing import Any

from bokeh.model import Model

from .tokens import AXIS_LEFT, AXIS_RIGHT, SANS, tokens


def theme(scheme: str) -> dict[str, dict[str, Any]]:
    """Return the properties, by class name, of `scheme`, "light" or "dark"."""
    ink = tokens(scheme)
    return {
        "Plot": {
            "background_fill_color": None,
            "border_fill_color": None,
            "outline_line_color": None,
            "min_border_left": AXIS_LEFT,
            "min_border_right": AXIS_RIGHT,
            "min_border_top": 8,
            "min_border_bottom": 22,
        },
        "Axis": {
            "axis_line_color": None,
            "major_tick_line_color": None,
            "minor_tick_line_color": None,
            "major_label_standoff": 5,
            "major_label_text_color": ink.soft,
            "major_label_text_font": SANS,
            "major_label_text_font_size": "11px",
            "axis_label_text_color": ink.soft,
            "axis_label_text_font": SANS,
            "axis_label_text_font_size": "11px",
            "axis_label_text_font_style": "normal",
            "axis_label_standoff": 4,
        },
        "Grid": {"grid_line_color": ink.line, "minor_grid_line_color": None},
    }


def dress(root: Model, scheme: str) -> None:
    """Give every model under `root` the properties the theme has for its classes."""
    by_class = theme(scheme)
    for model in root.references():
        for base in reversed(type(model).__mro__):
            if base.__name__ in by_class:
                model.update(**by_class[base.__name__])
