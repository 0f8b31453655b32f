"""Hybrid systems and stepping that locates their events."""

from ferrolab.hybrid.locate import Event, Located, located_adaptive, located_fixed
from ferrolab.hybrid.system import Guard, HybridSystem, Mode, saltation_matrix

__all__ = ["Event", "Guard", "HybridSystem", "Located", "Mode", "located_adaptive", "located_fixed", "saltation_matrix"]
