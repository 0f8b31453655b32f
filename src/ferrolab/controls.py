"""The bench's controls, declared once: widgets, command line, lesson checks and links all read them here.

A lesson's bench shows some of them; which, its view says.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Control:
    """One thing a learner can set.

    Attributes:
        id: its name in settings, trails and links. label: its name on the page, also its accessible name.
        unit: of the value; empty if it has none.
        kind: "slider", "choice" or "toggle".
        default: the value at the start.
        start, stop, step: range of a slider, ends included.
        options: value -> label, in order, of a choice or a toggle (off first).
    """

    id: str
    label: str
    unit: str
    kind: str
    default: float | str | bool
    start: float | None = None
    stop: float | None = None
    step: float | None = None
    options: tuple[tuple[float | str | bool, str], ...] = ()

    @property
    def values(self) -> list[float | str | bool]:
        """The values of a choice or a toggle, in order."""
        return [value for value, _ in self.options]


LOG_STIFFNESS = Control("log_stiffness", "Contact stiffness", "log10 of 1/s^2", "slider", 4.0, 2.0, 8.0, 0.01)
DT = Control("dt", "Time step", "s", "choice", 1e-4, options=((1e-4, "1e-4 s"), (1e-5, "1e-5 s"), (1e-6, "1e-6 s")))
STEPPING = Control("stepping", "Error tolerance", "", "toggle", "fixed", options=(("fixed", "Fixed step"), ("tolerance", "Error tolerance")))
DERIVATIVE = Control(
    "derivative", "Derivative", "", "choice", "autodiff",
    options=(("autodiff", "Autodiff"), ("finite-difference", "Finite difference"), ("event-aware", "Event-aware")),
)  # fmt: skip
LAW = Control(
    "law", "Contact law", "", "choice", "kelvin-voigt",
    options=(("kelvin-voigt", "Spring–damper"), ("hunt-crossley", "Hunt–Crossley")),
)  # fmt: skip
# It matters to the event-aware derivative alone, and keeps its value beside the others.
SALTATION = Control("saltation", "Saltation matrix", "", "toggle", True, options=((False, "Left out"), (True, "Saltation matrix")))

# Of the bench "forces-at-a-distance".
RELEASE_HEIGHT = Control("release_height", "Release height", "m", "slider", 0.3, 0.0, 0.4, 0.002)
MODEL = Control(
    "model", "Contact model", "", "choice", "hard",
    options=(("hard", "Hard"), ("soft", "Soft"), ("stochastic", "Stochastic"), ("smoothed", "Smoothed")),
)  # fmt: skip
LOG_KAPPA = Control("log_kappa", "Sharpness", "log10 of 1/m", "slider", 2.48, 1.0, 3.5, 0.01)
LOG_NOISE = Control("log_noise", "Noise", "log10 of m", "slider", -1.7, -3.0, -1.0, 0.01)
LOG_SAMPLES = Control("log_samples", "Samples", "log10 of their number", "slider", 2.0, 1.0, 4.0, 0.25)
DROP_DT = Control("drop_dt", "Time step", "s", "choice", 1e-3, options=((5e-3, "5 ms"), (2e-3, "2 ms"), (1e-3, "1 ms")))

_ALL = (
    LOG_STIFFNESS, DT, STEPPING, DERIVATIVE, LAW, SALTATION,
    RELEASE_HEIGHT, MODEL, LOG_KAPPA, LOG_NOISE, LOG_SAMPLES, DROP_DT,
)  # fmt: skip
CONTROLS = {control.id: control for control in _ALL}
