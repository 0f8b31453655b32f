"""The bench of lesson 1: one slider, three time steps, one toggle, and what they do.

The bench shows; `ferrolab.audit` measures and `ferrolab.lesson` grades. A move
recomputes the readout at once; pictures and curves follow after the browser has
painted it, one piece of work a turn, so a dragged slider never waits for a curve.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import panel as pn
import param

from ferrolab import audit
from ferrolab.controls import CONTROLS as DECLARED

from . import strings, words
from .parts import build, choice_key
from .pictures import Job, Pictures
from .shell import PlainDesign, Shell
from .theme import dress
from .tokens import tokens

CONTROLS = {name: DECLARED[name] for name in ("log_stiffness", "dt", "stepping")}

#: Impact speeds (m/s) the timing term can be read at; the lesson quotes 4 and 0.01.
IMPACT_SPEEDS = (4.0, 1.0, 0.1, 0.01)

#: How long the slider stands still before a curve or a count may occupy Python (ms).
REST_MS = 150

#: Shares of the two-way split, in the order of their bars.
SHARES = ("integrator", "contact_model")


def _values(control: str) -> list[float | str]:
    return [value for value, _ in CONTROLS[control].options]


Listener = Callable[[dict[str, Any], dict[str, Any]], None]


class Bench(pn.viewable.Viewer):
    """The Panel app of lesson 1.

    Its parameters are the controls: set one, or several with `set_controls`, and
    the bench recomputes once. `view` is the Panel layout to show.
    """

    log_stiffness = param.Number(
        default=CONTROLS["log_stiffness"].default,
        bounds=(CONTROLS["log_stiffness"].start, CONTROLS["log_stiffness"].stop),
        doc="Decimal logarithm of the contact stiffness in 1/s^2.",
    )
    dt = param.Selector(
        default=CONTROLS["dt"].default, objects=_values("dt"), doc="Time step in s."
    )
    stepping = param.Selector(
        default=CONTROLS["stepping"].default, objects=_values("stepping"), doc="How time is stepped."
    )
    impact_speed = param.Selector(
        default=IMPACT_SPEEDS[0], objects=list(IMPACT_SPEEDS), doc="Speed in m/s the timing term is read at."
    )

    def __init__(self, scheme: str = "light", *, marks_rest: bool = False) -> None:
        """Build the bench in `scheme`, "light" or "dark", and compute its first readout.

        A lesson page keeps its own list of places visited and hands it to `set_visited`;
        a bench on its own marks each place where the learner comes to rest (`marks_rest`).
        """
        tokens(scheme)
        super().__init__()
        self._scheme = scheme
        self._listeners: list[Listener] = []
        self._marks_rest = marks_rest
        self._holding = self._untold = False
        self._visited: list[float] = []
        self._announced: dict[str, Any] | None = None
        self._parts = build(CONTROLS, IMPACT_SPEEDS, scheme)
        self._pictures = Pictures(self._parts, self.param.dt.objects)
        self._follow_widgets()
        pane = pn.pane.Bokeh(self._parts.root, sizing_mode="stretch_width")
        self.view = Shell(pane, design=PlainDesign, sizing_mode="stretch_width")
        self._apply_scheme()
        self._recompute()
        self.param.watch(lambda *_: self._recompute(), ["log_stiffness", "dt", "stepping"])
        self.param.watch(lambda *_: self._retime(), "impact_speed")

    def __panel__(self) -> pn.viewable.Viewable:
        return self.view

    # What the page asks for

    @property
    def controls(self) -> dict[str, Any]:
        """The controls on screen, by id."""
        return {name: getattr(self, name) for name in CONTROLS}

    @property
    def readout(self) -> dict[str, Any]:
        """The readout on screen, as `audit.Readout.as_dict()` gives it."""
        return self._readout

    def on_readout(self, listener: Listener) -> None:
        """Call `listener(controls, readout)` now and once after each recomputation.

        A move is answered at once with a readout whose evaluations are not all counted
        (None), and again with the same readout complete when they are.
        """
        self._listeners.append(listener)
        listener(self.controls, self.readout)

    def set_controls(self, controls: Mapping[str, Any]) -> None:
        """Set the controls named in `controls`, by id, and recompute once."""
        unknown = sorted(set(controls) - set(CONTROLS))
        if unknown:
            raise ValueError(f"controls had {unknown[0]!r}; the bench has {', '.join(CONTROLS)}.")
        self.param.update(**controls)

    def set_visited(self, log_stiffness: Iterable[float]) -> None:
        """Show the places given, in decades, as visited, in place of those before."""
        self._visited = [float(place) for place in log_stiffness]
        self._parts.errors.visit(self._visited)

    def set_scheme(self, scheme: str) -> None:
        """Recolour the bench for `scheme`, "light" or "dark"."""
        tokens(scheme)
        self._scheme = scheme
        with self._held():
            self._apply_scheme()

    def work(self) -> None:
        """Do all waiting work now, without a browser to pace it."""
        with self._held():
            while self._step():
                pass

    # Widgets and parameters

    def _follow_widgets(self) -> None:
        parts = self._parts
        dt_of = {choice_key(value): value for value in self.param.dt.objects}
        off, on = self.param.stepping.objects

        def slid(_attr: str, _old: float, new: float) -> None:
            with self._held():
                self.log_stiffness = round(new, 2)
                parts.slider.answered += 1

        def stepped(_attr: str, _old: str, new: str) -> None:
            self.dt = dt_of[new]

        def toggled(_attr: str, _old: bool, new: bool) -> None:
            self.stepping = on if new else off

        def sped(_attr: str, _old: str, new: str) -> None:
            self.impact_speed = float(new)

        parts.slider.on_change("value", slid)
        parts.dt.on_change("value", stepped)
        parts.stepping.on_change("active", toggled)
        parts.speed.on_change("value", sped)
        parts.pacer.on_change("painted", lambda attr, old, new: self._turn())
        parts.announcer.on_change("spoken", lambda attr, old, new: self._rest())

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Gather the changes made inside into one message, and tell the listeners after it.

        A listener must find on the screen what it is told.
        """
        outermost, self._holding = not self._holding, True
        document = self._parts.root.document
        # Someone else's hold, such as Panel's, ends when they say so.
        ours = outermost and document is not None and document.callbacks.hold_value is None
        if ours:
            document.hold("combine")
        try:
            yield
        finally:
            if outermost:
                self._holding = False
            if ours:
                document.unhold()
        if outermost and self._untold:
            self._untold = False
            for listener in self._listeners:
                listener(self.controls, self._readout)

    # The readout: at once

    def _settings(self) -> audit.Settings:
        return audit.Settings(stiffness=10.0**self.log_stiffness, dt=self.dt, stepping=self.stepping)

    def _recompute(self) -> None:
        """Measure and show the readout, without what takes longest: see `_count_costs`."""
        settings = self._settings()
        self._readout = audit.readout(settings, costs=False).as_dict()
        with self._held():
            self._show_controls()
            self._show_readout(settings)
            self._announce(words.consequence(self._readout))
            self._ask()
            self._untold = True

    def _show_controls(self) -> None:
        parts = self._parts
        tolerance = self.stepping == "tolerance"
        parts.slider.value = self.log_stiffness
        parts.dt.update(value=choice_key(self.dt), idle=tolerance, hint=strings.DT_IDLE if tolerance else "")
        parts.stepping.update(active=tolerance, hint=strings.TOGGLE_ON if tolerance else strings.TOGGLE_OFF)

    def _show_readout(self, settings: audit.Settings) -> None:
        parts, readout = self._parts, self._readout
        parts.sign.update(**words.sign_line(readout, settings.rtol))
        parts.split.bars = words.bars(readout, SHARES)
        self._show_table()
        self._pictures.describe(readout)
        parts.errors.move(self.stepping, settings.stiffness, readout["gradient_error"], readout["forward_error"])

    def _show_table(self) -> None:
        restitution = self._readout["restitution"]
        timing = None if restitution is None else audit.timing_term(restitution, self.impact_speed)
        self._timing = timing
        self._parts.speed.hint = words.timing_formula(timing)
        self._parts.table.rows = words.table(self._readout, self.impact_speed, timing)

    def _retime(self) -> None:
        with self._held():
            self._parts.speed.value = f"{self.impact_speed:g}"
            self._show_table()
            self._announce(words.timing(self._timing))

    def _announce(self, sentence: str) -> None:
        now = {**self.controls, "impact_speed": self.impact_speed}
        self._parts.announcer.text = " ".join((words.change(self._announced, now), sentence)).strip()
        self._announced = now

    # Everything else: after the paint, one piece at a time

    def _jobs(self) -> Iterator[Job]:
        """Yield the work that waits, the most wanted first."""
        settings = self._settings()
        if flight := self._pictures.flight_job(settings):
            yield flight
        if self._readout["evaluations"]["ratio"] is None:
            yield self._count_costs
        yield from self._pictures.curve_jobs(settings, self._readout)

    def _count_costs(self) -> None:
        """Complete the readout with the work of the stepping that is not in use, which must be run to be counted."""
        self._readout = audit.readout(self._settings()).as_dict()
        self._show_table()
        self._untold = True

    def _step(self) -> bool:
        """Do the most wanted piece of work; return whether there was any."""
        job = next(self._jobs(), None)
        if job is not None:
            job()
        return job is not None

    def _ask(self) -> None:
        """Ask the browser for a turn: soon for the flight, at rest for what takes longer."""
        if next(self._jobs(), None) is None:
            return
        pacer = self._parts.pacer
        pacer.delay = 0 if self._pictures.flight_job(self._settings()) else REST_MS
        if pacer.asked == pacer.painted:
            pacer.asked += 1

    def _turn(self) -> None:
        with self._held():
            self._step()
            self._ask()

    # Rest and colour

    def _rest(self) -> None:
        """The learner has come to rest: say so on the axis."""
        if self._marks_rest and self.log_stiffness not in self._visited:
            self.set_visited([*self._visited, self.log_stiffness])

    def _apply_scheme(self) -> None:
        parts = self._parts
        parts.root.html_attributes = {"data-scheme": self._scheme, "role": "region", "aria-label": strings.BENCH}
        dress(parts.root, self._scheme)
        parts.errors.paint(self._scheme)
        parts.flight.paint(self._scheme)
