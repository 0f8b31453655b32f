"""Python twins of the bench's own Bokeh models; the views are in the scripts of `models_js`.

They carry what is shown as ready-made text, so that a view never formats a
number, and they keep a patch small: a few strings, not a document.
"""

from __future__ import annotations

from pathlib import Path

from bokeh.core.properties import (
    Bool,
    Enum,
    Float,
    Instance,
    Int,
    List,
    String,
    Tuple,
)
from bokeh.models import LayoutDOM

#: The scripts with the views; a page loads them in this order, after bokeh.min.js. The site has them as one file.
MODELS_JS = sorted((Path(__file__).parent / "models_js").glob("*.js"))

_NAMES = [f"{path.parent.name}/{path.name}" for path in MODELS_JS]

#: Where panel serve offers those scripts: it reads the attribute `_js` of the class named here.
MODELS_ADDRESSES = {name: f"components/{__name__}/Board/_js/{name}" for name in _NAMES}

#: Keys of the colour a route, a bar or a chip is drawn in (see tokens.py).
INKS = ("fixed", "tolerance", "trajectory", "exact", "event", "model", "soft")


class Board(LayoutDOM):
    """A grid of parts; `css_classes` names its arrangement (stack, pair, flow, strip)."""

    #: The files panel serve may offer at MODELS_ADDRESSES.
    _js = _NAMES

    children = List(Instance(LayoutDOM), default=[])


class StiffnessSlider(LayoutDOM):
    """A native range input over a power of ten.

    The view sends one value at a time and waits for `answered` to change before
    it sends the next, so a dragged slider never queues more than one move.
    """

    label = String()
    base = String(help="Visible text before the exponent, such as 'k = 10'.")
    spoken = String(help="The same for a screen reader, such as 'ten to the'.")
    start = Float(2.0)
    end = Float(8.0)
    step = Float(0.01)
    digits = Int(2)
    decimal = String(".", help="What stands before the decimals.")
    value = Float(4.0)
    answered = Int(0)


class NumberSlider(LayoutDOM):
    """A native range input over a number, or over its decimal logarithm, paced as `StiffnessSlider` is.

    What is written is `factor` times the number: a logarithm to `places` significant digits, another to `places`
    decimals, and a `whole` one without any. `marks` are (value, face) pairs below the rail; the page keys go there.
    With the class "free" it does not stand above an axis.
    """

    label = String()
    unit = String()
    spoken = String(help="The unit for a screen reader, such as 'metres'.")
    scale = Enum("linear", "log", default="linear")
    factor = Float(1.0)
    places = Int(3)
    whole = Bool(False)
    decimal = String(".", help="What stands before the decimals.")
    group = String(",", help="What stands between the thousands.")
    marks = List(Tuple(Float, String))
    start = Float(0.0)
    end = Float(1.0)
    step = Float(0.01)
    digits = Int(3, help="Decimals of the value itself.")
    value = Float(0.0)
    answered = Int(0)


class ProgressLine(LayoutDOM):
    """A bar for work that goes on, with a line that says how far it is."""

    label = String(help="Its accessible name.")
    text = String()
    fraction = Float(0.0)


class Segmented(LayoutDOM):
    """A radio group drawn as one segmented button: (value, label) pairs."""

    label = String()
    unit = String(help="Shown after the label; not part of the group's name.")
    hint = String()
    options = List(Tuple(String, String))
    value = String()
    idle = Bool(False, help="Drawn quietly: the choice has no effect at present.")


class ToggleButton(LayoutDOM):
    """A button with aria-pressed, and a line of text that says what it does, or why it is `disabled`."""

    legend = String()
    label = String()
    hint = String()
    active = Bool(False)


class SignLine(LayoutDOM):
    """The loudest thing on the bench: does the route's sign agree with the exact one?"""

    title = String()
    verdict = Enum("same", "wrong", "off", "none", default="none")
    words = String()
    route = String()
    ink = Enum(*INKS, default="fixed")
    returned_label = String()
    returned = String()
    exact_label = String()
    exact = String()
    directions = Tuple(Int, Int, default=(0, 0))
    note = String(help="A quiet line below the numbers.")
    message = String()
    busy = Bool(False, help="The answer is being worked on.")


class Caption(LayoutDOM):
    """A heading for a picture, a visible note, a description for a screen reader, and a table to open.

    `offer` is what opens the table; without one there is none. A table has `columns`, and rows whose first text says
    where; it need only be filled while it is `open` (see tables.py).
    """

    heading = String()
    note = String()
    description = String()
    offer = String()
    open = Bool(False)
    columns = List(String)
    rows = List(List(String))


class ReadoutTable(LayoutDOM):
    """A table of (id, label, value, unit) rows with row headers."""

    title = String()
    rows = List(Tuple(String, String, String, String))


class SplitBars(LayoutDOM):
    """Bars on one logarithmic scale: (id, label, text, fraction 0..1, ink); those named in `hollow` in outline."""

    title = String()
    note = String()
    bars = List(Tuple(String, String, String, Float, Enum(*INKS)))
    hollow = List(String)
    ticks = List(Tuple(Float, String))


class CellTable(LayoutDOM):
    """A table of combinations: groups of rows by columns, each cell what was last seen there.

    A row is (group, label). A cell is (entry, kind, words, exponent, place): kind "right", "wrong-sign", "wrong",
    "none", "working" or, where nobody has been, "empty"; `exponent` and `place` say at which stiffness and step.
    `current` is the index of the learner's cell, counted row by row.
    """

    title = String()
    note = String()
    corner = String(help="What the row headers are.")
    base = String(help="Visible text before the exponent of a cell's stiffness, such as 'k = 10'.")
    here = String(help="Said of the learner's own cell.")
    unvisited = String(help="What a screen reader hears of a cell nobody has been in.")
    columns = List(String)
    rows = List(Tuple(String, String))
    cells = List(Tuple(String, String, String, String, String))
    current = Int(-1)


class TermCard(LayoutDOM):
    """One 2 x 2 matrix with what it contributes: lines are (id, label, value); the last is their sum."""

    title = String()
    note = String()
    symbol = String()
    subscript = String()
    matrix = List(List(String))
    #: Whether the route has the matrix: "applied", "missing" or "none" where there is nothing to apply.
    state = Enum("applied", "missing", "none", default="none")
    words = String(help="The state in words.")
    lines = List(Tuple(String, String, String))


class Announcer(LayoutDOM):
    """A polite live region that speaks `text` once it has stood still for `delay` ms.

    The view raises `spoken` each time it has spoken, which tells Python that the
    learner has come to rest.
    """

    text = String()
    delay = Int(600)
    spoken = Int(0)


class Pacer(LayoutDOM):
    """Asks the browser for a turn: the view copies `asked` to `painted` after a paint and `delay` ms.

    A new `delay` while a turn is on its way replaces the old one.
    """

    asked = Int(0)
    painted = Int(0)
    delay = Int(0)
