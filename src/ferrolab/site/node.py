"""Running Python inside Pyodide under Node: the build compiles and checks with the page's own Python."""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .errors import RuntimeCheckError, SiteError

INSIDE = Path(__file__).with_name("inside")
OLDEST_NODE = 20
TIME_LIMIT = 300.0
"""Seconds one job may take; the slowest takes about 10."""


def require_node() -> str:
    """Return the path of a Node that is new enough.

    Raises
    ------
    SiteError
        If there is none, or it is older than version 20.
    """
    node = shutil.which("node")
    if node is None:
        raise SiteError(f"node is not installed; the build needs Node {OLDEST_NODE} or newer (with npm) on the PATH")
    told = subprocess.run([node, "--version"], capture_output=True, text=True).stdout.strip()
    version = re.match(r"v(\d+)", told)
    if version is None or int(version[1]) < OLDEST_NODE:
        raise SiteError(f"{node} is version {told or 'unknown'}; the build needs Node {OLDEST_NODE} or newer")
    return node


def run_in_pyodide(
    script: str,
    argument: Any,
    *,
    core: Path,
    stdlib: Path | None = None,
    mounts: Mapping[str, Path] = {},
    packs: Sequence[Path] = (),
    unpack: Path | None = None,
    path: Sequence[str] = (),
    env: Mapping[str, str] = {},
    snapshot: Mapping[str, Any] | None = None,
    then: tuple[str, Any] | None = None,
) -> Any:
    """Call ``run(argument)`` of ``inside/<script>`` in Pyodide and return its JSON-able result.

    Parameters
    ----------
    core
        Folder with the Pyodide files.
    stdlib
        Another standard library than the one in `core`.
    mounts
        Host folders by their path inside; writes go through.
    packs, unpack
        Archives to unpack into site-packages, and the JavaScript module that does it (the page's own).
    path
        Entries to put in front of ``sys.path``.
    snapshot
        What ``inside/driver.mjs`` must know to make or to restore a memory snapshot.
    then
        Another script and its argument to run after the first; the result is that of the last.

    Raises
    ------
    RuntimeCheckError
        With the end of Python's traceback, if the script raised.
    """
    job = {
        "core": str(core), "stdlib": str(stdlib) if stdlib else None, "script": str(INSIDE / script),
        "mounts": {inside: str(host) for inside, host in mounts.items()},
        "packs": [str(pack) for pack in packs], "unpack": str(unpack) if unpack else None,
        "path": list(path), "env": dict(env), "argument": argument, "snapshot": snapshot,
        "then": [str(INSIDE / then[0]), then[1]] if then else None,
    }
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(job, file)
        file.flush()
        try:
            done = subprocess.run(
                [require_node(), str(INSIDE / "driver.mjs"), file.name],
                capture_output=True, text=True, timeout=TIME_LIMIT,
            )
        except subprocess.TimeoutExpired:
            raise RuntimeCheckError(f"{script} in Pyodide did not end within {TIME_LIMIT:.0f} s") from None
    try:
        answer = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        raise RuntimeCheckError(f"{script} in Pyodide gave no answer: {(done.stderr or done.stdout)[-800:]}") from None
    if "error" in answer:
        raise RuntimeCheckError(f"{script} failed in Pyodide:\n{answer['error']}\n{done.stderr[-800:]}".rstrip())
    return answer["result"]
