"""Runs inside Pyodide: bring the bench up as the page's worker does, use it, and tell which files that took.

``run`` answers with the modules and data files read from site-packages (``read``), how many models the
document holds, and how many messages of each kind went out. The build keeps exactly the files read.
"""

import collections
import json
import os
import sys

SETTINGS = [
    {"log_stiffness": 2.0, "dt": 1e-4, "stepping": "fixed"},
    {"log_stiffness": 6.0, "dt": 1e-5, "stepping": "fixed"},
    {"log_stiffness": 6.0, "dt": 1e-6, "stepping": "tolerance"},
    {"log_stiffness": 8.0, "dt": 1e-4, "stepping": "fixed"},
]


class Watch:
    """Remembers every file opened below `roots` from now on, relative to its root."""

    def __init__(self, roots):
        self.roots = [root.rstrip("/") + "/" for root in roots]
        self.read = set()
        sys.addaudithook(self._hear)

    def _hear(self, event, arguments):
        if event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
            self.add(os.fsdecode(arguments[0]))

    def add(self, path):
        path = os.path.normpath(path)
        for root in self.roots:
            if path.startswith(root):
                self.read.add(path[len(root):])


def exercise(lesson):
    from ferrolab.site.session import Session

    counts = collections.Counter()
    document = {}
    seq = 0

    def post(kind, text, buffers):
        nonlocal seq
        counts[kind] += 1
        message = json.loads(text)
        if kind == "document":
            document.update(message)
        if kind == "readout":
            seq = message["seq"]

    session = Session(lesson, None, "light", post)
    session.open()
    rename = {"kind": "ModelChanged", "model": {"id": document["root_id"]}, "attr": "name", "new": "exercised"}
    session.receive("patch", json.dumps({"events": [rename]}))
    for settings in SETTINGS:
        session._bench.set_controls(settings)
        session._bridge.flush()
        session.receive("settled", json.dumps({"seq": seq}))
    for scheme in ("dark", "light"):
        session.receive("scheme", json.dumps({"scheme": scheme}))
    session.receive("reset", "{}")
    return counts, len(session._document.models)


def run(argument):
    watch = Watch(argument["roots"])
    counts, models = exercise(argument["lesson"])
    for module in list(sys.modules.values()):
        for path in (getattr(module, "__file__", None), getattr(getattr(module, "__spec__", None), "origin", None)):
            if isinstance(path, str):
                watch.add(path)
    return {"read": sorted(watch.read), "models": models, "messages": dict(counts)}
