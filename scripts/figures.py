"""Draw the README's figure from the library: python scripts/figures.py"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from ferrolab.audit import Settings, measure
from ferrolab.audit.reference import reference
from ferrolab.audit.study.figure import Axis, Figure, Series
from ferrolab.audit.study.svg import draw

FINDING = Path(__file__).parents[1] / "docs" / "finding.svg"
LOG_STIFFNESS = np.arange(2.0, 8.01, 0.5)


def finding() -> str:
    """dv/dh0 against stiffness, fixed RK4 step 1e-5 s: with and without one 2 x 2 matrix. An SVG document."""
    k = 10.0**LOG_STIFFNESS
    ask = dict(stiffness=1.0, dt=1e-5, stepper="rk4", derivative="event-aware")
    without, with_it = (measure(Settings(**ask, saltation=on), k).entry for on in (False, True))
    exact = reference(Settings(**ask), k).jacobian_law[:, 1, 0]
    caption = (
        "dv/dh0 of one bounce against contact stiffness. Same spring, same fixed RK4 step, same derivative of the "
        "smooth pieces; only the saltation matrix at touch-down is present or absent."
    )
    series = (
        Series("without the matrix", k.tolist(), without.tolist(), tone=1),
        Series("with the matrix", k.tolist(), with_it.tolist(), tone=2),
        Series("exact", k.tolist(), exact.tolist(), tone=3, markers=False, dashed=True),
    )
    y = Axis("dv/dh0 (1/s)", "symlog", linear_up_to=10.0)
    figure = Figure("finding", caption, Axis("contact stiffness k (1/s²)", "log"), y, series)
    style = (
        "<style>svg{background:#fff}.grid path{stroke:#ddd;stroke-width:.8}.frame{fill:none;stroke:#333}"
        ".line{fill:none;stroke-width:1.8}text{font:12px Helvetica,Arial,sans-serif;fill:#222}.axis{font-size:13px}</style>"
    )
    return draw(figure).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).replace("<desc", style + "<desc", 1) + "\n"


if __name__ == "__main__":
    FINDING.write_text(finding(), encoding="utf-8")
    print(f"wrote {FINDING.name}")
