"""Measure ferrolab and print JSON: the core in CPython and Pyodide, the site's bytes, the page in Chromium.

Run it through scripts/bench, which finds what it needs. The times of the page are also given as ratios to a
bare page that loads stock Pyodide and numpy from the same server in the same run: a ratio travels between
machines, a second does not.
"""

import argparse
import json
import os
import platform
import runpy
import shutil
import statistics
import sys
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path

from bench_moves import measure_memory, measure_moves
from playwright.sync_api import Browser, sync_playwright

from ferrolab.site.build import MARKER, build_site
from ferrolab.site.compress import compress_files
from ferrolab.site.fetch import Fetcher, cache_directory
from ferrolab.site.layout import find_sources
from ferrolab.site.lock import load_lock
from ferrolab.site.node import INSIDE, run_in_pyodide
from ferrolab.site.serve import make_server
from ferrolab.site.vendor import prepare_vendor

LESSON = "lessons/the-gradient-that-lies/"
MOVED_LESSONS = (LESSON, "lessons/who-is-to-blame/")
BROWSER_ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync"]
BARE_PAGE = """<!doctype html><meta charset="utf-8"><title>bare</title><p>bare</p><script type="module">
import { loadPyodide } from "./pyodide.mjs";
const pyodide = await loadPyodide();
await pyodide.loadPackage("numpy");
pyodide.runPython("import numpy");
window.ready = performance.now();
</script>"""

WATCH_BENCH = """
window.marks = {};
new MutationObserver(() => {
  const state = document.getElementById("bench")?.dataset.benchState;
  if (state && state !== "loading") window.marks[state] ??= performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-bench-state"] });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.marks[entry.name] ??= entry.startTime;
}).observe({ type: "paint", buffered: true });
"""

def tell(sentence: str) -> None:
    """Say what is being measured, beside the JSON on standard output."""
    print(f"==> {sentence}", file=sys.stderr, flush=True)


def measure_core(repeats: int) -> dict:
    """Return readout and sweep times in ms, in CPython and in Pyodide under Node."""
    argument = {"repeats": repeats}
    tell("Timing the core in CPython")
    cpython = runpy.run_path(str(INSIDE / "time_core.py"))["run"](argument)
    tell("Timing the core in Pyodide")
    lock, cache = load_lock(), cache_directory()
    with Fetcher(cache, tell) as fetcher:
        vendor = prepare_vendor(lock, fetcher.fetch_all(lock.files), cache, tell)
    pyodide = run_in_pyodide(
        "time_core.py", argument, core=vendor.core, stdlib=vendor.stdlib,
        mounts={"/packages": vendor.packages, "/source": find_sources().package.parent}, path=["/source", "/packages"],
    )
    return {"cpython": cpython, "pyodide": pyodide}


def measure_bytes(site: Path, requests: list[str]) -> dict:
    """Return the bytes of the files a first visit asks for: as they are, as gzip, as brotli, by file."""
    files = {}
    for path in requests:
        file = site / path
        file = file / "index.html" if file.is_dir() else file
        sizes = {"raw": file.stat().st_size}
        for name, suffix in (("gzip", ".gz"), ("brotli", ".br")):
            packed = file.with_name(file.name + suffix)
            sizes[name] = packed.stat().st_size if packed.is_file() else sizes["raw"]
        files[path] = sizes
    total = {name: sum(sizes[name] for sizes in files.values()) for name in ("raw", "gzip", "brotli")}
    return {"first_visit": total, "files": files}


def make_bare_page(folder: Path) -> None:
    """Lay out stock Pyodide and numpy with a page that loads both and nothing else."""
    lock, cache = load_lock(), cache_directory()
    with Fetcher(cache, tell) as fetcher:
        for file in lock.files:
            if file.kind == "runtime" or file.name.startswith("numpy-"):
                shutil.copyfile(fetcher.fetch(file), folder / file.name)
    (folder / "index.html").write_text(BARE_PAGE, encoding="utf-8")
    (folder / MARKER).write_text("{}", encoding="utf-8")
    compress_files([path for path in folder.iterdir() if path.suffix != ".whl"], cache)


