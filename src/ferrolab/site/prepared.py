"""Benches made ahead: the page's memory snapshot holds one of each view, complete with its document.

Making a bench takes about as long as everything else that Python does when a page starts. A prepared one is taken by
the first session that asks for its view, and is gone then.
"""

from dataclasses import dataclass, replace
from typing import Any

from bokeh.document import Document
from panel.io.state import set_curdoc

from ferrolab.bench import Bench
from ferrolab.words import Words

from .bridge import embed


@dataclass(frozen=True)
class Prepared:
    """A bench at its defaults in its document.

    ``embedded`` is the document as JSON text for the page, None as long as it has not been written.
    """

    bench: Any
    document: Document
    scheme: str
    words: Words
    embedded: str | None = None


_prepared: dict[tuple[str, str], Prepared] = {}


def make(view: str, scheme: str, words: Words) -> Prepared:
    """Return a new bench of `view` in `scheme`, "light" or "dark", that speaks in `words`."""
    document = Document()
    with set_curdoc(document):
        bench = Bench(scheme, view=view, words=words)
        bench.view.server_doc(document, title="", location=False)
    return Prepared(bench, document, scheme, words)


def prepare(view: str, words: Words, scheme: str = "light") -> str:
    """Make a bench of `view` ahead and return its document as JSON text."""
    made = make(view, scheme, words)
    text = embed(made.document)
    _prepared[view, words["language"]] = replace(made, embedded=text)
    return text


def take(view: str, scheme: str, words: Words) -> Prepared:
    """Return the prepared bench of `view` that speaks in `words`, whatever its scheme, or a new one when there is none."""
    made = _prepared.pop((view, words["language"]), None)
    return made if made and made.words == words else make(view, scheme, words)
