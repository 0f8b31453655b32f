"""Refuse bad input at the edge, in one sentence: which argument, what it was, what it must be."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike


class InvalidInput(ValueError):
    """An argument is outside what the library accepts. The message names it, shows it and says what it must be."""

    def __init__(self, name: str, given: object, required: str) -> None:
        self.name, self.given, self.required = name, given, required
        super().__init__(f"{name} was {given!r}; it must be {required}.")


def finite(name: str, value: ArrayLike) -> np.ndarray:
    """`value` as an array of floats, all finite. Raises `InvalidInput`."""
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise InvalidInput(name, value, "a number, or an array of numbers") from None
    if not np.all(np.isfinite(array)):
        raise InvalidInput(name, value, "finite (no NaN, no infinity)")
    return array


def positive(name: str, value: ArrayLike) -> np.ndarray:
    """`value` as an array of floats, all finite and above zero. Raises `InvalidInput`."""
    array = finite(name, value)
    if not np.all(array > 0):
        raise InvalidInput(name, value, "greater than 0")
    return array


def not_negative(name: str, value: ArrayLike) -> np.ndarray:
    """`value` as an array of floats, all finite and at least zero. Raises `InvalidInput`."""
    array = finite(name, value)
    if not np.all(array >= 0):
        raise InvalidInput(name, value, "0 or greater")
    return array


def within(name: str, value: ArrayLike, low: float, high: float) -> np.ndarray:
    """`value` as an array of floats, all in [low, high]. Raises `InvalidInput`."""
    array = finite(name, value)
    if not np.all((array >= low) & (array <= high)):
        raise InvalidInput(name, value, f"between {low:g} and {high:g}")
    return array


def one_of(name: str, value: str, choices: Iterable[str]) -> str:
    """`value` if it is one of `choices`. Raises `InvalidInput` with the list of them."""
    names = list(choices)
    if value not in names:
        raise InvalidInput(name, value, "one of " + ", ".join(names))
    return value
