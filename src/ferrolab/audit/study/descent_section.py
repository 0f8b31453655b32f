"""How the descent part is told: its findings, tables and figures."""

from __future__ import annotations

from ferrolab.audit.descent import (
    CONVERGED,
    FIRST_STEP,
    GOAL,
    HALVINGS,
    HORIZON,
    ITERATIONS,
    RESTITUTION,
    STARTS,
    Descent,
)
from ferrolab.audit.study.descent_part import (
    ID,
    MAP_H,
    MAP_V,
    SLICE,
    DescentStudy,
    Trial,
)
from ferrolab.audit.study.figure import Axis, Cells, Figure, Series
from ferrolab.audit.study.section import Column, Section, Table


def descent_section(found: DescentStudy) -> Section:
    """The part as the writers want it."""
    k = found.options.stiffness
    published, own, newton = found.of("exact", "gradient"), found.of("own", "gradient"), found.of("own", "gauss-newton")
    count = lambda trial: f"{trial.converged} of {trial.starts}"  # noqa: E731
    penalty = published[1:]
    healed = [t.simulator for t in newton if t.converged == t.starts]
    failed = [t.simulator for t in newton if t.converged < t.starts]
    rough, smooth = found.roughness
    findings = (
        f"Judged by the exact flow: the exact gradient converges from {count(published[0])} starts; penalty autodiff from "
        + ", ".join(f"{count(t)} at k = {t.stiffness:g}" for t in penalty)
        + "; no downhill step at all from "
        + ", ".join(str(t.no_downhill_step) for t in penalty)
        + " of the starts.",
        f"Judged by itself at k = {k:g}, gradient descent: " + "; ".join(f"{t.simulator} {count(t)}" for t in own) + ".",
        f"Judged by itself at k = {k:g}, Gauss–Newton: all starts converge for {'; '.join(healed)}. Not for {'; '.join(failed)}.",
        f"Along h0 at v0 = 0 the objective of the fixed-step simulator has {rough.local_minima} local minima on {rough.samples} "
        "samples, that of the exact "
        f"flow {smooth.local_minima}."
        + (" Autodiff is right about every tooth of that saw and knows nothing of the saw." if rough.local_minima > 10 else ""),
    )
    trial_columns = (
        Column("simulator", "simulator"), Column("stiffness", "k", "1/s²", 3), Column("score", "judged by"), Column("method", "method"),
        Column("converged", "converged"), Column("starts", "of"), Column("no_downhill_step", "no downhill step"),
        Column("iterations", "most iterations"), Column("loss_left", "largest J left", "", 2),
    )  # fmt: skip
    each = [_Each(trial, descent) for trial in found.trials for descent in trial.descents]
    return Section(
        ID,
        "Descent through one impact",
        "Can one optimise with it?",
        f"target: the state reached from {GOAL} after {HORIZON:g} s (e = {RESTITUTION:g} where the rigid flow judges); starts {', '.join(map(str, STARTS))}; "
        f"backtracking from {FIRST_STEP:g}, {HALVINGS} halvings, at most {ITERATIONS} iterations, converged at J < {CONVERGED:g}",
        "the simulator that supplies the gradient; who judges a step; the method",
        findings,
        (
            Table(
                f"{ID}-trials",
                "Every simulator from all starts. Held: target, starts, line search. Varied: simulator, judge, method.",
                trial_columns,
                found.trials,
            ),
            Table(
                f"{ID}-conditioning",
                f"Jacobians at the goal, k = {k:g}: singular values, condition number of JᵀJ, and the mean angle between the downhill "
                "direction each gives and the exact one over the "
                "four starts (above 90° it points uphill). Held: state and residual. Varied: the Jacobian.",
                (
                    Column("jacobian", "Jacobian"), Column("largest", "largest singular value", "", 5), Column("smallest", "smallest", "", 4),
                    Column("condition", "condition of JᵀJ", "", 4), Column("angle", "angle", "°", 4),
                ),
                found.conditioning,
            ),
            Table(
                f"{ID}-roughness",
                f"J along h0 from {SLICE[0]:g} to {SLICE[-1]:g} m at v0 = 0, k = {k:g}. Held: target. Varied: the simulator whose own "
                "objective it is.",
                (Column("simulator", "simulator"), Column("local_minima", "local minima"), Column("samples", "samples"), Column("total_variation", "total variation", "", 4)),
                found.roughness,
            ),
            Table(
                f"{ID}-starts",
                "Start by start. Held and varied as above.",
                (
                    Column("simulator", "simulator"), Column("stiffness", "k", "1/s²", 3), Column("score", "judged by"), Column("method", "method"),
                    Column("h0", "h0", "m", 4), Column("v0", "v0", "m/s", 4), Column("outcome", "outcome"), Column("iterations", "iterations"),
                    Column("loss", "J", "", 3), Column("end_h", "end h0", "m", 5), Column("end_v", "end v0", "m/s", 5),
                ),
                each,
                folded=True,
            ),
        ),
        (
            Figure(
                f"{ID}-slice",
                f"The objective each simulator computes for itself, along h0 at v0 = 0. Held: k = {k:g}, v0, target. Varied: h0 along "
                "the axis, the simulator from line to line.",
                Axis("h0 (m)"),
                Axis("J"),
                tuple(
                    Series(one.simulator, found.slice_h0, values, tone, markers=False)
                    for tone, (one, values) in enumerate(zip(found.roughness, found.slices))
                ),
            ),
            Figure(
                f"{ID}-map",
                "The exact rigid objective over all starts, with the four starts and the goal. Held: target, e. Varied: h0 across, v0 up. "
                "Darker is lower (logarithmic); white lies outside the domain of exactly one impact.",
                Axis("h0 (m)", limits=(float(MAP_H[0]), float(MAP_H[-1]))),
                Axis("v0 (m/s)", limits=(float(MAP_V[0]), float(MAP_V[-1]))),
                (
                    Series("starts", [s[0] for s in STARTS], [s[1] for s in STARTS], 1, line=False),
                    Series("goal", [GOAL[0]], [GOAL[1]], 3, line=False),
                ),
                Cells("J", found.map_h0, found.map_v0, found.map_loss),
            ),
        ),
        (
            "J = ½|x_T − x*|². Judged by the exact flow, a step counts as downhill if the rigid flow's own J falls, the target is the "
            "rigid one, and the gradient is Jᵀ(x_T − x*) with both "
            "factors from the simulator on trial; this reading reproduces the published counts. Judged by itself, target and J are the "
            "simulator's own.",
            "A trial whose rigid flow does not meet the plane exactly once is refused: beyond that domain lies the mass at rest, where "
            "J is flat.",
            "“Exact stepping” is the closed-form flow of the spring-damper: the limit of a perfect integrator. With it, gradient "
            "descent is affordable; the dearer simulators are tried with "
            "Gauss–Newton, which a right Jacobian makes quick (with --thorough also with gradient descent).",
            "This part has the published experiment's own drop and damping ratio; of the audit's options only stiffness and rtol "
            "matter to it.",
        ),
        (found.options.command(ID),),
    )


class _Each:
    """One start of one trial, flat."""

    def __init__(self, trial: Trial, descent: Descent) -> None:
        self.simulator, self.stiffness, self.score, self.method = trial.simulator, trial.stiffness, trial.score, trial.method
        self.h0, self.v0 = descent.start
        self.outcome, self.iterations, self.loss = descent.outcome, descent.iterations, descent.loss
        self.end_h, self.end_v = descent.end
