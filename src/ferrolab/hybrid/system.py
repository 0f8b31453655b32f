"""Hybrid systems: smooth modes, guards between them, resets on the guards. Any dimension, any functions.

>>> import numpy as np
>>> ground = Guard("ground", lambda x: x[0], target="fall", reset=lambda x: np.array([x[0], -0.8 * x[1]]))
>>> ball = HybridSystem(2, {"fall": Mode(lambda x: np.array([x[1], -10.0 + 0 * x[0]]), guards=(ground,))})

Functions are of one state, `x` (n,). Derivatives that are not given are taken by a complex step, or by differences
where the function does not accept complex numbers; so write them with numpy's arithmetic and without `abs`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field

import numpy as np

from ferrolab.hybrid.differentiate import derivative_of
from ferrolab.integrate.base import AffineMode, Functional
from ferrolab.integrate.walk import Push
from ferrolab.validate import InvalidInput

State = np.ndarray


@dataclass(frozen=True)
class Guard:
    """A surface `value(x) = 0` that ends a mode when it is crossed in `direction`.

    Attributes:
        value: x (n,) -> number. gradient: x -> (n,), or None to have it taken.
        direction: +1 when the value rises through zero, -1 when it falls, 0 for both.
        target: name of the mode that follows; None ends the rollout there (a terminal event).
        reset, reset_jacobian: x -> (n,) and (n, n), applied at the crossing; no reset is the identity.
        rests: (x after the reset, step (s)) -> True where the system has come to rest there: rebounds shorter than
            a fixed step (the step is 0 under a tolerance). Accumulating impacts are recognised without it.
        rest_mode: the mode entered at rest; None freezes the state, which is right for a mass on a plane.
        linear: `(a, b, c)` when n = 2 and the value is `a x0 + b x1 + c`, so that steps can be leapt over.
    """

    name: str
    value: Callable[[State], float]
    gradient: Callable[[State], State] | None = None
    direction: int = -1
    target: str | None = None
    reset: Callable[[State], State] | None = None
    reset_jacobian: Callable[[State], np.ndarray] | None = None
    rests: Callable[[State, float], bool] | None = None
    rest_mode: str | None = None
    linear: Functional | None = None

    def gradient_at(self, x: State) -> State:
        """ds/dx, (n,)."""
        return np.asarray(derivative_of(self.value, x) if self.gradient is None else self.gradient(x), dtype=float)

    def after(self, x: State) -> State:
        """The state after the reset, (n,)."""
        return x.copy() if self.reset is None else np.asarray(self.reset(x))

    def reset_derivative(self, x: State) -> np.ndarray | None:
        """DR, (n, n); None for the identity."""
        if self.reset is None:
            return None
        if self.reset_jacobian is not None:
            return np.asarray(self.reset_jacobian(x), dtype=float)
        return derivative_of(self.reset, x)


@dataclass(frozen=True)
class Mode:
    """A smooth piece of the dynamics, given by its field or as an opaque flow, and the guards that end it.

    Attributes:
        field: x (n,) -> dx/dt (n,). jacobian: x -> (n, n), or None to have it taken.
        guards: the guards watched in this mode.
        flow: (x, t) -> x after t seconds: a simulator one cannot look into. Its Jacobian is differenced, and the
            field at events is its rate at t = 0 unless `field` is given too.
        affine: the same field in matrix form (n = 2), so that steps can be leapt over; else None.
        push: the same contact in plain floats (see `integrate.walk`), with gravity, for a mode that is left when
            the push ends; else None. bilinear: see `integrate.glide`, where that push is a polynomial; else None.
    """

    field: Callable[[State], State] | None = None
    jacobian: Callable[[State], np.ndarray] | None = None
    guards: tuple[Guard, ...] = ()
    flow: Callable[[State, float], State] | None = None
    affine: AffineMode | None = None
    push: tuple[Push, float] | None = None
    bilinear: tuple[float, float, float] | None = None

    def __post_init__(self) -> None:
        if self.field is None and self.flow is None:
            raise InvalidInput("field", None, "a function of the state, or else flow must be given")

    def rate(self, x: State) -> State:
        """dx/dt at x, (n,)."""
        if self.field is not None:
            return np.asarray(self.field(x))
        h = RATE_PROBE
        one, two, four = (self.flow(x, factor * h) - x for factor in (1.0, 2.0, 4.0))
        return (32.0 * one - 12.0 * two + four) / (12.0 * h)

    def jacobian_at(self, x: State) -> np.ndarray:
        """d field / d x, (n, n)."""
        return np.asarray(derivative_of(self.field, x) if self.jacobian is None else self.jacobian(x), dtype=float)

    def variational_field(self, y: np.ndarray) -> np.ndarray:
        """State in `y[:, 0]`, tangents in `y[:, 1:]`."""
        x = y[:, 0]
        if y.shape[1] == 1:
            return np.asarray(self.field(x))[:, None]
        return np.column_stack([self.field(x), self.jacobian_at(x) @ y[:, 1:]])


# One-sided third-order differences in time of an opaque flow: error (probe)^3, rounding 1e-16/probe.
RATE_PROBE = 1e-4


@dataclass(frozen=True)
class HybridSystem:
    """Modes by name, and the rule that says which one a state starts in.

    Attributes:
        dimension: n. modes: name -> `Mode`. initial_mode: x (n,) -> name; None is the first mode.

    Raises:
        InvalidInput: there is no mode, or a guard leads to a mode that does not exist.
    """

    dimension: int
    modes: Mapping[str, Mode]
    initial_mode: Callable[[State], str] | None = dataclass_field(default=None)

    def __post_init__(self) -> None:
        if not self.modes:
            raise InvalidInput("modes", self.modes, "at least one mode by name")
        for mode in self.modes.values():
            for guard in mode.guards:
                for target in (guard.target, guard.rest_mode):
                    if target is not None and target not in self.modes:
                        raise InvalidInput(f"target of guard {guard.name!r}", target, f"one of {', '.join(self.modes)}")

    def mode_of(self, x: State) -> str:
        """Name of the mode a rollout from x starts in."""
        return next(iter(self.modes)) if self.initial_mode is None else self.initial_mode(x)
