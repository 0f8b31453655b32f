"""The lock: every file the site takes from elsewhere, its sha256 and where it can be had."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .errors import LockError

LOCK_PATH = Path(__file__).with_name("lock.json")
LOCK_VERSION = 1
KINDS = ("runtime", "wheel")
SHA256_PATTERN = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Source:
    """One place a file can be had from.

    Parameters
    ----------
    registry
        ``"url"`` (a plain download), ``"npm"`` or ``"pypi"`` (a package, fetched by name
        with the registry's ordinary client as it is configured on this machine).
    name
        The address for ``"url"``, otherwise the package name.
    version
        The package version; empty for ``"url"``.
    member
        Path of the file inside the package; empty when the package *is* the file.
    platform, python
        Wheel tags to ask for when they are not those of the running interpreter.
    """

    registry: str
    name: str
    version: str = ""
    member: str = ""
    platform: str = ""
    python: str = ""

    def __str__(self) -> str:
        """Return the source in the words an error message uses."""
        if self.registry == "url":
            return self.name
        package = f"{self.registry} package {self.name} {self.version}"
        return f"{self.member} in {package}" if self.member else package


@dataclass(frozen=True)
class LockedFile:
    """A file with its expected content (``sha256``, ``size`` in bytes) and ordered sources."""

    name: str
    kind: str
    sha256: str
    size: int
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class Lock:
    """All external files of the site, and the versions they belong to."""

    pyodide: str
    python: str
    abi: str
    platform: str
    files: tuple[LockedFile, ...]

    def of_kind(self, kind: str) -> tuple[LockedFile, ...]:
        """Return the files of one kind, ``"runtime"`` or ``"wheel"``, in the lock's order."""
        return tuple(file for file in self.files if file.kind == kind)

    def file(self, name: str) -> LockedFile:
        """Return the file called `name`.

        Raises
        ------
        LockError
            If the lock has no such file.
        """
        for file in self.files:
            if file.name == name:
                return file
        raise LockError(f"the lock has no file called {name!r}; add it to {LOCK_PATH.name}")


def _known(data: Mapping, where: str, required: set[str], optional: set[str] = frozenset()) -> None:
    missing = sorted(required - data.keys())
    unknown = sorted(data.keys() - required - optional)
    if missing:
        raise LockError(f"{where} lacks {', '.join(missing)}; every entry needs {', '.join(sorted(required))}")
    if unknown:
        raise LockError(f"{where} has unknown keys {', '.join(unknown)}; remove them or correct the spelling")


def _source(data: Mapping, where: str) -> Source:
    registries = sorted({"url", "npm", "pypi"} & data.keys())
    if len(registries) != 1:
        raise LockError(f"{where} names {registries or 'no registry'}; it must name one of url, npm, pypi")
    registry = registries[0]
    if registry == "url":
        _known(data, where, {"url"})
        return Source("url", data["url"])
    _known(data, where, {registry, "version"}, {"member", "platform", "python"})
    options = {key: data[key] for key in ("version", "member", "platform", "python") if key in data}
    return Source(registry, data[registry], **options)


def _file(data: Mapping, where: str) -> LockedFile:
    _known(data, where, {"name", "kind", "sha256", "size", "sources"})
    name = data["name"]
    if not isinstance(name, str) or not name or "/" in name or name.startswith("."):
        raise LockError(f"{where} is named {name!r}; a name is a plain file name")
    where = f"lock entry {name}"
    if data["kind"] not in KINDS:
        raise LockError(f"{where} is of kind {data['kind']!r}; it must be one of {', '.join(KINDS)}")
    if not SHA256_PATTERN.fullmatch(str(data["sha256"])):
        raise LockError(f"{where} has sha256 {data['sha256']!r}; it must be 64 lower-case hexadecimal digits")
    if not isinstance(data["size"], int) or data["size"] <= 0:
        raise LockError(f"{where} has size {data['size']!r}; it must be the number of bytes")
    if not data["sources"]:
        raise LockError(f"{where} has no source; name at least one")
    sources = tuple(_source(item, f"{where}, source {n}") for n, item in enumerate(data["sources"], 1))
    return LockedFile(name, data["kind"], data["sha256"], data["size"], sources)


def parse_lock(data: Mapping) -> Lock:
    """Return the lock that `data` (the parsed JSON) describes.

    Raises
    ------
    LockError
        If a key is missing or unknown, or a value is not of the form it must have.
    """
    _known(data, "the lock", {"version", "pyodide", "python", "abi", "platform", "files"})
    if data["version"] != LOCK_VERSION:
        raise LockError(f"the lock has version {data['version']!r}; this ferrolab reads version {LOCK_VERSION}")
    files = tuple(_file(item, f"lock entry {n}") for n, item in enumerate(data["files"], 1))
    names = [file.name for file in files]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise LockError(f"the lock lists {', '.join(doubled)} more than once; keep one entry each")
    return Lock(data["pyodide"], data["python"], data["abi"], data["platform"], files)


def load_lock(path: Path = LOCK_PATH) -> Lock:
    """Read and check the lock at `path`.

    Raises
    ------
    LockError
        If the file cannot be read, is not JSON, or is not a lock.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise LockError(f"cannot read the lock {path}: {error.strerror}; restore it from the repository") from None
    except ValueError as error:
        raise LockError(f"the lock {path} is not JSON: {error}; restore it from the repository") from None
    return parse_lock(data)
