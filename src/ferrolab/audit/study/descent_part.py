"""Part 11: the gradient put to use. Descent through one impact, for every route, and the landscape it walks on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.audit.descent import (
    EXACT,
    GOAL,
    STARTS,
    Descent,
    Simulator,
    descend,
    in_domain,
    objective,
)
from ferrolab.audit.study.options import Options
from ferrolab.audit.study.progress import Tell, quiet
from ferrolab.audit.study.section import Section
from ferrolab.contact import HuntCrossley, KelvinVoigt
from ferrolab.derivative import Autodiff, EventAware, FiniteDifference
from ferrolab.integrate import (
    DormandPrince,
    EventDriven,
    RungeKutta4,
    SemiImplicitEuler,
)

ID = "descent"
# The published experiment's stiffnesses (1/s^2) and step (s).
STIFFNESSES = (1e3, 1e4, 1e6, 1e8)
DT = 1e-4
# Steps (s) fine enough for Hunt-Crossley, whose force has to be resolved.
FINE_DTS = (1e-5, 1e-6)
# The scans: h0 and v0 of the map, and h0 of the slice at v0 = 0.
MAP_H, MAP_V = np.linspace(0.6, 1.4, 61), np.linspace(-1.0, 1.0, 61)
SLICE = np.linspace(0.98, 1.02, 801)


@dataclass(frozen=True)
class Trial:
    """One simulator from all starts. `loss_left` is the largest J any start ended with."""

    simulator: str
    stiffness: float | None
    score: str
    method: str
    starts: int
    converged: int
    no_downhill_step: int
    iterations: int
    loss_left: float
    descents: tuple[Descent, ...]


@dataclass(frozen=True)
class Conditioning:
    """Singular values of a Jacobian at the goal, the condition number of `J^T J`, and the downhill angle.

    angle: between `-J^T r` and the exact `-J_exact^T r` (degrees), the mean over the starts; above 90 is uphill.
    """

    jacobian: str
    largest: float
    smallest: float
    condition: float
    angle: float


@dataclass(frozen=True)
class Roughness:
    """Local minima of J along the slice: a smooth objective has one."""

    simulator: str
    local_minima: int
    samples: int
    total_variation: float


@dataclass(frozen=True)
class DescentStudy:
    """trials; conditioning at the goal; roughness, slice and map of the landscape."""

    options: Options
    trials: tuple[Trial, ...]
    conditioning: tuple[Conditioning, ...]
    roughness: tuple[Roughness, ...]
    slice_h0: tuple[float, ...]
    slices: tuple[tuple[float, ...], ...]
    map_h0: tuple[float, ...]
    map_v0: tuple[float, ...]
    map_loss: tuple[tuple[float | None, ...], ...]

    def of(self, score: str, method: str) -> tuple[Trial, ...]:
        """The trials of one score and method."""
        return tuple(trial for trial in self.trials if (trial.score, trial.method) == (score, method))

    def section(self) -> Section:
        from ferrolab.audit.study.descent_section import descent_section

        return descent_section(self)


def spring(name: str, stiffness: float, stepper, route) -> Simulator:
    """A simulator of the spring-damper."""
    return Simulator(name, KelvinVoigt(stiffness), stepper, route)


def run(options: Options, tell: Tell = quiet, iterations: int | None = None) -> DescentStudy:
    """Descend with every route. The drop, target and starts are the published experiment's, not the options'.

    iterations: a smaller limit than the published one, for a quick look; None is the published one.
    """
    k = options.stiffness
    euler = lambda k: spring("Euler, autodiff", k, SemiImplicitEuler(DT), Autodiff())  # noqa: E731
    plan = [(EXACT, None, "exact", "gradient"), *((euler(k), k, "exact", "gradient") for k in STIFFNESSES)]
    limit = [
        spring("exact stepping, autodiff", k, EventDriven(), Autodiff()),
        spring("exact stepping, finite differences", k, EventDriven(), FiniteDifference()),
        spring("exact stepping, event-aware", k, EventDriven(), EventAware()),
    ]
    plan += [(one, k, "own", "gradient") for one in (euler(k), *limit)]
    dear = [
        euler(k), *limit,
        spring("RK4 with events located, no matrix", k, RungeKutta4(DT), EventAware(saltation=False)),
        spring("RK4 with events located, event-aware", k, RungeKutta4(DT), EventAware()),
        spring(f"tolerance {options.rtol:g}, autodiff", k, DormandPrince(rtol=options.rtol), Autodiff()),
        spring(f"tolerance {options.rtol:g}, finite differences", k, DormandPrince(rtol=options.rtol), FiniteDifference()),
        spring(f"tolerance {options.rtol:g}, event-aware", k, DormandPrince(rtol=options.rtol), EventAware()),
        *(Simulator(f"Hunt–Crossley, Euler {dt:g} s, autodiff", HuntCrossley(k), SemiImplicitEuler(dt), Autodiff()) for dt in FINE_DTS),
        Simulator(f"Hunt–Crossley, tolerance {options.rtol:g}, autodiff", HuntCrossley(k), DormandPrince(rtol=options.rtol), Autodiff()),
    ]  # fmt: skip
    if options.thorough:
        repaired = (EventAware(), FiniteDifference())
        plan += [(one, k, "own", "gradient") for one in dear if one not in limit and one.route in repaired]
    plan += [(one, k, "own", "gauss-newton") for one in dear]
    trials = []
    for simulator, stiffness, score, method in plan:
        tell(f"{simulator.label}, {score} score, {method}")
        # Exact stepping is cheap in bulk; a located or adaptive rollout is not, so it is asked for one size at a time.
        found = descend(simulator, score, method, iterations=iterations, block=8 if isinstance(simulator.stepper, EventDriven) else 1)
        trials.append(_trial(simulator.label, stiffness, score, method, found))
    tell("landscape")
    rough, slices = _slices((euler(k), limit[2]))
    return DescentStudy(
        options, tuple(trials), _conditioning(k, (limit[2], limit[0], euler(k))), rough,
        tuple(SLICE.tolist()), slices, tuple(MAP_H.tolist()), tuple(MAP_V.tolist()), _map(),
    )  # fmt: skip


def _trial(label: str, stiffness: float | None, score: str, method: str, found: tuple[Descent, ...]) -> Trial:
    return Trial(
        label, stiffness, score, method, len(found), sum(d.outcome == "converged" for d in found),
        sum(d.outcome == "no downhill step" and d.iterations == 0 for d in found), max(d.iterations for d in found),
        max(d.loss for d in found), found,
    )  # fmt: skip


def _conditioning(k: float, simulators: tuple[Simulator, ...]) -> tuple[Conditioning, ...]:
    names = ("spring-damper, exact", "spring-damper, branch only", f"Euler {DT:g} s, autodiff")
    starts = np.array(STARTS).T
    out = []
    exact_ways = None
    for name, one in zip(names, simulators):
        s = np.linalg.svd(one.linearise(np.array(GOAL)[:, None])[1][0], compute_uv=False)
        # The residual is the exact flow's for all three, so that only the Jacobian differs.
        states, exact_J = simulators[0].linearise(starts)
        r = states - simulators[0].ends(np.array(GOAL)[:, None])
        ways = np.einsum("lij,il->jl", one.linearise(starts)[1], r)
        exact_ways = ways if exact_ways is None else exact_ways
        cosine = np.sum(ways * exact_ways, axis=0) / (np.linalg.norm(ways, axis=0) * np.linalg.norm(exact_ways, axis=0))
        angle = float(np.degrees(np.mean(np.arccos(np.clip(cosine, -1.0, 1.0)))))
        out.append(Conditioning(name, float(s[0]), float(s[1]), float((s[0] / s[1]) ** 2), angle))
    return tuple(out)


def _slices(simulators: tuple[Simulator, ...]) -> tuple[tuple[Roughness, ...], tuple[tuple[float, ...], ...]]:
    rough, slices = [], []
    for one in simulators:
        loss = objective(one)[1](np.stack([SLICE, np.zeros_like(SLICE)]))
        falls = np.diff(loss) < 0.0
        minima = int(np.sum(falls[:-1] & ~falls[1:]))
        rough.append(Roughness(one.label, minima, len(SLICE), float(np.sum(np.abs(np.diff(loss))))))
        slices.append(tuple(loss.tolist()))
    return tuple(rough), tuple(slices)


def _map() -> tuple[tuple[float | None, ...], ...]:
    h, v = np.meshgrid(MAP_H, MAP_V)
    points = np.stack([h.ravel(), v.ravel()])
    loss = objective(EXACT)[1](points)
    inside = in_domain(points)
    values = [float(value) if ok else None for value, ok in zip(loss, inside)]
    return tuple(tuple(values[i : i + len(MAP_H)]) for i in range(0, len(values), len(MAP_H)))
