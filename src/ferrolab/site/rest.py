"""Modules a memory snapshot does not hold: their files are fetched when one of them is imported, and not before.

The build tries every bench from the snapshot alone, so this is for what only an unforeseen error imports.
"""

import importlib
import random
import sys
from collections.abc import Callable
from typing import Any


class Rest:
    """Stands in front of the other finders; the first import it sees brings the files, and it leaves.

    Parameters
    ----------
    fetch
        Lays the standard library and the packages where this Python looks for them.
    """

    def __init__(self, fetch: Callable[[], Any]) -> None:
        self._fetch = fetch

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Fetch the files and leave finding `name` to the others."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)
            self._fetch()
            sys.path_importer_cache.clear()
            importlib.invalidate_caches()


def wake(fetch: Callable[[], Any]) -> None:
    """Make a restored Python this visit's own: other random numbers than everybody's, and `fetch` for what is missing."""
    random.seed()
    sys.meta_path.insert(0, Rest(fetch))
