"""From a path into the data of a TOML file to the line a person should look at.

`tomllib` keeps no positions, so this reads the headers again: good for files written as lessons are (one key a
line, arrays of tables under `[[...]]`), and never worse than the line of the nearest table above.
"""

from __future__ import annotations

import re

from ferrolab.lesson.reader import Path

_HEADER = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_.\-]+)\s*\]\]?")


def line_of(text: str, path: Path) -> int:
    """The line (from 1) of `path` in the TOML `text`; 0 for the empty path."""
    best, wanted = (1 if path else 0), tuple(path)
    here: Path = ()
    counts: dict[Path, int] = {}
    depth = -1
    skip = wanted[-2] if len(wanted) > 1 and isinstance(wanted[-2], int) else 0  # tables of an inline array before it
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        if header:
            here = _enter(header.group(2).split("."), header.group(1) == "[[", counts)
            key: Path = here
        else:
            match = re.match(r"\s*([A-Za-z0-9_.\-\"']+)\s*=", line)
            if not match:
                if here == wanted[: len(here)] and depth >= 0 and _mentions(line, wanted, depth):
                    if skip == 0:
                        best, depth = number, len(wanted)
                    skip -= 1
                continue
            key = (*here, *match.group(1).replace('"', "").replace("'", "").split("."))
        if key == wanted[: len(key)] and len(key) > depth:
            best, depth = number, len(key)
    return best


def _enter(names: list[str], is_array: bool, counts: dict[Path, int]) -> Path:
    """The path of a header; an array's header counts up, and resets the arrays below it."""
    path: Path = ()
    for i, name in enumerate(names):
        path = (*path, name)
        if is_array and i == len(names) - 1:
            counts[path] = counts.get(path, -1) + 1
            for other in [p for p in counts if p[: len(path)] == path and p != path]:
                del counts[other]
            path = (*path, counts[path])
        elif path in counts:
            path = (*path, counts[path])
    return path


def _mentions(line: str, wanted: Path, depth: int) -> bool:
    """Whether a line inside a multi-line array names the last key of `wanted`, as { id = "x", labell = ... } does."""
    last = wanted[-1]
    return isinstance(last, str) and depth < len(wanted) and re.search(rf"\b{re.escape(last)}\s*=", line) is not None
