"""The bench: lesson 1's controls, readouts and pictures as one Panel app.

It holds no mathematics and no grading: it calls `ferrolab.audit` and shows what
comes back. `MODELS_JS` is the script with the views of its own Bokeh models; a
page loads it after bokeh.min.js.
"""

from .app import Bench
from .models import MODELS_JS

__all__ = ["MODELS_JS", "Bench"]
