"""Runs inside Pyodide and in CPython alike: how long a readout, the bench's curves and a sweep take, at each time step.

The bench draws three curves over 25 stiffnesses: two from one measurement at the fixed step, the third from one under
the tolerance, which is the same at every time step and is made once.
"""

import time

LOG_STIFFNESS = (2.0, 4.0, 6.0, 8.0)
SWEEP = [2.0 + 0.25 * step for step in range(25)]


def milliseconds(function, repeats):
    function()  # the first call fills caches and imports what is imported late
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        function()
        times.append(1e3 * (time.perf_counter() - started))
    return round(sorted(times)[repeats // 2], 3)


def run(argument):
    from ferrolab.audit import Settings, measure, readout, sweep

    answer = {}
    for stepping in ("fixed", "tolerance"):
        for dt in (1e-4, 1e-5, 1e-6):
            settings = [Settings(stiffness=10**power, dt=dt, stepping=stepping) for power in LOG_STIFFNESS]
            row = {}
            row["readout_ms"] = {
                f"{power:g}": milliseconds(lambda one=one: readout(one), argument["repeats"])
                for power, one in zip(LOG_STIFFNESS, settings, strict=True)
            }
            stiffness = [10.0**power for power in SWEEP]
            row["curves_ms"] = milliseconds(lambda one=settings[0]: measure(one, stiffness), argument["repeats"])
            row["sweep_ms"] = milliseconds(lambda one=settings[0]: sweep(one, SWEEP), argument["repeats"])
            answer.setdefault(stepping, {})[f"{dt:g}"] = row
    return answer
