"""Contact laws: the first suspect. One law a file; the folder is the list of what exists.

A law speaks of one contact: `gap` (m, negative when penetrating) and its `rate` (m/s, negative when closing).
Forces are per unit mass (m/s^2). A force law is one-sided: it acts while `gap < 0` and never pulls.

The impulse laws (`HardImpulse`, `SmoothedImpulse`, `PenaltyImpulse`) belong to time stepping at velocity level: they
say which contacts take part in the solver, and by what factor their impulse (N s) is scaled.
"""

from ferrolab.contact.clamped_damper import ClampedDamper
from ferrolab.contact.hard_impulse import HardImpulse
from ferrolab.contact.hunt_crossley import HuntCrossley
from ferrolab.contact.kelvin_voigt import KelvinVoigt
from ferrolab.contact.mujoco_reference import MuJoCoReference
from ferrolab.contact.penalty_impulse import PenaltyImpulse
from ferrolab.contact.rigid import RigidImpact
from ferrolab.contact.smoothed_impulse import SmoothedImpulse

LAWS = (KelvinVoigt.name, HuntCrossley.name, RigidImpact.name)
"""The laws of the bench and the command line; the others are for systems built in code."""

ImpulseLaw = HardImpulse | SmoothedImpulse | PenaltyImpulse

__all__ = [
    "LAWS",
    "ClampedDamper",
    "HardImpulse",
    "HuntCrossley",
    "ImpulseLaw",
    "KelvinVoigt",
    "MuJoCoReference",
    "PenaltyImpulse",
    "RigidImpact",
    "SmoothedImpulse",
]
