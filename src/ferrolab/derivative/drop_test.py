"""The restitution a simulator realises: drop the mass, see how fast it comes back."""

from __future__ import annotations

import numpy as np

from ferrolab.derivative.base import Stepper
from ferrolab.hybrid import located_adaptive, located_fixed
from ferrolab.integrate.base import FixedStepper
from ferrolab.integrate.adapt_lane import Until, adapt_lanes, fits
from ferrolab.integrate.dormand_prince import DormandPrince, adapt
from ferrolab.integrate.event_driven import EventDriven, exact_restitution
from ferrolab.integrate.leap import leap
from ferrolab.integrate.walk import Push
from ferrolab.systems import BouncingMass

# A contact that has not ended after this many periods of its undamped spring has come to rest.
PERIODS_TO_REST = 20.0

# Steps after which a rigid mass that has not come up again counts as staying down.
LONGEST_RIGID_DROP = 1e4

ABOVE_AND_RISING = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


def restitution(system: BouncingMass, speed: np.ndarray, stepper: Stepper, located: bool = False) -> np.ndarray:
    """Rebound over impact speed, with the same law and the same stepping as the experiment.

    Starts at the plane moving down at `speed` and steps until the mass is above the plane and rising; then
    `e = sqrt(v^2 + 2 g h) / speed`. 0 where it stays.

    Args:
        speed: (lanes,) m/s, greater than 0. located: events are located inside their step (the event-aware route).

    Returns:
        (lanes,) dimensionless.
    """
    speed = np.atleast_1d(np.asarray(speed, dtype=float))
    if system.has_impulse and (located or not isinstance(stepper, FixedStepper)):
        return np.broadcast_to(system.law.restitution, speed.shape).copy()
    if isinstance(stepper, EventDriven):
        return exact_restitution(system, speed)
    x = _end(system, np.stack([np.zeros_like(speed), -speed]), stepper, located)
    energy = np.maximum(x[1] ** 2 + 2.0 * system.gravity * x[0], 0.0)
    # On a grid the mass must be above the plane; under a tolerance and located it is enough that nothing pushes.
    above = (x[0] > 0.0) | located | (not isinstance(stepper, FixedStepper))
    return np.where((x[1] > 0.0) & above & (energy > 0.0), np.sqrt(energy) / speed, 0.0)


def _end(system: BouncingMass, x: np.ndarray, stepper: Stepper, located: bool) -> np.ndarray:
    lanes = x.shape[-1]
    if system.has_impulse:
        # One step reaches below the plane, the next one turns back, and about 1/e more come up again.
        slowest = float(np.min(system.law.restitution, where=system.law.restitution > 0.0, initial=1.0))
        longest = stepper.dt * min(4.0 + 4.0 / slowest, LONGEST_RIGID_DROP)
    else:
        longest = PERIODS_TO_REST * 2.0 * np.pi / np.sqrt(np.min(system.law.stiffness))
    if not located:
        if isinstance(stepper, FixedStepper):
            steps = int(np.ceil(longest / stepper.dt)) + 2
            return leap(system, stepper, x[:, None], steps, until=ABOVE_AND_RISING)[0][:, 0]
        if fits(system, lanes):
            return _adapted(system, stepper, x, longest)
        free = lambda s: ~system.touching(s) & _escapes(s[0], s[1], system.gravity)  # noqa: E731
        return adapt(stepper, system.variational_field, x[:, None], longest, until=free)[0][:, 0]
    ends = []
    for i in range(lanes):
        start, hybrid = x[:, None, i], system.hybrid(i, lanes)
        if isinstance(stepper, FixedStepper):
            steps = int(np.ceil(longest / stepper.dt)) + 2
            end = located_fixed(hybrid, stepper, start, steps, until_mode="flight", mode="contact")
        else:
            end = located_adaptive(hybrid, stepper, start, longest, until_mode="flight", mode="contact")
        ends.append(end.y[:, 0])
    return np.stack(ends, axis=-1)


def _adapted(system: BouncingMass, stepper: DormandPrince, x: np.ndarray, longest: float) -> np.ndarray:
    def free(push: Push) -> Until:
        return lambda h, v: push(h, v)[0] <= 0.0 and _escapes(h, v, system.gravity)

    return adapt_lanes(system, stepper, x[:, None], longest, until=free)[0][:, 0]


def _escapes(h, v, gravity: float):
    """Rising fast enough to reach the plane: a step may be longer than the whole flight, so it is not awaited there."""
    return (v > 0.0) & (v * v + 2.0 * gravity * h > 0.0)
