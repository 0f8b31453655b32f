"""Long work says where it is, on the standard error stream."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

Tell = Callable[[str], None]
"""Called with a few words about what is being computed."""


def quiet(words: str) -> None:
    """Say nothing."""


class Reporter:
    """One line per part on a stream; on a terminal the line is rewritten while the part runs."""

    def __init__(self, total: int, stream=None) -> None:
        self.stream = stream or sys.stderr
        self.total, self.number, self.title = total, 0, ""
        self.live = bool(getattr(self.stream, "isatty", lambda: False)())
        self.since = 0.0

    def start(self, title: str) -> None:
        self.number, self.title, self.since = self.number + 1, title, time.monotonic()
        if self.live:
            self.tell("")

    def tell(self, words: str) -> None:
        if self.live:
            print(f"\r\x1b[K{self._head()} {words}", end="", file=self.stream, flush=True)

    def done(self) -> None:
        start = "\r\x1b[K" if self.live else ""
        print(f"{start}{self._head()} {time.monotonic() - self.since:.1f} s", file=self.stream, flush=True)

    def _head(self) -> str:
        return f"[{self.number}/{self.total}] {self.title}"
