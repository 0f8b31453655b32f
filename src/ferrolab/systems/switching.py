"""A mass on a switching field: no reset, no contact, only a right-hand side that changes where a surface is crossed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ferrolab.hybrid.system import Guard, HybridSystem, Mode


def switching_field(
    dimension: int,
    surface: Callable[[np.ndarray], float],
    below: Callable[[np.ndarray], np.ndarray],
    above: Callable[[np.ndarray], np.ndarray],
) -> HybridSystem:
    """`dx/dt = below(x)` where `surface(x) < 0`, `above(x)` where it is positive.

    Args:
        dimension: n. surface: (n,) -> number, with a gradient that does not vanish where it is zero.
        below, above: the two fields, (n,) -> (n,).
    """
    up = Guard("switches on", surface, direction=+1, target="above")
    down = Guard("switches off", surface, direction=-1, target="below")
    modes = {"below": Mode(below, guards=(up,)), "above": Mode(above, guards=(down,))}

    def initial_mode(x: np.ndarray) -> str:
        s = float(np.real(surface(x)))
        if s == 0.0:
            # On the surface: where the field leads decides.
            step = 1e-8 * np.real(above(x))
            s = float(np.real(surface(np.real(x) + step)))
        return "above" if s > 0.0 else "below"

    return HybridSystem(dimension, modes, initial_mode)
