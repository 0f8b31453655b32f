"""Hybrid systems: smooth modes, guards, resets; stepping that locates events; and the derivative through them."""

from ferrolab.hybrid.differentiate import (
    ProbedJacobian,
    derivative_of,
    probe_stable_jacobian,
)
from ferrolab.hybrid.jacobian import HybridJacobian, hybrid_jacobian
from ferrolab.hybrid.jumps import Jump, Prediction, predict, step_jump, touch_down_jump
from ferrolab.hybrid.locate import (
    MAX_EVENTS,
    Event,
    Located,
    located_adaptive,
    located_fixed,
)
from ferrolab.hybrid.parameters import with_parameters
from ferrolab.hybrid.refusal import (
    Accumulation,
    DegenerateEvent,
    Divergence,
    EventsTooClose,
    Grazing,
    HiddenState,
    Limits,
    ProbeDependent,
    Refusal,
)
from ferrolab.hybrid.reverse import LossGradient, forward_gradient, reverse_gradient
from ferrolab.hybrid.saltation import compose, saltation_matrix
from ferrolab.hybrid.system import Guard, HybridSystem, Mode

__all__ = [
    "MAX_EVENTS",
    "Accumulation",
    "DegenerateEvent",
    "Divergence",
    "Event",
    "EventsTooClose",
    "Grazing",
    "Guard",
    "HiddenState",
    "HybridJacobian",
    "HybridSystem",
    "Jump",
    "Limits",
    "Located",
    "LossGradient",
    "Mode",
    "Prediction",
    "ProbeDependent",
    "ProbedJacobian",
    "Refusal",
    "compose",
    "derivative_of",
    "forward_gradient",
    "hybrid_jacobian",
    "located_adaptive",
    "located_fixed",
    "predict",
    "probe_stable_jacobian",
    "reverse_gradient",
    "saltation_matrix",
    "step_jump",
    "touch_down_jump",
    "with_parameters",
]
