"""From the readout of the falling mass to what the bench of lesson 3 says: pure functions, text in, text out.

Each takes a readout as `smoothing.readout` gives it (SI units). Nothing is computed here but layout.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import distance_strings as strings
from . import numerals, words

Readout = Mapping[str, Any]

#: A slope (1/s) below this is written as zero and called so: no learner could tell it from none.
SEEN = 5e-4

#: Models in whose columns of the table of slopes a readout has an entry of its own.
_SLOPES = ("hard", "soft", "smoothed")


def slope(value: float | None) -> str:
    """Return a derivative as the bench writes it: with its sign, or zero where there is none to speak of."""
    if value is None:
        return numerals.PENDING
    return "0" if value == 0 else numerals.signed(value)


def route(readout: Readout) -> str:
    """Return the model in use with what it depends on."""
    return strings.ROUTES[readout["model"]].format(
        dt=f"{numerals.short(1e3 * readout['dt'])} ms",
        kappa=numerals.quantity(readout["kappa"]),
        drawn=numerals.count(readout["drawn"]),
        samples=numerals.count(readout["samples"]),
    )


def gradient_line(readout: Readout, horizon: float) -> dict[str, Any]:
    """Return the properties of the line above the bench: the slope of the model in use beside the average's own."""
    returned, exact = readout["velocity_gradient"], readout["average_gradient"]
    entries = [0.0 if x is None or abs(x) < SEEN else x for x in (returned, exact)]
    flat = returned is not None and abs(returned) < SEEN
    reaches = readout["model"] == "smoothed" and readout["before_contact"]
    said = strings.REACHES if reaches else strings.SLOPE
    if flat:
        said = strings.ZERO if returned == 0 else strings.ALMOST
    state = strings.STATES["falling" if readout["before_contact"] else "landed"].format(horizon=numerals.short(horizon))
    return {
        "verdict": "none" if returned is None else "off" if flat else "same",
        "words": strings.NO_SLOPE if returned is None else said,
        "route": route(readout),
        "ink": {
            "hard": "exact",
            "soft": "model",
            "stochastic": "fixed",
            "smoothed": "tolerance",
        }[readout["model"]],
        "returned": slope(returned),
        "exact": slope(exact),
        "directions": tuple(0 if x == 0 else 1 if x > 0 else -1 for x in entries),
        "note": strings.NOTE.format(
            state=state,
            height=_with(readout["final_height"], "m"),
            velocity=_with(readout["final_velocity"], "m/s"),
        ),
        "message": words.status_message(readout),
        "busy": not readout["complete"] and readout["model"] == "stochastic",
    }


def _with(value: float | None, unit: str) -> str:
    return numerals.PENDING if value is None else f"{numerals.fixed(value, 3)} {unit}"


def progress(readout: Readout) -> dict[str, Any]:
    """Return the properties of the progress line."""
    text = strings.DRAWN_ALL if readout["complete"] else strings.DRAWN
    drawn, samples = readout["drawn"], readout["samples"]
    return {
        "text": text.format(drawn=numerals.count(drawn), samples=numerals.count(samples)),
        "fraction": drawn / samples,
    }


def _rows(values: Mapping[str, str]) -> list[words.Row]:
    rows = {id: (*strings.ROWS[id.replace(".", "_")], text) for id, text in values.items()}
    return words.with_units((id, label, text, unit if text != numerals.PENDING else "") for id, (label, unit, text) in rows.items())


def _pending(value: float | None, write: Any) -> str:
    return numerals.PENDING if value is None else write(value)


def _estimate(value: float | None, error: float | None) -> str:
    if value is None or error is None:
        return numerals.PENDING
    return strings.ESTIMATE.format(value=slope(value), error=numerals.quantity(error, 2))


def estimates(readout: Readout) -> list[words.Row]:
    """Return the rows (id, label, value, unit) of the estimates under noise."""
    quantity = numerals.quantity
    return _rows({
        "hard.exact": slope(readout["average_gradient"]),
        "hard.zeroth": _estimate(readout["zeroth_gradient"], readout["zeroth_error"]),
        "hard.zeroth_variance": _pending(readout["zeroth_variance"], quantity),
        "hard.first": _estimate(readout["first_gradient"], readout["first_error"]),
        "hard.first_variance": _pending(readout["first_variance"], quantity),
        "smoothed.zeroth": slope(readout["smoothed_zeroth_gradient"]),
        "smoothed.zeroth_variance": _pending(readout["smoothed_zeroth_variance"], quantity),
        "smoothed.first": slope(readout["smoothed_first_gradient"]),
        "smoothed.first_variance": _pending(readout["smoothed_first_variance"], quantity),
        "smoothed.ratio": _ratio(readout),
    })  # fmt: skip


