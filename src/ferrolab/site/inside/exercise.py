"""Runs inside Pyodide: bring the bench up as the page's worker does, use it, and tell which files that took.

``run`` answers with the files opened (``opened``) and read, as modules too, below the given roots (``read``; the build keeps exactly these), the
types of the document's models with their numbers (``models``), how many messages of each kind but
patches went out (``messages``), and every web address the page would see (``addresses``).
"""

import collections
import json
import os
import re
import sys

ADDRESS = re.compile(r"(?:https?:)?//[\w.-]+\.\w[^\s\"'<>()\\\\]*")

ROUNDS = 40
"""Turns to give a bench that asks for them (see Pacer in ferrolab/bench/models.py), at most."""

SETTINGS = [
    {"log_stiffness": 2.0, "dt": 1e-4, "stepping": "fixed"},
    {"log_stiffness": 6.0, "dt": 1e-5, "stepping": "fixed"},
    {"log_stiffness": 6.0, "dt": 1e-6, "stepping": "tolerance"},
    {"log_stiffness": 8.0, "dt": 1e-4, "stepping": "fixed"},
]
"""Where a bench with these controls is taken; one without them starts from its own."""


class Watch:
    """Remembers every file opened below `roots` from now on, relative to its root."""

    def __init__(self, roots):
        self.roots = [root.rstrip("/") + "/" for root in roots]
        self.read = set()
        if roots:  # a hook stays for good, and would be part of a snapshot
            sys.addaudithook(self._hear)

    def _hear(self, event, arguments):
        if event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
            self.add(os.fsdecode(arguments[0]))

    def add(self, path):
        path = os.path.normpath(path)
        for root in self.roots:
            if path.startswith(root):
                self.read.add(path[len(root):])


def changed(model, attribute, value):
    return json.dumps({"events": [{"kind": "ModelChanged", "model": {"id": model}, "attr": attribute, "new": value}]})


def give_turns(session):
    """Do for a Pacer what its view does in a page, until it asks for no more."""
    for _ in range(ROUNDS):
        waiting = [m for m in session._document.models if "painted" in m.properties() and m.painted != m.asked]
        if not waiting:
            return
        for model in waiting:
            session.receive("patch", changed(model.id, "painted", model.asked))


def further_settings(bench):
    """Every value of the other controls that this bench has, both ends of a slider, one at a time."""
    from ferrolab.controls import CONTROLS

    others = [CONTROLS[name] for name in bench.CONTROL_IDS if name not in SETTINGS[0]]
    return [{c.id: value} for c in others for value in c.values or (c.start, c.stop, c.default)]


def exercise(lesson, words):
    from ferrolab.site.session import Session

    counts = collections.Counter()
    addresses = set()
    document = {}
    grades = []
    seq = 0

    def post(kind, text, buffers):
        nonlocal seq
        if kind != "patch":  # how many pictures are drawn while samples come in is a matter of the clock
            counts[kind] += 1
        if kind in ("document", "patch"):
            addresses.update(ADDRESS.findall(text))
        message = json.loads(text)
        if kind == "document":
            document.update(message)
        if kind == "readout":
            seq = message["seq"]
        if kind == "grade":
            grades.append(message)

    session = Session(lesson, None, "light", post, resume="", words=words)
    session.open()
    session.receive("patch", changed(document["root_id"], "name", "exercised"))
    common = [one for one in SETTINGS if set(one) <= set(session._bench.CONTROL_IDS)]
    for settings in [*common, *further_settings(session._bench)]:
        session._bench.set_controls(settings)
        session._bridge.flush()
        give_turns(session)
        session.receive("settled", json.dumps({"seq": seq}))
    for scheme in ("dark", "light"):
        session.receive("scheme", json.dumps({"scheme": scheme}))
        give_turns(session)
    session._expand(grades[-1]["resume"])
    session.receive("reset", "{}")
    models = collections.Counter(model.__qualified_model__ for model in session._document.models)
    return {"messages": counts, "models": models, "addresses": addresses}


def late(*arguments):
    raise ImportError("the snapshot lacks a module that the bench imports")


def run(argument):
    from ferrolab.site.rest import wake

    if argument.get("restored"):
        wake(late)
    watch = Watch(argument["roots"])
    answers = [exercise(**tried) for tried in argument["lessons"]]
    opened = sorted(watch.read)
    for module in list(sys.modules.values()):
        for path in (getattr(module, "__file__", None), getattr(getattr(module, "__spec__", None), "origin", None)):
            if isinstance(path, str):
                watch.add(path)
    return {
        "opened": opened,
        "read": sorted(watch.read),
        "messages": sum((answer["messages"] for answer in answers), collections.Counter()),
        "models": sum((answer["models"] for answer in answers), collections.Counter()),
        "addresses": sorted({address for answer in answers for address in answer["addresses"]}),
    }
