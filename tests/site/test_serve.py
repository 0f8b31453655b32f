"""The server: types, precompressed files, caching, and what it refuses."""

import gzip
import http.client
import socket
import threading
from pathlib import Path

import brotli
import pytest

from ferrolab.site.build import MARKER
from ferrolab.site.compress import compress_files
from ferrolab.site.errors import SiteError
from ferrolab.site.serve import accepted_codings, make_server, resolve, serve

TEXT = b"<p>the same bytes, whatever the coding</p>" * 100


@pytest.fixture
def folder(tmp_path):
    site = tmp_path / "site"
    (site / "lessons" / "one").mkdir(parents=True)
    (site / MARKER).write_text("{}")
    (site / "index.html").write_bytes(TEXT)
    (site / "lessons" / "one" / "index.html").write_bytes(b"lesson")
    for name in ("core.mjs", "worker.js", "core.wasm", "parcel.whl", "pack-0123456789abcdef.tar"):
        (site / name).write_bytes(TEXT)
    (tmp_path / "secret.txt").write_text("not part of the site")
    compress_files(list(site.rglob("*.*")), tmp_path / "cache")
    return site


@pytest.fixture
def ask(folder):
    """Return a function that sends one request and returns (status, headers, body)."""
    with make_server(folder, port=0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def send(path, method="GET", **headers):
            connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
            connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            body = answer.read()
            connection.close()
            return answer.status, answer.headers, body

        yield send
        server.shutdown()


def test_the_best_accepted_coding_is_sent_and_decodes_to_the_same_bytes(ask):
    for accept, coding, decode in (
        ("gzip, deflate, br, zstd", "br", brotli.decompress),
        ("gzip", "gzip", gzip.decompress),
        ("br;q=0, gzip;q=0.5", "gzip", gzip.decompress),
        ("", None, bytes),
    ):
        status, headers, body = ask("/", Accept_Encoding=accept)
        assert (status, headers["Content-Encoding"]) == (200, coding)
        assert decode(body) == TEXT
        assert headers["Content-Type"] == "text/html; charset=utf-8"
        assert headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/core.mjs", "text/javascript; charset=utf-8"), ("/core.wasm", "application/wasm"), ("/parcel.whl", "application/zip")],
)
def test_types_are_those_a_browser_insists_on(ask, path, kind):
    _, headers, _ = ask(path, Accept_Encoding="br")
    assert headers["Content-Type"] == kind
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_nothing_may_eval_or_reach_another_origin_and_only_the_worker_may_compile_webassembly(ask):
    page = ask("/")[1]["Content-Security-Policy"]
    assert "default-src 'self'" in page
    assert "unsafe-eval" not in page
    worker = ask("/worker.js")[1]["Content-Security-Policy"]
    assert "'wasm-unsafe-eval'" in worker and "'unsafe-eval'" not in worker
    told = " ".join((Path(__file__).parents[2] / "docs" / "static-host.md").read_text(encoding="utf-8").split())
    assert page in told  # for whoever writes it into another host's settings
    assert ask("/core.mjs")[1]["Content-Security-Policy"] is None


def test_a_hashed_name_is_kept_forever_and_everything_else_is_asked_for_again(ask):
    assert "immutable" in ask("/pack-0123456789abcdef.tar")[1]["Cache-Control"]
    status, headers, _ = ask("/")
    assert headers["Cache-Control"] == "no-cache"
    again = ask("/", If_None_Match=headers["ETag"])
    assert (again[0], again[2]) == (304, b"")


def test_each_coding_has_its_own_etag(ask):
    tags = {ask("/", Accept_Encoding=accept)[1]["ETag"] for accept in ("br", "gzip", "")}
    assert len(tags) == 3


def test_a_folder_is_its_index_and_its_address_ends_in_a_slash(ask):
    assert ask("/lessons/one/")[2] == b"lesson"
    status, headers, _ = ask("/lessons/one?again=1")
    assert (status, headers["Location"]) == (301, "/lessons/one/?again=1")


def test_a_redirect_never_leaves_the_site(ask):
    status, headers, _ = ask("//lessons/one")
    assert (status, headers["Location"]) == (301, "/lessons/one/")


def test_head_sends_headers_alone(ask):
    status, headers, body = ask("/", method="HEAD")
    assert (status, headers["Content-Length"], body) == (200, str(len(TEXT)), b"")


@pytest.mark.parametrize("path", ["/absent", "/lessons/", "/../secret.txt", "/%2e%2e/secret.txt", "/a%00b"])
def test_what_is_not_part_of_the_site_is_not_found(ask, path):
    status, _, body = ask(path)
    assert status == 404
    assert b"not part of" not in body


def test_a_path_outside_of_the_root_resolves_to_nothing(tmp_path):
    assert resolve(tmp_path, "/../x") is None
    assert resolve(tmp_path, "/x/../y") == tmp_path / "y"


def test_a_malformed_quality_counts_as_a_refusal():
    assert accepted_codings("br;q=much, gzip") == {"gzip"}


def test_a_busy_port_is_told_in_words(folder):
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        with pytest.raises(SiteError, match=f"port {port} is in use"):
            make_server(folder, port)


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_is_none_is_refused(folder, port):
    with pytest.raises(SiteError, match="between 0 and 65535"):
        make_server(folder, port)


def test_a_folder_without_a_site_is_refused(tmp_path):
    with pytest.raises(SiteError, match="ferrolab build"):
        make_server(tmp_path)


def test_serving_tells_the_address(folder, monkeypatch):
    told = []

    def interrupt(self):
        raise KeyboardInterrupt

    monkeypatch.setattr("ferrolab.site.serve.SiteServer.serve_forever", interrupt)
    serve(folder, 0, tell=told.append)
    assert told[0].startswith("ferrolab is at http://localhost:")
