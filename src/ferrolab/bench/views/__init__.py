"""The views of the bench, one a file, and the registry a lesson names them by."""

from .forces_at_a_distance import ForcesAtADistance
from .gradient_that_lies import GradientThatLies
from .who_is_to_blame import WhoIsToBlame

#: View by name. A lesson's `bench` is one of these names.
VIEWS = {
    "gradient-that-lies": GradientThatLies,
    "who-is-to-blame": WhoIsToBlame,
    "forces-at-a-distance": ForcesAtADistance,
}

__all__ = ["VIEWS", "ForcesAtADistance", "GradientThatLies", "WhoIsToBlame"]
