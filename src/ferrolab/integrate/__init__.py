"""Stepping: the second suspect. One stepper a file; the folder is the list of what exists."""

from ferrolab.integrate.dormand_prince import DormandPrince
from ferrolab.integrate.event_driven import EventDriven
from ferrolab.integrate.explicit_euler import ExplicitEuler
from ferrolab.integrate.runge_kutta import RungeKutta4
from ferrolab.integrate.semi_implicit_euler import SemiImplicitEuler

FIXED_STEPPERS = {stepper.name: stepper for stepper in (SemiImplicitEuler, ExplicitEuler, RungeKutta4)}

__all__ = ["FIXED_STEPPERS", "DormandPrince", "EventDriven", "ExplicitEuler", "RungeKutta4", "SemiImplicitEuler"]
