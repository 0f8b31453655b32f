"""Part 10: smoothing. What the other half of the field's answer buys in front of a contact, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass

from ferrolab import smoothing
from ferrolab.audit.study.figure import Axis, Figure, Series
from ferrolab.audit.study.options import Options
from ferrolab.audit.study.progress import Tell, quiet
from ferrolab.audit.study.section import Column, Section, Table
from ferrolab.contact import HardImpulse
from ferrolab.systems import Bar

ID = "smoothing"
# The published sharpness (1/m), and one to either side. The noise of the release height (m) and the samples drawn.
KAPPA, KAPPAS = 300.0, (30.0, 300.0, 3000.0)
NOISE, SAMPLES = 0.02, 4000
DTS = (5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4)
# Sharpnesses at which the two estimators are compared, a few millimetres above the highest release that still lands.
SHARPNESSES = (5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0)
RELEASE_HEIGHT, DT = 0.2, 1e-3
# A bar that lands on both ends with friction.
BAR, LANDING, LANDING_DT = Bar(friction=0.3), (0.0, 0.0, 0.0, 0.5, -1.0, 0.3), 5e-3


@dataclass(frozen=True)
class Step:
    """One time step: where the smoothed contact stops an arriving mass, and how a resting one sinks. SI units."""

    dt: float
    hover: float
    hover_closed_form: float
    creep: float
    creep_closed_form: float
    kappa_best: float
    kappa_noise: float
    mismatch: float


@dataclass(frozen=True)
class Scaling:
    """One reading of where the sigmoid enters, at one sharpness (1/m): shares of what hard contact does."""

    kappa: float
    scaling: str
    mass: float
    bar: float


@dataclass(frozen=True)
class Variance:
    """Variance of one sample of the two estimators of the same slope, and their ratio."""

    kappa: float
    kappa_noise: float
    zeroth_order: float
    first_order: float
    ratio: float


@dataclass(frozen=True)
class Sweeps:
    """Error of one step of the bar after so many sweeps, relative to the converged step's largest entry."""

    sweeps: int
    state_error: float
    gradient_error: float


@dataclass(frozen=True)
class Smoothing:
    """The measured part."""

    options: Options
    steps: tuple[Step, ...]
    scalings: tuple[Scaling, ...]
    variances: tuple[Variance, ...]
    sweeps: tuple[Sweeps, ...]

    def section(self) -> Section:
        return _section(self)


def run(options: Options, tell: Tell = quiet) -> Smoothing:
    """Measure the falling mass and the bar. Of the options only gravity matters here."""
    gravity = options.gravity
    steps = []
    for dt in DTS:
        tell(f"dt = {dt:g} s")
        hovers = smoothing.hover(KAPPA, dt, gravity * smoothing.Settings().horizon)
        crept = smoothing.creep(KAPPA, dt, gravity)
        best = smoothing.match(NOISE, dt, gravity=gravity)
        depths = float(crept.depth[-1]), float(crept.closed_form[-1])
        steps.append(Step(dt, *hovers, *depths, best.kappa, best.kappa * NOISE, best.mismatch))
    tell("scalings")
    scalings = [Scaling(k, r.scaling, r.mass, r.bar) for k in KAPPAS for r in smoothing.readings(k)]
    variances = []
    for kappa in SHARPNESSES:
        tell(f"kappa = {kappa:g} 1/m")
        objective = smoothing.OfRelease("smoothed", DT, kappa, gravity=gravity)
        sampling = smoothing.Sampling(NOISE, SAMPLES)
        zeroth, first = (
            float(smoothing.estimate(objective, RELEASE_HEIGHT, sampling, estimator).variance[0])
            for estimator in (smoothing.ZerothOrder("center"), smoothing.FirstOrder())
        )
        variances.append(Variance(kappa, kappa * NOISE, zeroth, first, zeroth / first))
    tell("sweeps")
    found = smoothing.iterations(BAR, HardImpulse(), LANDING, LANDING_DT)
    sweeps = [Sweeps(int(n), float(s), float(g)) for n, s, g in zip(found.sweeps, found.state_error, found.gradient_error)]
    return Smoothing(options, tuple(steps), tuple(scalings), tuple(variances), tuple(sweeps))


