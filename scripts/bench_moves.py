"""How long a moved slider takes until its answer is painted, and what a thousand moves leave in memory.

Each time is held against that of a bench which computes nothing: the same page, the same patches, the same paint, with
the recomputation taken out of the running Python. Everything runs in one visit of one page.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Worker

TIME_STEPS = ("1e-4 s", "1e-5 s", "1e-6 s")
SLIDER, SLIDERS_OF_LESSON_3 = "Contact stiffness", ("Release height", "Sharpness", "Noise", "Samples")
MOVES = 60
#: Pauses between two moves (ms), in turn: a quick hand, and one that rests long enough for work to begin behind it.
PAUSES_MS = (20, 60, 120, 170, 230, 400)
PATIENCE_MS = 20_000
HELD_S, REPEAT_MS = 3.0, 33
"""How long the arrow key is held, and how often a keyboard repeats it."""
MEMORY_MOVES = (300, 1000)
SETTLE_MS = 2000

_WATCH = """
(label) => {
  const models = [...Bokeh.documents[0]._all_models.values()];
  const model = models.find((one) => one.properties.answered && one.label === label);
  const find = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.matches("input[type=range]") && [...element.labels].some((one) => one.textContent === label)) return element;
      const inner = element.shadowRoot && find(element.shadowRoot);
      if (inner) return inner;
    }
  };
  const input = find(document.getElementById("bench"));
  const watch = { model, input, moved: new Map(), ages: [] };
  input.addEventListener("input", () => watch.moved.set(input.value, performance.now()));
  model.properties.answered.change.connect(() => {
    const value = model.value.toFixed(2), moved = [...watch.moved].find(([text]) => Number(text).toFixed(2) === value);
    requestAnimationFrame(() => setTimeout(() => moved && watch.ages.push(performance.now() - moved[1])));
  });
  window.moveWatch = watch;
}
"""

_MOVE = """
async ([moves, pauses, patience]) => {
  const { model, input } = window.moveWatch;
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const times = [];
  for (let move = 0; move < moves; move++) {
    const [low, high] = [Number(input.min), Number(input.max)];
    input.value = String(low + (((move * 0.38) % 6) / 6) * (high - low));
    if (Number(input.value) === model.value) continue; // a slider of few positions is there already
    const started = performance.now();
    const answered = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`move ${move} to ${input.value} was not answered`)), patience);
      const heard = () => (model.properties.answered.change.disconnect(heard), clearTimeout(timer), resolve());
      model.properties.answered.change.connect(heard);
    });
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await answered;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    times.push(performance.now() - started);
    await pause(pauses[move % pauses.length]);
  }
  return times;
}
"""

#: Takes the recomputation out of the bench, and puts it back.
_IDLE = """
from ferrolab.bench.view import View
View._recompute, View._recomputes = (lambda self: None), View._recompute
"""
_BUSY = "View._recompute = View._recomputes; del View._recomputes"


def quantile(values: list[float], share: float) -> float:
    """Return the value below which `share` of `values` lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def summary(times: list[float]) -> dict[str, float]:
    """Return the middle, the 95th percentile and the worst of `times` (ms), and how many they are."""
    return {"moves": len(times), "p50_ms": round(quantile(times, 0.5), 1), "p95_ms": round(quantile(times, 0.95), 1), "worst_ms": round(max(times), 1)}


def open_bench(page: Page, address: str, slider: str = SLIDER) -> Worker:
    """Open the lesson at `address`, predict, wait until its bench is live and at rest, watch `slider`; return the worker."""
    page.goto(address)
    page.wait_for_function("document.getElementById('bench').dataset.benchState === 'live'", timeout=60_000)
    page.locator("#predict-form").get_by_role("radio").first.check()
    page.get_by_role("button", name="Keep my prediction").click()
    page.get_by_role("slider", name=slider).scroll_into_view_if_needed()
    page.wait_for_timeout(SETTLE_MS)
    page.evaluate(_WATCH, slider)
    return page.workers[0]


def run_python(worker: Worker, code: str):
    """Run `code` in the bench's own Python and return its last value."""
    return worker.evaluate("code => self.pyodide.runPython(code)", code)


