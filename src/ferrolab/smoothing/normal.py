"""Normal random numbers from a key and a counter, with nothing but array arithmetic.

numpy's own generators are compiled modules of a megabyte and a half, which a page would have to load before it could
draw the first sample. Each number here depends on its place alone, so that samples can be drawn in any order.
"""

from __future__ import annotations

import numpy as np

# SplitMix64: the odd number nearest to 2^64 over the golden ratio, and the two multipliers of its mixing function.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)

# A double has 53 digits.
_DIGITS, _UNIT = np.uint64(11), 2.0**-53


def mixed(state: np.ndarray) -> np.ndarray:
    """SplitMix64's mixing function on unsigned 64-bit numbers (Steele, Lea and Flood, OOPSLA 2014)."""
    state = (state ^ (state >> np.uint64(30))) * _FIRST
    state = (state ^ (state >> np.uint64(27))) * _SECOND
    return state ^ (state >> np.uint64(31))


def standard_normal(seed: int, stream: int, size: int) -> np.ndarray:
    """(size,) independent standard normal numbers; streams of one seed do not repeat one another.

    Two uniform numbers make each (Box and Muller, 1958).
    """
    key = mixed(mixed(np.array([seed], dtype=np.uint64) + _STEP) + _STEP * np.array([stream + 1], dtype=np.uint64))
    bits = mixed(key + _STEP * np.arange(1, 2 * size + 1, dtype=np.uint64)) >> _DIGITS
    radius, angle = (bits[:size] + np.uint64(1)) * _UNIT, bits[size:] * _UNIT
    return np.sqrt(-2.0 * np.log(radius)) * np.cos(2.0 * np.pi * angle)
