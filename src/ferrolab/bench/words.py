"""From a readout to what the bench says: pure functions, text in, text out.

Each takes a readout as `Readout.as_dict()` gives it (SI units) and returns the
properties of one part of the bench. Nothing is computed here but layout.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ferrolab.audit import Trajectory
from ferrolab.words import key

from . import numerals, strings

#: Ends of the logarithmic scale the shares are drawn on.
SHARE_DECADES = (-4, 4)

#: Route -> colour key; a derivative that knows its events has its own colour.
_STEPPING_INK = {"fixed": "fixed", "tolerance": "tolerance"}
_SHARE_INK = {"integrator": "fixed", "contact_model": "model"}

#: How the live region writes a control's value; one that is not here is written as it is.
_CHANGED_TO: dict[str, Callable[[Any], str]] = {
    "log_stiffness": lambda power: numerals.fixed(power, 2),
    "dt": lambda step: f"{numerals.scientific(step)} s",
    "impact_speed": numerals.short,
    "release_height": lambda height: numerals.fixed(height, 3),
    "drop_dt": lambda step: f"{numerals.short(1e3 * step)} ms",
    "log_kappa": lambda power: numerals.quantity(10.0**power),
    "log_noise": lambda power: numerals.quantity(1e3 * 10.0**power),
    "log_samples": lambda power: numerals.count(10.0**power),
}

Readout = Mapping[str, Any]
Row = tuple[str, str, str, str]
"""(id, label, value, unit) of a readout table."""


def ink(stepping: str, derivative: str) -> str:
    """Return the colour key of a route."""
    return "event" if derivative == "event-aware" else _STEPPING_INK[stepping]


def verdict(readout: Readout) -> str:
    """Return "same", "wrong" or, when the route gave no answer, "none"."""
    agrees = readout["sign_agrees"]
    return "none" if agrees is None else "same" if agrees else "wrong"


def route(readout: Readout, rtol: float) -> str:
    """Return the route's name, such as "autodiff, fixed step 1e-4 s"."""
    if readout["stepping"] == "tolerance":
        stepping = strings.TOLERANCE_STEPPING.format(rtol=numerals.scientific(rtol))
    else:
        stepping = strings.FIXED_STEPPING.format(dt=f"{numerals.scientific(readout['dt'])} s")
    return strings.ROUTE.format(derivative=strings.DERIVATIVES[readout["derivative"]], stepping=stepping)


def status_message(readout: Readout) -> str:
    """Return the reason a readout is not "ok", or an empty string."""
    if readout["status"] == "ok":
        return ""
    said = strings.status(readout["status"], readout["message"])
    return said or strings.STATUS_UNKNOWN.format(status=readout["status"])


def sign_line(readout: Readout, rtol: float) -> dict[str, Any]:
    """Return the properties of the sign line."""
    words = {"same": strings.SAME_SIGN, "wrong": strings.WRONG_SIGN, "none": strings.NO_SIGN}
    entries = (readout["entry"], readout["entry_exact"])
    return {
        "verdict": verdict(readout),
        "words": words[verdict(readout)],
        "route": route(readout, rtol),
        "ink": ink(readout["stepping"], readout["derivative"]),
        "returned": numerals.signed(entries[0]),
        "exact": numerals.signed(entries[1]),
        "directions": tuple(0 if not x else 1 if x > 0 else -1 for x in entries),
        "message": status_message(readout),
    }


def ratio(value: float | None) -> str:
    """Return how much work the tolerance route does; more work is never a saving."""
    if value is None:
        return numerals.PENDING
    text = strings.RATIO_MORE if value > 1 else strings.RATIO_OF
    return text.format(ratio=numerals.quantity(value))


def _evaluations(value: int | None) -> str:
    return numerals.PENDING if value is None else numerals.count(value)


def table(readout: Readout, speed: float, timing: float | None) -> list[Row]:
    """Return the rows (id, label, value, unit) of the readout table.

    `speed` (m/s) is the chosen impact speed of `timing` (1/s). Evaluations that are
    not counted yet show as pending.
    """
    cost = readout["evaluations"]
    rows = [
        ("contact.stiffness", strings.STIFFNESS_ROW, numerals.power(readout["stiffness"], 3), "1/s²"),
        ("contact.restitution", strings.RESTITUTION_ROW, numerals.fixed(readout["restitution"], 3), ""),
        ("errors.forward", strings.FORWARD_ROW, numerals.quantity(readout["forward_error"]), strings.FORWARD_UNIT),
        ("errors.gradient", strings.GRADIENT_ROW, numerals.quantity(readout["gradient_error"]), strings.GRADIENT_UNIT),
        ("entry.returned", strings.ENTRY_ROW, numerals.signed(readout["entry"]), strings.ENTRY_UNIT),
        ("entry.exact", strings.EXACT_ROW, numerals.signed(readout["entry_exact"]), strings.ENTRY_UNIT),
        ("entry.exponent", strings.EXPONENT_ROW, numerals.fixed(readout["exponent"], 3), ""),
        ("cost.steps", strings.STEPS_ROW, numerals.count(readout["accepted_steps"]), ""),
        ("cost.fixed", strings.FIXED_COST_ROW, _evaluations(cost["fixed"]), ""),
        ("cost.tolerance", strings.TOLERANCE_COST_ROW, _evaluations(cost["tolerance"]), ""),
        ("cost.ratio", strings.RATIO_ROW, ratio(cost["ratio"]), ""),
        ("timing.term", strings.TIMING_ROW.format(speed=numerals.short(speed)), numerals.quantity(timing), strings.ENTRY_UNIT),
    ]
    return with_units(rows)


