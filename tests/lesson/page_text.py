"""What a reader, or a screen reader, is told by a page."""

from __future__ import annotations

import re
from html.parser import HTMLParser


class Text(HTMLParser):
    """The text of a page, and the alternative text of its pictures."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.in_data = False
        self.parts: list[str] = []
        self.feed(html)

    def handle_endtag(self, tag: str) -> None:
        self.in_data = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "svg":
            self.parts.append(dict(attrs).get("aria-label") or "")

        self.in_data = tag == "script"

    def handle_data(self, data: str) -> None:
        if not self.in_data:
            self.parts.append(data)

    def __str__(self) -> str:
        return re.sub(r"\s+", " ", "".join(self.parts))
