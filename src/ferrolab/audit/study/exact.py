"""The exact answers the parts compare with, and the one call by which they ask a route."""

from __future__ import annotations

import numpy as np

from ferrolab.audit.measures import largest_entry
from ferrolab.audit.reference import reference
from ferrolab.audit.study.options import Options
from ferrolab.derivative import Linearisation, jacobian
from ferrolab.derivative.base import Stepper
from ferrolab.derivative.routes import Route
from ferrolab.integrate.base import Stats
from ferrolab.integrate.event_driven import ExactFlow, exact_flow


def ask(options: Options, law: str, stepper: Stepper, route: Route, stiffness: float | None = None) -> Linearisation:
    """The drop's state (2,) and Jacobian (2, 2) by one route, at one stiffness."""
    settings = options.settings(stiffness, law=law)
    system = settings.system(np.array([settings.stiffness]))
    with np.errstate(over="ignore", invalid="ignore"):  # a step the contact cannot hold; the status says so
        found = jacobian(system, settings.start[None], settings.horizon, stepper, route)
    stats = Stats(found.stats.accepted[0], found.stats.rejected[0], found.stats.evaluations[0])
    return Linearisation(found.state[0], found.jacobian[0], found.status[0], stats)


def law_jacobian(options: Options, law: str, stiffness: float | None = None) -> np.ndarray:
    """The exact (2, 2) Jacobian of the law's own continuous flow: what refinement ought to reach."""
    settings = options.settings(stiffness, law=law)
    return reference(settings, np.array([settings.stiffness])).jacobian_law[0]


def spring_flow(options: Options, stiffness: np.ndarray) -> ExactFlow:
    """The exact flow of the spring-damper, one lane per stiffness."""
    settings = options.settings()
    x = np.repeat(settings.start[:, None], len(stiffness), axis=1)
    return exact_flow(settings.spring(stiffness), x, options.horizon)


def relative_error(J: np.ndarray, exact: np.ndarray) -> float:
    """Largest absolute entry of the difference over that of the exact Jacobian, both (2, 2)."""
    with np.errstate(invalid="ignore", over="ignore"):
        return float(largest_entry((J - exact)[None])[0] / largest_entry(exact[None])[0])
