"""The golden figures of tests/data, loaded once. Their sources stand in tests/data/README.md."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

DATA = Path(__file__).parent.parent / "data"


@lru_cache(maxsize=None)
def _load(name: str) -> dict:
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def closed_form() -> list[dict]:
    """The spring-damper bounce at 50 digits, one entry per stiffness."""
    return _load("closed_form.json")["cases"]


def lab() -> dict:
    """The figures of the independent implementation of the lab."""
    return _load("ferromotion_lab.json")


def at(rows: list[dict], log_k: float, dt: float | None = None) -> dict:
    """The one row at this stiffness (and step)."""
    (row,) = [row for row in rows if row["log_k"] == log_k and (dt is None or row["dt"] == dt)]
    return row
