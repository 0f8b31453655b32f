"""Systems to ask about: each joins a mechanism to the contact law it is given."""

from ferrolab.systems.bouncing_mass import BouncingMass
from ferrolab.systems.impacts import (
    ball_and_wall,
    ball_over_floor,
    ball_under_ceiling,
    two_balls_in_the_plane,
    two_balls_on_a_line,
)
from ferrolab.systems.mechanisms import Bar, FallingMass, SlidingBlock
from ferrolab.systems.switching import switching_field

__all__ = [
    "Bar",
    "BouncingMass",
    "FallingMass",
    "SlidingBlock",
    "ball_and_wall",
    "ball_over_floor",
    "ball_under_ceiling",
    "switching_field",
    "two_balls_in_the_plane",
    "two_balls_on_a_line",
]
