"""What the audit is asked: the drop, the stiffnesses, the steps. One impact, seen from every side."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

import numpy as np

from ferrolab.audit.settings import (
    DAMPING_RATIO,
    GRAVITY,
    HEIGHT,
    HORIZON,
    RTOL,
    STIFFNESS_RANGE,
    VELOCITY,
    Settings,
)
from ferrolab.contact import KelvinVoigt
from ferrolab.integrate import SemiImplicitEuler
from ferrolab.integrate.event_driven import exact_flow
from ferrolab.validate import InvalidInput, positive

# The bench's three time steps (s), and the stiffness (1/s^2) at which the parts that vary something else stand.
DTS = (1e-4, 1e-5, 1e-6)
STIFFNESS = 1e6
# Decades of the bench's stiffness control (log10 of 1/s^2).
LOG_STIFFNESS = (2.0, 8.0)

_PHYSICAL = ("stepper", "rtol", "height", "velocity", "horizon", "damping_ratio", "gravity")


@dataclass(frozen=True)
class Options:
    """The audit's question. SI units; every field has the published lesson's value as its default.

    Attributes:
        stiffness: k (1/s^2) of the parts that hold it. start, stop: range of the sweeps (log10 of 1/s^2).
        dts: fixed steps (s), coarse to fine; a single one is accepted.
        stepper: fixed stepper of the sweep, the sign table and the split. rtol: tolerance of the same parts.
        height, velocity: where the drop starts (m; m/s, up positive). horizon: s. gravity: m/s^2.
        damping_ratio: zeta of the spring-damper.
        thorough: also what takes about half an hour: gradient descent with located and adaptive rollouts.

    Raises:
        InvalidInput: a value is out of range, or the mass does not meet the plane exactly once within the horizon
            and leave it again at `stiffness`.
    """

    stiffness: float = STIFFNESS
    start: float = LOG_STIFFNESS[0]
    stop: float = LOG_STIFFNESS[1]
    dts: tuple[float, ...] = DTS
    stepper: str = SemiImplicitEuler.name
    rtol: float = RTOL
    height: float = HEIGHT
    velocity: float = VELOCITY
    horizon: float = HORIZON
    damping_ratio: float = DAMPING_RATIO
    gravity: float = GRAVITY
    thorough: bool = False

    def __post_init__(self) -> None:
        for dt in np.atleast_1d(self.dts):
            positive("dt", float(dt))
        given = np.atleast_1d(self.dts)
        object.__setattr__(self, "dts", tuple(sorted({float(dt) for dt in given}, reverse=True)))
        for name in ("stiffness", *_PHYSICAL[1:]):
            object.__setattr__(self, name, float(getattr(self, name)))
        low, high = np.log10(STIFFNESS_RANGE)
        if not low <= self.start <= self.stop - 1.0 <= high - 1.0:
            raise InvalidInput("range", f"{self.start:g}:{self.stop:g}", f"at least one decade within {low:g}:{high:g} (log10 of 1/s^2)")
        for dt in self.dts:
            settings = self.settings(dt=dt)
        flow = exact_flow(settings.spring(np.array([self.stiffness])), settings.start[:, None], self.horizon)
        if flow.events[0] != 1 or flow.state[0, 0] <= 0.0:
            raise InvalidInput(
                "horizon", self.horizon, "a time at which the mass has met the plane exactly once and left it again"
            )

    def settings(self, stiffness: float | None = None, **changes: object) -> Settings:
        """One setting of the lab with this drop, at the first (coarsest) step unless `dt` is among the changes."""
        values = {name: getattr(self, name) for name in _PHYSICAL} | {"dt": self.dts[0], "law": KelvinVoigt.name}
        return Settings(stiffness=self.stiffness if stiffness is None else stiffness, **(values | changes))

    @property
    def decades(self) -> tuple[float, ...]:
        """Whole decades of the range (log10 of 1/s^2)."""
        return tuple(float(x) for x in range(int(np.ceil(self.start)), int(np.floor(self.stop)) + 1))

    @property
    def touch_down(self) -> float:
        """When the falling mass meets the plane (s)."""
        speed = np.sqrt(self.velocity**2 + 2.0 * self.gravity * self.height)
        return float((self.velocity + speed) / self.gravity)

    def command(self, part: str) -> str:
        """The command that computes one part again with these options."""
        words = ["ferrolab audit", f"--only {part}"]
        defaults = {f.name: f.default for f in fields(self)}
        for name, value in asdict(self).items():
            if value == defaults[name]:
                continue
            if name == "thorough":
                option = "--thorough"
            elif name in ("start", "stop"):
                option = f"--range={self.start:g}:{self.stop:g}"
            elif name == "dts":
                option = "--dt " + " ".join(f"{dt:g}" for dt in value)
            else:
                option = f"--{name.replace('_', '-')} {value:g}" if isinstance(value, float) else f"--{name} {value}"
            if option not in words:
                words.append(option)
        return " ".join(words)

    def readout_command(self, log_stiffness: float, **changes: object) -> str:
        """The command that prints one readout of this drop."""
        words = ["ferrolab readout", f"--log-stiffness {log_stiffness:g}"]
        defaults = {f.name: f.default for f in fields(Settings)}
        values = {name: getattr(self, name) for name in _PHYSICAL} | changes
        for name, value in values.items():
            if value == defaults[name]:
                continue
            if name == "saltation":
                words.append("--no-saltation")
            else:
                words.append(f"--{name.replace('_', '-')} " + (f"{value:g}" if isinstance(value, float) else str(value)))
        return " ".join(words)
