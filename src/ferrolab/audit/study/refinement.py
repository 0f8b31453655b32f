"""Part 3: uniform refinement. The step follows the contact, so that every stiffness is resolved equally well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.audit.study.exact import ask, law_jacobian, relative_error, spring_flow
from ferrolab.audit.study.figure import Axis, Figure, Series
from ferrolab.audit.study.options import Options
from ferrolab.audit.study.progress import Tell, quiet
from ferrolab.audit.study.section import Column, Section, Table, plain
from ferrolab.contact import KelvinVoigt
from ferrolab.derivative import Autodiff, EventAware
from ferrolab.integrate import FIXED_STEPPERS, RungeKutta4

ID = "refinement"
STEPS_IN_CONTACT = (10, 30, 100, 300, 1000, 3000)
ROUTES = ("autodiff", "event-aware", "event-aware rk4")


@dataclass(frozen=True)
class Refined:
    """One stiffness at one resolution. Errors are relative, against the law's own exact Jacobian."""

    log_stiffness: float
    steps_in_contact: int
    dt: float
    entry_autodiff: float | None
    error_autodiff: float | None
    error_event_aware: float | None
    error_event_aware_rk4: float | None


@dataclass(frozen=True)
class Order:
    """Order p of `error ~ dt^p` at one stiffness, from the two finest resolutions whose error is above rounding."""

    log_stiffness: float
    autodiff: float | None
    event_aware: float | None
    event_aware_rk4: float | None


@dataclass(frozen=True)
class Growth:
    """Exponent of the autodiff entry over stiffness at one number of steps in contact.

    exponent: by least squares over the stiff decades. ends: between the first and the last decade of all.
    """

    steps_in_contact: int
    exponent: float | None
    ends: float | None


@dataclass(frozen=True)
class Refinement:
    """rows: by stiffness, then by resolution."""

    options: Options
    rows: tuple[Refined, ...]
    orders: tuple[Order, ...]
    growth: tuple[Growth, ...]
    growth_from: float

    def section(self) -> Section:
        return _section(self)


# Errors below this are rounding, not the method's: 2^-52 times the condition of the products taken, rounded up.
ROUNDING = 1e-9


def run(options: Options, tell: Tell = quiet) -> Refinement:
    """Refine every decade of stiffness to the same numbers of steps per contact."""
    rows = []
    flow = spring_flow(options, 10.0 ** np.array(options.decades))
    stepper = FIXED_STEPPERS[options.stepper]
    for log, contact in zip(options.decades, flow.contact_time):
        k, exact = 10.0**log, law_jacobian(options, KelvinVoigt.name, 10.0**log)
        for n in STEPS_IN_CONTACT:
            tell(f"log10 k = {log:g}, {n} steps in contact")
            dt = options.horizon / round(options.horizon * n / float(contact)) if contact > 0.0 else 0.0
            if not 0.0 < dt <= options.horizon:
                continue
            plain_route = ask(options, KelvinVoigt.name, stepper(dt), Autodiff(), k)
            errors = [
                plain(relative_error(found.jacobian, exact))
                for found in (
                    plain_route,
                    ask(options, KelvinVoigt.name, stepper(dt), EventAware(), k),
                    ask(options, KelvinVoigt.name, RungeKutta4(dt), EventAware(), k),
                )
            ]
            rows.append(Refined(log, n, dt, plain(plain_route.jacobian[1, 0]), *errors))
    start = max(4.0, options.start) if options.stop > 4.0 else options.start
    return Refinement(options, tuple(rows), _orders(rows), _growth(rows, start), start)


def _orders(rows: list[Refined]) -> tuple[Order, ...]:
    out = []
    for log in sorted({row.log_stiffness for row in rows}):
        mine = [row for row in rows if row.log_stiffness == log]
        slopes = []
        for name in ("error_autodiff", "error_event_aware", "error_event_aware_rk4"):
            usable = [(row.dt, getattr(row, name)) for row in mine if (getattr(row, name) or 0.0) > ROUNDING]
            if len(usable) < 2:
                slopes.append(None)
                continue
            (dt0, e0), (dt1, e1) = usable[-2:]
            slopes.append(plain(np.log(e0 / e1) / np.log(dt0 / dt1)))
        out.append(Order(log, *slopes))
    return tuple(out)


