"""Part 1: the published measurement. Everything against stiffness, for each time step and for the tolerance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.audit.measures import slope_per_decade
from ferrolab.audit.readout import EXPONENT_RANGE, measure
from ferrolab.audit.study.figure import Axis, Figure, Series
from ferrolab.audit.study.options import Options
from ferrolab.audit.study.progress import Tell, quiet
from ferrolab.audit.study.section import Column, Section, Table, plain, sign_of
from ferrolab.status import Status

ID = "stiffness-sweep"
PER_DECADE = 4


@dataclass(frozen=True)
class Point:
    """One stiffness under one stepping, against the rigid impact at the restitution that stepping realises."""

    stepping: str
    dt: float | None
    log_stiffness: float
    restitution: float | None
    forward_error: float | None
    gradient_error: float | None
    entry: float | None
    entry_exact: float | None
    sign: str
    status: str


@dataclass(frozen=True)
class Exponent:
    """p in `|dv/dh0| ~ k^p` from the two ends of the range, for one fixed step."""

    dt: float
    exponent: float | None


@dataclass(frozen=True)
class StiffnessSweep:
    """points: fixed steps first, coarse to fine, then the tolerance; each in order of stiffness."""

    options: Options
    points: tuple[Point, ...]
    exponents: tuple[Exponent, ...]
    exponent_range: tuple[float, float]

    def curve(self, dt: float | None) -> list[Point]:
        """The points of one step, or of the tolerance (None)."""
        return [point for point in self.points if point.dt == dt]

    def section(self) -> Section:
        return _section(self)


def run(options: Options, tell: Tell = quiet) -> StiffnessSweep:
    """Measure autodiff at every fixed step, and finite differences under the tolerance."""
    logs = np.round(np.arange(options.start, options.stop + 1e-9, 1.0 / PER_DECADE), 12)
    low, high = max(EXPONENT_RANGE[0], options.start), min(EXPONENT_RANGE[1], options.stop)
    if low >= high:
        low, high = options.start, options.stop
    points, exponents = [], []
    for dt in options.dts:
        tell(f"fixed step {dt:g} s")
        points += _measured(options.settings(dt=dt), "fixed", dt, logs)
        ends = measure(options.settings(dt=dt), 10.0 ** np.array([low, high])).entry
        exponents.append(Exponent(dt, slope_per_decade(ends[0], ends[1], high - low)))
    tell(f"tolerance {options.rtol:g}")
    points += _measured(options.settings(stepping="tolerance"), "tolerance", None, logs)
    return StiffnessSweep(options, tuple(points), tuple(exponents), (low, high))


def _measured(settings, stepping: str, dt: float | None, logs: np.ndarray) -> list[Point]:
    found = measure(settings, 10.0**logs)
    columns = (found.restitution, found.forward_error, found.gradient_error, found.entry, found.entry_exact)
    return [
        Point(
            stepping, dt, float(log), *(plain(column[i]) for column in columns),
            sign_of(plain(found.entry[i]), plain(found.entry_exact[i])), Status(int(found.status[i])).label,
        )
        for i, log in enumerate(logs)
    ]  # fmt: skip


def label(dt: float | None, rtol: float) -> str:
    """How a stepping is called in legends."""
    return f"fixed {dt:g} s, autodiff" if dt is not None else f"tolerance {rtol:g}, finite differences"


def _section(sweep: StiffnessSweep) -> Section:
    options = sweep.options
    steppings = (*options.dts, None)
    k = lambda points: [10.0**p.log_stiffness for p in points]  # noqa: E731
    errors = [
        Figure(
            f"{ID}-{name}",
            f"{what} against contact stiffness. Held: the drop, the law (spring-damper at constant damping ratio). "
            "Varied: stiffness along the axis, stepping from line to line. Reference: the exact rigid impact at the "
            "restitution the same stepping realises.",
            Axis("contact stiffness k (1/s²)", "log"),
            Axis(axis, "log"),
            tuple(
                Series(label(dt, options.rtol), k(sweep.curve(dt)), [getattr(p, name) for p in sweep.curve(dt)], tone)
                for tone, dt in enumerate(steppings)
            ),
        )
        for name, what, axis in (
            ("gradient_error", "Gradient error", "relative gradient error"),
            ("forward_error", "Forward error", "forward error (m and m/s, largest)"),
        )
    ]
    low, high = sweep.exponent_range
    findings = []
    coarse = {p.log_stiffness: p for p in sweep.curve(options.dts[0])}
    at = coarse.get(round(float(np.log10(options.stiffness)), 12))
    if at is not None and at.gradient_error is not None:
        findings.append(
            f"At k = {options.stiffness:g} and dt = {options.dts[0]:g} s the forward error is {at.forward_error:.3g} and "
            f"the relative gradient error {at.gradient_error:.3g}."
            + (" The state is nearly right and its derivative is not." if at.forward_error < 0.1 and at.gradient_error > 1.0 else "")
        )
    for row in sweep.exponents:
        if row.exponent is not None:
            findings.append(
                f"Between 10^{low:g} and 10^{high:g} the entry dv/dh0 grows as k^{row.exponent:.4f} at dt = {row.dt:g} s."
            )
    whole = [p for p in sweep.points if p.log_stiffness in options.decades]
    columns = (
        Column("stepping", "stepping"), Column("dt", "dt", "s"), Column("log_stiffness", "log10 k"),
        Column("restitution", "restitution"), Column("forward_error", "forward error", "m, m/s", 4),
        Column("gradient_error", "gradient error", "relative", 4), Column("entry", "dv/dh0", "1/s", 7),
        Column("entry_exact", "rigid dv/dh0", "1/s", 7), Column("sign", "sign"), Column("status", "status"),
    )  # fmt: skip
    return Section(
        ID,
        "Stiffness sweep",
        "How do state and gradient depend on the stiffness of the contact?",
        f"the drop, damping ratio {options.damping_ratio:g}, stepper {options.stepper}",
        f"log10 k from {options.start:g} to {options.stop:g}; fixed steps with autodiff, tolerance with finite differences",
        tuple(findings),
        (
            Table(f"{ID}-decades", "The sweep at whole decades of stiffness. Held: the drop. Varied: stepping and stiffness.", columns, whole),
            Table(
                f"{ID}-exponents",
                f"Exponent of |dv/dh0| between 10^{low:g} and 10^{high:g} by its two ends. Held: autodiff. Varied: the fixed step.",
                (Column("dt", "dt", "s"), Column("exponent", "exponent", "", 5)),
                sweep.exponents,
            ),
        ),
        tuple(errors),
        ("Errors are the largest absolute entry of a difference; the gradient error is divided by the largest absolute entry of the exact Jacobian.",),
        (options.command(ID), options.readout_command(np.log10(options.stiffness))),
    )