def _section(found: Smoothing) -> Section:
    coarse, fine = found.steps[0], found.steps[-1]
    sharp = [row for row in found.scalings if row.kappa == KAPPAS[-1]]
    by_name = {row.scaling: row for row in sharp}
    cheap = [row for row in found.variances if row.ratio < 1.0]
    findings = (
        f"At kappa = {KAPPA:g} 1/m an arriving mass is stopped {1e3 * fine.hover:.1f} mm above the ground at dt = {fine.dt:g} s and at "
        f"{1e3 * coarse.hover:.1f} mm at dt = {coarse.dt:g} s: the factor is applied once a step, and a finer step applies it more often. "
        "Refining the step does not converge.",
        f"A mass at rest sinks {1e3 * coarse.creep:.2f} mm in a second at dt = {coarse.dt:g} s, {1e3 * fine.creep:.2f} mm at {fine.dt:g} s.",
        f"The sharpness that best matches a noise of {1e3 * NOISE:g} mm times that noise is {coarse.kappa_noise:.2f} at dt = {coarse.dt:g} s and "
        f"{fine.kappa_noise:.2f} at {fine.dt:g} s: no rule of thumb holds for every step.",
        f"Where the sigmoid enters does not matter to one contact. To a bar with one end open it does: at kappa = {sharp[0].kappa:g} 1/m the end "
        f"in contact is slowed {by_name['converged'].bar:.2f} times as much as by hard contact if the converged impulses are scaled, and "
        f"{by_name['sweep'].bar:.3f} times if each sweep scales them.",
        f"The pathwise estimate is the cheaper one while the smoothed contact is wide against the noise (ratio {found.variances[0].ratio:.0f} at "
        f"kappa times noise {found.variances[0].kappa_noise:g})"
        + (f"; from {cheap[0].kappa_noise:g} on it is the dearer one." if cheap else "."),
    )  # fmt: skip
    return Section(
        ID,
        "Smoothed contact",
        "What do forces at a distance, or noise, buy a gradient, and at what price?",
        f"the falling mass, released at rest, {smoothing.Settings().horizon:g} s; unless varied kappa = {KAPPA:g} 1/m, noise {1e3 * NOISE:g} mm, "
        f"dt = {DT:g} s",
        "time step; sharpness; where the factor enters the solver; number of sweeps",
        findings,
        (
            Table(
                f"{ID}-steps",
                "Time stepping with the smoothed contact. Held: sharpness, speed of arrival, noise. Varied: the step.",
                (
                    Column("dt", "dt", "s", 3), Column("hover", "stopped at", "m", 4), Column("hover_closed_form", "closed form", "m", 4),
                    Column("creep", "sunk in 1 s", "m", 4), Column("creep_closed_form", "closed form", "m", 4),
                    Column("kappa_best", "matching kappa", "1/m", 4), Column("kappa_noise", "kappa times noise", "", 3),
                    Column("mismatch", "rms mismatch there", "m/s", 3),
                ),
                found.steps,
            ),
            Table(
                f"{ID}-scalings",
                "Speed taken in one step, as a share of what hard contact takes: of a mass 10 mm deep, and of the end of a bar 10 mm deep "
                "whose other end is open. Held: depth and speed. Varied: sharpness and where the factor enters the sweeps.",
                (Column("kappa", "kappa", "1/m", 4), Column("scaling", "scaled"), Column("mass", "mass"), Column("bar", "bar")),
                found.scalings,
            ),
            Table(
                f"{ID}-variances",
                f"Variance of one sample of d E[final velocity] / d h0, {SAMPLES} samples at h0 = {RELEASE_HEIGHT:g} m. Held: noise. Varied: sharpness.",
                (
                    Column("kappa", "kappa", "1/m", 4), Column("kappa_noise", "kappa times noise", "", 3),
                    Column("zeroth_order", "zeroth order", "1/s^2", 3), Column("first_order", "first order", "1/s^2", 3), Column("ratio", "ratio", "", 3),
                ),
                found.variances,
            ),
            Table(
                f"{ID}-sweeps",
                "One step of a bar that lands on both ends with friction, against the converged step. Held: where it lands and how. Varied: Gauss-Seidel sweeps.",
                (Column("sweeps", "sweeps"), Column("state_error", "state error", "", 3), Column("gradient_error", "gradient error", "", 3)),
                found.sweeps,
            ),
        ),
        (
            Figure(
                f"{ID}-hover",
                "Where the smoothed contact stops an arriving mass. Held: sharpness, speed. Varied: the step.",
                Axis("dt (s)", "log", reversed=True), Axis("height (mm)"),
                (
                    Series("steps", [s.dt for s in found.steps], [1e3 * s.hover for s in found.steps], 0),
                    Series("closed form", [s.dt for s in found.steps], [1e3 * s.hover_closed_form for s in found.steps], 1, markers=False, dashed=True),
                ),
            ),
            Figure(
                f"{ID}-sweep-errors",
                "Solver iterations against the error of the state and of its derivative. Held: one step of the bar. Varied: sweeps.",
                Axis("sweeps", "log"), Axis("relative error", "log"),
                (
                    Series("state", [s.sweeps for s in found.sweeps], [s.state_error or None for s in found.sweeps], 0),
                    Series("gradient", [s.sweeps for s in found.sweeps], [s.gradient_error or None for s in found.sweeps], 1),
                ),
            ),
            Figure(
                f"{ID}-ratio",
                "Variance of the zeroth-order estimate over that of the pathwise one. Held: noise, release height. Varied: sharpness.",
                Axis("kappa times noise", "log"), Axis("ratio", "log"),
                (Series("ratio", [v.kappa_noise for v in found.variances], [v.ratio for v in found.variances], 0),),
            ),
        ),
        (
            "Idea of the smoothed contact: arXiv 2404.02887. Which of the two scalings its solver uses could not be established from its text.",
            "The slope is of the average over Gaussian noise of the release height; both estimates are unbiased for the smoothed contact. For hard "
            "contact the pathwise one is 0, whatever the slope.",
        ),
        (found.options.command(ID),),
    )  # fmt: skip
