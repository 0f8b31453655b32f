"""The fetcher, against real clients: a local server for addresses, pip on a local folder, npm without a network."""

import functools
import hashlib
import http.server
import io
import threading
import zipfile

import pytest

from ferrolab.site import sources
from ferrolab.site.errors import FetchError, HashError
from ferrolab.site.fetch import CACHE_VARIABLE, Fetcher, cache_directory
from ferrolab.site.lock import LockedFile, Source

CONTENT = b"what the lock says\n"
NOWHERE = Source("url", "http://127.0.0.1:9/away.bin")


def locked(*origins, content=CONTENT):
    return LockedFile("thing.bin", "runtime", hashlib.sha256(content).hexdigest(), len(content), tuple(origins))


@pytest.fixture
def server(tmp_path):
    """Return a function from a path to an address, over a folder with thing.bin in it."""
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "thing.bin").write_bytes(CONTENT)
    hits = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            hits.append(self.path)

    handler = functools.partial(Handler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()

        def address(path):
            return Source("url", f"http://127.0.0.1:{served.server_address[1]}/{path}")

        address.hits = hits
        yield address
        served.shutdown()


def wheel(folder, name="parcel", version="1.0", **members):
    folder.mkdir(exist_ok=True)
    info = f"{name}-{version}.dist-info"
    files = {
        **members,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": "",
    }
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for member, data in files.items():
            archive.writestr(member, data)
    return path


@pytest.fixture
def pip_folder(tmp_path, monkeypatch):
    """Point pip at a local folder and nothing else."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_a_file_comes_from_the_first_source_once(tmp_path, server):
    file = locked(server("thing.bin"), NOWHERE)
    with Fetcher(tmp_path / "cache") as fetcher:
        path = fetcher.fetch(file)
        assert path.read_bytes() == CONTENT
        assert fetcher.fetch(file) == path
    with Fetcher(tmp_path / "cache") as fetcher:
        assert fetcher.fetch(file) == path
    assert server.hits == ["/thing.bin"]


def test_an_unreachable_source_gives_way_to_the_next(tmp_path, server):
    with Fetcher(tmp_path / "cache") as fetcher:
        assert fetcher.fetch(locked(NOWHERE, server("missing.bin"), server("thing.bin"))).read_bytes() == CONTENT


def test_a_wrong_hash_names_the_file_both_hashes_and_the_source_and_keeps_nothing(tmp_path, server):
    expected = locked(server("thing.bin"), content=b"something else")
    with Fetcher(tmp_path / "cache") as fetcher, pytest.raises(HashError) as caught:
        fetcher.fetch(expected)
    told = str(caught.value)
    for part in ("thing.bin", expected.sha256, hashlib.sha256(CONTENT).hexdigest(), expected.sources[0].name):
        assert part in told
    assert not fetcher.path_in_cache(expected).exists()


def test_a_wrong_hash_stops_the_search_for_another_source(tmp_path, server):
    expected = locked(server("thing.bin"), server("missing.bin"), content=b"something else")
    with Fetcher(tmp_path / "cache") as fetcher, pytest.raises(HashError):
        fetcher.fetch(expected)
    assert server.hits == ["/thing.bin"]


def test_without_a_network_every_source_is_listed_with_its_reason(tmp_path, pip_folder, monkeypatch):
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    file = locked(NOWHERE, Source("npm", "parcel", "1.0.0", "package/thing.bin"), Source("pypi", "parcel", "1.0"))
    with Fetcher(tmp_path / "cache") as fetcher, pytest.raises(FetchError) as caught:
        fetcher.fetch(file)
    told = str(caught.value)
    for part in ("thing.bin", "3 source(s)", NOWHERE.name, "npm package parcel 1.0.0", "pypi package parcel 1.0", "Check the network"):
        assert part in told
    assert list((tmp_path / "cache").rglob("*")) == []


def test_a_member_comes_out_of_a_wheel_that_is_downloaded_once(tmp_path, pip_folder):
    wheel(pip_folder, **{"inner/thing.bin": CONTENT, "inner/other.bin": b"other"})
    told = []
    thing = locked(Source("pypi", "parcel", "1.0", "inner/thing.bin"))
    other = locked(Source("pypi", "parcel", "1.0", "inner/other.bin"), content=b"other")
    with Fetcher(tmp_path / "cache", told.append) as fetcher:
        assert fetcher.fetch(thing).read_bytes() == CONTENT
        assert fetcher.fetch(other).read_bytes() == b"other"
    assert told == ["Downloading pypi package parcel 1.0 ..."]


def test_a_missing_member_says_which_package_lacks_it(tmp_path, pip_folder):
    wheel(pip_folder)
    file = locked(Source("pypi", "parcel", "1.0", "inner/thing.bin"))
    with Fetcher(tmp_path / "cache") as fetcher, pytest.raises(FetchError) as caught:
        fetcher.fetch(file)
    assert "inner/thing.bin in pypi package parcel 1.0: the package has no such file" in str(caught.value)


def test_a_source_distribution_is_never_taken(tmp_path, pip_folder):
    (pip_folder / "parcel-1.0.tar.gz").write_bytes(b"would run code")
    with Fetcher(tmp_path / "cache") as fetcher, pytest.raises(FetchError, match="parcel"):
        fetcher.fetch(locked(Source("pypi", "parcel", "1.0")))


def test_a_client_that_is_not_installed_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FetchError, match="npm is not installed"):
        sources.download(Source("npm", "parcel", "1.0.0"), tmp_path)


def test_a_damaged_cache_entry_is_fetched_again(tmp_path, server):
    file = locked(server("thing.bin"))
    with Fetcher(tmp_path / "cache") as fetcher:
        fetcher.fetch(file).write_bytes(b"bit rot")
    with Fetcher(tmp_path / "cache") as fetcher:
        assert fetcher.fetch(file).read_bytes() == CONTENT
    assert len(server.hits) == 2


def test_something_that_is_no_archive_has_no_members(tmp_path):
    path = tmp_path / "parcel"
    path.write_bytes(io.BytesIO(CONTENT).getvalue())
    with pytest.raises(FetchError, match="cannot be read"):
        sources.read_member(path, Source("npm", "parcel", "1.0.0", "package/thing.bin"))


def test_downloading_outside_of_the_with_block_is_refused(tmp_path):
    with pytest.raises(RuntimeError, match="with block"):
        Fetcher(tmp_path).fetch(locked(NOWHERE))


def test_the_cache_lies_where_the_environment_says(monkeypatch, tmp_path):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "here"))
    assert cache_directory() == tmp_path / "here"
    monkeypatch.delenv(CACHE_VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_directory() == tmp_path / "xdg" / "ferrolab"
