"""`rollout` and `jacobian`: any system, any stepper, any route, lanes in front."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
from numpy.typing import ArrayLike

from ferrolab.derivative.autodiff import Autodiff
from ferrolab.derivative.base import Linearisation, Stepper, advance
from ferrolab.derivative.event_aware import EventAware
from ferrolab.derivative.finite_difference import FiniteDifference
from ferrolab.integrate.base import Rollout, Stats
from ferrolab.systems import BouncingMass
from ferrolab.validate import InvalidInput, finite, positive

Route = Autodiff | FiniteDifference | EventAware


def rollout(system: BouncingMass, x0: ArrayLike, horizon: float, stepper: Stepper) -> Rollout:
    """Advance `x0` to the horizon.

    Args:
        system: a `BouncingMass`. Its law's parameters and `x0` broadcast against each other, lane by lane.
        x0: (..., 2), heights (m) and velocities (m/s, up positive). horizon: s, greater than 0.
        stepper: `SemiImplicitEuler(dt)`, `ExplicitEuler(dt)`, `RungeKutta4(dt)`, `DormandPrince(rtol)`, `EventDriven()`.

    Raises:
        InvalidInput: an argument is out of range or of the wrong shape.
    """
    system, x, horizon, shape = _flattened(system, x0, horizon)
    end = advance(system, x[:, None], horizon, stepper)
    return Rollout(_leading(end.y[:, 0], shape), end.status.reshape(shape), _shaped(end.stats, shape))


def jacobian(system: BouncingMass, x0: ArrayLike, horizon: float, stepper: Stepper, route: Route) -> Linearisation:
    """The final state and its derivative with respect to `x0`, by the named route. Arguments as for `rollout`.

    Args:
        route: `Autodiff()`, `FiniteDifference(probe)` or `EventAware()`.
    """
    system, x, horizon, shape = _flattened(system, x0, horizon)
    found = route.linearise(system, x, horizon, stepper)
    return Linearisation(
        _leading(found.state, shape),
        _leading(found.jacobian, shape),
        found.status.reshape(shape),
        _shaped(found.stats, shape),
    )


def _flattened(system: BouncingMass, x0: ArrayLike, horizon: float) -> tuple[BouncingMass, np.ndarray, float, tuple]:
    x0 = finite("x0", x0)
    if x0.ndim == 0 or x0.shape[-1] != system.dimension:
        raise InvalidInput("x0", x0.shape, f"of shape (..., {system.dimension}), height and velocity last")
    horizon = float(positive("horizon", horizon))
    parameters = {f.name: getattr(system.law, f.name) for f in fields(system.law)}
    try:
        shape = np.broadcast_shapes(x0.shape[:-1], *(np.shape(value) for value in parameters.values()))
    except ValueError:
        raise InvalidInput("x0", x0.shape, "broadcastable against the lanes of the contact law") from None
    law = replace(system.law, **{name: np.broadcast_to(value, shape).ravel() for name, value in parameters.items()})
    lanes = np.broadcast_to(x0, (*shape, system.dimension)).reshape(-1, system.dimension)
    return replace(system, law=law), lanes.T.copy(), horizon, shape


def _leading(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """(components..., lanes) -> (lanes' shape..., components...)."""
    return np.moveaxis(array, -1, 0).reshape(*shape, *array.shape[:-1])


def _shaped(stats: Stats, shape: tuple[int, ...]) -> Stats:
    return Stats(*(np.asarray(part).reshape(shape) for part in (stats.accepted, stats.rejected, stats.evaluations)))