def _growth(rows: list[Refined], start: float) -> tuple[Growth, ...]:
    out = []
    for n in STEPS_IN_CONTACT:
        whole = [(row.log_stiffness, np.log10(abs(row.entry_autodiff))) for row in rows if row.steps_in_contact == n and row.entry_autodiff]
        stiff = [point for point in whole if point[0] >= start]
        slope = plain(np.polyfit(*zip(*stiff), 1)[0]) if len(stiff) > 1 else None
        ends = plain((whole[-1][1] - whole[0][1]) / (whole[-1][0] - whole[0][0])) if len(whole) > 1 else None
        out.append(Growth(n, slope, ends))
    return tuple(out)


def _section(found: Refinement) -> Section:
    options = found.options
    logs = sorted({row.log_stiffness for row in found.rows})
    nearest = min(logs, key=lambda log: abs(log - np.log10(options.stiffness)))
    mine = [row for row in found.rows if row.log_stiffness == nearest]
    names = (("autodiff", "error_autodiff"), (f"event-aware, {options.stepper}", "error_event_aware"), ("event-aware, rk4", "error_event_aware_rk4"))
    first, last = mine[0], mine[-1]
    findings = [
        f"At k = 10^{nearest:g}, going from {first.steps_in_contact} to {last.steps_in_contact} steps in contact, the relative error "
        f"goes from {_short(first.error_autodiff)} to {_short(last.error_autodiff)} with autodiff, from "
        f"{_short(first.error_event_aware)} to {_short(last.error_event_aware)} with the same steps and the saltation matrix, and from "
        f"{_short(first.error_event_aware_rk4)} to {_short(last.error_event_aware_rk4)} with rk4 and the saltation matrix."
    ]
    finest = [g for g in found.growth if g.exponent is not None]
    if finest:
        findings.append(
            f"At {finest[-1].steps_in_contact} steps in every contact the autodiff entry grows as k^{finest[-1].exponent:.4f} "
            f"from 10^{found.growth_from:g} on."
        )
    return Section(
        ID,
        "Uniform refinement",
        "Does a smaller fixed step, fair to every stiffness, repair the gradient?",
        "the drop, the law, the number of steps per contact along each row of points",
        "steps per contact; stiffness by decades; route",
        tuple(findings),
        (
            Table(
                f"{ID}-rows",
                "Relative error against the law's own exact Jacobian. Held in each row: stiffness and step. Varied across: the route.",
                (
                    Column("log_stiffness", "log10 k"), Column("steps_in_contact", "steps in contact"), Column("dt", "dt", "s", 4),
                    Column("entry_autodiff", "dv/dh0 autodiff", "1/s", 6), Column("error_autodiff", "autodiff", "", 3),
                    Column("error_event_aware", f"event-aware, {options.stepper}", "", 3),
                    Column("error_event_aware_rk4", "event-aware, rk4", "", 3),
                ),
                found.rows,
                folded=True,
            ),
            Table(
                f"{ID}-orders",
                "Observed order p of error ~ dt^p from the two finest resolutions above rounding. Held: stiffness. Varied: the step.",
                (
                    Column("log_stiffness", "log10 k"), Column("autodiff", "autodiff", "", 2),
                    Column("event_aware", f"event-aware, {options.stepper}", "", 3), Column("event_aware_rk4", "event-aware, rk4", "", 3),
                ),
                found.orders,
            ),
            Table(
                f"{ID}-growth",
                "Exponent of |dv/dh0| in stiffness at a constant number of steps in contact: least squares over the decades from "
                f"10^{found.growth_from:g}, and by the ends of the whole range. "
                "Held: autodiff, steps in contact. Varied: stiffness.",
                (Column("steps_in_contact", "steps in contact"), Column("exponent", f"from 10^{found.growth_from:g} on", "", 5), Column("ends", "first to last decade", "", 5)),
                found.growth,
            ),
        ),
        (
            Figure(
                f"{ID}-errors",
                f"Error against resolution at k = 10^{nearest:g}. Held: stiffness, drop, law. Varied: the step along the axis, the "
                "route from line to line.",
                Axis("steps in contact", "log"),
                Axis("relative error", "log"),
                tuple(
                    Series(label, [r.steps_in_contact for r in mine], [getattr(r, name) for r in mine], tone)
                    for tone, (label, name) in enumerate(names)
                ),
            ),
        ),
        ("The step is the horizon over a whole number of steps, nearest to the contact time over the number of steps in contact.",),
        (options.command(ID),),
    )


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:.2g}"
