"""What is asked: one law, one stepping, one derivative route, on one drop."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ferrolab.contact import LAWS, HuntCrossley, KelvinVoigt, RigidImpact
from ferrolab.derivative import ROUTES, Autodiff, EventAware, FiniteDifference
from ferrolab.derivative.base import Stepper
from ferrolab.derivative.routes import Route
from ferrolab.integrate import FIXED_STEPPERS, DormandPrince, SemiImplicitEuler
from ferrolab.integrate.event_driven import exact_restitution
from ferrolab.systems import BouncingMass
from ferrolab.validate import InvalidInput, not_negative, one_of, positive, within

STEPPINGS = ("fixed", "tolerance")

# The published lesson's drop, spring and tolerance.
HEIGHT, VELOCITY, HORIZON, DAMPING_RATIO, GRAVITY, RTOL, DT = 1.0, 0.0, 0.8, 0.1606, 9.81, 1e-11, 1e-4
# Hunt-Crossley's dissipation (s/m), chosen in the published audit for a restitution of the same order.
DISSIPATION = 0.12
# Below this the spring does not stop the mass within any horizon the lab uses; above it, floats run out of digits.
STIFFNESS_RANGE = (1e-3, 1e12)
# Outside of these a drop is a typing error: seconds, and metres or metres per second.
HORIZON_RANGE, SMALLEST_DT, LARGEST_START = (1e-6, 1e3), 1e-9, 1e6


@dataclass(frozen=True)
class Settings:
    """One question to the lab. SI units.

    Attributes:
        stiffness: k (1/s^2), force per unit mass and metre.
        dt: fixed step (s). law: see `contact.LAWS`. stepping: "fixed" or "tolerance".
        derivative: see `derivative.ROUTES`; None is autodiff under a fixed step and finite-difference under a
            tolerance, the pair the published lesson compares.
        stepper: the fixed stepper, see `integrate.FIXED_STEPPERS`.
        saltation: False makes the event-aware route leave its matrix out, and changes nothing else.
        rtol: tolerance of the step size controller.
        height, velocity: the start (m; m/s, up positive). horizon: s. gravity: m/s^2.
        damping_ratio: zeta of Kelvin-Voigt; it also sets the restitution of the rigid law, which is that of the
            continuous spring-damper at this stiffness.

    Raises:
        InvalidInput: a value is out of range; the message says which and what it must be.
    """

    stiffness: float
    dt: float = DT
    law: str = KelvinVoigt.name
    stepping: str = "fixed"
    derivative: str | None = None
    stepper: str = SemiImplicitEuler.name
    saltation: bool = True
    rtol: float = RTOL
    height: float = HEIGHT
    velocity: float = VELOCITY
    horizon: float = HORIZON
    damping_ratio: float = DAMPING_RATIO
    gravity: float = GRAVITY

    def __post_init__(self) -> None:
        within("stiffness", self.stiffness, *STIFFNESS_RANGE)
        for name in ("horizon", "dt", "gravity"):
            positive(name, getattr(self, name))
        within("horizon", self.horizon, *HORIZON_RANGE)
        if not float(within("dt", self.dt, SMALLEST_DT, HORIZON_RANGE[1])) <= self.horizon:
            raise InvalidInput("dt", self.dt, f"no longer than the horizon, {self.horizon:g} s")
        one_of("law", self.law, LAWS)
        one_of("stepping", self.stepping, STEPPINGS)
        one_of("stepper", self.stepper, FIXED_STEPPERS)
        within("rtol", self.rtol, 1e-14, 1e-1)
        not_negative("height", self.height)
        within("height", self.height, 0.0, LARGEST_START)
        within("velocity", self.velocity, -LARGEST_START, LARGEST_START)
        if self.height == 0.0 and self.velocity == 0.0:
            raise InvalidInput("height", self.height, "greater than 0 when the mass starts without velocity")
        within("damping_ratio", self.damping_ratio, 0.0, 100.0)
        within("gravity", self.gravity, 1e-3, LARGEST_START)
        route = self.derivative or (Autodiff.name if self.stepping == "fixed" else FiniteDifference.name)
        object.__setattr__(self, "derivative", one_of("derivative", route, ROUTES))

    @property
    def start(self) -> np.ndarray:
        """(2,), height and velocity."""
        return np.array([self.height, self.velocity])

    @property
    def impact_speed(self) -> float:
        """Speed at which the mass meets the plane (m/s)."""
        return float(np.sqrt(self.velocity**2 + 2.0 * self.gravity * self.height))

    @property
    def fixed(self) -> Stepper:
        """The fixed stepper."""
        return FIXED_STEPPERS[self.stepper](self.dt)

    @property
    def tolerance(self) -> DormandPrince:
        """The stepper of the tolerance."""
        return DormandPrince(rtol=self.rtol)

    @property
    def stepper_in_use(self) -> Stepper:
        return self.fixed if self.stepping == "fixed" else self.tolerance

    @property
    def route(self) -> Route:
        return {
            Autodiff.name: Autodiff(),
            FiniteDifference.name: FiniteDifference(),
            EventAware.name: EventAware(self.saltation),
        }[self.derivative]

    def spring(self, stiffness: np.ndarray) -> BouncingMass:
        """The mass on the Kelvin-Voigt contact, one lane per stiffness."""
        return BouncingMass(KelvinVoigt(stiffness, self.damping_ratio), self.gravity)

    def rigid(self, restitution: np.ndarray) -> BouncingMass:
        """The mass on the rigid plane, one lane per restitution."""
        return BouncingMass(RigidImpact(restitution), self.gravity)

    def system(self, stiffness: np.ndarray) -> BouncingMass:
        """The mass on the law asked for, one lane per stiffness."""
        if self.law == HuntCrossley.name:
            return BouncingMass(HuntCrossley(stiffness, DISSIPATION), self.gravity)
        if self.law == RigidImpact.name:
            speed = np.full(np.shape(stiffness), self.impact_speed)
            return self.rigid(exact_restitution(self.spring(stiffness), speed))
        return self.spring(stiffness)

    def at(self, stiffness: float) -> Settings:
        """The same question at another stiffness."""
        return replace(self, stiffness=stiffness)
