"""Part 6: does it help to put touch-down on the grid? Only if the grid is then differentiated.

The flight takes m steps of `dt1 = t*/m`, so touch-down at t* falls exactly on a grid point, and the rest of the
horizon n steps of `dt2 = (T - t*)/n`. Differentiated with t* held constant, this is ordinary autodiff on a lucky
grid; differentiated with `t* = t*(h0, v0)`, the two step sizes carry tangents of their own. No saltation matrix is
used anywhere: where the second agrees with the exact Jacobian, it does so independently of that formula.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ferrolab.audit.study.exact import law_jacobian, relative_error
from ferrolab.audit.study.figure import Axis, Figure, Series
from ferrolab.audit.study.options import Options
from ferrolab.audit.study.progress import Tell, quiet
from ferrolab.audit.study.section import Column, Section, Table, plain
from ferrolab.contact import KelvinVoigt
from ferrolab.integrate import RungeKutta4
from ferrolab.systems import BouncingMass

ID = "event-alignment"
# Where in its step touch-down falls: 0 is on a grid point. The rest are the same grid, earlier by this part of a step.
PHASES = (0.0, 0.25, 0.5, 0.75)
# Halvings of the coarsest step.
HALVINGS = 4
# A grid point this close to the plane (m) counts as touch-down: on the grid the height there is zero up to rounding.
PLANE_WIDTH = 1e-13


@dataclass(frozen=True)
class Aligned:
    """One grid, one treatment of the hit time. error: relative, against the law's own exact Jacobian."""

    dt: float
    phase: float
    hit_time: str
    entry: float | None
    error: float | None


@dataclass(frozen=True)
class EventAlignment:
    """rows: by step, then phase, then treatment. entry_exact, entry_branch: dv/dh0 of the exact flow (1/s)."""

    options: Options
    entry_exact: float
    touch_down: float
    rows: tuple[Aligned, ...]

    def section(self) -> Section:
        return _section(self)


def run(options: Options, tell: Tell = quiet) -> EventAlignment:
    """Autodiff with touch-down on the grid and off it, the hit time held constant and differentiated."""
    exact = law_jacobian(options, KelvinVoigt.name)
    rows = []
    for dt in (options.dts[0] / 2.0**i for i in range(HALVINGS + 1)):
        for phase in PHASES:
            tell(f"dt {dt:g} s, touch-down at {phase:g} of a step")
            held, moved = _two_phase(options, dt, phase)
            for treatment, J in (("held constant", held), ("differentiated", moved)):
                rows.append(Aligned(dt, phase, treatment, plain(J[1, 0]), plain(relative_error(J, exact))))
    return EventAlignment(options, float(exact[1, 0]), options.touch_down, tuple(rows))


def counts(options: Options, dt: float, phase: float) -> tuple[int, int]:
    """Steps before and after the change of step size, each part's step as near to dt as whole numbers allow."""
    first = options.touch_down - phase * dt
    return max(1, round(first / dt)), max(1, round((options.horizon - first) / dt))


def _two_phase(options: Options, dt: float, phase: float) -> tuple[np.ndarray, np.ndarray]:
    """The Jacobians (2, 2) of the two-part grid, with its step sizes held constant and differentiated.

    The grid changes its step size at `touch_down - phase dt`; with phase 0 that is touch-down.
    """
    settings = options.settings()
    speed = settings.impact_speed
    # t* = (v0 + sqrt(v0^2 + 2 g h0)) / g, so dt*/dh0 = 1/speed and dt*/dv0 = (1 + v0/speed)/g.
    gradient = np.array([1.0 / speed, (1.0 + settings.velocity / speed) / settings.gravity])
    _, held, along_time = two_part(options, options.touch_down - phase * dt, *counts(options, dt, phase), aligned=phase == 0.0)
    return held, held + np.outer(along_time, gradient)


