"""`ferrolab serve --watch`: save a file, and the open page shows it within a second.

The runtime is built once and kept in the cache. Pages are made in memory from the sources and served over it; the
scripts and styles come straight from their source. A file that changed is noticed by looking at its time every
quarter of a second, which needs no library and works on every disk. A lesson that cannot be shown is a page with its
diagnostics; whether its figures hold takes longer to compute and follows in a box on the page.
"""

import html
import json
import threading
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from urllib.parse import unquote, urlsplit

from ferrolab.lesson import Diagnostic, Lesson, check_lesson, render_index
from ferrolab.lesson.check import first_look

from .build import MODELS, TEMPLATES, assets_folder, build_site, files_key, read_lessons
from .errors import SiteError
from .fetch import cache_directory
from .layout import Sources
from .pages import lesson_pages
from .publish import SERVICE_WORKER
from .serve import ASK_AGAIN, TYPES, SiteHandler, SiteServer, make_server

POLL_S = 0.25
HEARTBEAT_S = 10.0
"""How often an open page is written to, so that one that has gone is noticed."""

OWN = "__ferrolab/"
LIVE = Path(__file__).with_name("dev") / "live.js"
GOODBYE = LIVE.with_name("goodbye.js")
SCRIPT = '<script type="module" src="/__ferrolab/live.js?version={}"></script>\n</body>'

BROKEN = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{slug}: cannot be shown</title><link rel="icon" href="/assets/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/assets/ferrolab.css"></head>
<body data-broken-lesson="{slug}"><main class="index"><p class="kicker">ferrolab check</p>
<h1>{slug} cannot be shown yet</h1><p class="lede">Correct this and save; the page comes back by itself.</p>
<ol>{items}</ol></main></body></html>"""


class Workshop:
    """The sources being worked on: the pages made from them, and what is wrong with them.

    Every method may be called from any thread.
    """

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.changed = threading.Condition()
        self.version = 0
        self.faults: dict[str, list[Diagnostic]] = {}
        self.pages: dict[str, bytes] = {}
        self._lessons: dict[str, Lesson] = {}
        self._stamps = self._look()
        self._refresh(self.sources.lesson_folders)

    def poll(self) -> bool:
        """Look once for changed files and bring the pages up to date; return whether there were any."""
        stamps = self._look()
        changed = {path for path in stamps.keys() | self._stamps.keys() if stamps.get(path) != self._stamps.get(path)}
        self._stamps = stamps
        if not changed:
            return False
        folders = self.sources.lesson_folders
        for slug in self.faults.keys() - {folder.name for folder in folders}:
            self._forget(slug)
        if any(self.sources.web in path.parents and path.suffix == ".html" for path in changed):
            self._refresh(folders)
        else:
            self._refresh([folder for folder in folders if any(folder in path.parents for path in changed)])
        return True

    def check(self) -> None:
        """Check every lesson that can be shown, figures and all, and tell the pages."""
        for folder in self.sources.lesson_folders:
            before = self.version
            if folder.name in self._lessons:
                faults = check_lesson(folder)
                if before != self.version:
                    return  # saved meanwhile: whoever saved will ask again
                with self.changed:
                    self.faults[folder.name] = faults
                    self.changed.notify_all()

    def state(self) -> str:
        """What a page is told, as JSON."""
        faults = {slug: [fault.as_dict() for fault in found] for slug, found in self.faults.items()}
        return json.dumps({"version": self.version, "faults": faults})

    def _look(self) -> dict[Path, tuple[int, int]]:
        stamps = {}
        for root in (self.sources.web, *self.sources.lesson_folders):
            for path in root.rglob("*"):
                try:
                    status = path.stat()
                except OSError:
                    continue  # gone between two looks
                if path.is_file() and not path.name.startswith("."):
                    stamps[path] = status.st_mtime_ns, status.st_size
        return stamps

    def _forget(self, slug: str) -> None:
        """Take out a lesson whose folder is gone."""
        self._lessons.pop(slug, None)
        del self.faults[slug]
        self.pages = {path: data for path, data in self.pages.items() if not path.startswith(f"lessons/{slug}/")}

    def _refresh(self, folders: list[Path]) -> None:
        for folder in folders:
            slug = folder.name
            lesson, faults = first_look(folder)
            pages = {}
            if lesson is not None and not faults:
                try:
                    pages = lesson_pages(lesson)
                except Exception as error:  # a template or a picture being worked on may fail in any way
                    faults = [Diagnostic("lesson.md", 0, "L001", f"the page could not be made: {error}.", "Correct what was saved last.")]
            if not pages:
                pages = {f"lessons/{slug}/index.html": _broken_page(slug, faults)}
                self._lessons.pop(slug, None)
            else:
                self._lessons[slug] = lesson
            self.faults[slug] = faults
            self.pages |= pages
        with self.changed:
            self.pages["index.html"] = render_index(list(self._lessons.values())).encode()
            self.version += 1
            self.changed.notify_all()


def _broken_page(slug: str, faults: list[Diagnostic]) -> bytes:
    items = "".join(
        f"<li><p><strong>{html.escape(f'{fault.code} {fault.file}')}{f':{fault.line}' if fault.line else ''}</strong><br>"
        f"{html.escape(fault.message)} <em>{html.escape(fault.fix)}</em></p></li>"
        for fault in faults
    )
    return BROKEN.format(slug=html.escape(slug), items=items).encode()


class WatchHandler(SiteHandler):
    """Serves the workshop's pages over the built runtime."""

    def _answer(self, body: bool) -> None:
        workshop = self.server.workshop
        path = unquote(urlsplit(self.path).path).lstrip("/")
        if path == f"{OWN}events":
            return self._events(workshop)
        if path == f"{OWN}live.js":
            return self._bytes(LIVE.read_bytes(), ".js", body)
        if path == SERVICE_WORKER:
            return self._bytes(GOODBYE.read_bytes(), ".js", body)
        version = workshop.version  # before the page: an older one only makes it reload once more
        page = path + "index.html" if path.endswith("/") or not path else path
        if page in workshop.pages:
            return self._bytes(workshop.pages[page].replace(b"</body>", SCRIPT.format(version).encode()), Path(page).suffix, body)
        source = self._source(path)
        if source is not None:
            return self._bytes(source, Path(path).suffix, body)
        super()._answer(body)

    def _source(self, path: str) -> bytes | None:
        """The content of an asset from its source, served in place of the built copy."""
        name = path.removeprefix("assets/")
        sources = self.server.workshop.sources
        if name == path or name.startswith(TEMPLATES):
            return None
        if name == MODELS:
            return sources.models_script()
        found = (sources.web / name).resolve()
        if found.is_file() and sources.web.resolve() in found.parents:
            return found.read_bytes()
        made = assets_folder(self.server.root) / name  # what the build made: Bokeh's script, the list of the runtime
        return made.read_bytes() if "/" not in name and made.is_file() else None

    def _bytes(self, data: bytes, suffix: str, body: bool) -> None:
        headers = {"Content-Type": TYPES.get(suffix, "application/octet-stream"), "Cache-Control": ASK_AGAIN, "Content-Length": str(len(data))}
        self._send(HTTPStatus.OK, headers)
        if body:
            self.wfile.write(data)

    def _events(self, workshop: Workshop) -> None:
        """Tell the page about every change until it is gone."""
        self.close_connection = True
        self._send(HTTPStatus.OK, {"Content-Type": "text/event-stream", "Cache-Control": "no-store", "Connection": "close"})
        try:
            for told in _states(workshop):
                self.wfile.write(f"data: {told}\n\n".encode() if told else b":\n\n")
                self.wfile.flush()
        except OSError:
            return  # the page is gone


