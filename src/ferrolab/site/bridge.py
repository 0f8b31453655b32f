"""The Python end of the wire between a Bokeh document in the worker and its twin in the page.

Both ends speak Bokeh's own JSON patches (:meth:`bokeh.document.Document.apply_json_patch` and its
JavaScript twin), so nothing here knows what the document shows.
"""

import json
from collections.abc import Callable
from typing import Any

from bokeh import __version__
from bokeh.core.serialization import Buffer, Serializer
from bokeh.document import Document
from bokeh.document.events import DocumentChangedEvent, DocumentPatchedEvent

PAGE = "page"
"""Setter given to changes that come from the page, so that they are not sent back to it."""


def _refer(value: Any) -> Any:
    if isinstance(value, Buffer):
        return value.ref
    raise TypeError(f"{type(value).__name__} does not belong in a patch")


def embed(document: Document) -> str:
    """Return the whole of `document` as JSON text, in the form ``Bokeh.embed.embed_item`` takes."""
    if len(document.roots) != 1:
        raise ValueError(f"the document has {len(document.roots)} roots; the bridge carries exactly 1")
    content = document.to_json(deferred=False)
    document.models.flush_synced()
    return json.dumps({"doc": content, "root_id": document.roots[0].id, "version": __version__}, allow_nan=False)


class DocumentBridge:
    """Collects a document's changes and hands them over as patches.

    Parameters
    ----------
    document
        The document to keep in step; it must have exactly one root.
    send
        Called with a patch (JSON text) and its binary buffers as ``[(id, bytes), ...]``.
    schedule
        Called with a function that should run soon, for changes made outside of :meth:`apply`
        (a task that ends later); without it they go out with the next patch.
    """

    def __init__(
        self,
        document: Document,
        send: Callable[[str, list[tuple[str, bytes]]], None],
        schedule: Callable[[Callable[[], None]], Any] | None = None,
    ) -> None:
        self.document = document
        self._send = send
        self._schedule = schedule
        self._events: list[DocumentPatchedEvent] = []
        self._due = False
        document.on_change(self._changed)

    def embed(self) -> str:
        """Return the whole document as JSON text, the changes collected so far among it; see :func:`embed`."""
        self._events.clear()
        return embed(self.document)

    def apply(self, patch: str) -> None:
        """Apply a patch from the page; answering changes go out at once, as one patch."""
        self.document.apply_json_patch(json.loads(patch), setter=PAGE)
        self.flush()

    def flush(self) -> None:
        """Send the changes collected so far, if there are any."""
        self._due = False
        events, self._events = self._events, []
        if not events:
            return
        models = self.document.models
        serializer = Serializer(references=models.synced_references)
        patch = {"events": serializer.encode(events)}
        models.flush_synced(lambda model: not serializer.has_ref(model))
        buffers = [(buffer.id, buffer.to_bytes()) for buffer in serializer.buffers]
        self._send(json.dumps(patch, default=_refer), buffers)

    def _changed(self, event: DocumentChangedEvent) -> None:
        if not isinstance(event, DocumentPatchedEvent) or event.setter == PAGE:
            return
        self._events.append(event)
        if self._schedule is not None and not self._due:
            self._due = True
            self._schedule(self.flush)