def two_part(options: Options, first: float, m: int, n: int, aligned: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Step to `first` (s) in m steps and to the horizon in n.

    Args:
        aligned: touch-down is at `first`, so the first part is flight and the second begins in contact.

    Returns:
        The final state (2,), its Jacobian at constant step sizes (2, 2), and its derivative along `first` (2,).
    """
    settings = options.settings()
    system = settings.spring(np.array([settings.stiffness]))
    # Components h, v, tau; the state, then its tangents: along h0 and v0 at constant tau, and along tau itself.
    y = np.zeros((3, 4, 1))
    y[:2, 0, 0], y[2, 0, 0] = settings.start, first / m
    y[:, 1:, 0] = np.eye(3)
    before = 0 if aligned else min(2, m)
    y = _fall(system, y, m - before)
    for _ in range(before):
        y = _step(system, y, 0.0)
    # The second part has its own step size, and so a fifth column; the fourth carries what the first one's did.
    along_first = np.array([*(y[:2, 3, 0] / m), 0.0])
    y = np.concatenate([y, along_first[:, None, None]], axis=1)
    y[2, 0, 0], y[:, 3, 0] = (options.horizon - first) / n, (0.0, 0.0, 1.0)
    done = 0
    while done < n and not (y[0, 0, 0] > 0.0 and y[1, 0, 0] > 0.0):
        y = _step(system, y, PLANE_WIDTH if aligned else 0.0)
        done += 1
    y = _fall(system, y, n - done)
    return y[:2, 0, 0], y[:2, 1:3, 0], y[:2, 4, 0] - y[:2, 3, 0] / n


def _step(system: BouncingMass, y: np.ndarray, width: float) -> np.ndarray:
    """One step of size tau, which is a component of the state: rk4 with unit step on `(tau f(x), 0)`."""

    def field(y: np.ndarray) -> np.ndarray:
        x = y[:2].copy()
        x[0, 0] -= width
        return _scaled(system.variational_field(x), y)

    return y + RungeKutta4(1.0).increment(field, y, 1.0)


def _fall(system: BouncingMass, y: np.ndarray, steps: int) -> np.ndarray:
    """`steps` steps of free fall at once: rk4 is exact there, so one step of their total length is the same."""
    mode = system.flight()

    def field(y: np.ndarray) -> np.ndarray:
        x = y[:2]
        return _scaled(np.concatenate([mode.field(x[:, 0])[:, None], mode.linear(x[:, 1:])], axis=1), y)

    return y + RungeKutta4(1.0).increment(field, y, float(steps))


def _scaled(moved: np.ndarray, y: np.ndarray) -> np.ndarray:
    """`(tau f, 0)` and its tangents, from the field and its tangents."""
    out = np.zeros_like(y)
    out[:2] = y[2, 0] * moved
    out[:2, 1:] += y[2, 1:] * moved[:, :1]
    return out


_CURVES = tuple((treatment, phase) for treatment in ("held constant", "differentiated") for phase in (0.0, 0.5))


def _curve(found: EventAlignment, treatment: str, phase: float, tone: int) -> Series:
    rows = [row for row in found.rows if (row.hit_time, row.phase) == (treatment, phase)]
    where = "on the grid" if phase == 0.0 else f"{phase:g} of a step off"
    return Series(f"{treatment}, touch-down {where}", [row.dt for row in rows], [row.error for row in rows], tone)


def _section(found: EventAlignment) -> Section:
    options = found.options
    finest = min(row.dt for row in found.rows)
    at = {(row.phase, row.hit_time): row for row in found.rows if row.dt == finest}
    on, moved = at[0.0, "held constant"], at[0.0, "differentiated"]
    held_off, off = at[0.5, "held constant"], at[0.5, "differentiated"]
    repaired = bool(moved.error and on.error and moved.error < 0.1 * on.error)
    findings = (
        f"With touch-down on a grid point (dt {finest:g} s) and the hit time held constant, dv/dh0 = {on.entry:.6g} (exact "
        f"{found.entry_exact:.6g}): "
        "a lucky grid is still differentiated as if touch-down could not move.",
        f"The same grid with the hit time differentiated gives {moved.entry:.8g}, a relative error of {moved.error:.1e}"
        + (": the missing term is the moving time, found without a saltation matrix." if repaired else "."),
        f"With touch-down half a step off the grid, held constant gives {held_off.entry:.6g} and differentiated {off.entry:.6g}."
        + (" It matters that the grid moves with touch-down, not that it contains it." if repaired else ""),
    )
    return Section(
        ID,
        "Event alignment",
        "Is it enough that touch-down falls on a grid point?",
        f"the drop, spring-damper at k = {options.stiffness:g}, rk4, autodiff",
        "the step; where in a step touch-down falls; whether the hit time is held constant or differentiated",
        findings,
        (
            Table(
                f"{ID}-rows",
                "Autodiff through a grid whose step size changes at touch-down (phase 0) or a part of a step before it. Held: "
                "stiffness, law, method. "
                "Varied: the step, the phase of touch-down within its step, the treatment of the hit time.",
                (
                    Column("dt", "dt", "s", 3), Column("phase", "phase", "steps", 3), Column("hit_time", "hit time"),
                    Column("entry", "dv/dh0", "1/s", 9), Column("error", "relative error", "", 3),
                ),
                found.rows,
                folded=True,
            ),
        ),
        (
            Figure(
                f"{ID}-errors",
                f"Relative error against the step at k = {options.stiffness:g}. Held: stiffness, law, method. Varied: the step along "
                "the axis; from line to line, whether the "
                "hit time is held constant or differentiated, and where in its step touch-down falls.",
                Axis("dt (s)", "log", reversed=True),
                Axis("relative error", "log"),
                tuple(_curve(found, treatment, phase, tone) for tone, (treatment, phase) in enumerate(_CURVES)),
            ),
        ),
        notes=(
            f"Touch-down is at {found.touch_down:.12g} s. The steps are the nearest to dt that divide the time before and after it.",
            "What error is left when the hit time is differentiated comes from the end of contact, which stays off the grid.",
        ),
        commands=(options.command(ID),),
    )
