"""Replaying a trail on the core: does what it recorded equal what the library computes?

Also recording one, which is how `ferrolab record` makes the trails in a lesson's folder. A step is ``{"see": {"log_stiffness": 6, "dt": 1e-4, "stepping": "fixed"}}`` or ``{"answer": ["id", response]}``.
Under "see" only what differs from the controls' defaults need be given, if the lesson has the control.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ferrolab.controls import CONTROLS
from ferrolab.lesson import drop
from ferrolab.lesson.model import BENCHES, Lesson
from ferrolab.lesson.quantities import quantity
from ferrolab.lesson.reader import is_number
from ferrolab.lesson.trail import Answered, Seen, Trail

# Relative. A fixed step is arithmetic and repeats; a tolerance is a chain of accept-or-reject decisions, and another
# machine's last bit can change one: published as 1e-2 in the entries and 2% in the counts.
FIXED_TOLERANCE = 1e-6
ADAPTIVE_TOLERANCE = 2e-2
DROP_BENCH = "forces-at-a-distance"
TRIAL_STEPPER = "rk4"  # the fixed stepper of the bench's view "who-is-to-blame"
_NO_MATTER = {"impact_speed"}  # a control that changes what is shown, not what is measured
_NOISE = 1e-9  # absolute, for quantities that are zero up to rounding
# Differences near the size of the tolerance's own noise: their digits are not repeatable, their smallness is.
_NOISY = {"gradient_error", "forward_error", "exponent", "split.integrator", "split.step", "law_error", "own_error", "entry_error"}
_NOISY_FLOOR = 5e-2


def compute(controls: Mapping[str, Any], bench: str = BENCHES[0], *, costs: bool | None = None) -> dict[str, Any]:
    """The whole readout the view `bench` shows under `controls` (log_stiffness, dt in s, stepping, …), every sample drawn.

    `costs` False leaves out the evaluations of the other stepping, which is about ten times as fast. Raises ValueError for what the core refuses.
    """
    if bench == DROP_BENCH:
        return drop.complete(controls)
    controls = {name: value for name, value in controls.items() if name not in _NO_MATTER}
    known = {"log_stiffness", "dt", "stepping", "law", "derivative", "stepper", "saltation"}
    unknown = set(controls) - known
    if unknown or not is_number(controls.get("log_stiffness")):
        raise ValueError(f"the controls are {dict(controls)!r} and must be log_stiffness with any of {', '.join(sorted(known))}")
    return _compute(bench, tuple(sorted(controls.items())), costs)


@lru_cache(maxsize=512)
def _compute(bench: str, controls: tuple[tuple[str, Any], ...], costs: bool | None) -> dict[str, Any]:
    from ferrolab.audit import Settings, readout
    from ferrolab.audit.three_way import three_way

    measure, given = (readout, {}) if bench == BENCHES[0] else (three_way, {"stepper": TRIAL_STEPPER})
    given |= dict(controls)
    settings = Settings(stiffness=10.0 ** given.pop("log_stiffness"), **given)
    return measure(settings, **({} if costs is None else {"costs": costs})).as_dict()


def disagreements(event: Seen, bench: str = BENCHES[0]) -> list[str]:
    """For each recorded quantity that the library computes otherwise, one clause saying so. Empty when all agree."""
    try:
        computed = compute(event.controls, bench)
    except (ValueError, TypeError) as error:
        return [str(error)]
    adaptive = event.controls.get("stepping") == "tolerance"
    out = []
    for name, recorded in event.readout.items():
        now = quantity(name, computed)
        if not _same(name, recorded, now, adaptive):
            out.append(f"{name} is recorded as {recorded!r} and computed as {now!r}")
    return out


def record(lesson: Lesson, steps: Any) -> Trail:
    """A trail that saw and answered `steps` in turn. Raises ValueError, in a sentence, for a step `lesson` cannot take."""
    from ferrolab.lesson.fit import misfit

    if not isinstance(steps, (list, tuple)):
        raise ValueError(f"the steps are {steps!r} and must be a list")
    trail = Trail(lesson.slug)
    defaults = {name: CONTROLS[name].default for name in lesson.controls}
    for number, step in enumerate(steps, 1):
        if not isinstance(step, Mapping) or len(step) != 1 or not {"see", "answer"} & set(step):
            raise ValueError(f'step {number} is {step!r} and must be {{"see": {{…}}}} or {{"answer": ["id", response]}}')
        if "see" in step:
            if not isinstance(step["see"], Mapping):
                raise ValueError(f"step {number} sees {step['see']!r} and must name controls and their values")
            event: Seen | Answered = Seen(defaults | dict(step["see"]), {})
        else:
            if not isinstance(step["answer"], list) or len(step["answer"]) != 2 or not isinstance(step["answer"][0], str):
                raise ValueError(f"step {number} answers {step['answer']!r} and must hold a question's id and the response")
            event = Answered(*step["answer"])
        if (found := misfit(lesson, event)) is not None:
            raise ValueError(f"step {number}: {found[0]}. {found[1]}")
        if isinstance(event, Seen):
            trail = trail.append_seen(event.controls, compute(event.controls, lesson.bench), lesson.quantities)
        else:
            trail = trail.append(event)
    return trail


def _same(name: str, recorded: Any, now: Any, adaptive: bool) -> bool:
    if not (is_number(recorded) and is_number(now)):
        return type(recorded) is type(now) and recorded == now
    tolerance = ADAPTIVE_TOLERANCE if adaptive else FIXED_TOLERANCE
    floor = _NOISY_FLOOR if adaptive and name in _NOISY else _NOISE
    return abs(recorded - now) <= max(tolerance * max(abs(recorded), abs(now)), floor)
