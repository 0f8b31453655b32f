"""Part 9: the three-way split over stiffness, its exponents, and the noise floor under them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.audit.measures import largest_entry
from ferrolab.audit.readout import measure
from ferrolab.audit.reference import REFERENCE_RTOL, lanes_of, reference
from ferrolab.audit.study.figure import Axis, Figure, Series
from ferrolab.audit.study.options import Options
from ferrolab.audit.study.progress import Tell, quiet
from ferrolab.audit.study.section import Column, Section, Table, plain
from ferrolab.derivative.base import advance_located, seeded
from ferrolab.integrate import DormandPrince
from ferrolab.integrate.event_driven import exact_flow

ID = "split"
PER_DECADE = 2
# The exponents are fitted from this decade on (log10 k): below it the contact takes a large part of the horizon.
FIT_FROM = 4.0


@dataclass(frozen=True)
class SplitPoint:
    """Shares at one stiffness: largest absolute entries of the three differences, and of the error of a closed form.

    step, event, model: see `audit.Shares`; the step share is that of autodiff at the coarsest fixed step.
    entry_law, entry_branch, entry_rigid: dv/dh0 of the three exact Jacobians (1/s).
    two_methods: largest disagreement of the closed forms with located Dormand-Prince near rounding.
    one_ulp: largest change of the three exact Jacobians when start and stiffness move by one unit in the last place.
    """

    log_stiffness: float
    step: float | None
    event: float
    model: float
    entry_law: float
    entry_branch: float
    entry_rigid: float
    two_methods: float
    one_ulp: float

    @property
    def floor(self) -> float:
        """Nothing below this is a measurement."""
        return max(self.two_methods, self.one_ulp)


@dataclass(frozen=True)
class Fit:
    """Exponent p of `share ~ k^p` by least squares, and the largest residual of the fit in log10."""

    share: str
    exponent: float | None
    residual: float | None
    expected: float | None


@dataclass(frozen=True)
class SplitSweep:
    """points: in order of stiffness. noise_floor: the largest of the points' floors."""

    options: Options
    points: tuple[SplitPoint, ...]
    fits: tuple[Fit, ...]
    fit_from: float
    noise_floor: float

    def section(self) -> Section:
        return _section(self)


def run(options: Options, tell: Tell = quiet) -> SplitSweep:
    """Split the error at every stiffness, and measure how well its parts are known."""
    logs = np.round(np.arange(options.start, options.stop + 1e-9, 1.0 / PER_DECADE), 12)
    settings = options.settings()
    k = 10.0**logs
    tell("closed forms")
    exact = reference(settings, k)
    route = measure(settings, k).jacobian
    J = (exact.jacobian_law, exact.jacobian_branch, exact.jacobian_rigid)
    tell("the same by located Dormand-Prince")
    methods = _two_methods(settings, k, J)
    tell("one unit in the last place")
    ulp = _one_ulp(settings, k, J)
    with np.errstate(invalid="ignore", over="ignore"):
        step = largest_entry(route - J[1])
    event, model = largest_entry(J[1] - J[0]), largest_entry(J[0] - J[2])
    points = tuple(
        SplitPoint(
            float(log), plain(step[i]), float(event[i]), float(model[i]), *(float(one[i, 1, 0]) for one in J), float(methods[i]), float(ulp[i])
        )
        for i, log in enumerate(logs)
    )
    fit_from = FIT_FROM if options.stop > FIT_FROM else options.start
    fits = tuple(
        _fit(name, expected, [(p.log_stiffness, getattr(p, name)) for p in points if p.log_stiffness >= fit_from])
        for name, expected in (("event", 0.5), ("model", -0.5), ("step", None))
    )
    return SplitSweep(options, points, fits, fit_from, max(point.floor for point in points))


def _two_methods(settings, k: np.ndarray, J: tuple[np.ndarray, ...]) -> np.ndarray:
    x, stepper = lanes_of(settings, len(k)), DormandPrince(rtol=REFERENCE_RTOL)
    ends = [advance_located(settings.spring(k), seeded(x), settings.horizon, stepper, salt).y[:, 1:] for salt in (True, False)]
    return np.max([largest_entry(np.moveaxis(end, -1, 0) - one) for end, one in zip(ends, J)], axis=0)


