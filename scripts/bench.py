"""Measure ferrolab and print JSON: the core in CPython and Pyodide, the page in Chromium and the bytes it takes.

Run it through scripts/bench, which finds what it needs. The times of the page are also given as ratios to a
bare page that loads stock Pyodide and numpy from the same server in the same run: a ratio travels between
machines, a second does not.
"""

import argparse
import json
import os
import platform
import runpy
import sys
import tempfile
from pathlib import Path

from bench_moves import measure_memory, measure_moves, measure_sliders
from bench_start import LESSON, measure_start, served
from playwright.sync_api import Browser, sync_playwright

from ferrolab.site.build import build_site
from ferrolab.site.fetch import Fetcher, cache_directory
from ferrolab.site.layout import find_sources
from ferrolab.site.lock import load_lock
from ferrolab.site.node import INSIDE, run_in_pyodide
from ferrolab.site.vendor import prepare_vendor

MOVED_LESSONS = (LESSON, "lessons/who-is-to-blame/")
BROWSER_ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync"]


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
    context = browser.new_context(bypass_csp=True, service_workers="block")
    tell("Moving the sliders of lesson 3")
    moves["forces-at-a-distance"] = measure_sliders(context.new_page(), address + "lessons/forces-at-a-distance/")
    context.close()
    return {"slider_to_painted": moves, "memory": memory}


def measure_page(runs: int, with_stock: bool) -> dict:
    """Return what `bench_start` measures of visits and `bench_moves` of the slider."""
    with tempfile.TemporaryDirectory(prefix="ferrolab-bench-") as scratch, sync_playwright() as playwright:
        site = build_site(Path(scratch) / "site", progress=tell)
        browser = playwright.chromium.launch(executable_path=os.environ["FERROLAB_CHROMIUM"], args=BROWSER_ARGUMENTS)
        tell("Visiting the page, and those it is compared with")
        start = measure_start(browser, site, Path(scratch), runs, with_stock)
        with served(site) as server:
            slider = measure_slider(browser, server.address)
        version = browser.version
        browser.close()
    return {"chromium": version, "start": start, **slider}


def main() -> None:
    """Measure, and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="first visits to take the median of (default 5)")
    parser.add_argument("--repeats", type=int, default=7, help="repeats of each core timing (default 7)")
    parser.add_argument("--only", choices=("core", "page"), help="measure one part only")
    parser.add_argument("--stock", action="store_true", help="measure the bench as `panel convert` makes it, too (fetches 120 MB once)")
    options = parser.parse_args()
    result = {"machine": {"python": platform.python_version(), "system": platform.system(), "cores": os.cpu_count()}}
    if options.only != "page":
        result["core"] = measure_core(options.repeats)
    if options.only != "core":
        result["page"] = measure_page(options.runs, options.stock)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
