"""From the trial of a route to what the bench of lesson 2 says: pure functions, text in, text out.

Each takes a readout as `audit.three_way.ThreeWay.as_dict()` gives it (SI units). Nothing is computed here but layout.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ferrolab.audit.three_way import FEWEST_STEPS, NONE, RIGHT, WRONG, WRONG_SIGN
from ferrolab.controls import CONTROLS

from . import numerals, strings, words
from .cells import AXES, Cell, Visit

Readout = Mapping[str, Any]

#: Ends of the logarithmic scale the bars are drawn on.
BAR_DECADES = (-8, 4)

#: What the sign line is called by a verdict.
_SIGN = {RIGHT: "same", WRONG_SIGN: "wrong", WRONG: "off", NONE: "none"}

#: Every cell of the table, row by row.
CELLS: tuple[Cell, ...] = tuple(
    (law, stepping, derivative)
    for law in CONTROLS["law"].values
    for stepping in CONTROLS["stepping"].values
    for derivative in CONTROLS["derivative"].values
)


def route(controls: Mapping[str, Any], rtol: float) -> str:
    """Return the route in full: law, stepping, derivative, and whether its matrix is missing."""
    if controls["stepping"] == "tolerance":
        stepping = strings.TOLERANCE_STEPPING.format(rtol=numerals.scientific(rtol))
    else:
        stepping = strings.FIXED_STEPPING_RK4.format(dt=f"{numerals.scientific(controls['dt'])} s")
    derivative = strings.DERIVATIVES[controls["derivative"]]
    if controls["derivative"] == "event-aware" and not controls["saltation"]:
        derivative = strings.WITHOUT_MATRIX
    return strings.ROUTE_WITH_LAW.format(law=strings.LAWS[controls["law"]], stepping=stepping, derivative=derivative)


def message(readout: Readout) -> str:
    """Return why the answer is none, or not to be trusted; empty when it is sound."""
    said = [words.status_message(readout)]
    steps = readout["steps_in_contact"]
    if steps is not None and steps < FEWEST_STEPS:
        said.append(strings.fill(strings.UNDER_RESOLVED, count=steps))
    return " ".join(filter(None, said))


def _off(readout: Readout) -> str:
    error = readout["entry_error"]
    if error is None:
        return numerals.DASH
    return numerals.quantity(abs(error), 5 if abs(error) >= 1.0 else 3)


def sign_line(readout: Readout, rtol: float) -> dict[str, Any]:
    """Return the properties of the sign line: the verdict is held against the law's own exact entry."""
    verdict = _SIGN[readout["verdict"]]
    said = {"same": strings.SAME_SIGN, "wrong": strings.WRONG_SIGN, "off": strings.WRONG_VALUE, "none": strings.NO_SIGN}
    entries = (readout["entry"], readout["entry_law"])
    return {
        "verdict": verdict,
        "words": said[verdict],
        "route": route(readout, rtol),
        "ink": words.ink(readout["stepping"], readout["derivative"]),
        "returned": numerals.precise(entries[0]),
        "exact": numerals.precise(entries[1]),
        "directions": tuple(0 if not x else 1 if x > 0 else -1 for x in entries),
        "note": strings.SIGN_NOTE.format(error=_off(readout), rigid=numerals.precise(readout["entry_exact"])),
        "message": message(readout),
        "busy": False,
    }


def working(controls: Mapping[str, Any], rtol: float) -> dict[str, Any]:
    """Return the properties of the sign line while an answer is being worked on."""
    return {
        "verdict": "none",
        "words": strings.WORKING,
        "route": route(controls, rtol),
        "ink": words.ink(controls["stepping"], controls["derivative"]),
        "returned": numerals.PENDING,
        "exact": numerals.PENDING,
        "directions": (0, 0),
        "note": strings.WORKING_NOTE,
        "message": "",
        "busy": True,
    }


Rows = list[words.Row]


def entries(readout: Readout) -> Rows:
    """Return the rows (id, label, value, unit) about the contact and the entry dv/dh0."""
    return words.with_units([
        ("contact.stiffness", strings.STIFFNESS_ROW, numerals.power(readout["stiffness"], 3), "1/s²"),
        ("contact.restitution", strings.RESTITUTION_ROW, numerals.fixed(readout["restitution"], 3), ""),
        ("contact.steps", strings.CONTACT_STEPS_ROW, numerals.count(readout["steps_in_contact"]), ""),
        ("entry.returned", strings.ENTRY_ROW, numerals.precise(readout["entry"]), strings.ENTRY_UNIT),
        ("entry.law", strings.LAW_ROW, numerals.precise(readout["entry_law"]), strings.ENTRY_UNIT),
        ("entry.off", strings.OFF_ROW, _off(readout), strings.ENTRY_UNIT),
        ("entry.rigid", strings.RIGID_ROW, numerals.precise(readout["entry_exact"]), strings.ENTRY_UNIT),
    ])  # fmt: skip


def errors(readout: Readout) -> Rows:
    """Return the rows (id, label, value, unit) about errors, exponents and cost."""
    cost = readout["evaluations"][readout["stepping"]]
    return words.with_units([
        ("errors.law", strings.LAW_ERROR_ROW, numerals.quantity(readout["law_error"]), ""),
        ("errors.gradient", strings.RIGID_ERROR_ROW, numerals.quantity(readout["gradient_error"]), ""),
        ("errors.forward", strings.FORWARD_ROW, numerals.quantity(readout["forward_error"]), strings.FORWARD_UNIT),
        ("exponent.event", strings.EVENT_EXPONENT_ROW, _exponent(readout["event_exponent"]), ""),
        ("exponent.model", strings.MODEL_EXPONENT_ROW, _exponent(readout["contact_model_exponent"]), ""),
        ("cost.steps", strings.STEPS_ROW, numerals.count(readout["accepted_steps"]), ""),
        ("cost.evaluations", strings.COST_ROW, numerals.count(cost), ""),
    ])  # fmt: skip


