"""The moment of touch-down: the force on either side of it, and how long the contact lasts.

Whether the force jumps there is what decides the case: a contact whose force starts from zero has no entry term to
lose. All of it is the law's own continuous flow; no fixed step takes part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ferrolab.audit.settings import Settings
from ferrolab.hybrid import located_adaptive
from ferrolab.integrate import DormandPrince
from ferrolab.integrate.dormand_prince import adapt
from ferrolab.integrate.event_driven import exact_flow, time_to_plane
from ferrolab.validate import InvalidInput, finite, one_of

# Without a closed form the contact is integrated this tightly: far below the width of a line.
TOLERANCE = DormandPrince(rtol=1e-10)
# The laws whose force can be sampled; a rigid impact has none.
FORCE_LAWS = ("kelvin-voigt", "hunt-crossley")


@dataclass(frozen=True)
class Entry:
    """The first touch-down.

    Attributes:
        speed: at which the mass meets the plane (m/s). jump: of the force per unit mass there (m/s^2).
        impact_time: s after the start. contact_time: how long the force then acts within the horizon (s).
    """

    speed: float
    jump: float
    impact_time: float
    contact_time: float

    @property
    def saltation(self) -> list[list[float]]:
        """The matrix of touch-down (2 x 2): `Xi = I + (f+ - f-) (ds/dx) / (ds/dx . f-)` with guard `s = h`.

        The fields differ by (0, jump) and the height changes at -speed, so only `-jump / speed` (1/s) is not of the
        identity: `-c` for a spring-damper, 0 for a force that starts from zero.
        """
        # Adding zero keeps a minus off it.
        return [[1.0, 0.0], [0.0 - self.jump / self.speed, 1.0]]

    def steps(self, dt: float) -> int:
        """How many steps of a grid of `dt` (s), which starts with the drop, the contact touches."""
        return int(np.ceil((self.impact_time + self.contact_time) / dt) - np.floor(self.impact_time / dt))


def entry(settings: Settings) -> Entry:
    """Describe the first touch-down of the law asked for; the stepping and the derivative do not matter.

    Raises:
        InvalidInput: the law is rigid, which has no force.
    """
    one_of("law", settings.law, FORCE_LAWS)
    return _entry(replace(settings, dt=Settings.dt, stepping="fixed", derivative=None, saltation=True))


@lru_cache(maxsize=256)
def _entry(settings: Settings) -> Entry:
    system, speed = settings.system(np.array([settings.stiffness])), settings.impact_speed
    impact = float(time_to_plane(*settings.start[:, None], settings.gravity)[0])
    jump = float(np.ravel(system.law.unclamped_force(np.zeros(1), np.array([-speed])))[0])
    start, left = np.array([[0.0], [-speed]]), settings.horizon - impact
    if left <= 0.0:
        lasts = 0.0
    elif system.contact() is not None:
        lasts = float(exact_flow(system, start, left).contact_time[0])
    else:
        lasts = located_adaptive(system.hybrid(0, 1), TOLERANCE, start, left, until_mode="flight", mode="contact").time
    return Entry(speed, jump + 0.0, impact, float(lasts))


def force_near_entry(settings: Settings, window: tuple[float, float], samples: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Sample the contact force around touch-down.

    Args:
        window: (start, stop) in seconds after touch-down; start may be negative, stop must be positive.
        samples: how many times after touch-down, both ends included.

    Returns:
        (time, force): s after touch-down and m/s^2. Where the force jumps, time 0 stands twice: before and after.

    Raises:
        InvalidInput: the law is rigid, or the window does not reach past touch-down.
    """
    one_of("law", settings.law, FORCE_LAWS)
    start, stop = finite("window", window)
    if not start <= 0.0 < stop:
        raise InvalidInput("window", window, "two times in seconds after touch-down, the first at most 0, the second greater")
    after = np.linspace(0.0, stop, samples)
    system = settings.system(np.full(samples, settings.stiffness))
    x = np.repeat([[0.0], [-settings.impact_speed]], samples, axis=1)
    if system.contact() is not None:
        h, v = exact_flow(system, x, after).state
    else:
        h, v = adapt(TOLERANCE, system.variational_field, x[:, None], after)[0][:, 0]
    pushes = (h < 0.0) | (after == 0.0)
    force = np.where(pushes, np.maximum(system.law.unclamped_force(h, v), 0.0), 0.0)
    return np.concatenate([[start, 0.0], after]), np.concatenate([[0.0, 0.0], force])