def _states(workshop: Workshop) -> Iterator[str | None]:
    """The workshop's state now and after every change; None now and then."""
    told = None
    while True:
        with workshop.changed:
            state = workshop.state()
            if state == told:
                workshop.changed.wait(HEARTBEAT_S)
                state = workshop.state()
        yield state if state != told else None
        told = state


def runtime(sources: Sources, progress: Callable[[str], None], cache: Path | None = None) -> Path:
    """Return a site with the runtime the pages need, made now unless the cache has it.

    It is made with any lesson that can be shown, so that a broken one does not keep its author from seeing why.
    """
    cache = cache or cache_directory()
    shown = [lesson for lesson, faults in map(first_look, sources.lesson_folders) if lesson is not None and not faults]
    lessons = shown or read_lessons(sorted(path.parent for path in sources.lessons.glob("*/lesson.toml")))
    key = files_key(sources.package)
    return build_site(cache / "watch", progress=progress, cache=cache, sources=sources, lessons=lessons, key=key, compress=False, deploy=False)


def make_watch_server(sources: Sources, site: Path, port: int) -> SiteServer:
    """Return a server for the workshop over the runtime in `site`, bound but not yet serving."""
    server = make_server(site, port)
    server.RequestHandlerClass = WatchHandler
    server.workshop = Workshop(sources)
    return server


def keep_up(workshop: Workshop, stop: threading.Event) -> None:
    """Look for changes until `stop`, and check the lessons after each."""
    checking = threading.Thread(target=workshop.check, daemon=True)
    checking.start()
    while not stop.wait(POLL_S):
        if workshop.poll():
            checking = threading.Thread(target=workshop.check, daemon=True)
            checking.start()


def watch(sources: Sources, port: int = 8000, *, tell: Callable[[str], None] = print) -> None:
    """Serve the lessons of `sources` and show every change until interrupted."""
    if not sources.lesson_folders:
        raise SiteError("there is no lesson to watch; make one with `ferrolab new lesson my-lesson`")
    with make_watch_server(sources, runtime(sources, tell), port) as server:
        stop = threading.Event()
        threading.Thread(target=keep_up, args=(server.workshop, stop), daemon=True).start()
        tell(f"ferrolab is at {server.address} and shows what you save (stop with Ctrl+C)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            tell("Stopped.")
        finally:
            stop.set()
