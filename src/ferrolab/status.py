"""What became of a computation: every result carries one of these, never a bare NaN."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """Outcome of a rollout or of a linearisation, one per lane.

    The integer is what lane arrays store; `label` is what people and JSON read; `remedy` says what to do.
    Where several apply to one lane, the largest wins: the list is in order of severity.
    """

    OK = 0
    AT_REST = 1
    UNSTABLE_STEP = 2
    STEP_LIMIT = 3
    DIVERGED = 4

    @property
    def label(self) -> str:
        """Name used in JSON, on the command line and on the page."""
        return _LABELS[self]

    @property
    def remedy(self) -> str:
        """One sentence: what happened and what to change. Empty for `OK`."""
        return _REMEDIES[self]


_LABELS = {
    Status.OK: "ok",
    Status.AT_REST: "at-rest",
    Status.UNSTABLE_STEP: "unstable-step",
    Status.STEP_LIMIT: "step-limit",
    Status.DIVERGED: "diverged",
}

_REMEDIES = {
    Status.OK: "",
    Status.AT_REST: (
        "The mass came to rest on the plane before the horizon: impacts accumulate in finite time, and the state "
        "after them no longer depends on the start. Use a shorter horizon or a larger restitution."
    ),
    Status.UNSTABLE_STEP: (
        "The step is too large for the contact: dt*sqrt(stiffness) is beyond this stepper's stability limit, so an "
        "error in contact grows from step to step. Use a smaller dt or a softer contact."
    ),
    Status.STEP_LIMIT: (
        "The rollout ran out of steps, or of events, before the horizon. Use a looser rtol or a shorter horizon."
    ),
    Status.DIVERGED: "The rollout left the range of floating point numbers. Use a smaller dt or a softer contact.",
}
