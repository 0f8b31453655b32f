"""The bench: a lesson's controls, readouts and pictures as one Panel app.

It holds no mathematics and no grading: it calls `ferrolab.audit` and shows what
comes back. `MODELS_JS` are the scripts with the views of its own Bokeh models; a
page loads them after bokeh.min.js.
"""

from ferrolab.words import Words

from .models import MODELS_JS
from .view import View
from .views import VIEWS

#: What a bench shows unless it is told otherwise.
DEFAULT_VIEW = "gradient-that-lies"


def Bench(scheme: str = "light", *, view: str = DEFAULT_VIEW, marks_rest: bool = False, words: Words | None = None) -> View:
    """Make the bench of a lesson.

    Args:
        scheme: "light" or "dark". view: a name in `VIEWS`.
        marks_rest: the bench itself marks where the learner comes to rest; a page that keeps a trail does that
            with `set_seen`.
        words: what it speaks in (see `ferrolab.words.for_bench`), English unless given.
    """
    if view not in VIEWS:
        raise ValueError(f"view was {view!r}; it must be one of {', '.join(VIEWS)}.")
    return VIEWS[view](scheme, marks_rest=marks_rest, words=words)


__all__ = ["DEFAULT_VIEW", "MODELS_JS", "VIEWS", "Bench", "View"]
