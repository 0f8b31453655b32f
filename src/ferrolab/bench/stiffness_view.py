"""What the views of the bouncing mass share: the stiffness slider, the time steps and the error tolerance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import param

from ferrolab.controls import CONTROLS

from . import strings
from .parts import choice_key
from .view import View


class StiffnessView(View):
    """A view over the contact stiffness; `_parts` holds the names of `parts.Common`."""

    CONTROL_IDS: ClassVar[tuple[str, ...]] = ("log_stiffness", "dt", "stepping")
    PLACE: ClassVar[str] = "log_stiffness"

    log_stiffness = param.Number(
        default=CONTROLS["log_stiffness"].default,
        bounds=(CONTROLS["log_stiffness"].start, CONTROLS["log_stiffness"].stop),
        doc="Decimal logarithm of the contact stiffness in 1/s^2.",
    )
    dt = param.Selector(default=CONTROLS["dt"].default, objects=CONTROLS["dt"].values, doc="Time step in s.")
    stepping = param.Selector(
        default=CONTROLS["stepping"].default, objects=CONTROLS["stepping"].values, doc="How time is stepped."
    )

    def _follow_widgets(self) -> None:
        super()._follow_widgets()
        self._follow_slider("log_stiffness", self._parts.slider)
        self._follow_choice("dt", self._parts.dt)
        self._follow_toggle("stepping", self._parts.stepping)

    def _hints(self) -> tuple[Mapping[str, str], str]:
        """Return what the toggle of the stepping says, by its value, and what stands below time steps that are in use."""
        return {"fixed": strings.TOGGLE_OFF, "tolerance": strings.TOGGLE_ON}, ""

    def _show_controls(self) -> None:
        parts, (stepping, dt) = self._parts, self._hints()
        tolerance = self.stepping == "tolerance"
        parts.slider.value = self.log_stiffness
        parts.dt.update(value=choice_key(self.dt), idle=tolerance, hint=strings.DT_IDLE if tolerance else dt)
        parts.stepping.update(active=tolerance, hint=stepping[self.stepping])
