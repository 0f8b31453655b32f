"""Hybrid systems: smooth modes, guards, resets; stepping that locates events; and the derivative through them."""

from ferrolab.hybrid.differentiate import ProbedJacobian, derivative_of, probe_stable_jacobian
from ferrolab.hybrid.locate import Event, Located, located_adaptive, located_fixed
from ferrolab.hybrid.saltation import compose, saltation_matrix
from ferrolab.hybrid.system import Guard, HybridSystem, Mode

__all__ = [
    "Event",
    "Guard",
    "HybridSystem",
    "Located",
    "Mode",
    "ProbedJacobian",
    "compose",
    "derivative_of",
    "located_adaptive",
    "located_fixed",
    "probe_stable_jacobian",
    "saltation_matrix",
]
