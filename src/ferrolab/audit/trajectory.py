"""Height over time, for the pictures: the law as it is stepped, and the rigid impact beside it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.audit.settings import Settings
from ferrolab.derivative.drop_test import restitution
from ferrolab.integrate.dormand_prince import adapt
from ferrolab.integrate.event_driven import exact_flow
from ferrolab.integrate.leap import leap
from ferrolab.validate import InvalidInput, finite


@dataclass(frozen=True)
class Trajectory:
    """Sampled heights.

    Attributes:
        time: (samples,) s. height: (samples,) m, of the law as it is stepped. height_rigid: (samples,) m.
        impact_time: when the rigid mass first meets the plane (s), infinity if it does not.
        contact_time: how long the exact spring-damper pushes within the horizon (s); 0 for the other laws.
    """

    time: np.ndarray
    height: np.ndarray
    height_rigid: np.ndarray
    impact_time: float
    contact_time: float


def trajectory(settings: Settings, samples: int = 400, window: tuple[float, float] | None = None) -> Trajectory:
    """Sample the drop at `samples` times, each of them a lane of its own.

    Args:
        window: (start, stop) in seconds, inside the horizon; None is all of it.

    Under a fixed step every sample is moved to the nearest state of the grid, so a coarse step looks coarse. Under
    a tolerance the laws with a closed form are drawn from it: the two differ by less than a line is wide.
    """
    start, stop = finite("window", window if window is not None else (0.0, settings.horizon))
    if not 0.0 <= start < stop:
        raise InvalidInput("window", window, "two times in seconds, the first at least 0 and the second later")
    lanes, one = np.linspace(start, stop, samples), np.array([settings.stiffness])
    stepper = settings.stepper_in_use
    e = restitution(settings.system(one), np.array([settings.impact_speed]), stepper)
    system = settings.system(np.full(samples, settings.stiffness))
    x = np.repeat(settings.start[:, None], samples, axis=1)
    if settings.stepping == "fixed":
        steps = np.round(lanes / settings.dt)
        time, height = steps * settings.dt, leap(system, stepper, x[:, None], steps)[0][0, 0]
    elif system.contact() is not None or system.has_impulse:
        time, height = lanes, exact_flow(system, x, lanes).state[0]
    else:
        time, height = lanes, adapt(stepper, system.variational_field, x[:, None], lanes)[0][0, 0]
    rebound = np.where(np.isfinite(e), e, 0.0)
    flow = exact_flow(settings.rigid(np.repeat(rebound, samples)), x, time)
    last = exact_flow(settings.rigid(rebound), x[:, :1], settings.horizon)
    pushed = settings.system(one)
    contact = exact_flow(pushed, x[:, :1], settings.horizon).contact_time[0] if pushed.contact() is not None else 0.0
    return Trajectory(time, height, flow.state[0], float(last.first_event[0]), float(contact))
