"""Part 5: what a right-hand-side evaluation buys. The best gradient of every route within the same budget."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.audit.study.exact import ask, law_jacobian, relative_error
from ferrolab.audit.study.figure import Axis, Figure, Series
from ferrolab.audit.study.options import Options
from ferrolab.audit.study.progress import Tell, quiet
from ferrolab.audit.study.section import Column, Section, Table, plain
from ferrolab.contact import HuntCrossley, KelvinVoigt
from ferrolab.derivative import Autodiff, EventAware, FiniteDifference, Linearisation
from ferrolab.derivative.routes import Route
from ferrolab.integrate import DormandPrince, RungeKutta4, SemiImplicitEuler
from ferrolab.status import Status

ID = "equal-budget"
BUDGETS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
# Steps per horizon of the fixed routes, and tolerances of the others: a fine enough ladder for every budget.
STEPS = tuple(int(round(10.0 ** (3.0 + quarter / 4))) for quarter in range(11))
RTOLS = tuple(float(10.0 ** (-half / 2)) for half in range(6, 25))


@dataclass(frozen=True)
class Competitor:
    """One way to a gradient: a law, a stepping method and a route."""

    label: str
    law: str
    stepper: type
    route: Route


COMPETITORS = (
    Competitor("spring-damper, Euler, autodiff", KelvinVoigt.name, SemiImplicitEuler, Autodiff()),
    Competitor("spring-damper, tolerance, autodiff", KelvinVoigt.name, DormandPrince, Autodiff()),
    Competitor("spring-damper, tolerance, finite differences", KelvinVoigt.name, DormandPrince, FiniteDifference()),
    Competitor("spring-damper, Euler, event-aware", KelvinVoigt.name, SemiImplicitEuler, EventAware()),
    Competitor("spring-damper, RK4, event-aware", KelvinVoigt.name, RungeKutta4, EventAware()),
    Competitor("spring-damper, tolerance, event-aware", KelvinVoigt.name, DormandPrince, EventAware()),
    Competitor("Hunt–Crossley, Euler, autodiff", HuntCrossley.name, SemiImplicitEuler, Autodiff()),
    Competitor("Hunt–Crossley, tolerance, autodiff", HuntCrossley.name, DormandPrince, Autodiff()),
)


@dataclass(frozen=True)
class Run:
    """One Jacobian: what it cost and how wrong it is, relative to its own law's exact Jacobian."""

    label: str
    parameter: float
    evaluations: int
    error: float | None


@dataclass(frozen=True)
class Best:
    """The smallest error of one competitor within a budget; None where nothing affordable is finite."""

    label: str
    budget: int
    error: float | None
    parameter: float | None
    evaluations: int | None


@dataclass(frozen=True)
class EqualBudget:
    """runs: by competitor, then from cheap to dear. best: by competitor, then by budget."""

    options: Options
    runs: tuple[Run, ...]
    best: tuple[Best, ...]

    def section(self) -> Section:
        return _section(self)


def run(options: Options, tell: Tell = quiet) -> EqualBudget:
    """Run every competitor over its ladder and pick the best within each budget."""
    runs, best = [], []
    exact = {law: law_jacobian(options, law) for law in (KelvinVoigt.name, HuntCrossley.name)}
    for one in COMPETITORS:
        tolerance = one.stepper is DormandPrince
        mine = []
        for value in RTOLS if tolerance else [options.horizon / n for n in STEPS]:
            tell(f"{one.label}, {'rtol' if tolerance else 'dt'} {value:.2g}")
            stepper = one.stepper(rtol=value) if tolerance else one.stepper(value)
            found = ask(options, one.law, stepper, one.route)
            mine.append(Run(one.label, value, int(found.stats.evaluations), _error(found, exact[one.law])))
        runs += mine
        best += [_best(one.label, budget, mine) for budget in BUDGETS]
    return EqualBudget(options, tuple(runs), tuple(best))


def _error(found: Linearisation, exact: np.ndarray) -> float | None:
    """None unless the rollout succeeded: a step the contact cannot hold competes with nothing."""
    return plain(relative_error(found.jacobian, exact)) if found.status == Status.OK else None


def _best(label: str, budget: int, runs: list[Run]) -> Best:
    affordable = [run for run in runs if run.evaluations <= budget and run.error is not None]
    if not affordable:
        return Best(label, budget, None, None, None)
    chosen = min(affordable, key=lambda run: run.error)
    return Best(label, budget, chosen.error, chosen.parameter, chosen.evaluations)


class _Row:
    """A competitor's best errors, a column for each budget."""

    def __init__(self, label: str, best: list[Best]) -> None:
        self.label = label
        for one in best:
            setattr(self, f"b{one.budget}", one.error)


def _section(found: EqualBudget) -> Section:
    options = found.options
    labels = [one.label for one in COMPETITORS]
    of = {label: [one for one in found.best if one.label == label] for label in labels}
    findings = []
    for budget in (BUDGETS[0], BUDGETS[2], BUDGETS[-1]):
        ranked = sorted((b.error, b.label) for b in found.best if b.budget == budget and b.error is not None)
        if ranked:
            (least, winner), (most, loser) = ranked[0], ranked[-1]
            findings.append(f"Within {budget} evaluations the smallest error is {least:.2g} ({winner}), the largest {most:.2g} ({loser}).")
    curves = []
    for tone, label in enumerate(labels):
        mine = sorted((run for run in found.runs if run.label == label), key=lambda run: run.evaluations)
        curves.append(Series(label, [run.evaluations for run in mine], [run.error for run in mine], tone))
    return Section(
        ID,
        "Equal budget",
        "For the same number of right-hand-side evaluations, which route comes closest?",
        f"the drop, k = {options.stiffness:g}; the budget within a column",
        "law, stepping and route from row to row; the budget across",
        tuple(findings),
        (
            Table(
                f"{ID}-best",
                "Smallest relative gradient error affordable, against the law's own exact Jacobian. Held in a column: the budget "
                "(right-hand-side evaluations of the whole Jacobian). Varied: the route down, the budget across.",
                (Column("label", "route"), *(Column(f"b{budget}", f"{budget:,}".replace(",", "\u202f"), "", 2) for budget in BUDGETS)),
                [_Row(label, of[label]) for label in labels],
                for_reading=True,
            ),
            Table(
                f"{ID}-chosen",
                "Which run it was: the step or tolerance that gave the smallest error within each budget. Held and varied as above.",
                (
                    Column("label", "route"), Column("budget", "budget"), Column("parameter", "dt (s) or rtol", "", 3),
                    Column("evaluations", "evaluations"), Column("error", "relative error", "", 3),
                ),
                found.best,
                folded=True,
            ),
        ),
        (
            Figure(
                f"{ID}-work",
                f"Error against work at k = {options.stiffness:g}. Held: stiffness, drop. Varied: the step or the tolerance along each "
                "line, the route from line to line.",
                Axis("right-hand-side evaluations", "log"),
                Axis("relative gradient error", "log"),
                tuple(curves),
            ),
        ),
        (
            "An evaluation is one call of the equation of motion; the tangents that autodiff and the event-aware route carry along are "
            "not counted, and a finite "
            "difference counts all eight of its rollouts. Each Hunt–Crossley run is compared with Hunt–Crossley's own exact Jacobian.",
        ),
        (options.command(ID),),
    )
