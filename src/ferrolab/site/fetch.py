"""Fetch the locked files once into a content-addressed cache, and refuse anything else."""

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from . import sources
from .errors import FetchError, HashError
from .lock import LockedFile, Source

CACHE_VARIABLE = "FERROLAB_CACHE"


def cache_directory() -> Path:
    """Return where fetched files are kept: ``$FERROLAB_CACHE``, else the user's cache directory."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "ferrolab"


def sha256_of(data: bytes) -> str:
    """Return the sha256 of `data` in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` beside `path` and move it there, so that no reader sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".partial-")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


class Fetcher:
    """Locked files from the cache, or from their sources in order.

    Use it as a context manager: a package that carries several locked files is downloaded once and
    thrown away at the end; only the files themselves stay, under their sha256.

    Parameters
    ----------
    cache
        Directory of the content-addressed cache; made when missing.
    progress
        Called with one sentence whenever something is downloaded.
    """

    def __init__(self, cache: Path, progress: Callable[[str], None] = lambda sentence: None) -> None:
        self.cache = Path(cache)
        self.progress = progress
        self._packages: dict[Source, Path] = {}
        self._scratch: tempfile.TemporaryDirectory | None = None

    def __enter__(self) -> "Fetcher":
        """Start with no downloaded package."""
        self._scratch = tempfile.TemporaryDirectory(prefix="ferrolab-fetch-")
        return self

    def __exit__(self, *exception: object) -> None:
        """Throw the downloaded packages away."""
        self._packages.clear()
        self._scratch.cleanup()
        self._scratch = None

    def path_in_cache(self, file: LockedFile) -> Path:
        """Return where `file` lies, or will lie, in the cache."""
        return self.cache / "sha256" / file.sha256[:2] / file.sha256

    def fetch(self, file: LockedFile) -> Path:
        """Return the path of a verified copy of `file`.

        Raises
        ------
        HashError
            If a source delivers other content than the locked one. The next source is not tried:
            someone should look.
        FetchError
            If no source could deliver the file at all; the message lists each with its reason.
        """
        cached = self.path_in_cache(file)
        if cached.is_file():
            if sha256_of(cached.read_bytes()) == file.sha256:
                return cached
            self.progress(f"The cached copy of {file.name} is damaged; fetching it again.")
            cached.unlink()
        reasons = []
        for number, source in enumerate(file.sources, 1):
            try:
                data = sources.read_member(self._package(source), source)
            except FetchError as error:
                reasons.append(str(error))
                if number < len(file.sources):
                    self.progress(f"{error}; trying the next source.")
                continue
            found = sha256_of(data)
            if found != file.sha256:
                raise HashError(
                    f"{file.name} from {source} has sha256 {found}, but the lock says {file.sha256}: "
                    "it is not used. Check the source, or correct the lock if the change is wanted."
                )
            write_atomically(cached, data)
            return cached
        listed = "; ".join(f"{n}) {reason}" for n, reason in enumerate(reasons, 1))
        raise FetchError(
            f"{file.name} could not be fetched from any of its {len(file.sources)} source(s): {listed}. "
            "Check the network and the configuration of pip and npm, then run the same command again."
        )

    def fetch_all(self, files: Iterable[LockedFile]) -> dict[str, Path]:
        """Return the verified path of every file by name; see :meth:`fetch` for the errors."""
        return {file.name: self.fetch(file) for file in files}

    def _package(self, source: Source) -> Path:
        key = Source(source.registry, source.name, source.version, "", source.platform, source.python)
        if key not in self._packages:
            if self._scratch is None:
                raise RuntimeError("a Fetcher downloads only inside its with block; write `with Fetcher(...) as fetcher:`")
            self.progress(f"Downloading {key} ...")
            directory = tempfile.mkdtemp(dir=self._scratch.name)
            self._packages[key] = sources.download(source, Path(directory))
        return self._packages[key]