def _exponent(value: float | None) -> str:
    return numerals.DASH if value is None else ("+" if value >= 0 else "") + numerals.fixed(value, 3)


def pending(rows: Rows) -> Rows:
    """Return the rows of a table whose numbers are being worked on."""
    return [(id, label, numerals.PENDING, "") for id, label, _, _ in rows]


def bars(readout: Readout) -> tuple[list[tuple[str, str, str, float, str]], list[str]]:
    """Return the bars (id, label, text, fraction, colour key) of the three shares, and which are in outline.

    Where the route carries the event term its share is what was avoided, and the rest is the route's own error.
    """
    carried = readout["carries_event"]
    own = readout["own_error"]
    event = readout["event_share"]
    if carried:
        event_text = strings.EVENT_CARRIED.format(event=numerals.quantity(event, 5))
    else:
        event_text = numerals.power(event) if event else strings.EVENT_NONE
    stepping_ink = words.ink(readout["stepping"], "")
    place = lambda value: words.fraction(value, BAR_DECADES)  # noqa: E731
    return [
        ("step", strings.BAR_LABELS["own" if carried else "step"], numerals.power(own), place(own), stepping_ink),
        ("event", strings.BAR_LABELS["event"], event_text, place(event), "event"),
        (
            "contact_model", strings.BAR_LABELS["contact_model"], numerals.power(readout["contact_model_share"]),
            place(readout["contact_model_share"]), "model",
        ),
    ], ["event"] if carried else []  # fmt: skip


def own_name(readout: Readout) -> str:
    """Return the name of what the steps did: a share, or all the error there is."""
    return strings.OWN_ERROR if readout["carries_event"] else strings.SHARE_CURVES["own"]


def term(readout: Readout) -> dict[str, Any]:
    """Return the properties of the card with the matrix of touch-down and what leaving it out adds to dv/dh0."""
    jumps = readout["jump"] != 0.0
    state = "none" if not jumps or readout["carries_event"] is None else "applied" if readout["carries_event"] else "missing"
    numbers = {"exact": readout["entry_law"], "event": readout["event_share_signed"], "branch": readout["entry_branch"]}
    return {
        "note": strings.TERM_NOTE[readout["law"]],
        "matrix": [[_matrix_entry(entry) for entry in row] for row in readout["saltation_entry"]],
        "state": state,
        "words": strings.TERM_STATES[state],
        "lines": [
            (id, label, numerals.precise(numbers[id]) if numbers[id] else "0") for id, label in strings.TERM_LINES.items()
        ],
    }


def _matrix_entry(value: float) -> str:
    return f"{value:.0f}" if value in (0.0, 1.0) else numerals.quantity(value, 4)


def cell(visit: Visit | None, stepping: str) -> tuple[str, str, str, str, str]:
    """Return (entry, kind, words, exponent, place) of one cell."""
    if visit is None:
        return strings.UNVISITED, "empty", "", "", ""
    at = [] if stepping == "tolerance" else [numerals.scientific(visit.dt)]
    place = ", ".join(at if visit.saltation else [*at, strings.CELL_NO_MATRIX])
    said = strings.CELL_VERDICTS[visit.verdict]
    return numerals.signed(visit.entry), visit.verdict, said, numerals.short(visit.log_stiffness), place


def working_cell() -> tuple[str, str, str, str, str]:
    """Return the cell whose answer is being worked on."""
    return numerals.PENDING, "working", strings.CELL_WORKING, "", ""


def cells(visits: Mapping[Cell, Visit]) -> list[tuple[str, str, str, str, str]]:
    """Return every cell of the table, row by row."""
    return [cell(visits.get(key), key[AXES.index("stepping")]) for key in CELLS]


def shares(readout: Readout, ends: Mapping[str, tuple[float, float]]) -> str:
    """Describe the plot of the shares; `ends` holds the first and last value of each drawn curve."""
    labels = {**strings.SHARE_CURVES, "own": own_name(readout)}
    return strings.SHARES_DESCRIPTION.format(
        curves=words.curves(labels, ends),
        position=numerals.fixed(readout["log_stiffness"], 2),
        own_name=own_name(readout),
        own=numerals.quantity(readout["own_error"]),
        event=numerals.quantity(readout["event_share"]),
        model=numerals.quantity(readout["contact_model_share"]),
    )


def force(law: str, jump: float) -> str:
    """Describe the plot of the force; `jump` (m/s^2) is that of the spring-damper."""
    return strings.FORCE_DESCRIPTION[law].format(jump=numerals.count(jump))


def consequence(readout: Readout) -> str:
    """Return what the readout now says, in one sentence or two."""
    verdict = _SIGN[readout["verdict"]]
    if verdict == "none":
        return strings.CONSEQUENCE_NONE.format(message=message(readout))
    sentence = strings.CONSEQUENCE_BLAME.format(
        verdict=words.capital(strings.VERDICTS[verdict]),
        returned=words.spoken(numerals.precise(readout["entry"])),
        exact=words.spoken(numerals.precise(readout["entry_law"])),
        error=_off(readout),
    )
    return " ".join(filter(None, (sentence, message(readout))))