def _one_ulp(settings, k: np.ndarray, J: tuple[np.ndarray, ...]) -> np.ndarray:
    x = lanes_of(settings, len(k))
    moved = np.zeros(len(k))
    for towards in (-np.inf, np.inf):
        x_near, k_near = np.stack([np.nextafter(x[0], towards), x[1]]), np.nextafter(k, towards)
        flow = exact_flow(settings.spring(k_near), x_near, settings.horizon)
        for tangent, one in zip((flow.tangent, flow.tangent_branch), J):
            moved = np.maximum(moved, largest_entry(np.moveaxis(tangent, -1, 0) - one))
    return moved


def _fit(name: str, expected: float | None, points: list[tuple[float, float | None]]) -> Fit:
    usable = np.array([(x, np.log10(y)) for x, y in points if y])
    if len(usable) < 3:
        return Fit(name, None, None, expected)
    slope, offset = np.polyfit(usable[:, 0], usable[:, 1], 1)
    residual = np.max(np.abs(usable[:, 1] - offset - slope * usable[:, 0]))
    return Fit(name, float(slope), float(residual), expected)


def _section(found: SplitSweep) -> Section:
    options = found.options
    k = [10.0**p.log_stiffness for p in found.points]
    shares = (("event", "event share", 0), ("model", "contact-model share", 1), ("step", f"step share, autodiff, dt {options.dts[0]:g} s", 2))
    findings = [
        f"{name.capitalize()} share ~ k^{fit.exponent:+.5f} from 10^{found.fit_from:g} on (largest residual {fit.residual:.1e} decades"
        + (f"; theory {fit.expected:+g})." if fit.expected is not None else ").")
        for fit in found.fits
        if fit.exponent is not None
        for name in ({"event": "event", "model": "contact-model", "step": "step"}[fit.share],)
    ]
    findings.append(
        f"Measured noise floor of the exact Jacobians: {found.noise_floor:.1e} (absolute), the larger of what two unrelated methods "
        "disagree by and "
        "what one unit in the last place of start and stiffness moves. No share quoted here is below it."
        if all(min(p.event, p.model) > p.floor for p in found.points)
        else f"Measured noise floor of the exact Jacobians: {found.noise_floor:.1e} (absolute). Some shares lie below it and are not measurements."
    )
    log_k = np.log10(options.stiffness)
    return Section(
        ID,
        "Three-way split",
        "Of the difference between the returned and the rigid Jacobian, which part is whose?",
        f"the drop, damping ratio {options.damping_ratio:g}, autodiff at dt {options.dts[0]:g} s ({options.stepper})",
        f"log10 k from {options.start:g} to {options.stop:g}",
        tuple(findings),
        (
            Table(
                f"{ID}-points",
                "J_route − J_rigid = (J_route − J_branch) + (J_branch − J_law) + (J_law − J_rigid): largest absolute entries, with "
                "dv/dh0 of the exact Jacobians "
                "and the noise floor. Held: the drop. Varied: stiffness.",
                (
                    Column("log_stiffness", "log10 k"), Column("step", "step share", "", 6), Column("event", "event share", "", 8), Column("model", "model share", "", 6),
                    Column("entry_law", "law dv/dh0", "1/s", 12), Column("entry_branch", "branch dv/dh0", "1/s", 10), Column("entry_rigid", "rigid dv/dh0", "1/s", 10),
                    Column("two_methods", "two methods", "", 2), Column("one_ulp", "one ulp", "", 2),
                ),
                found.points,
            ),
            Table(
                f"{ID}-exponents",
                f"Exponent of each share in stiffness, least squares from 10^{found.fit_from:g} on. Held: the drop. Varied: stiffness.",
                (Column("share", "share"), Column("exponent", "exponent", "", 6), Column("expected", "theory", "", 3), Column("residual", "largest residual", "decades", 2)),
                found.fits,
            ),
        ),
        (
            Figure(
                f"{ID}-shares",
                "The three shares and the noise floor against stiffness. Held: the drop, the damping ratio, the fixed step. Varied: "
                "stiffness. "
                "The step share varies with where the grid happens to meet the contact.",
                Axis("contact stiffness k (1/s²)", "log"),
                Axis("largest absolute entry", "log"),
                (
                    *(Series(label, k, [getattr(p, name) for p in found.points], tone) for name, label, tone in shares),
                    Series("noise floor", k, [p.floor or None for p in found.points], 3, markers=False, dashed=True),
                ),
            ),
        ),
        (
            "J_law is the exact Jacobian of the continuous spring-damper flow, in closed form; J_branch the same product without the "
            "saltation matrix of touch-down; "
            "J_rigid the rigid impact's at the restitution the continuous spring realises.",
        ),
        (options.command(ID), f"ferrolab split --stiffness {options.stiffness:g}", options.readout_command(log_k)),
    )
