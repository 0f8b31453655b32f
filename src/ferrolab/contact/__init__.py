"""Contact laws: the first suspect. One law a file; the folder is the list of what exists.

A law speaks of one contact: `gap` (m, negative when penetrating) and its `rate` (m/s, negative when closing).
Forces are per unit mass (m/s^2). A force law is one-sided: it acts while `gap < 0` and never pulls.
"""

from ferrolab.contact.clamped_damper import ClampedDamper
from ferrolab.contact.hunt_crossley import HuntCrossley
from ferrolab.contact.kelvin_voigt import KelvinVoigt
from ferrolab.contact.mujoco_reference import MuJoCoReference
from ferrolab.contact.rigid import RigidImpact

LAWS = (KelvinVoigt.name, HuntCrossley.name, RigidImpact.name)
"""The laws of the bench and the command line; the others are for systems built in code."""

__all__ = ["LAWS", "ClampedDamper", "HuntCrossley", "KelvinVoigt", "MuJoCoReference", "RigidImpact"]
