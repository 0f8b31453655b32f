"""Part 8: the full table, law by stepping by route. One variable at a time, every combination there is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.audit.study.exact import ask, law_jacobian, relative_error
from ferrolab.audit.study.options import Options
from ferrolab.audit.study.progress import Tell, quiet
from ferrolab.audit.study.section import Column, Section, Table, plain, sign_of
from ferrolab.contact import LAWS
from ferrolab.derivative import Autodiff, EventAware, FiniteDifference
from ferrolab.integrate import FIXED_STEPPERS, DormandPrince, RungeKutta4
from ferrolab.status import Status

ID = "combinations"
ROUTES = (
    ("autodiff", Autodiff()),
    ("finite-difference", FiniteDifference()),
    ("event-aware", EventAware()),
    ("event-aware without its matrix", EventAware(saltation=False)),
)
# Below this relative error a cell counts as right.
RIGHT = 0.01


@dataclass(frozen=True)
class Combination:
    """One cell. `stepper` is the method, `parameter` its step (s) or tolerance; error is relative to `entry_exact`'s law."""

    law: str
    stepper: str
    parameter: float
    derivative: str
    entry: float | None
    entry_exact: float
    error: float | None
    sign: str
    evaluations: int
    status: str


@dataclass(frozen=True)
class Combinations:
    """cells: by law, then stepping, then route."""

    options: Options
    cells: tuple[Combination, ...]

    def cell(self, law: str, stepper: str, parameter: float, derivative: str) -> Combination:
        """One cell of the table. Raises `KeyError` if it was not computed."""
        for cell in self.cells:
            if (cell.law, cell.stepper, cell.parameter, cell.derivative) == (law, stepper, parameter, derivative):
                return cell
        raise KeyError((law, stepper, parameter, derivative))

    def section(self) -> Section:
        return _section(self)


def run(options: Options, tell: Tell = quiet) -> Combinations:
    """Compute every combination at the stiffness held."""
    names = dict.fromkeys((options.stepper, RungeKutta4.name))
    steppers = [(name, dt, FIXED_STEPPERS[name](dt)) for name in names for dt in options.dts]
    steppers.append((DormandPrince.name, options.rtol, DormandPrince(rtol=options.rtol)))
    cells = []
    for law in LAWS:
        exact = law_jacobian(options, law)
        for name, parameter, stepper in steppers:
            for label, route in ROUTES:
                tell(f"{law}, {name} {parameter:g}, {label}")
                found = ask(options, law, stepper, route)
                entry = plain(found.jacobian[1, 0])
                cells.append(
                    Combination(
                        law, name, parameter, label, entry, float(exact[1, 0]), plain(relative_error(found.jacobian, exact)),
                        sign_of(entry, float(exact[1, 0])), int(found.stats.evaluations), Status(int(found.status)).label,
                    )
                )  # fmt: skip
    return Combinations(options, tuple(cells))


class _Row:
    """One law under one stepping, a column for each route: the entry and its relative error."""

    def __init__(self, cells: list[Combination]) -> None:
        first = cells[0]
        self.law, self.stepper, self.parameter, self.entry_exact = first.law, first.stepper, first.parameter, first.entry_exact
        for i, cell in enumerate(cells):
            mark = "✓" if cell.error is not None and cell.error <= RIGHT else "✗"
            text = "–" if cell.entry is None else f"{cell.entry:.6g}"
            setattr(self, f"r{i}", f"{text} {mark}" if cell.status == "ok" else f"{text} ({cell.status})")


def _section(found: Combinations) -> Section:
    options = found.options
    n = len(ROUTES)
    rows = [_Row(list(found.cells[i : i + n])) for i in range(0, len(found.cells), n)]
    right = {label: [c for c in found.cells if c.derivative == label and c.error is not None and c.error <= RIGHT] for label, _ in ROUTES}
    per_route = len(found.cells) // n
    findings = [f"{label}: within {RIGHT:.0%} of its own law's exact Jacobian in {len(cells)} of {per_route} combinations." for label, cells in right.items()]
    rk4 = [c for c in found.cells if (c.law, c.stepper, c.parameter) == (LAWS[0], RungeKutta4.name, options.dts[0])]
    with_it = next(c for c in rk4 if c.derivative == ROUTES[2][0])
    without = next(c for c in rk4 if c.derivative == ROUTES[3][0])
    findings.insert(
        0,
        f"The decisive pair, spring-damper, fixed rk4 step {options.dts[0]:g} s, events located: dv/dh0 is {without.entry:.7g} without the "
        f"saltation matrix and {with_it.entry:.7g} with it (exact {with_it.entry_exact:.7g}). Nothing else differs.",
    )
    log_k = np.log10(options.stiffness)
    return Section(
        ID,
        "Law × stepping × route",
        "Which of the three suspects must change for the gradient to be right?",
        f"the drop, k = {options.stiffness:g}, finite-difference probe {FiniteDifference().probe:g}",
        "contact law, stepping, derivative route: every combination",
        tuple(findings),
        (
            Table(
                f"{ID}-grid",
                f"dv/dh0 (1/s) of every combination; ✓ where the whole Jacobian is within {RIGHT:.0%} of its own law's exact one. "
                "Held: stiffness and drop. Varied: law and stepping down, route across.",
                (
                    Column("law", "law"), Column("stepper", "stepping"), Column("parameter", "dt (s) or rtol", "", 3),
                    Column("entry_exact", "exact", "1/s", 6), *(Column(f"r{i}", label) for i, (label, _) in enumerate(ROUTES)),
                ),
                rows,
                for_reading=True,
            ),
            Table(
                f"{ID}-cells",
                "The same cells with their errors and costs. Held: stiffness and drop. Varied: law, stepping, route.",
                (
                    Column("law", "law"), Column("stepper", "stepping"), Column("parameter", "dt (s) or rtol", "", 3), Column("derivative", "route"),
                    Column("entry", "dv/dh0", "1/s", 9), Column("error", "relative error", "", 3), Column("sign", "sign"),
                    Column("evaluations", "evaluations"), Column("status", "status"),
                ),
                found.cells,
                folded=True,
            ),
        ),
        notes=(
            "Each law is compared with the exact Jacobian of its own continuous flow: closed form for the spring-damper and the rigid "
            "impact, located "
            "Dormand–Prince at rtol 1e-13 for Hunt–Crossley. Without its matrix the event-aware route still locates the events inside "
            "their steps.",
        ),
        commands=(
            options.command(ID),
            options.readout_command(log_k, stepper="rk4", derivative="event-aware"),
            options.readout_command(log_k, stepper="rk4", derivative="event-aware", saltation=False),
        ),
    )
