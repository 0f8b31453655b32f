"""The audit of the bouncing mass as one call: `study(Options(...))`, and its writers.

Each part is one module with a frozen result; `parts` lists them. A result turns itself into a `Section`, and the
writers (`text`, `csv_file`, `html`) know sections and nothing of the parts.
"""

from ferrolab.audit.study.options import Options
from ferrolab.audit.study.parts import PARTS
from ferrolab.audit.study.progress import Reporter
from ferrolab.audit.study.study import Environment, Study, study

__all__ = ["PARTS", "Environment", "Options", "Reporter", "Study", "study"]
