"""One learner's bench inside the browser's worker: the Panel app, its document, the trail and the grade.

Runs in Pyodide, and as well in CPython for the tests. It imports the bench and the lesson, never the
build-time modules of this package.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

from panel.io.state import set_curdoc

from ferrolab.controls import CONTROLS
from ferrolab.lesson import Lesson, Trail, TrailError, grade
from ferrolab.lesson.compact import compact, expand
from ferrolab.words import Words, for_bench

from .bridge import DocumentBridge
from .links import from_link, to_link
from .prepared import take

MOST_TOLD = 80
"""Characters of what a reader gave that are told back."""

Post = Callable[[str, str, list[tuple[str, bytes]]], None]
"""Takes the kind of a message, its JSON text, and binary buffers as ``(id, bytes)``."""


class Session:
    """The worker's half of a lesson page.

    Parameters
    ----------
    lesson
        What ``Lesson.to_dict`` returned at build time.
    trail
        A kept trail, as ``Trail.to_dict`` returned it, or None to begin a new one. One that cannot be
        read is set aside: the learner begins again and is told so.
    scheme
        ``"light"`` or ``"dark"``.
    post
        Carries a message to the page. Kinds: ``widgets`` (once, see `_widgets`), ``document`` (once), ``patch``, ``readout``
        (``{seq, controls, link, readout}``), ``grade`` (``{grade, trail}``), ``notice`` (``{message}``).
    controls
        Settings to restore, as a former readout reported them, or None for the bench's defaults.
    resume
        None, or what a learning management system has kept of the trail ("" for nothing yet; see
        ``ferrolab.lesson.compact``). It stands in for a `trail` of None, and every ``grade`` message then carries
        the next one as ``resume``.
    words
        What the bench and the notices say, as ``ferrolab.words.for_bench`` returned it; by default those of the
        lesson's language, read from their file, which a page does not have.
    link
        None, or the state of the bench that the page was asked for (see `links`); it goes before `controls`.
    """

    def __init__(
        self,
        lesson: Mapping[str, Any],
        trail: Mapping[str, Any] | None,
        scheme: str,
        post: Post,
        controls: Mapping[str, Any] | None = None,
        resume: str | None = None,
        words: Words | None = None,
        link: str | None = None,
    ) -> None:
        self._post = post
        self._lesson = Lesson.from_dict(lesson)
        self._words = words or for_bench(self._lesson.language)
        self._resumes = resume is not None
        self._trail = self._expand(resume) if resume and trail is None else self._read_trail(trail)
        self._seq = 0
        self._latest: tuple[dict, dict] | None = None
        made = take(self._lesson.bench, scheme, self._words)
        self._bench, self._document, self._embedded = made.bench, made.document, made.embedded
        self._in_turn = True
        self._bridge = DocumentBridge(self._document, self._send_patch, self._soon)
        with set_curdoc(self._document):
            if made.scheme != scheme:
                self._bench.set_scheme(scheme)
            self._restore(controls)
            self._follow(link or "")
            self._bench.set_seen(self._seen())
        self._in_turn = False

    @classmethod
    def from_json(cls, text: str, post: Post) -> "Session":
        """Return the session that JSON `text` describes: an object with lesson, trail, scheme, controls, perhaps resume, words and link."""
        asked = json.loads(text)
        return cls(asked["lesson"], asked["trail"], asked["scheme"], post, asked["controls"], asked.get("resume"), asked.get("words"), asked.get("link"))

    def open(self) -> None:
        """Post the whole document, the first readout and the grade of the trail so far."""
        self._in_turn = True
        try:
            self._tell("widgets", self._widgets())
            # A prepared document goes out as it was made, and what differs in this visit follows as a patch.
            self._post("document", self._embedded or self._bridge.embed(), [])
            with set_curdoc(self._document):
                self._bench.on_readout(self._on_readout)
                self._bridge.flush()
            self._post_grade()
        finally:
            self._in_turn = False

    def receive(self, kind: str, text: str) -> None:
        """Act on a message from the page.

        Parameters
        ----------
        kind
            ``patch``, ``settled`` (``{seq}``), ``answer`` (``{question, response}``), ``reset``,
            ``trail`` (``{trail}``, to take the place of the one so far), ``link`` (``{link}``) or ``scheme`` (``{scheme}``).
        text
            The JSON text that goes with it.

        Raises
        ------
        ValueError
            For a kind it does not know, or a message without what it needs.
        """
        acts = {
            "patch": self._bridge.apply, "settled": self._settled, "answer": self._answer,
            "reset": self._reset, "trail": self._replace, "scheme": self._scheme,
            "link": lambda message: self._follow(json.loads(message)["link"]),
        }
        if kind not in acts:
            raise ValueError(f"the session got a message of kind {kind!r}; it knows {', '.join(acts)}")
        self._in_turn = True
        try:
            with set_curdoc(self._document):
                acts[kind](text)
                self._bridge.flush()
        finally:
            self._in_turn = False

    def _soon(self, function: Callable[[], None]) -> None:
        if not self._in_turn:  # a turn sends what it changed at its end
            asyncio.get_running_loop().call_soon(function)

    def _send_patch(self, patch: str, buffers: list[tuple[str, bytes]]) -> None:
        self._post("patch", patch, buffers)

    def _on_readout(self, controls: Mapping[str, Any], readout: Mapping[str, Any]) -> None:
        self._bridge.flush()  # the page must show a readout before it hears of it
        self._seq += 1
        self._latest = dict(controls), dict(readout)
        self._tell("readout", {"seq": self._seq, "controls": self._latest[0], "link": to_link(self._latest[0]), "readout": self._latest[1]})

    def _settled(self, text: str) -> None:
        if self._latest is None or json.loads(text)["seq"] != self._seq or not self._bench.settled:
            return  # the learner has moved on since the page said so
        controls, readout = self._latest
        self._grow(lambda trail: trail.append_seen(controls, readout, self._lesson.quantities))
        self._bench.set_seen(self._seen())

    def _answer(self, text: str) -> None:
        answer = json.loads(text)
        event = {"kind": "answered", "question": answer["question"], "response": answer["response"]}
        self._grow(lambda trail: trail.append(event))

    def _reset(self, text: str) -> None:
        self._trail = Trail(self._lesson.slug)
        self._bench.set_seen([])
        self._bench.set_controls({name: CONTROLS[name].default for name in self._bench.CONTROL_IDS})
        self._post_grade()

    def _replace(self, text: str) -> None:
        try:
            self._trail = Trail.from_dict(json.loads(text)["trail"], self._lesson.slug)
        except TrailError:
            self._notify("other_unreadable")
            return
        self._bench.set_seen(self._seen())
        self._post_grade()

    def _scheme(self, text: str) -> None:
        self._bench.set_scheme(json.loads(text)["scheme"])

    def _grow(self, append: Callable[[Trail], Trail]) -> None:
        try:
            self._trail = append(self._trail)
        except TrailError:
            self._notify("not_recorded")
            return
        self._post_grade()

    def _post_grade(self) -> None:
        message = {"grade": grade(self._lesson, self._trail).to_dict(), "trail": self._trail.to_dict()}
        if self._resumes:
            message["resume"] = compact(self._lesson, self._trail)
        self._tell("grade", message)

    def _read_trail(self, trail: Mapping[str, Any] | None) -> Trail:
        if trail is not None:
            try:
                return Trail.from_dict(trail, self._lesson.slug)
            except TrailError:
                self._notify("unreadable")
        return Trail(self._lesson.slug)

    def _expand(self, resume: str) -> Trail:
        try:
            return expand(self._lesson, resume)
        except TrailError:
            self._notify("unreadable")
            return Trail(self._lesson.slug)

    def _restore(self, controls: Mapping[str, Any] | None) -> None:
        """Set what a former visit left, which a browser's storage may have garbled."""
        if not controls:
            return
        try:
            self._bench.set_controls(dict(controls))
        except (TypeError, ValueError):
            self._notify("settings_lost")

    def _follow(self, link: str) -> None:
        """Set what a link asks for, and say what of it this bench does not have."""
        controls, left_out = from_link(link, self._bench.CONTROL_IDS)
        if controls:
            self._bench.set_controls(controls)
        if left_out:
            self._notify("link_left_out", what=", ".join(left_out)[:MOST_TOLD])

    def _widgets(self) -> dict[str, Any]:
        """Return where the page finds each control in the document: a move lost with a worker is made again by it."""
        return {
            name: {"model": model.id, "property": name_of, "values": list(values.items()) if values else None}
            for name, (model, name_of, values) in self._bench.widgets.items()
        }

    def _seen(self) -> list[dict[str, Any]]:
        return [event.to_dict() for event in self._trail.seen]

    def _notify(self, sentence: str, **values: str) -> None:
        """Tell the learner the `sentence` of [session] in the words of the lesson's language."""
        self._tell("notice", {"message": self._words["session"][sentence].format(**values)})

    def _tell(self, kind: str, message: Mapping[str, Any]) -> None:
        self._post(kind, json.dumps(message, allow_nan=False), [])
