"""How long a page takes to come alive and what it sends for it: bare Pyodide with numpy, ours, and the stock one.

Every page comes from a server of its own that counts the bytes of the bodies it sends; a second server of the same
folder sends through a link of 20 Mbit/s.
"""

import shutil
import socket
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from bench_stock import make_stock, visit_stock
from playwright.sync_api import Browser, Page

from ferrolab.site.build import MARKER
from ferrolab.site.compress import compress_files
from ferrolab.site.fetch import Fetcher, cache_directory
from ferrolab.site.lock import load_lock
from ferrolab.site.serve import SiteHandler, SiteServer, make_server

LESSON = "lessons/the-gradient-that-lies/"
START_MS = 120_000
THROTTLED = 20e6 / 8
"""Bytes a second of the slow link: 20 Mbit/s, without delay, shared by all connections of a visit."""

PIECE, LARGE_PIECE = 16_384, 1 << 20

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

def make_bare_page(folder: Path) -> None:
    """Lay out stock Pyodide and numpy with a page that loads both and nothing else."""
    lock, cache = load_lock(), cache_directory()
    with Fetcher(cache) as fetcher:
        for file in lock.files:
            if file.kind == "runtime" or file.name.startswith("numpy-"):
                shutil.copyfile(fetcher.fetch(file), folder / file.name)
    (folder / "index.html").write_text(BARE_PAGE, encoding="utf-8")
    (folder / MARKER).write_text("{}", encoding="utf-8")
    compress_files([path for path in folder.iterdir() if path.suffix != ".whl"], cache)


class Link:
    """A slow link that all connections share."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._free = 0.0
        self._lock = threading.Lock()

    def carry(self, size: int) -> None:
        """Return when `size` bytes are across."""
        with self._lock:
            self._free = max(self._free, time.monotonic()) + size / self._rate
            due = self._free
        time.sleep(max(0.0, due - time.monotonic()))


class CountedConnection:
    """What the server writes a file to: it counts what really went out, and keeps to the link's rate where there is one."""

    def __init__(self, connection: socket.socket, server: SiteServer) -> None:
        self._connection, self._server = connection, server

    def sendfile(self, file: BinaryIO) -> None:
        """Send all of `file`, or what the browser takes of it."""
        while data := file.read(PIECE if self._server.link else LARGE_PIECE):
            if self._server.link:
                self._server.link.carry(len(data))
            self._connection.sendall(data)
            self._server.bytes += len(data)


class CountingHandler(SiteHandler):
    """Counts the bytes of the bodies it sends, and keeps to the server's link."""

    def _answer(self, body: bool) -> None:
        whole = self.connection
        self.connection = CountedConnection(whole, self.server)
        try:
            super()._answer(body)
        finally:
            self.connection = whole


@contextmanager
def served(folder: Path, rate: float | None = None) -> Iterator[SiteServer]:
    """Serve `folder`, at most `rate` bytes a second over all connections; `server.bytes` counts what it sent."""
    with make_server(folder, port=0) as server:
        server.RequestHandlerClass = CountingHandler
        server.bytes, server.link = 0, Link(rate) if rate else None
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@contextmanager
def new_page(browser: Browser, **options: Any) -> Iterator[Page]:
    """A page of a browser that has never been here."""
    context = browser.new_context(bypass_csp=True, **options)
    context.set_default_timeout(START_MS)
    try:
        yield context.new_page()
    finally:
        context.close()


def visit_bare(browser: Browser, server: SiteServer) -> dict:
    """Return ms from navigation to an imported numpy, and the bytes that took, for a first visit."""
    with new_page(browser) as page:
        server.bytes = 0
        page.goto(server.address)
        page.wait_for_function("window.ready")
        return {"live": page.evaluate("window.ready"), "bytes": server.bytes}


def start(page: Page, server: SiteServer, path: str = LESSON) -> dict:
    """Visit the lesson and return its marks in ms and the bytes sent until the bench was live."""
    server.bytes = 0
    page.goto(server.address + path)
    page.wait_for_function("window.marks.live || window.marks.failed")
    sent, marks = server.bytes, page.evaluate("window.marks")
    if "live" not in marks:
        raise SystemExit("ferrolab: the bench failed; open the page and look")
    return {"text": marks["first-contentful-paint"], "live": marks["live"], "bytes": sent}


def visit_lesson(browser: Browser, server: SiteServer, again: bool = True) -> dict:
    """Return what `start` says of a first visit and, if asked for, of a repeat visit when all is kept."""
    with new_page(browser) as page:
        page.add_init_script(WATCH_BENCH)
        visits = {"first": start(page, server)}
        if again:
            page.wait_for_function("document.documentElement.dataset.kept === ''")
            visits["kept_later"] = {"bytes": server.bytes - visits["first"]["bytes"]}
            page.goto("about:blank")
            visits["repeat"] = start(page, server)
        return visits


def middle(visits: Sequence[dict]) -> dict:
    """Return the median of each figure over `visits`."""
    return {name: round(statistics.median(visit[name] for visit in visits)) for name in visits[0]}


def beside(figures: dict, yardstick: dict) -> dict:
    """Return `figures` with the ratios of their times to the yardstick's."""
    ratios = {f"{name}_ratio": round(figures[name] / yardstick["live"], 3) for name in ("text", "live") if name in figures}
    return figures | ratios



@contextmanager
def served_twice(folder: Path) -> Iterator[tuple[SiteServer, SiteServer]]:
    """Serve `folder` fast and throttled."""
    with served(folder) as fast, served(folder, THROTTLED) as slow:
        yield fast, slow


def measure_start(browser: Browser, site: Path, scratch: Path, runs: int, with_stock: bool) -> dict:
    """Return medians over `runs` of every kind of visit, with the ratios of their times to the bare page's."""
    bare_folder = scratch / "bare"
    bare_folder.mkdir()
    make_bare_page(bare_folder)
    visits: dict[str, list[dict]] = {kind: [] for kind in ("bare", "first", "kept_later", "repeat", "bare_throttled", "first_throttled", "stock")}
    with ExitStack() as stack:
        fast, slow = stack.enter_context(served_twice(site))
        bare, bare_slow = stack.enter_context(served_twice(bare_folder))
        stock = stack.enter_context(served(make_stock(scratch / "stock"))) if with_stock else None
        for _ in range(runs):
            visits["bare"].append(visit_bare(browser, bare))
            for kind, visit in visit_lesson(browser, fast).items():
                visits[kind].append(visit)
            visits["bare_throttled"].append(visit_bare(browser, bare_slow))
            visits["first_throttled"].append(visit_lesson(browser, slow, again=False)["first"])
            if stock:
                visits["stock"].append(visit_stock(browser, stock))
    figures = {kind: middle(found) for kind, found in visits.items() if found}
    for kind in {"first", "repeat", "stock", "first_throttled"} & figures.keys():
        figures[kind] = beside(figures[kind], figures["bare_throttled" if "throttled" in kind else "bare"])
    return {"runs": runs, "throttled_bytes_per_s": THROTTLED, **figures}