@contextmanager
def served(folder: Path):
    """Serve `folder` and yield its address."""
    with make_server(folder, port=0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.address
        server.shutdown()


def visit_bare(browser: Browser, address: str) -> float:
    """Return the ms from navigation to an imported numpy, for a first visit."""
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto(address)
    page.wait_for_function("window.ready")
    ready = page.evaluate("window.ready")
    context.close()
    return ready


def visit_lesson(browser: Browser, address: str) -> tuple[dict, list[str]]:
    """Return the page's marks in ms and the paths it asked for, for a first visit."""
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    paths = []
    context.on("request", lambda request: request.url.startswith(address) and paths.append(request.url.removeprefix(address)))
    page.add_init_script(WATCH_BENCH)
    page.goto(address + LESSON)
    page.wait_for_function("window.marks.live || window.marks.failed")
    marks = page.evaluate("window.marks")
    context.close()
    if "live" not in marks:
        raise SystemExit("ferrolab: the bench failed; open the page and look")
    return {"text": marks["first-contentful-paint"], "live": marks["live"]}, paths


def measure_slider(browser: Browser, address: str) -> dict:
    """Return what `bench_moves` measures in one visit of a lesson: times of moves, and what they leave in memory."""
    moves = {}
    for lesson in MOVED_LESSONS:
        context = browser.new_context(bypass_csp=True, service_workers="block")
        page = context.new_page()
        tell(f"Moving the slider of {lesson}, and holding its key")
        moves[lesson.split("/")[1]] = measure_moves(page, address + lesson)
        if lesson == LESSON:
            tell("Moving it a thousand times")
            memory = measure_memory(page)
        context.close()
    return {"slider_to_painted": moves, "memory": memory}


def measure_page(runs: int) -> dict:
    """Return bytes, start-up times with their ratios to the bare page, and the slider's latency."""
    with tempfile.TemporaryDirectory(prefix="ferrolab-bench-") as scratch:
        site = build_site(Path(scratch) / "site", progress=tell)
        bare = Path(scratch) / "bare"
        bare.mkdir()
        make_bare_page(bare)
        with served(site) as address, served(bare) as bare_address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=os.environ["FERROLAB_CHROMIUM"], args=BROWSER_ARGUMENTS)
            starts, bares = [], []
            for run in range(runs):
                tell(f"First visits, {run + 1} of {runs}")
                bares.append(visit_bare(browser, bare_address))
                marks, paths = visit_lesson(browser, address)
                starts.append(marks)
            slider = measure_slider(browser, address)
            version = browser.version
            browser.close()
        sizes = measure_bytes(site, paths)
    bare_ms = statistics.median(bares)
    middle = {name: statistics.median(marks[name] for marks in starts) for name in ("text", "live")}
    return {
        "chromium": version,
        "bytes": sizes,
        "start": {
            "runs": runs,
            "bare_pyodide_numpy_ms": round(bare_ms),
            "text_ms": round(middle["text"]),
            "live_ms": round(middle["live"]),
            "text_ratio": round(middle["text"] / bare_ms, 3),
            "live_ratio": round(middle["live"] / bare_ms, 3),
        },
        **slider,
    }


def main() -> None:
    """Measure, and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="first visits to take the median of (default 5)")
    parser.add_argument("--repeats", type=int, default=7, help="repeats of each core timing (default 7)")
    parser.add_argument("--only", choices=("core", "page"), help="measure one part only")
    options = parser.parse_args()
    result = {"machine": {"python": platform.python_version(), "system": platform.system(), "cores": os.cpu_count()}}
    if options.only != "page":
        result["core"] = measure_core(options.repeats)
    if options.only != "core":
        result["page"] = measure_page(options.runs)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
