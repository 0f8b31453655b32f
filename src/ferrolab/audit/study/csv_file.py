"""The audit's tables as one tidy CSV: a line for each value, so that every table fits the same six columns."""

from __future__ import annotations

import csv
import io

from ferrolab.audit.study.study import Study

FIELDS = ("part", "table", "row", "column", "unit", "value")


def as_csv(study: Study) -> str:
    """Every cell of every table of data. Floats are written so that reading them back gives the same float; empty is missing."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(FIELDS)
    for section in study.sections():
        for table in section.tables:
            if table.for_reading:
                continue
            for number, row in enumerate(table.cells(), 1):
                for column, value in zip(table.columns, row):
                    writer.writerow((section.id, table.id, number, column.name, column.unit, "" if value is None else value))
    return out.getvalue()
