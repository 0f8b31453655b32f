"""A lesson's package as a course would host it: unpacked behind a plain web server, beside scorm-again's API."""

import functools
import http.server
import io
import threading
import zipfile
from contextlib import contextmanager
from pathlib import Path

from ferrolab.site.export import make_package
from ferrolab.site.fetch import Fetcher, cache_directory
from ferrolab.site.layout import find_sources
from ferrolab.site.lock import LockedFile, Source

SCORM_AGAIN = LockedFile(
    "scorm12.min.js", "runtime", "cf86d5840673b1ae90d00a1f6689376312842b65c7595b417b1259bfb0fc56b6", 156177,
    (Source("npm", "scorm-again", "3.4.3", "package/dist/scorm12.min.js"),),
)
"""The reference runtime the SCORM package is tested against, by version and content."""

LMS_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>course</title><link rel="icon" href="data:,">
<script src="scorm12.min.js"></script>
<script>
  window.said = [];
  window.API = new Scorm12API({ autocommit: false, logLevel: 4 });
  const set = API.LMSSetValue.bind(API);
  API.LMSSetValue = (name, value) => { const answer = set(name, value); said.push([name, String(value), String(answer)]); return answer; };
</script>
<iframe id="lesson" title="lesson" style="position: fixed; inset: 0; width: 100%; height: 100%; border: 0"></iframe></html>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """A plain server that knows the types a browser insists on."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *arguments):
        pass


@contextmanager
def serving(handler):
    """Run a server whose requests `handler` answers; give its address, without a slash at the end."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@contextmanager
def hosted(kind, lesson, site: Path, folder: Path):
    """Serve the package of `lesson` below /package/ with lms.html beside it; give the server's address."""
    with zipfile.ZipFile(io.BytesIO(make_package(kind, lesson, site, find_sources().web))) as archive:
        archive.extractall(folder / "package")
    with Fetcher(cache_directory()) as fetcher:
        (folder / "scorm12.min.js").write_bytes(fetcher.fetch(SCORM_AGAIN).read_bytes())
    (folder / "lms.html").write_text(LMS_PAGE, encoding="utf-8")
    with serving(functools.partial(Handler, directory=folder)) as address:
        yield f"{address}/"


def slide(frame, value):
    """Move the bench's slider in `frame`."""
    slider = frame.get_by_role("slider", name="Contact stiffness")
    slider.evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input', {bubbles: true})); e.dispatchEvent(new Event('change', {bubbles: true})); }", str(value))


def predict(frame):
    """Answer the starter lesson's prediction."""
    frame.get_by_label("It gets worse.").check()
    frame.get_by_role("button", name="Keep my prediction").click()