@contextmanager
def computing_nothing(worker: Worker) -> Iterator[None]:
    """Let the bench answer a move at once, without computing or showing anything."""
    run_python(worker, _IDLE)
    try:
        yield
    finally:
        run_python(worker, _BUSY)


def move(page: Page, moves: int = MOVES) -> list[float]:
    """Return the ms from each of `moves` moves of the slider to its painted answer."""
    return page.evaluate(_MOVE, [moves, list(PAUSES_MS), PATIENCE_MS])


def hold(page: Page, seconds: float = HELD_S) -> list[float]:
    """Hold the arrow key from the left end; return how old (ms) each value was when its answer was painted."""
    slider = page.get_by_role("slider", name="Contact stiffness")
    slider.focus()
    page.keyboard.press("Home")
    page.wait_for_timeout(SETTLE_MS)
    page.evaluate("() => { moveWatch.ages = []; moveWatch.moved.clear(); }")
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        started = time.monotonic()
        page.keyboard.down("ArrowRight")
        time.sleep(max(0.0, REPEAT_MS / 1000 - (time.monotonic() - started)))
    page.keyboard.up("ArrowRight")
    page.wait_for_timeout(SETTLE_MS)
    return page.evaluate("() => moveWatch.ages")


def choose(page: Page, dt: str | None, tolerance: bool) -> None:
    """Press the time step `dt` and set the toggle; let what follows be computed."""
    toggle = page.get_by_role("button", name="Error tolerance")
    if (toggle.get_attribute("aria-pressed") == "true") != tolerance:
        toggle.click()
    if dt is not None:
        page.get_by_role("radiogroup", name="Time step").get_by_role("radio", name=dt).check()
    page.wait_for_timeout(SETTLE_MS)


def measure_memory(page: Page) -> dict:
    """Return MB of the heaps, and what Python holds, after 300 and after 1000 moves of a bench that is open."""
    worker, cdp = page.workers[0], page.context.new_cdp_session(page)
    cdp.send("Performance.enable")
    found, done = {}, 0
    for moves in MEMORY_MOVES:
        page.evaluate(_MOVE, [moves - done, [0], PATIENCE_MS])
        done = moves
        page.wait_for_timeout(SETTLE_MS)
        objects = run_python(worker, "import gc; gc.collect(); len(gc.get_objects())")
        cdp.send("HeapProfiler.collectGarbage")
        metrics = {one["name"]: one["value"] for one in cdp.send("Performance.getMetrics")["metrics"]}
        found[str(moves)] = {
            "wasm_mb": round(worker.evaluate("self.pyodide._module.HEAPU8.length") / 2**20, 1),
            "python_objects": objects,
            "page_js_mb": round(metrics["JSHeapUsedSize"] / 2**20, 1),
            "page_nodes": round(metrics["Nodes"]),
        }
    return found


def measure_moves(page: Page, address: str) -> dict:
    """Return times of moves and of a held key, at each time step and under the tolerance, with ratios to nothing's."""
    worker = open_bench(page, address)
    with computing_nothing(worker):
        nothing = {"moved": summary(move(page)), "held": summary(hold(page))}
    choices = [(dt, False) for dt in TIME_STEPS] + [(TIME_STEPS[0], True)]
    found = {}
    for dt, tolerance in choices:
        choose(page, dt, tolerance)
        row = {"moved": summary(move(page)), "held": summary(hold(page))}
        for how, times in row.items():
            times["p95_ratio"] = round(times["p95_ms"] / nothing[how]["p95_ms"], 2)
        found["tolerance" if tolerance else dt] = row
    return {"nothing": nothing, **found}


def measure_sliders(page: Page, address: str) -> dict:
    """Return times of moves of each slider of lesson 3, with ratios to the first one's with nothing computed."""
    worker = open_bench(page, address, SLIDERS_OF_LESSON_3[0])
    with computing_nothing(worker):
        nothing = summary(move(page))
    found = {}
    for slider in SLIDERS_OF_LESSON_3:
        page.wait_for_timeout(SETTLE_MS)
        page.evaluate(_WATCH, slider)
        found[slider] = summary(move(page))
        found[slider]["p95_ratio"] = round(found[slider]["p95_ms"] / nothing["p95_ms"], 2)
    return {"nothing": nothing, **found}
