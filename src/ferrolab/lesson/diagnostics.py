"""What can be wrong with a lesson, each with a code that stays the same between versions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ferrolab.lesson.rules import RULES

CODES: dict[str, str] = {rule.code: rule.title for rule in RULES}


@dataclass(frozen=True, order=True)
class Diagnostic:
    """One thing wrong with a lesson: where, what, and how to put it right.

    `line` counts from 1; 0 means the file as a whole.
    """

    file: str
    line: int
    code: str
    message: str
    fix: str

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"diagnostic code must be one of {', '.join(CODES)}, not {self.code!r}")

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.code} {self.message} {self.fix}"

    def as_dict(self) -> dict[str, Any]:
        """The same as JSON-able fields."""
        return {"file": self.file, "line": self.line, "code": self.code, "message": self.message, "fix": self.fix}


def sentence(error: Exception) -> str:
    """The message of `error`, ended as a sentence."""
    text = str(error)
    return text if text.endswith((".", "?", "!")) else f"{text}."


class LessonError(ValueError):
    """A lesson that cannot be used; `diagnostics` says why."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(d) for d in self.diagnostics))
