"""Runs inside Pyodide after ``exercise.py``: leaves the prepared benches in memory, and little else.

The driver writes the memory to a file when ``run`` is done.
"""

import gc
import linecache
import re
import sys
import types
import zipimport


def tidy():
    """Let go of what only people read and of what is found again."""
    import param

    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType):
            thing.__doc__ = None
        elif isinstance(thing, param.Parameter):
            thing.doc = None
    linecache.clearcache()
    re.purge()
    sys.path_importer_cache.clear()
    zipimport._zip_directory_cache.clear()
    sys._clear_internal_caches()
    gc.collect()


def run(argument):
    from ferrolab.site.prepared import prepare
    from panel.io.state import state

    state._views.clear()  # where Panel keeps the benches of the exercise alive
    gc.collect()
    for bench in argument["benches"]:
        prepare(**bench)
    tidy()
