"""Refusals: the cases in which a Jacobian through events does not exist, or cannot be told from what was computed.

Each is raised, never returned as a number, and carries the quantity that was measured and the threshold it crossed.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Thresholds of the refusals.

    Attributes:
        transversality: least `|ds/dx f| / (|ds/dx| |f|)` at an event (dimensionless). Below it the event time
            depends on the start without bound.
        split_residual: most that a segment's flow may differ from its two halves, relative to the state.
        separation: least time between two different events (s). Closer, their order is an accident.
        gain: most a tangent may be stretched.
        probe_spread: most that an answer by differences may depend on the probe, relative.
    """

    transversality: float = 1e-3
    split_residual: float = 1e-10
    separation: float = 1e-9
    gain: float = 1e12
    probe_spread: float = 1e-5


class Refusal(ArithmeticError):
    """A Jacobian was refused.

    Attributes:
        measured: the quantity that decided. threshold: what it was compared with.
    """

    kind = "refusal"
    remedy = ""

    def __init__(self, what: str, measured: float, threshold: float) -> None:
        self.measured, self.threshold = float(measured), float(threshold)
        super().__init__(f"{self.kind}: {what} (measured {measured:.3g}, threshold {threshold:.3g}). {self.remedy}")


class Grazing(Refusal):
    """The state meets a guard (almost) tangentially."""

    kind = "grazing"
    remedy = "The event time has no bounded derivative here; move the start away from the grazing one."


class HiddenState(Refusal):
    """The flow over a segment is not the flow over its halves: it remembers something the state does not hold."""

    kind = "hidden state"
    remedy = "Put what the simulator remembers (a warm start, a cache, the time) into the state, or reset it."


class EventsTooClose(Refusal):
    """Two different events are so close that their order cannot be told."""

    kind = "events too close"
    remedy = "Their order decides the answer; start away from the simultaneous crossing."


class Accumulation(Refusal):
    """Events accumulate (Zeno): past the accumulation point there is no product of finitely many matrices."""

    kind = "accumulation"
    remedy = "Use a horizon before the system comes to rest, or describe the rest by a mode of its own."


class Divergence(Refusal):
    """The state or a tangent left the range of numbers, or the rollout ran out of steps."""

    kind = "divergence"
    remedy = "Shorten the horizon, or look for an unstable mode."


class DegenerateEvent(Refusal):
    """A guard without a gradient, or a reset without a finite value or derivative."""

    kind = "degenerate guard or reset"
    remedy = "Write the guard so that its gradient does not vanish where it is zero, and the reset so that it is smooth there."


class ProbeDependent(Refusal):
    """An answer by differences depends on the probe: the function is not smooth at that scale."""

    kind = "probe-dependent answer"
    remedy = "The flow is not smooth where it is differenced; tighten the simulator's tolerance or describe its events."
