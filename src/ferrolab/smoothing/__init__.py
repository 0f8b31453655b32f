"""Smoothing: what is done about a gradient that contact makes flat, and what each way costs.

Analytic smoothing scales the contact impulse with a sigmoid of the penetration depth; stochastic smoothing averages
over noise. The study is a falling mass, in closed form where there is one.

>>> from ferrolab import smoothing
>>> numbers = smoothing.readout(smoothing.Settings(release_height=0.2))
>>> numbers["hard_velocity_gradient"], round(numbers["smoothed_velocity_gradient"], 1)
(0.0, -125.8)
"""

from ferrolab.smoothing.average import Average, average, velocity_average
from ferrolab.smoothing.closed_form import creep_depth, sigma, smoothed_step, stopping_height
from ferrolab.smoothing.drop import Landed, drop, landing_height
from ferrolab.smoothing.estimators import Estimate, FirstOrder, Sampling, ZerothOrder, estimate, estimates
from ferrolab.smoothing.iterations import Iterations, iterations
from ferrolab.smoothing.match import Match, match, matching, mismatch
from ferrolab.smoothing.objectives import OfActions, OfRelease, OfState, UnitStep
from ferrolab.smoothing.pictures import (
    NoiseCurve,
    average_curve,
    creep_curve,
    curves,
    force_profile,
    objective,
)
from ferrolab.smoothing.price import Creep, creep, hover
from ferrolab.smoothing.readout import Refined, readout, refine
from ferrolab.smoothing.scalings import Reading, reading, readings
from ferrolab.smoothing.settings import HEIGHTS, MODELS, Settings

__all__ = [
    "HEIGHTS",
    "MODELS",
    "Average",
    "Creep",
    "Estimate",
    "FirstOrder",
    "Iterations",
    "Landed",
    "Match",
    "NoiseCurve",
    "OfActions",
    "OfRelease",
    "OfState",
    "Reading",
    "Refined",
    "Sampling",
    "Settings",
    "UnitStep",
    "ZerothOrder",
    "average",
    "average_curve",
    "creep",
    "creep_curve",
    "creep_depth",
    "curves",
    "drop",
    "estimate",
    "estimates",
    "force_profile",
    "hover",
    "iterations",
    "landing_height",
    "match",
    "matching",
    "mismatch",
    "objective",
    "reading",
    "readings",
    "readout",
    "refine",
    "sigma",
    "smoothed_step",
    "stopping_height",
    "velocity_average",
]
