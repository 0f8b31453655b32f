"""What every view of the bench does: controls in, one readout out, the rest when there is time.

A move recomputes the readout at once; pictures and curves follow after the browser has painted it, one piece of work
a turn, so a dragged slider never waits for a curve. A readout that takes long waits for rest as they do, and the
screen says that it is being worked on.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

import panel as pn

from ferrolab.controls import CONTROLS
from ferrolab.words import Words

from . import strings, words
from .models import Caption
from .parts import choice_key
from .shell import PlainDesign, Shell
from .tables import Table, Tables
from .theme import dress
from .tokens import tokens

#: How long the slider stands still before a curve, a count or a slow readout may occupy Python (ms).
REST_MS = 150

#: How long it stands still before a picture is drawn (ms): longer than a pointer or a held key leaves between two moves,
#: because a picture takes as long as a readout, and the readout comes first. While moves do follow each other that fast,
#: a pause must be longer to count as one, and a picture is drawn every so often all the same (s).
SOON_MS = 40
HURRY_MS = 90
PICTURE_S = 0.5

#: How long the next piece of such work waits while the learner goes on resting (ms).
NEXT_MS = 10

#: To how many decimals a slider's value is kept; the steps of all sliders are coarser.
_DECIMALS = 6

Job = Callable[[], None]
Widget = tuple[Any, str, Mapping[Any, Any] | None]
Listener = Callable[[dict[str, Any], dict[str, Any]], None]


class View(pn.viewable.Viewer):
    """A bench: its parameters are the controls, `view` is the Panel layout to show.

    Set one control, or several with `set_controls`, and it recomputes once. What a view shows and measures is in the
    methods it must define; `_parts` holds what it shows, with the names of `parts.Common` among it, and its `root`.
    """

    #: The controls it has, by id, in the order of the screen. Each is a parameter of that name.
    CONTROL_IDS: ClassVar[tuple[str, ...]]

    #: The control, a slider, whose places the first plot's strip shows.
    PLACE: ClassVar[str]

    def __init__(self, scheme: str = "light", *, marks_rest: bool = False, words: Words | None = None) -> None:
        """Build the bench in `scheme`, "light" or "dark", and compute its first readout.

        It speaks in `words` (see `ferrolab.words.for_bench`), English unless given.

        A lesson page keeps its own list of what was seen and hands it to `set_seen`;
        a bench on its own marks each place where the learner comes to rest (`marks_rest`).
        """
        tokens(scheme)
        super().__init__()
        self._scheme = scheme
        self._words = words
        self._listeners: list[Listener] = []
        self._marks_rest = marks_rest
        self._holding = self._untold = self._resting = False
        self._moved = self._pictured = self._drag_began = -PICTURE_S
        self._paused = False
        self._waiting: Any = None
        self._visited: list[float] = []
        self._announced: dict[str, Any] | None = None
        self._widgets: dict[str, Widget] = {}
        with strings.using(words):
            self._build()
            self._tables = Tables(self._table_sources())
        self._follow_widgets()
        pane = pn.pane.Bokeh(self._parts.root, sizing_mode="stretch_width")
        self.view = Shell(pane, design=PlainDesign, sizing_mode="stretch_width")
        with strings.using(words):
            self._apply_scheme()
        self._recompute()
        self.param.watch(lambda *_: self._recompute(), list(self.CONTROL_IDS))
        self._tables.follow(self._tabulate)

    def __panel__(self) -> pn.viewable.Viewable:
        return self.view

    # What a view defines

    _parts: Any

    def _build(self) -> None:
        """Make `_parts` and what draws into them."""
        raise NotImplementedError

    def _settings(self) -> Any:
        """Return what the controls ask of the library, frozen."""
        raise NotImplementedError

    def _compute(self, settings: Any) -> dict[str, Any]:
        """Return the readout of `settings`."""
        raise NotImplementedError

    def _show_readout(self, settings: Any) -> None:
        """Bring the screen up to `self._readout`."""
        raise NotImplementedError

    def _consequence(self) -> str:
        """Return what the readout says, for the live region."""
        raise NotImplementedError

    def _soon(self, settings: Any) -> Job | None:
        """Return the quick work that follows a paint at once, or None when it is done."""
        return None

    def _at_rest(self, settings: Any) -> Iterator[Job]:
        """Yield the work that waits until the learner rests, the most wanted first."""
        yield from ()

    def _takes_long(self, settings: Any) -> bool:
        """Whether a readout of `settings` would hold up a slider that moves."""
        return False

    def _show_working(self) -> None:
        """Say that the readout is being worked on; only asked of a view that may take long."""

    def _plots(self) -> Iterable[Any]:
        """Return what has a `paint(scheme)`; the first has a `visit(places)` as well."""
        raise NotImplementedError

    def _table_sources(self) -> Mapping[str, tuple[Caption, Callable[[], Table]]]:
        """Return, for each picture, its caption and what makes the table that says the same."""
        raise NotImplementedError

    # What the page asks for

    @property
    def controls(self) -> dict[str, Any]:
        """The controls on screen, by id."""
        return {name: getattr(self, name) for name in self.CONTROL_IDS}

    @property
    def widgets(self) -> dict[str, Widget]:
        """Where each control is set on the screen: id -> (Bokeh model, its property, {property's value: control's value}).

        The last is None where the property holds the control's own value.
        """
        return dict(self._widgets)

    @property
    def readout(self) -> dict[str, Any]:
        """The latest readout. One that takes long comes after the controls it belongs to: see `settled`."""
        return self._readout

    @property
    def settled(self) -> bool:
        """Whether the readout is that of the controls."""
        return self._waiting is None

    def on_readout(self, listener: Listener) -> None:
        """Call `listener(controls, readout)` now and once after each recomputation.

        A readout that is still being worked on is told when it is there. A readout may be told twice, the second time
        with evaluations that were not counted yet (None) the first time.
        """
        self._listeners.append(listener)
        if self._waiting is None:
            listener(self.controls, self.readout)

    def set_controls(self, controls: Mapping[str, Any]) -> None:
        """Set the controls named in `controls`, by id, and recompute once."""
        unknown = sorted(set(controls) - set(self.CONTROL_IDS))
        if unknown:
            raise ValueError(f"controls had {unknown[0]!r}; the bench has {', '.join(self.CONTROL_IDS)}.")
        self.param.update(**controls)

    def set_seen(self, seen: Iterable[Mapping[str, Any]]) -> None:
        """Show what a trail has seen, oldest first, each `{"controls": ..., "readout": ...}`, in place of what was."""
        seen = list(seen)
        places = {one["controls"].get(self.PLACE) for one in seen}
        self.set_visited(sorted(place for place in places if isinstance(place, (int, float))))
        with strings.using(self._words):
            self.set_visited_cells(seen)

    def set_visited(self, places: Iterable[float]) -> None:
        """Show the places given, values of the control `PLACE`, as visited, in place of those before."""
        self._visited = [float(place) for place in places]
        next(iter(self._plots())).visit(self._visited)

    def set_visited_cells(self, seen: Iterable[Mapping[str, Any]]) -> None:
        """Fill a view's table of combinations from what was seen; a view without one has nothing to fill."""

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
        parts.pacer.on_change("painted", lambda attr, old, new: self._turn(new))
        parts.announcer.on_change("spoken", lambda attr, old, new: self._rest())

    def _follow_slider(self, name: str, widget: Any) -> None:
        """Let a slider set the parameter `name`, and tell it that its move has been answered."""

        def slid(_attr: str, _old: float, new: float) -> None:
            with self._held():
                setattr(self, name, round(new, _DECIMALS))
                widget.answered += 1

        widget.on_change("value", slid)
        self._widgets[name] = (widget, "value", None)

    def _follow_choice(self, name: str, widget: Any) -> None:
        """Let a segmented button set the parameter `name`."""
        value_of = {choice_key(value): value for value in self.param[name].objects}
        widget.on_change("value", lambda attr, old, new: setattr(self, name, value_of[new]))
        self._widgets[name] = (widget, "value", value_of)

    def _follow_toggle(self, name: str, widget: Any) -> None:
        """Let a toggle button set the parameter `name`, whose values are off and on."""
        off, on = CONTROLS[name].values
        widget.on_change("active", lambda attr, old, new: setattr(self, name, on if new else off))
        self._widgets[name] = (widget, "active", {False: off, True: on})

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
            with strings.using(self._words):
                yield
                if outermost:
                    self._tables.refresh()
        finally:
            if outermost:
                self._holding = False
            if ours:
                document.unhold()
        if outermost and self._untold:
            self._untold = False
            for listener in self._listeners:
                listener(self.controls, self._readout)

    def _tabulate(self) -> None:
        """Bring the tables up to date: what a picture shows has been opened."""
        with self._held():
            pass

    # The readout

    def _recompute(self) -> None:
        settings = self._settings()
        self._resting = self._paused = False
        before, self._moved = self._moved, time.monotonic()
        if self._since(before) >= HURRY_MS / 1000:
            self._drag_began = self._moved
        with self._held():
            self._show_controls()
            if self._takes_long(settings):
                self._waiting, self._untold = settings, False
                self._show_working()
            else:
                self._measure(settings)
            self._ask(anew=True)

    def _measure(self, settings: Any) -> None:
        self._waiting = None
        self._readout = self._compute(settings)
        self._show_readout(settings)
        self._announce(self._consequence())
        self._untold = True

    def _show_controls(self) -> None:
        """Bring the controls up to the parameters."""
        raise NotImplementedError

    def _spoken_controls(self) -> dict[str, Any]:
        """Return what the live region tells a change of."""
        return self.controls

    def _announce(self, sentence: str) -> None:
        now = self._spoken_controls()
        self._parts.announcer.text = " ".join((words.change(self._announced, now), sentence)).strip()
        self._announced = now

    # Everything else: after the paint, one piece at a time

    def _jobs(self) -> Iterator[Job]:
        """Yield the work that waits, the most wanted first."""
        settings = self._settings()
        if self._waiting is not None:
            yield lambda: self._measure(settings)
        if soon := self._soon(settings):
            yield soon
        yield from self._at_rest(settings)

    def _step(self) -> bool:
        """Do the most wanted piece of work; return whether there was any."""
        job = next(self._jobs(), None)
        if job is not None:
            job()
        return job is not None

    @staticmethod
    def _since(then: float) -> float:
        """Return the seconds since `then`. A memory restored elsewhere has another clock: what lies ahead was long ago."""
        passed = time.monotonic() - then
        return passed if passed >= 0.0 else math.inf

    def _ask(self, anew: bool = False) -> None:
        """Ask the browser for a turn: soon for what is quick, at rest for what takes longer.

        A turn asked for `anew` takes the place of one that is on its way, and is waited for from now.
        """
        if next(self._jobs(), None) is None:
            return
        pacer = self._parts.pacer
        if self._waiting is None and self._soon(self._settings()):
            late = min(self._since(self._pictured), self._since(self._drag_began)) >= PICTURE_S
            dragged = self._drag_began != self._moved
            pacer.delay = 0 if late or self._paused else HURRY_MS if dragged else SOON_MS
        else:
            stood = 1e3 * self._since(self._moved)  # a picture drawn meanwhile is no move
            pacer.delay = NEXT_MS if self._resting else round(max(NEXT_MS, REST_MS - stood))
        if anew or pacer.asked == pacer.painted:
            pacer.asked += 1

    def _turn(self, painted: int) -> None:
        if painted != self._parts.pacer.asked:
            return  # the learner has moved on since
        with self._held():
            quick = self._waiting is None and self._soon(self._settings())
            self._step()
            self._paused, self._resting = True, self._resting or not quick
            if quick and not self._soon(self._settings()):
                self._pictured = time.monotonic()
            self._ask()

    # Rest and colour

    def _rest(self) -> None:
        """The learner has come to rest: say so on the axis."""
        place = getattr(self, self.PLACE)
        if self._marks_rest and place not in self._visited:
            self.set_visited([*self._visited, place])

    def _apply_scheme(self) -> None:
        root = self._parts.root
        root.html_attributes = {"data-scheme": self._scheme, "role": "region", "aria-label": strings.BENCH}
        dress(root, self._scheme)
        for plot in self._plots():
            plot.paint(self._scheme)
