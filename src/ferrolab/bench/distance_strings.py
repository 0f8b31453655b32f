"""Every string the learner reads on the bench of lesson 3: [bench.distance] of the words in use (see `strings.py`)."""

from __future__ import annotations

from typing import Any

from .strings import in_use


def __getattr__(name: str) -> Any:
    if not name.isupper():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return in_use()["bench"]["distance"][name.lower()]
    except KeyError:
        raise AttributeError(f"the words in use have no bench.distance.{name.lower()}; add it to every file in ferrolab/words.") from None
