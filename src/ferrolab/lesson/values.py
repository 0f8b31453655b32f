"""Living figures: a number in prose together with the call that produces it.

Written in a lesson as the role {value} around ``TEXT | CALL``, for example ``45.5 | gradient_error log_stiffness=6``:

* TEXT begins with the digits as quoted (45.5, -160.86, 14,800, 1.6e2); what follows the number is shown as it is.
* CALL is a quantity of the readout (see `quantities`), ``sigma_at`` and the other functions of `drop`, ``timing_term`` (with a restitution, or with the settings of the
  readout that realises one), ``contact_steps``, or a closed-form entry such
  as ``closed.jacobian_branch.1.0``, with settings as key=value; ``over`` divides by a second call.
* ``digits=3`` says how many digits count, for a number that ends in zeros; ``scale=100`` turns a share into percent.
* ``within=0.02`` is for numbers that depend on the machine (the steps a tolerance accepts): they hold within that share.

The quoted digits hold when the computed number rounds to them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from ferrolab.lesson import drop
from ferrolab.lesson.quantities import OF_THE_DROP, OF_THE_TRIAL, QUANTITIES, quantity
from ferrolab.lesson.reader import closest, is_number

_NUMBER = re.compile(r"(?P<sign>[+\-\u2212]?)(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?P<decimals>\.\d+)?(?:e(?P<exponent>[+\-]?\d+))?")
_TIE = 1e-9  # a computed value this close to a rounding tie (in units of the last digit) may round either way
_OWN_KEYS = {"digits", "scale", "within"}
EXAMPLE = "45.3 | gradient_error log_stiffness=6"


class ValueSyntaxError(ValueError):
    """A living figure that is not written as it must be; the message is one sentence."""


@dataclass(frozen=True)
class Call:
    """A quantity with its settings, in SI units, as written."""

    name: str
    settings: tuple[tuple[str, Any], ...]

    def __str__(self) -> str:
        return " ".join([self.name, *(f"{k}={v:g}" if is_number(v) else f"{k}={v}" for k, v in self.settings)])


@dataclass(frozen=True)
class LivingFigure:
    """A quoted number: the text shown, its value, the size of its last digit, and the call behind it."""

    text: str
    quoted: float
    last_digit: float
    call: Call
    over: Call | None = None
    scale: float = 1.0
    within: float | None = None

    def compute(self) -> float:
        """The number the library gives now. Raises ValueError when it gives none."""
        value = evaluate(self.call)
        if self.over is not None:
            value /= evaluate(self.over)
        return value * self.scale

    def holds(self, computed: float) -> bool:
        """Whether `computed`, rounded to the quoted digits, is what is quoted."""
        if self.within is not None:
            return abs(computed - self.quoted) <= self.within * abs(computed)
        return abs(computed - self.quoted) <= self.last_digit * (0.5 + _TIE)


def parse_value(source: str) -> LivingFigure:
    """Read ``TEXT | CALL``. Raises `ValueSyntaxError`."""
    text, bar, call = source.partition("|")
    text, call = text.strip(), call.strip()
    if not bar or not text or not call:
        raise ValueSyntaxError(f"{source!r} must be the digits, a bar and the call")
    match = _NUMBER.match(text)
    if match is None:
        raise ValueSyntaxError(f"{text!r} must begin with a number")
    first, _, second = call.partition(" over ")
    main, options = parse_call(first)
    over, more = parse_call(second) if second else (None, {})
    options |= more
    quoted, last_digit = _quoted(match, options.get("digits"))
    return LivingFigure(text, quoted, last_digit, main, over, float(options.get("scale", 1.0)), options.get("within"))


def parse_call(source: str) -> tuple[Call, dict[str, Any]]:
    """Read ``name key=value …``; the keys that belong to the quotation (digits, scale) come apart."""
    name, *pairs = source.split()
    known = known_settings(name)
    settings: dict[str, Any] = {}
    options: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not value:
            raise ValueSyntaxError(f"{pair!r} must be key=value")
        if key in settings or key in options:
            raise ValueSyntaxError(f"{key!r} is given twice")
        if key in _OWN_KEYS:
            options[key] = _plain(value)
            if not is_number(options[key]) or options[key] == 0 or (key != "scale" and options[key] < 0):
                raise ValueSyntaxError(f"{key} is {value!r} and must be a number above zero")
        elif key in known:
            settings[key] = _plain(value)
        else:
            raise ValueSyntaxError(f"{key!r} is not a setting of {name}. {closest(key, known | _OWN_KEYS)}")
    return Call(name, tuple(sorted(settings.items()))), options


def evaluate(call: Call) -> float:
    """The number `call` gives. Raises ValueError when the core refuses the settings or has no number there."""
    settings = dict(call.settings)
    if missing := _missing(call.name, settings):
        raise ValueError(f"{call.name} also needs {', '.join(f'{name}=…' for name in missing)}")
    if call.name in OF_THE_DROP:
        value = quantity(call.name, drop.complete(settings))
    elif call.name in _FUNCTIONS:
        value = _FUNCTIONS[call.name](**settings)
    elif call.name.startswith("closed."):
        value = quantity(call.name.removeprefix("closed."), _closed_form(_settings(settings)))
    else:
        measured = _trial if call.name in OF_THE_TRIAL else _readout
        value = quantity(call.name, measured(_settings(settings)))
    if not is_number(value):
        raise ValueError(f"{call} gives {value!r}, which is not a number")
    return float(value)


def known_names() -> set[str]:
    """What a call may begin with, besides closed-form entries."""
    return {*QUANTITIES, *_FUNCTIONS}


def known_settings(name: str) -> set[str]:
    """The settings the call `name` may have. Raises `ValueSyntaxError` for what is no call."""
    from ferrolab.audit import Settings  # the core is needed to check figures, not to read lessons

    if name in OF_THE_DROP:
        return {*drop.known_settings(), *drop.LOGARITHMS}
    if name == "contact_steps":
        return {"log_stiffness", "dt"}
    if name in drop.FUNCTIONS:
        return drop.settings_of(name)[0]
    if name not in QUANTITIES and name not in _FUNCTIONS and not name.startswith("closed."):
        raise ValueSyntaxError(f"{name!r} is not a quantity. {closest(name, known_names())}")
    return {f.name for f in fields(Settings)} | {"log_stiffness"} | ({"restitution", "impact_speed"} if name == "timing_term" else set())


def leading_number(text: str) -> bool:
    """Whether `text` begins with a number, as a quoted figure must."""
    return _NUMBER.match(text.strip()) is not None


def _missing(name: str, settings: dict[str, Any]) -> list[str]:
    """The settings that the call `name` cannot do without and that are not among `settings`."""
    if name == "contact_steps" or name in drop.FUNCTIONS:
        needed = drop.settings_of(name)[1] if name in drop.FUNCTIONS else ["log_stiffness", "dt"]
        return [key for key in needed if key not in settings]
    if name != "timing_term":
        return []
    has_restitution = {"restitution", "log_stiffness", "stiffness"} & set(settings)
    return [*([] if has_restitution else ["restitution"]), *([] if "impact_speed" in settings else ["impact_speed"])]


def _settings(given: dict[str, Any]) -> Any:
    from ferrolab.audit import Settings

    given = dict(given)
    if "log_stiffness" in given:
        given["stiffness"] = 10.0 ** given.pop("log_stiffness")
    if "stiffness" not in given:
        raise ValueError("a call needs log_stiffness or stiffness")
    return Settings(**given)


@lru_cache(maxsize=512)
def _readout(settings: Any) -> dict[str, Any]:
    from ferrolab.audit import readout

    return readout(settings).as_dict()


@lru_cache(maxsize=512)
def _trial(settings: Any) -> dict[str, Any]:
    from ferrolab.audit.three_way import three_way

    return three_way(settings).as_dict()


@lru_cache(maxsize=512)
def _closed_form(settings: Any) -> dict[str, Any]:
    from ferrolab.audit import split

    out = split(settings)
    return out.as_dict() if hasattr(out, "as_dict") else dict(vars(out))


def _timing_term(impact_speed: float, restitution: float | None = None, **settings: Any) -> float:
    """The timing term at `impact_speed` (m/s), with the given restitution or the one a readout of `settings` realises."""
    from ferrolab.audit import timing_term

    gravity = {"gravity": settings["gravity"]} if "gravity" in settings else {}
    if restitution is None:
        restitution = quantity("restitution", _readout(_settings(settings)))
        if not is_number(restitution):
            raise ValueError("the readout with these settings has no restitution")
    elif set(settings) - {"gravity"}:
        raise ValueError(f"timing_term takes restitution=… or the settings of a readout, and both are given ({', '.join(settings)})")
    return timing_term(restitution, impact_speed, **gravity)


def _contact_steps(log_stiffness: float, dt: float) -> float:
    """How many steps of `dt` (s) fit into the contact of the default drop."""
    from ferrolab.audit import trajectory

    return trajectory(_settings({"log_stiffness": log_stiffness}), samples=2).contact_time / dt


_FUNCTIONS: dict[str, Callable[..., float]] = {"timing_term": _timing_term, "contact_steps": _contact_steps, **drop.FUNCTIONS}


def _quoted(match: re.Match[str], digits: Any) -> tuple[float, float]:
    sign = -1.0 if match["sign"] in ("-", "\u2212") else 1.0
    exponent = int(match["exponent"] or 0)
    decimals = len(match["decimals"] or ".") - 1
    value = sign * float(match["digits"].replace(",", "") + (match["decimals"] or "")) * 10.0**exponent
    if digits is None or value == 0:
        return value, 10.0 ** (exponent - decimals)
    return value, 10.0 ** (math.floor(math.log10(abs(value))) - int(digits) + 1)


def _plain(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    try:
        return float(text)
    except ValueError:
        return text
