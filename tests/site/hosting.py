"""A host a test can publish to, stop and start; a second deployment to publish; and what a visit waits for."""

import shutil
import threading
import time
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path

import pytest
from waiting import until

from ferrolab.site import build
from ferrolab.site.archive import Archives, Pack
from ferrolab.site.build import RUNTIME, assets_folder, build_site, read_manifest
from ferrolab.site.layout import Sources, find_sources
from ferrolab.site.serve import SiteHandler, make_server
from ferrolab.site.snapshot import Snapshot

LESSON = "lessons/the-gradient-that-lies/"

KEPT = """
async (path) => {
  const registration = await navigator.serviceWorker.getRegistration();
  const name = (await caches.keys()).find((name) => name.startsWith(`ferrolab pages ${path} `));
  return Boolean(registration?.active && name && (await (await caches.open(name)).match(new URL("kept-version.json", location.origin + path))));
}
"""
NAMES = "async () => Object.fromEntries(await Promise.all((await caches.keys()).map(async (name) => [name, (await (await caches.open(name)).keys()).map(({ url }) => url).sort()])))"


class Slow:
    """A connection as it looks from the other end of a slow link, which all connections share."""

    lock = threading.Lock()
    piece = 16384

    def __init__(self, connection, rate: float) -> None:
        self.connection = connection
        self.rate = rate

    def sendfile(self, file) -> None:
        while data := file.read(self.piece):
            with self.lock:
                time.sleep(len(data) / self.rate)
            self.connection.sendall(data)


class Handler(SiteHandler):
    """Remembers the status and the length of each answer, and keeps to the host's rate."""

    def _answer(self, body):
        whole = self.connection
        if self.server.host.rate:
            self.connection = Slow(whole, self.server.host.rate)
        try:
            super()._answer(body)
        finally:
            self.connection = whole

    def _send(self, code, headers):
        length = int(headers.get("Content-Length", 0)) if code == HTTPStatus.OK else 0
        self.server.sent.append((self.path, int(code), length))
        super()._send(code, headers)


class Host:
    """Serves the folder `root`, which may be changed, from one address."""

    def __init__(self, root: Path) -> None:
        self.sent: list[tuple[str, int, int]] = []
        self.server = None
        self.port = 0
        self.root = root
        self.rate: float | None = None
        """Bytes a second over all connections, or None for as many as there are."""
        self.start()

    def start(self) -> None:
        self.server = make_server(self.root, port=self.port)
        self.port = self.server.server_address[1]
        self.server.RequestHandlerClass = Handler
        self.server.sent = self.sent
        self.server.host = self
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def publish(self, root: Path) -> None:
        """Put another deployment in the place of the one before, whose files are gone."""
        self.root = root
        self.server.root = root.resolve()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}/"

    @property
    def bodies(self) -> list[str]:
        """What has been sent with a body."""
        return [path for path, code, length in self.sent if code == HTTPStatus.OK and length]


@contextmanager
def hosting(root: Path):
    host = Host(root)
    yield host
    host.stop()


def build_again(first: Path, folder: Path, edit) -> Path:
    """Build the site once more from sources `edit(web, lessons)` has changed, with the Python side of the site `first`."""
    shipped = find_sources()
    shutil.copytree(shipped.web, folder / "web")
    shutil.copytree(shipped.lessons, folder / "lessons")
    edit(folder / "web", folder / "lessons")

    def kept(name: str) -> Pack:
        [path] = (first / RUNTIME).glob(name)
        return Pack(path.name, path.read_bytes(), 1)

    told = read_manifest(assets_folder(first))["snapshot"]
    libraries = {path: kept(name) for path, name in told["libraries"]}
    snapshot = Snapshot(kept(told["name"]), told["memory"], libraries)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "build_archives", lambda *arguments: Archives(kept("vendor-*.tar"), kept("ferrolab-*.tar"), {}))
        patch.setattr(build, "make_snapshot", lambda *arguments: snapshot)
        return build_site(folder / "site", sources=Sources(shipped.package, folder / "web", folder / "lessons"), compress=False)


def live(page):
    page.wait_for_selector('#bench[data-bench-state="live"], #bench[data-bench-state="failed"]')
    assert page.get_attribute("#bench", "data-bench-state") == "live", page.locator("#bench").inner_text()


def block(page, milliseconds):
    """Keep the worker's thread busy, as Python does while it computes."""
    page.workers[0].evaluate(f"setTimeout(() => {{ const end = Date.now() + {milliseconds}; while (Date.now() < end); }}, 0)")


def visit(page, address, path="/"):
    """Visit the first lesson of the site at `address` and wait until the site is kept."""
    page.goto(address + LESSON)
    live(page)
    until(page, KEPT, path)
    until(page, "() => document.documentElement.dataset.kept === ''")
