"""Readouts as aligned text, for people at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from ferrolab.audit import Readout, Split


def number(value: float | None, digits: int = 6) -> str:
    """A measured number, or a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}g}"


def table(rows: Sequence[tuple[str, str]]) -> str:
    """Two aligned columns."""
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def sign_words(agrees: bool | None) -> str:
    """The sign line's words."""
    return {True: "same sign", False: "WRONG SIGN", None: "no sign"}[agrees]


def readout_table(r: Readout) -> str:
    """One readout."""
    route = r.derivative + ("" if r.saltation or r.derivative != "event-aware" else " without its saltation matrix")
    stepping = f"fixed, {r.stepper}, dt {r.dt:g} s" if r.stepping == "fixed" else f"tolerance, {r.accepted_steps} steps"
    rows = [
        ("stiffness", f"{number(r.stiffness)} 1/s^2  (log10 {r.log_stiffness:g})"),
        ("contact law", r.law),
        ("stepping", stepping),
        ("derivative", route),
        ("status", r.status if not r.message else f"{r.status}: {r.message}"),
        ("restitution", number(r.restitution)),
        ("final height, velocity", _vector(r.state) + "  (m, m/s)"),
        ("of the rigid impact", _vector(r.state_rigid)),
        ("forward error", number(r.forward_error)),
        ("gradient error", f"{number(r.gradient_error)}  (relative)"),
        ("dv/dh0", number(r.entry, 12)),
        ("dv/dh0 exact", number(r.entry_exact, 12)),
        ("sign", sign_words(r.sign_agrees)),
        ("exponent 10^4 to 10^8", number(r.exponent)),
        ("evaluations", f"fixed {r.evaluations.fixed}, tolerance {r.evaluations.tolerance}, ratio {number(r.evaluations.ratio, 3)}"),
        ("integrator share", number(r.split.integrator)),
        ("contact-model share", number(r.split.contact_model)),
        ("step share", number(r.split.step)),
        ("event share", number(r.split.event) + ("  (carried by this route)" if r.split.event_carried else "")),
    ]
    return table(rows)


def sweep_table(readouts: Sequence[Readout]) -> str:
    """A line per stiffness."""
    head = f"{'log10 k':>8} {'dv/dh0':>14} {'exact':>10} {'gradient err':>13} {'forward err':>12} {'e':>8}  sign        status"
    lines = [
        f"{r.log_stiffness:8.3g} {number(r.entry):>14} {number(r.entry_exact):>10} {number(r.gradient_error, 4):>13} "
        f"{number(r.forward_error, 4):>12} {number(r.restitution, 4):>8}  {sign_words(r.sign_agrees):<10}  {r.status}"
        for r in readouts
    ]
    return "\n".join([head, *lines])


def split_table(s: Split) -> str:
    """The matrices and the shares."""
    matrices = [
        ("J of the route", s.jacobian_route),
        ("J of the law, exact", s.jacobian_penalty),
        ("J along the branch", s.jacobian_branch),
        ("J of the rigid impact", s.jacobian_rigid),
    ]
    rows = [("stiffness", number(s.stiffness)), ("restitution", number(s.restitution, 12))]
    rows += [("final height, velocity", _vector(s.state)), ("of the rigid impact", _vector(s.state_rigid))]
    for name, J in matrices:
        rows += [(name, _vector(J[0], 12)), ("", _vector(J[1], 12))]
    shares = s.shares
    rows += [
        ("integrator share", number(shares.integrator)),
        ("  of which step", number(shares.step)),
        ("  of which event", number(shares.event) + ("  (carried by this route)" if shares.event_carried else "")),
        ("contact-model share", number(shares.contact_model)),
    ]
    return table(rows)


def _vector(values: Sequence[float | None], digits: int = 8) -> str:
    return "  ".join(f"{number(value, digits):>18}" for value in values)
