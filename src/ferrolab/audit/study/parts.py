"""The parts of the audit, in the order of the report. To add one, write its module and name it here."""

from __future__ import annotations

from typing import Protocol

from ferrolab.audit.study import (
    combinations,
    descent_part,
    equal_budget,
    event_alignment,
    probe_sweep,
    refinement,
    sign_table,
    smoothing_part,
    split_sweep,
    stiffness_sweep,
    tolerance_ladder,
)  # fmt: skip
from ferrolab.audit.study.options import Options
from ferrolab.audit.study.section import Section


class Result(Protocol):
    """What a part's `run` returns: a frozen dataclass with its figures, and itself as a section."""

    options: Options

    def section(self) -> Section: ...


_MODULES = (
    stiffness_sweep, sign_table, refinement, tolerance_ladder, equal_budget, event_alignment, probe_sweep, combinations, split_sweep,
    smoothing_part, descent_part,
)  # fmt: skip

PARTS = {module.ID: module.run for module in _MODULES}
"""Name -> function (options, tell) -> result."""
