"""Reverse mode: every operation is written down, and cotangents are pulled back through the record."""

from __future__ import annotations

from typing import Any

import numpy as np

from ferrolab.derivative.elementwise import Differentiable


class Tape:
    """The record of a computation, in the order it ran. Each line: the arguments' lines and their partials."""

    def __init__(self) -> None:
        self._lines: list[list[tuple[int, Any]]] = []

    def variable(self, value: np.ndarray) -> Recorded:
        """`value` (lanes...) as an independent variable."""
        return self.write(value, [])

    def write(self, value: np.ndarray, line: list[tuple[int, Any]]) -> Recorded:
        self._lines.append(line)
        return Recorded(value, self, len(self._lines) - 1)

    def pull_back(self, outputs: list[Recorded], cotangents: list[np.ndarray], inputs: list[Recorded]) -> list[np.ndarray]:
        """Cotangents of the inputs, from those of the outputs: (rows, lanes...) each."""
        gathered: dict[int, np.ndarray] = {}

        def give(line: int, cotangent: np.ndarray) -> None:
            gathered[line] = gathered[line] + cotangent if line in gathered else cotangent

        for output, cotangent in zip(outputs, cotangents):
            give(output.line, cotangent)
        nothing = np.zeros_like(cotangents[0])
        wanted = {x.line: nothing for x in inputs}
        for line in reversed(range(len(self._lines))):
            if (cotangent := gathered.pop(line, None)) is None:
                continue
            if line in wanted:
                wanted[line] = cotangent
            for argument, partial in self._lines[line]:
                give(argument, partial * cotangent)
        return [wanted[x.line] for x in inputs]


class Recorded(Differentiable):
    """A value (lanes...) and the line of the tape it stands on."""

    __slots__ = ("line", "tape", "value")

    def __init__(self, value: np.ndarray, tape: Tape, line: int) -> None:
        self.value, self.tape, self.line = value, tape, line

    def follow(self, value: np.ndarray, chain: list[tuple[Any, Any]]) -> Recorded:
        return self.tape.write(value, [(x.line, partial) for x, partial in chain])
