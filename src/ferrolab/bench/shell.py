"""The Panel layout the bench is shown in, without Panel's own dress.

Panel gives every layout its design's style sheets by address. The bench brings
its own, and a lesson page may not ask for a file it does not hold.
"""

from __future__ import annotations

from typing import Any

import panel as pn
from panel.theme.base import Design


class PlainDesign(Design):
    """A Panel design that adds nothing."""

    modifiers = {pn.viewable.Viewable: {}}


class Shell(pn.Row):
    """A row, which is one of Bokeh's own models: a page with a bench needs no panel.js."""

    def _process_param_change(self, params: dict[str, Any]) -> dict[str, Any]:
        properties = super()._process_param_change(params)
        properties.pop("stylesheets", None)
        return properties
