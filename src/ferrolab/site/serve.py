"""Serve a built site from this machine: right types, precompressed files, honest caching."""

import errno
from collections.abc import Callable
from contextlib import suppress
from email.utils import formatdate
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from .build import MARKER
from .errors import SiteError
from .publish import HASHED

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".wasm": "application/wasm",
    ".whl": "application/zip",
    ".zip": "application/zip",
    ".tar": "application/x-tar",
}
ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
"""Content codings in order of preference, and the suffix of the precompressed file."""

FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"


POLICY = (
    "default-src 'self'; script-src 'self'{more}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "object-src 'none'; base-uri 'self'; form-action 'none'; frame-ancestors 'self'"
)
PAGE_POLICY = POLICY.format(more="")
WORKER_POLICY = POLICY.format(more=" 'wasm-unsafe-eval'")
"""What a browser lets the pages and the worker do: nothing from or to another origin, no eval anywhere, and WebAssembly
in the worker alone. Bokeh writes style elements and style attributes as it draws, which 'unsafe-inline' for styles is for
(docs/static-host.md)."""

WORKER = "worker.js"


def accepted_codings(header: str) -> set[str]:
    """Return the content codings an Accept-Encoding header accepts (those with a quality above zero)."""
    accepted = set()
    for part in header.split(","):
        coding, *parameters = (piece.strip() for piece in part.lower().split(";"))
        quality = next((value[2:] for value in parameters if value.startswith("q=")), "1")
        try:
            refused = float(quality) <= 0
        except ValueError:
            refused = True
        if coding and not refused:
            accepted.add(coding)
    return accepted


def choose_file(path: Path, accept_encoding: str) -> tuple[Path, str | None]:
    """Return the file to send for `path` and its content coding (None for the file itself)."""
    accepted = accepted_codings(accept_encoding)
    for coding, suffix in ENCODINGS:
        packed = path.with_name(path.name + suffix)
        if coding in accepted and packed.is_file():
            return packed, coding
    return path, None


def resolve(root: Path, target: str) -> Path | None:
    """Return the file or folder below `root` that a request `target` names, or None when it leaves `root`."""
    relative = unquote(urlsplit(target).path).lstrip("/")
    if "\0" in relative:
        return None
    path = (root / relative).resolve()
    return path if path == root or root in path.parents else None


class SiteHandler(BaseHTTPRequestHandler):
    """Answers GET and HEAD from the folder in ``server.root``."""

    protocol_version = "HTTP/1.1"
    server_version = "ferrolab"
    sys_version = ""
    timeout = 60

    def do_GET(self) -> None:  # noqa: N802 (the name http.server calls)
        """Send a file."""
        self._answer(body=True)

    def do_HEAD(self) -> None:  # noqa: N802
        """Send a file's headers."""
        self._answer(body=False)

    def handle(self) -> None:
        """Answer the requests of one connection; a browser may drop it at any time."""
        with suppress(ConnectionError):
            super().handle()

    def log_message(self, *arguments: object) -> None:
        """Keep quiet: the terminal shows the address, not every request."""

    def _answer(self, body: bool) -> None:
        path = resolve(self.server.root, self.path)
        if path is not None and path.is_dir():
            parts = urlsplit(self.path)
            if not parts.path.endswith("/"):
                location = "/" + parts.path.lstrip("/") + "/" + (f"?{parts.query}" if parts.query else "")
                return self._plain(HTTPStatus.MOVED_PERMANENTLY, "The folder's address ends in a slash.", body, location)
            path = path / "index.html"
        if path is None or not path.is_file():
            return self._plain(HTTPStatus.NOT_FOUND, "There is no such page on this site.", body)
        chosen, coding = choose_file(path, self.headers.get("Accept-Encoding", ""))
        status = chosen.stat()
        etag = f'"{status.st_mtime_ns:x}-{status.st_size:x}"'
        headers = {
            "Content-Type": TYPES.get(path.suffix, "application/octet-stream"),
            "Cache-Control": FOREVER if HASHED.search(urlsplit(self.path).path) else ASK_AGAIN,
            "ETag": etag,
            "Last-Modified": formatdate(status.st_mtime, usegmt=True),
            "Vary": "Accept-Encoding",
            "X-Content-Type-Options": "nosniff",
        }
        if coding:
            headers["Content-Encoding"] = coding
        if path.suffix == ".html" or path.name == WORKER:
            headers["Content-Security-Policy"] = WORKER_POLICY if path.name == WORKER else PAGE_POLICY
        if etag in (tag.strip().removeprefix("W/") for tag in self.headers.get("If-None-Match", "").split(",")):
            return self._send(HTTPStatus.NOT_MODIFIED, headers)
        headers["Content-Length"] = str(status.st_size)
        self._send(HTTPStatus.OK, headers)
        if body:
            with chosen.open("rb") as file:
                self.connection.sendfile(file)

    def _plain(self, code: HTTPStatus, sentence: str, body: bool, location: str | None = None) -> None:
        data = f"{sentence}\n".encode()
        headers = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(data))}
        if location:
            headers["Location"] = location
        self._send(code, headers)
        if body:
            self.wfile.write(data)

    def _send(self, code: HTTPStatus, headers: dict[str, str]) -> None:
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()


class SiteServer(ThreadingHTTPServer):
    """A threaded server of the folder `root`."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, root: Path, host: str, port: int) -> None:
        self.root = root
        super().__init__((host, port), SiteHandler)

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        host, port = self.server_address[:2]
        return f"http://{'localhost' if host in ('127.0.0.1', '::1') else host}:{port}/"


def make_server(directory: Path, port: int = 8000, host: str = "127.0.0.1") -> SiteServer:
    """Return a server for the site in `directory`, bound but not yet serving (port 0: any free one).

    Raises
    ------
    SiteError
        If there is no built site, or the port cannot be had.
    """
    root = Path(directory).resolve()
    if not (root / MARKER).is_file():
        raise SiteError(f"{directory} is no built site; run `ferrolab build --out {directory}` first")
    if not 0 <= port <= 65535:
        raise SiteError(f"the port is {port}; it must be between 0 and 65535")
    try:
        return SiteServer(root, host, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise SiteError(f"port {port} is in use by another program; choose another with --port, or stop it") from None
        raise SiteError(f"cannot serve on {host} port {port}: {error.strerror}; choose another with --port") from None


def serve(directory: Path, port: int = 8000, *, host: str = "127.0.0.1", tell: Callable[[str], None] = print) -> None:
    """Serve the site in `directory` until interrupted, after telling its address; see :func:`make_server`."""
    with make_server(directory, port, host) as server:
        tell(f"ferrolab is at {server.address} (stop with Ctrl+C)")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            tell("Stopped.")
