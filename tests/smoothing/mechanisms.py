"""Mechanisms, laws and states that the tests of time stepping share: none of them at a corner."""

from ferrolab.contact import HardImpulse, PenaltyImpulse, SmoothedImpulse
from ferrolab.systems import Bar, FallingMass, SlidingBlock

LAWS = {
    "hard": HardImpulse(),
    "smoothed": SmoothedImpulse(),
    "smoothed in each sweep": SmoothedImpulse(scaling="sweep"),
    "smoothed velocity": SmoothedImpulse(scaling="velocity"),
    "penalty": PenaltyImpulse(1e3, 10.0),
}

CASES = {
    "mass": (FallingMass(), [0.02, -1.0]),
    "bouncing mass": (FallingMass(restitution=0.6), [0.02, -1.0]),
    "block": (SlidingBlock(0.4), [0.0, 0.0, 0.001, 1.0, 0.5, -0.3]),
    "bar without friction": (Bar(), [0.0, 0.05, 0.01, 0.2, -1.0, 0.1]),
    "bar": (Bar(friction=0.3), [0.0, 0.05, 0.01, 0.2, -1.0, 0.1]),
}