def _ratio(readout: Readout) -> str:
    value = readout["sample_ratio"]
    if value is None:
        return numerals.DASH if readout["complete"] else numerals.PENDING
    return numerals.quantity(value)


def contact(readout: Readout) -> list[words.Row]:
    """Return the rows (id, label, value, unit) of the slopes, the match with the noise and the price of smoothing."""
    quantity = numerals.quantity
    return _rows({
        **{f"slope.{model}": slope(readout[f"{model}_velocity_gradient"]) for model in _SLOPES},
        "match.kappa": _pending(readout["kappa_best"], quantity),
        "match.mismatch": quantity(readout["mismatch"]),
        "match.ratio": _pending(readout["mismatch_ratio"], lambda ratio: numerals.fixed(ratio, 2)),
        "price.sigma": quantity(readout["sigma"]),
        "price.creep": quantity(1e3 * readout["creep"]),
        "price.closed": quantity(1e3 * readout["creep_closed_form"]),
        "price.hover": quantity(1e3 * readout["hover"]),
    })  # fmt: skip


def curves(
    heading: str,
    here: float,
    drawn: Mapping[str, tuple[np.ndarray, np.ndarray]],
    marks: Mapping[str, float | None],
) -> str:
    """Describe a picture over the release height: its curves by name, and what is read at `here` (m)."""
    said = [_curve(name, *curve) for name, curve in drawn.items() if len(curve[0])]
    read = [f"{name} {words.spoken(numerals.quantity(value))}" for name, value in marks.items() if value is not None]
    return strings.CURVES_DESCRIPTION.format(
        heading=heading,
        curves="; ".join(said),
        here=numerals.fixed(here, 3),
        values=", ".join(read),
    )


def _curve(name: str, x: np.ndarray, y: np.ndarray) -> str:
    low, high = int(np.argmin(y)), int(np.argmax(y))
    lowest, highest = (words.spoken(numerals.quantity(float(v))) for v in (y[low], y[high]))
    return strings.CURVE.format(
        name=name,
        lowest=lowest,
        low_at=numerals.fixed(float(x[low]), 3),
        highest=highest,
        high_at=numerals.fixed(float(x[high]), 3),
    )


def objective(readout: Readout, landing: float) -> str:
    """Describe the objective's picture; `landing` (m) is where the hard velocity jumps."""
    said = {
        key: words.spoken(slope(readout[name]))
        for key, name in (
            ("gradient", "average_gradient"),
            ("zeroth", "zeroth_gradient"),
            ("first", "first_gradient"),
        )
    }
    return strings.OBJECTIVE_DESCRIPTION.format(
        landing=numerals.quantity(landing),
        noise=numerals.quantity(1e3 * readout["noise"]),
        average=words.spoken(numerals.fixed(readout["average"], 3)),
        drawn=numerals.count(readout["drawn"]),
        error=_pending(readout["zeroth_error"], lambda error: numerals.quantity(error, 2)),
        **said,
    )


def force(readout: Readout, at_one: float, at_five: float) -> str:
    """Describe the force at a distance; the shares are those at one and at five centimetres."""
    return strings.FORCE_DESCRIPTION.format(
        kappa=numerals.quantity(readout["kappa"]),
        at_one=numerals.quantity(at_one),
        at_five=numerals.quantity(at_five),
        gap=words.spoken(numerals.quantity(1e2 * readout["smoothed_final_height"])),
        sigma=numerals.quantity(readout["sigma"]),
    )


def creep(readout: Readout) -> str:
    """Describe the creep."""
    return strings.CREEP_DESCRIPTION.format(
        depth=numerals.quantity(1e3 * readout["creep"]),
        closed=numerals.quantity(1e3 * readout["creep_closed_form"]),
    )


def consequence(readout: Readout) -> str:
    """Return what the readout now says, in one sentence or two."""
    return strings.CONSEQUENCE.format(
        model=words.capital(strings.MODELS[readout["model"]]),
        returned=words.spoken(slope(readout["velocity_gradient"])),
        exact=words.spoken(slope(readout["average_gradient"])),
        drawn=words.capital(progress(readout)["text"]),
    )
