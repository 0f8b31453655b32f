"""The slider in motion: a held key, late answers, and what a thousand moves leave behind."""

import math

import pytest
from hosting import block
from waiting import until

pytestmark = pytest.mark.browser

ADDRESS = "lessons/the-gradient-that-lies/index.html"
CHOICES = (("1e-4 s", False), ("1e-5 s", False), ("1e-6 s", False), ("1e-4 s", True))
REPEATS, REPEAT_MS = 60, 33
"""How often a held key repeats, and how fast: two seconds of it."""

SPOKEN_MS = 2500  # the live region's own 600 ms, the work behind it, and a slow machine
BUSY_MS = 1500
"""How long the worker is kept from its work while the key is held: longer than the live region waits."""

DEEP = """
window.deep = (selector, root = document) => {
  const found = root.querySelector(selector);
  if (found) return found;
  for (const element of root.querySelectorAll("*")) {
    const inner = element.shadowRoot && deep(selector, element.shadowRoot);
    if (inner) return inner;
  }
};
"""

WATCH = """
() => {
  const cell = deep('tr[data-row="contact.stiffness"] td'), region = deep('#bench [role="status"]');
  const status = [...document.querySelectorAll("#bench *")].map((e) => e.shadowRoot && deep('[role="status"]', e.shadowRoot)).find(Boolean);
  window.painted = [];
  window.spoken = [];
  new MutationObserver(() => spoken.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
  const look = () => {
    if (painted.at(-1) !== cell.textContent) painted.push(cell.textContent);
    requestAnimationFrame(look);
  };
  look();
}
"""

MOVE = """
async ([from, to]) => {
  const model = [...Bokeh.documents[0]._all_models.values()].find((one) => one.type.endsWith("StiffnessSlider"));
  const input = deep("#bench input[type=range]") ?? deep("input[type=range]");
  for (let move = from; move < to; move++) {
    const answered = new Promise((resolve) => {
      const heard = () => (model.properties.answered.change.disconnect(heard), resolve());
      model.properties.answered.change.connect(heard);
    });
    input.value = String(2 + ((move * 0.37 + Math.floor(move / 600) * 0.11) % 6));
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await answered;
  }
}
"""


@pytest.fixture
def bench(page):
    """Return a page of lesson 1 whose bench is live and unlocked."""
    page.add_init_script(DEEP)
    page.goto(ADDRESS)
    page.wait_for_selector('#bench[data-bench-state="live"]')
    page.get_by_label("It grows").check()
    page.get_by_role("button", name="Keep my prediction").click()
    return page


def choose(page, dt, tolerance):
    toggle = page.get_by_role("button", name="Error tolerance")
    if (toggle.get_attribute("aria-pressed") == "true") != tolerance:
        toggle.click()
    if not tolerance:
        page.get_by_role("radiogroup", name="Time step").get_by_role("radio", name=dt).check()


def decade(text):
    """Return the decimal logarithm of a number as the table writes it, such as "1.02 × 10⁵ 1/s²"."""
    mantissa, power = text.split("×")
    digits = "".join(str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(c)) for c in power.removesuffix("1/s²") if c in "⁰¹²³⁴⁵⁶⁷⁸⁹")
    return math.log10(float(mantissa)) + int(digits)


def test_a_held_key_paints_no_older_answer_after_a_newer_one_and_always_the_last(bench):
    slider = bench.get_by_role("slider", name="Contact stiffness")
    bench.evaluate(WATCH)
    for dt, tolerance in CHOICES:
        choose(bench, dt, tolerance)
        slider.focus()
        bench.keyboard.press("Home")
        bench.wait_for_timeout(SPOKEN_MS)
        bench.evaluate("() => { painted.length = spoken.length = 0; }")
        for repeat in range(REPEATS):
            bench.keyboard.down("ArrowRight")
            bench.wait_for_timeout(REPEAT_MS)
            if repeat == REPEATS // 2:
                block(bench, BUSY_MS)
                bench.wait_for_timeout(BUSY_MS)
        bench.keyboard.up("ArrowRight")
        until(bench, "spoken.length > 0")
        bench.wait_for_timeout(SPOKEN_MS)
        end = float(slider.input_value())
        assert end == pytest.approx(2 + 0.01 * REPEATS)
        seen = [decade(text) for text in bench.evaluate("painted")]
        assert len(seen) > 5, "the readout must move with the key, not after it"
        assert seen == sorted(seen), (dt, tolerance)
        assert seen[-1] == pytest.approx(end, abs=0.005)
        spoken = bench.evaluate("spoken")
        assert len(spoken) == 1 and spoken[0].startswith(f"Stiffness ten to the {end:.2f}."), (dt, tolerance, spoken)


def test_a_thousand_moves_leave_nothing_behind(bench):
    worker, cdp = bench.workers[0], bench.context.new_cdp_session(bench)
    cdp.send("Performance.enable")

    def held():
        bench.wait_for_timeout(SPOKEN_MS)
        # Pages of WebAssembly are asked for in large pieces, so what Python holds is counted too.
        objects = worker.evaluate("self.pyodide.runPython('import gc; gc.collect(); len(gc.get_objects())')")
        cdp.send("HeapProfiler.collectGarbage")
        metrics = {one["name"]: one["value"] for one in cdp.send("Performance.getMetrics")["metrics"]}
        wasm = worker.evaluate("self.pyodide._module.HEAPU8.length")
        return {"wasm": wasm, "objects": objects, "heap": metrics["JSHeapUsedSize"], "nodes": metrics["Nodes"], "listeners": metrics["JSEventListeners"]}

    found = []
    for start, stop in ((0, 300), (300, 1000)):
        middle = (start + stop) // 2
        bench.evaluate(MOVE, [start, middle])
        choose(bench, "1e-4 s", True)
        bench.evaluate(MOVE, [middle, stop])
        choose(bench, "1e-4 s", False)
        found.append(held())
    early, late = found
    assert late["wasm"] == early["wasm"] < 200 * 2**20
    assert 0 < late["objects"] < 1.01 * early["objects"]
    assert late["heap"] < early["heap"] + 2**20
    assert late["nodes"] < 1.05 * early["nodes"] and late["listeners"] < 1.05 * early["listeners"]
