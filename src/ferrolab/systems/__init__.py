"""Systems to ask about: each joins a mechanism to the contact law it is given."""

from ferrolab.systems.bouncing_mass import BouncingMass

__all__ = ["BouncingMass"]
