"""The audit: what the simulator's gradient is worth at one setting, and which part of it is to blame."""

from ferrolab.audit.measures import Shares, timing_term
from ferrolab.audit.readout import (
    Evaluations,
    Measured,
    Readout,
    exponent,
    measure,
    readout,
    sweep,
)
from ferrolab.audit.settings import STEPPINGS, Settings
from ferrolab.audit.split import Split, split
from ferrolab.audit.trajectory import Trajectory, trajectory

__all__ = [
    "STEPPINGS",
    "Evaluations",
    "Measured",
    "Readout",
    "Settings",
    "Shares",
    "Split",
    "Trajectory",
    "exponent",
    "measure",
    "readout",
    "split",
    "sweep",
    "timing_term",
    "trajectory",
]
