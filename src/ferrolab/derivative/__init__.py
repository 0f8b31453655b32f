"""Derivative routes: the third suspect. One route a file, and the two calls that run them.

>>> from ferrolab.contact import KelvinVoigt
>>> from ferrolab.derivative import Autodiff, jacobian
>>> from ferrolab.integrate import SemiImplicitEuler
>>> from ferrolab.systems import BouncingMass
>>> system = BouncingMass(KelvinVoigt(stiffness=1e6))
>>> jacobian(system, [1.0, 0.0], 0.8, SemiImplicitEuler(dt=1e-4), Autodiff()).jacobian[1, 0].round(2)
np.float64(-160.86)
"""

from ferrolab.derivative.autodiff import Autodiff
from ferrolab.derivative.base import Linearisation
from ferrolab.derivative.drop_test import restitution
from ferrolab.derivative.event_aware import EventAware
from ferrolab.derivative.finite_difference import FiniteDifference
from ferrolab.derivative.parameters import ParameterJacobian, parameter_jacobian
from ferrolab.derivative.routes import jacobian, rollout

ROUTES = (Autodiff.name, FiniteDifference.name, EventAware.name)

__all__ = [
    "ROUTES",
    "Autodiff",
    "EventAware",
    "FiniteDifference",
    "Linearisation",
    "ParameterJacobian",
    "jacobian",
    "parameter_jacobian",
    "restitution",
    "rollout",
]
