"""Takes the place of ``panel.io.pyodide`` in the page.

Panel's own module imports pandas and links documents in its own way; the bench is linked by
:mod:`ferrolab.site.bridge`. Panel itself asks this module for no more than what stands here.
"""

import asyncio

import param

_IN_WORKER = True
_IN_PYSCRIPT_WORKER = False
_tasks: set = set()


def _run_async(function):
    task = asyncio.ensure_future(function())
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


param.parameterized.async_executor = _run_async


def serve(*args, **kwargs):
    """Refuse: a page has no server to start."""
    raise RuntimeError("panel.serve cannot run inside a page; use `panel serve` on a computer")
