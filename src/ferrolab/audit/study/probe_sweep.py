"""Part 7: finite differences against their probe, on an exact flow, under a tolerance, and on a fixed step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.audit.study.exact import ask, law_jacobian, relative_error
from ferrolab.audit.study.figure import Axis, Figure, Series
from ferrolab.audit.study.options import Options
from ferrolab.audit.study.progress import Tell, quiet
from ferrolab.audit.study.section import Column, Section, Table, plain
from ferrolab.contact import KelvinVoigt
from ferrolab.derivative import FiniteDifference
from ferrolab.integrate import FIXED_STEPPERS, DormandPrince, EventDriven

ID = "probe-sweep"
PROBES = tuple(float(10.0 ** (-half / 2)) for half in range(4, 25))
# The plateau of an error curve ends where the error is this many times its smallest value.
ABOVE_FLOOR = 10.0
# A probe so small that it stays within one tooth of a fixed-step simulator's saw at every step of the bench.
SMALL = 1e-8


@dataclass(frozen=True)
class Probed:
    """One probe on one stepping. error: relative, against the law's own exact Jacobian."""

    stepping: str
    probe: float
    entry: float | None
    error: float | None


@dataclass(frozen=True)
class Regime:
    """What a stepping does to plain central differences: the best probe, and the slopes on either side of it.

    above: p in `error ~ probe^p` for probes larger than the plateau (2 where truncation rules); below: for smaller
    ones (-1 where rounding rules, 0 where a fixed step returns its branch whatever the probe). None where fewer
    than three probes lie there. plateau: the probes within ten times the smallest error.
    """

    stepping: str
    best_probe: float
    best_error: float
    above: float | None
    below: float | None
    plateau_from: float
    plateau_to: float


@dataclass(frozen=True)
class ProbeSweep:
    """rows: by stepping, then from large probes to small ones."""

    options: Options
    rows: tuple[Probed, ...]
    regimes: tuple[Regime, ...]

    def curve(self, stepping: str) -> list[Probed]:
        return [row for row in self.rows if row.stepping == stepping]

    def section(self) -> Section:
        return _section(self)


def run(options: Options, tell: Tell = quiet) -> ProbeSweep:
    """Plain central differences (no extrapolation) with every probe on every stepping."""
    exact = law_jacobian(options, KelvinVoigt.name)
    steppers = {"exact flow": EventDriven(), f"tolerance {options.rtol:g}": DormandPrince(rtol=options.rtol)}
    steppers |= {f"fixed {dt:g} s": FIXED_STEPPERS[options.stepper](dt) for dt in options.dts[:2]}
    rows, regimes = [], []
    for name, stepper in steppers.items():
        mine = []
        for probe in PROBES:
            tell(f"{name}, probe {probe:.2g}")
            J = ask(options, KelvinVoigt.name, stepper, FiniteDifference(probe=probe, richardson=False)).jacobian
            mine.append(Probed(name, probe, plain(J[1, 0]), plain(relative_error(J, exact))))
        rows += mine
        regimes.append(_regime(name, mine))
    return ProbeSweep(options, tuple(rows), tuple(regimes))


def _regime(name: str, rows: list[Probed]) -> Regime:
    probes = np.array([row.probe for row in rows])
    errors = np.array([np.inf if row.error is None else row.error for row in rows])
    best = int(np.argmin(errors))
    floor = ABOVE_FLOOR * errors[best]
    flat = np.flatnonzero(errors <= floor)
    return Regime(
        name, float(probes[best]), float(errors[best]),
        _slope(probes[: flat[0]], errors[: flat[0]]), _slope(probes[flat[-1] + 1 :], errors[flat[-1] + 1 :]),
        float(probes[flat[0]]), float(probes[flat[-1]]),
    )  # fmt: skip


def _slope(probes: np.ndarray, errors: np.ndarray) -> float | None:
    usable = np.isfinite(errors) & (errors > 0.0)
    if usable.sum() < 3:
        return None
    return float(np.polyfit(np.log10(probes[usable]), np.log10(errors[usable]), 1)[0])


def _section(found: ProbeSweep) -> Section:
    options = found.options
    findings = []
    for regime in found.regimes:
        slopes = [
            f"slope {slope:.2f} {word} it" for word, slope in (("above", regime.above), ("below", regime.below)) if slope is not None
        ]
        findings.append(
            f"{regime.stepping}: smallest relative error {regime.best_error:.2g} at probe {regime.best_probe:.1g}"
            + (f" ({', '.join(slopes)})." if slopes else ".")
        )
    small = {regime.stepping: next(row.entry for row in found.curve(regime.stepping) if row.probe <= SMALL) for regime in found.regimes}
    findings.append(f"At a probe of {SMALL:g}, dv/dh0 is " + ", ".join(f"{entry:.6g} ({name})" for name, entry in small.items() if entry is not None) + ".")
    return Section(
        ID,
        "Probe sweep",
        "How far does a finite difference depend on its probe?",
        f"the drop, spring-damper at k = {options.stiffness:g}, plain central differences",
        "probe from 1e-2 to 1e-12; stepping",
        tuple(findings),
        (
            Table(
                f"{ID}-regimes",
                "Regimes of the error curve. Held: stiffness. Varied: the probe within a row, the stepping from row to row. Slopes are "
                "least-squares exponents "
                f"over the probes outside the plateau, which is where the error stays within {ABOVE_FLOOR:g} times its smallest value.",
                (
                    Column("stepping", "stepping"), Column("best_probe", "best probe", "m, m/s", 2), Column("best_error", "its error", "", 2),
                    Column("plateau_from", "plateau from", "", 2), Column("plateau_to", "to", "", 2),
                    Column("above", "slope above it", "", 3), Column("below", "slope below it", "", 3),
                ),
                found.regimes,
            ),
            Table(
                f"{ID}-rows",
                "Every probe. Held: stiffness. Varied: probe and stepping.",
                (Column("stepping", "stepping"), Column("probe", "probe", "m, m/s", 3), Column("entry", "dv/dh0", "1/s", 8), Column("error", "relative error", "", 3)),
                found.rows,
                folded=True,
            ),
        ),
        (
            Figure(
                f"{ID}-errors",
                f"Relative error of central differences against their probe at k = {options.stiffness:g}. Held: stiffness, law, drop. "
                "Varied: the probe along the axis, "
                "the stepping from line to line. On a fixed step a small probe sees the branch the simulator took; only a probe that "
                "spans many steps averages over them.",
                Axis("probe (m, m/s)", "log", reversed=True),
                Axis("relative error", "log"),
                tuple(
                    Series(regime.stepping, list(PROBES), [row.error for row in found.curve(regime.stepping)], tone)
                    for tone, regime in enumerate(found.regimes)
                ),
            ),
        ),
        commands=(options.command(ID),),
    )