def with_units(rows: Iterable[Row]) -> list[Row]:
    """Return the rows, without a unit where the number is missing."""
    return [(id, label, value, "" if value == numerals.DASH else unit) for id, label, value, unit in rows]


def fraction(value: float | None, decades: tuple[int, int] = SHARE_DECADES) -> float:
    """Return where `value` falls on a logarithmic scale of `decades`, from 0 to 1."""
    if value is None or value <= 0:
        return 0.0
    low, high = decades
    return min(1.0, max(0.0, (math.log10(value) - low) / (high - low)))


def bars(readout: Readout, shares: Sequence[str]) -> list[tuple[str, str, str, float, str]]:
    """Return the bars (id, label, text, fraction, colour key) of the named shares."""
    split = readout["split"]
    return [
        (share, strings.SHARES[share], numerals.power(split[share]), fraction(split[share]), _SHARE_INK[share])
        for share in shares
    ]


def ticks(decades: tuple[int, int] = SHARE_DECADES, every: int = 2) -> list[tuple[float, str]]:
    """Return the ticks (fraction, label) of the shares' scale, one `every` so many decades."""
    low, high = decades
    return [
        (fraction(10.0**decade, decades), "1" if decade == 0 else f"10{numerals.superscript(decade)}")
        for decade in range(low, high + 1, every)
    ]


def spoken(text: str) -> str:
    """Return a number as a screen reader should say it."""
    return text.replace(numerals.MINUS, strings.SPOKEN_MINUS).replace("+", "")


def capital(text: str) -> str:
    """Return `text` as a sentence begins: a noun inside keeps its capital, where a language has them."""
    return text[:1].upper() + text[1:]


def change(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> str:
    """Return which controls changed, such as "Time step 1e-5 s"."""
    if before is None:
        return strings.READY
    filled = {name: _CHANGED_TO.get(name, str)(value) for name, value in now.items()}
    parts = []
    for name, template in strings.CHANGED.items():
        if name in now and now[name] != before[name]:
            parts.append(template.format(**filled) if isinstance(template, str) else template[key(now[name])])
    return ", ".join(parts) + "." if parts else ""


def consequence(readout: Readout) -> str:
    """Return what the readout now says, in one sentence or two."""
    if verdict(readout) == "none":
        return strings.CONSEQUENCE_NONE.format(message=status_message(readout))
    sentence = strings.CONSEQUENCE.format(
        verdict=capital(strings.VERDICTS[verdict(readout)]),
        returned=spoken(numerals.signed(readout["entry"])),
        exact=spoken(numerals.signed(readout["entry_exact"])),
        gradient=numerals.quantity(readout["gradient_error"]),
        forward=numerals.quantity(readout["forward_error"]),
    )
    message = status_message(readout)
    return f"{sentence} {message}" if message else sentence


def timing(term: float | None) -> str:
    """Return the timing term (1/s) as a sentence of the live region."""
    return strings.CONSEQUENCE_SPEED.format(timing=numerals.quantity(term))


def timing_formula(term: float | None) -> str:
    """Return the timing term (1/s) with the expression it comes from."""
    return strings.TIMING_FORMULA.format(timing=numerals.quantity(term))


def curves(labels: Mapping[str, str], ends: Mapping[str, tuple[float, float]]) -> str:
    """Describe curves by kind, each with its label; `ends` holds the first and last value of those that are drawn."""
    said = []
    for kind, label in labels.items():
        if kind not in ends:
            said.append(strings.CURVE_DESCRIPTION_PENDING.format(label=label))
            continue
        first, last = (numerals.quantity(None if math.isnan(x) else float(x)) for x in ends[kind])
        said.append(strings.CURVE_DESCRIPTION.format(label=label, first=first, last=last))
    return " ".join(said)


def errors(readout: Readout, ends: Mapping[str, tuple[float, float]]) -> str:
    """Describe the error plot; `ends` as for `curves`."""
    return strings.ERRORS_DESCRIPTION.format(
        curves=curves(strings.CURVES, ends),
        position=numerals.fixed(readout["log_stiffness"], 2),
        forward=numerals.quantity(readout["forward_error"]),
        gradient=numerals.quantity(readout["gradient_error"]),
    )


def flight(drawn: Trajectory) -> str:
    """Describe the plot of the whole flight."""
    if not math.isfinite(drawn.impact_time):
        return strings.FLIGHT_DESCRIPTION_NONE
    return strings.FLIGHT_DESCRIPTION.format(
        height=numerals.quantity(float(drawn.height[0])),
        impact=numerals.quantity(drawn.impact_time),
        horizon=numerals.quantity(float(drawn.time[-1])),
        end=spoken(numerals.quantity(float(drawn.height[-1]))),
        end_rigid=spoken(numerals.quantity(float(drawn.height_rigid[-1]))),
    )


def contact(drawn: Trajectory | None) -> str:
    """Describe the plot of the magnified contact."""
    if drawn is None:
        return strings.CONTACT_NONE
    return strings.CONTACT_DESCRIPTION.format(
        duration=numerals.quantity(1e3 * drawn.contact_time),
        depth=numerals.quantity(-1e3 * float(drawn.height.min())),
    )
