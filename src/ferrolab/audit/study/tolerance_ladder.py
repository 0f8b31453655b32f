"""Part 4: the tolerance, rung by rung. How tight must it be before the answer stops moving?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.audit.study.exact import ask, law_jacobian, relative_error
from ferrolab.audit.study.figure import Axis, Figure, Series
from ferrolab.audit.study.options import Options
from ferrolab.audit.study.progress import Tell, quiet
from ferrolab.audit.study.section import Column, Section, Table, plain, sign_of
from ferrolab.contact import KelvinVoigt
from ferrolab.derivative import Autodiff, EventAware, FiniteDifference
from ferrolab.integrate import DormandPrince

ID = "tolerance-ladder"
RTOLS = tuple(float(f"1e-{power}") for power in range(4, 13))
ROUTES = (FiniteDifference(), Autodiff(), EventAware())
# Within this relative distance of the exact Jacobian a rung counts as settled.
SETTLED = 0.01


@dataclass(frozen=True)
class Rung:
    """One tolerance, one route. error: relative, against the law's own exact Jacobian."""

    derivative: str
    rtol: float
    entry: float | None
    error: float | None
    sign: str
    accepted: int
    rejected: int
    evaluations: int


@dataclass(frozen=True)
class ToleranceLadder:
    """rungs: by route, then from loose to tight. entry_exact: of the law's own flow (1/s)."""

    options: Options
    entry_exact: float
    rungs: tuple[Rung, ...]

    def route(self, derivative: str) -> tuple[Rung, ...]:
        """The rungs of one route."""
        return tuple(rung for rung in self.rungs if rung.derivative == derivative)

    def settles_at(self, derivative: str) -> float | None:
        """The loosest tolerance from which on every rung is within `SETTLED` of exact; None if the last is not."""
        settled = None
        for rung in reversed(self.route(derivative)):
            if rung.error is None or rung.error > SETTLED:
                break
            settled = rung.rtol
        return settled

    def section(self) -> Section:
        return _section(self)


def run(options: Options, tell: Tell = quiet) -> ToleranceLadder:
    """Climb the ladder with finite differences, with autodiff, and with the events located."""
    exact = law_jacobian(options, KelvinVoigt.name)
    rungs = []
    for route in ROUTES:
        for rtol in RTOLS:
            tell(f"{route.name}, rtol {rtol:g}")
            found = ask(options, KelvinVoigt.name, DormandPrince(rtol=rtol), route)
            entry = plain(found.jacobian[1, 0])
            counts = (int(found.stats.accepted), int(found.stats.rejected), int(found.stats.evaluations))
            error = plain(relative_error(found.jacobian, exact))
            rungs.append(Rung(route.name, rtol, entry, error, sign_of(entry, float(exact[1, 0])), *counts))
    return ToleranceLadder(options, float(exact[1, 0]), tuple(rungs))


def _section(ladder: ToleranceLadder) -> Section:
    options, exact = ladder.options, ladder.entry_exact
    differences = ladder.route(FiniteDifference.name)
    entries = [rung.entry for rung in differences if rung.entry is not None]
    findings = [
        f"Along the ladder finite differences range from {min(entries):.4g} to {max(entries):.4g} and end at {entries[-1]:.6g} (exact "
        f"{exact:.6g}); "
        f"{sum(np.sign(entry) != np.sign(exact) for entry in entries)} of {len(entries)} rungs have the wrong sign."
    ]
    for route in ROUTES:
        at, last = ladder.settles_at(route.name), ladder.route(route.name)[-1]
        if at is not None:
            findings.append(f"{route.name}: within {SETTLED:.0%} of exact from rtol {at:g} on; dv/dh0 = {last.entry:.8g} at the tightest rung.")
        else:
            findings.append(f"{route.name}: not within {SETTLED:.0%} of exact at any tightness tried; dv/dh0 = {last.entry:.6g} at the tightest rung.")
    columns = (
        Column("derivative", "derivative"), Column("rtol", "rtol"), Column("entry", "dv/dh0", "1/s", 9), Column("error", "relative error", "", 3),
        Column("sign", "sign"), Column("accepted", "accepted"), Column("rejected", "rejected"), Column("evaluations", "evaluations"),
    )  # fmt: skip
    series = [
        Series(route.name, list(RTOLS), [rung.entry for rung in ladder.route(route.name)], tone)
        for tone, route in enumerate(ROUTES)
    ]
    exact_line = Series("exact", [RTOLS[0], RTOLS[-1]], [exact, exact], 3, markers=False, dashed=True)
    return Section(
        ID,
        "Tolerance ladder",
        "How tight must a tolerance be, and does tightness alone repair the gradient?",
        f"the drop, spring-damper at k = {options.stiffness:g}, Dormand–Prince 5(4), finite-difference probe {FiniteDifference().probe:g}",
        "rtol from 1e-4 to 1e-12; the derivative route",
        tuple(findings),
        (
            Table(
                f"{ID}-rungs",
                "Every rung. Held: stiffness, law, controller. Varied: rtol within a route, the route from block to block. "
                "Accepted and rejected steps are those of one rollout; evaluations those of the whole Jacobian.",
                columns,
                ladder.rungs,
            ),
        ),
        (
            Figure(
                f"{ID}-entries",
                f"dv/dh0 against the tolerance at k = {options.stiffness:g}. Held: stiffness, law, controller. Varied: rtol along the "
                "axis, tighter to the right; "
                "the derivative route from line to line. The vertical axis is linear between -10 and 10 and logarithmic beyond.",
                Axis("rtol", "log", reversed=True),
                Axis("dv/dh0 (1/s)", "symlog", linear_up_to=10.0),
                (*series, exact_line),
            ),
        ),
        commands=(
            options.command(ID),
            options.readout_command(np.log10(options.stiffness), stepping="tolerance", rtol=1e-6),
            options.readout_command(np.log10(options.stiffness), stepping="tolerance", derivative="autodiff"),
        ),
    )
