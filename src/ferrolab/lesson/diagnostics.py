"""What can be wrong with a lesson, each with a code that stays the same between versions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

CODES: dict[str, str] = {
    "L001": "a file or folder of the lesson is missing or cannot be read",
    "L002": "a file is not valid TOML or JSON",
    "L003": "a key the format does not know",
    "L004": "a required key is missing",
    "L005": "a value of the wrong kind or outside its range",
    "L006": "an id used twice",
    "L007": "a quantity the readout does not have",
    "L008": "a reference to something the lesson does not declare",
    "L010": "the six parts are missing, out of order or doubled",
    "L011": "a directive that does not exist or is not written as it must be",
    "L012": "something declared in lesson.toml that the prose never places",
    "L013": "HTML in the prose",
    "L014": "a link or picture that leaves the lesson",
    "L015": "an equation that cannot be converted",
    "L020": "a living figure that is not written as it must be",
    "L021": "a living figure whose digits no longer hold",
    "L022": "a bare measured number in prose",
    "L030": "a trail that cannot be read",
    "L031": "a trail whose recorded figures are not what the library computes",
    "L032": "a trail that grades otherwise than its name says",
    "L033": "a trail the lesson needs and does not have",
}


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


class LessonError(ValueError):
    """A lesson that cannot be used; `diagnostics` says why."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(str(d) for d in self.diagnostics))
