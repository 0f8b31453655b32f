"""What is asked of the study of the falling mass: one contact model, one noise, one release height."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.contact.smoothed_impulse import KAPPA
from ferrolab.smoothing.closed_form import GRAVITY
from ferrolab.smoothing.drop import DAMPING_RATIO, DT, HORIZON, STIFFNESS
from ferrolab.validate import InvalidInput, one_of, within

MODELS = ("hard", "soft", "stochastic", "smoothed")
"""The contact models; "stochastic" is the average of the hard one over noise of the release height."""

#: (201,) release heights in m: the positions of the bench's slider, and the grid of its curves.
HEIGHTS = np.round(np.arange(201) * 0.002, 3)

MOST_SAMPLES = 1_000_000


@dataclass(frozen=True)
class Settings:
    """One question to the study. SI units.

    Attributes:
        model: see `MODELS`. kappa: sharpness of the smoothed contact (1/m).
        noise: standard deviation of the release height (m). samples: drawn of it. seed: of the generator.
        release_height: m. dt: s. horizon: from release to the end (s). gravity: m/s^2.
        stiffness: of the soft contact (1/s^2), with its damping_ratio.

    Raises:
        InvalidInput: a value is out of range; the message says which and what it must be.
    """

    model: str = "hard"
    kappa: float = KAPPA
    noise: float = 0.02
    samples: int = 100
    release_height: float = 0.3
    dt: float = DT
    seed: int = 0
    horizon: float = HORIZON
    gravity: float = GRAVITY
    stiffness: float = STIFFNESS
    damping_ratio: float = DAMPING_RATIO

    def __post_init__(self) -> None:
        one_of("model", self.model, MODELS)
        within("kappa", self.kappa, 1.0, 1e5)
        within("noise", self.noise, 1e-5, 1.0)
        within("release_height", self.release_height, 0.0, 10.0)
        within("horizon", self.horizon, 1e-3, 10.0)
        within("gravity", self.gravity, 1e-3, 1e3)
        within("stiffness", self.stiffness, 1e-3, 1e8)
        within("damping_ratio", self.damping_ratio, 0.0, 100.0)
        if not 1e-5 <= float(within("dt", self.dt, 1e-5, 1.0)) <= self.horizon:
            raise InvalidInput("dt", self.dt, f"no longer than the horizon, {self.horizon:g} s")
        for name, low, high in (("samples", 2, MOST_SAMPLES), ("seed", 0, 2**32)):
            given = getattr(self, name)
            if isinstance(given, bool) or int(given) != given or not low <= given <= high:
                raise InvalidInput(name, given, f"a whole number between {low} and {high}")

    @property
    def steps(self) -> int:
        return round(self.horizon / self.dt)

    @property
    def landing_speed(self) -> float:
        """Of a mass that lands at the horizon (m/s)."""
        return self.gravity * self.horizon
