"""Getting a package or a file from where it lives, with each registry's ordinary client.

Nothing here trusts what arrives: :mod:`ferrolab.site.fetch` compares every file with the lock.
No code of a package runs: wheels only for ``pip``, no scripts for ``npm``.
"""

import shutil
import subprocess
import sys
import tarfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

from .errors import FetchError
from .lock import Source

URL_TIMEOUT = 6.0
"""Seconds to wait for a plain download's next bytes: a first choice that is away must not hold up the build."""

CLIENT_TIMEOUT = 1800.0
"""Seconds a package client may take; the largest package is about 100 MB."""


def _run(command: list[str], directory: Path, source: Source) -> None:
    try:
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=CLIENT_TIMEOUT)
    except FileNotFoundError:
        raise FetchError(f"{source}: {command[0]} is not installed") from None
    except subprocess.TimeoutExpired:
        raise FetchError(f"{source}: no answer within {CLIENT_TIMEOUT:.0f} s") from None
    if done.returncode != 0:
        lines = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        told = [line for line in lines if "error" in line.lower()] or lines or ["no message"]
        raise FetchError(f"{source}: {told[0][:300]}")


def _only_file(directory: Path, source: Source) -> Path:
    files = [path for path in directory.iterdir() if path.is_file()]
    if len(files) != 1:
        raise FetchError(f"{source}: the client left {len(files)} files where one was expected")
    return files[0]


def download_url(source: Source, directory: Path) -> Path:
    """Download a plain address into `directory`."""
    target = directory / "download"
    try:
        with urllib.request.urlopen(source.name, timeout=URL_TIMEOUT) as answer, target.open("wb") as out:
            shutil.copyfileobj(answer, out)
    except urllib.error.HTTPError as error:
        raise FetchError(f"{source}: answered {error.code} {error.reason}") from None
    except (OSError, ValueError) as error:
        raise FetchError(f"{source}: {getattr(error, 'reason', error)}") from None
    return target


def download_npm(source: Source, directory: Path) -> Path:
    """Fetch an npm package's tarball into `directory`."""
    _run(["npm", "pack", "--silent", "--ignore-scripts", f"{source.name}@{source.version}"], directory, source)
    return _only_file(directory, source)


def download_pypi(source: Source, directory: Path) -> Path:
    """Fetch a wheel into `directory`; a source distribution, which would run code, is never taken."""
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-cache-dir",
        "--retries", "2", "--no-deps", "--only-binary=:all:", "--dest", ".",
    ]
    if source.python:
        command += ["--python-version", source.python]
    if source.platform:
        command += ["--platform", source.platform, "--implementation", "cp"]
    _run([*command, f"{source.name}=={source.version}"], directory, source)
    return _only_file(directory, source)


DOWNLOADS = {"url": download_url, "npm": download_npm, "pypi": download_pypi}


def download(source: Source, directory: Path) -> Path:
    """Fetch what `source` names, whole, into the empty `directory` and return its path.

    Raises
    ------
    FetchError
        If the source is out of reach, does not have it, or its client is not installed.
    """
    return DOWNLOADS[source.registry](source, directory)


def read_member(package: Path, source: Source) -> bytes:
    """Return the bytes of ``source.member`` inside the downloaded `package` (zip or tar), or of all of it.

    Raises
    ------
    FetchError
        If the package is no archive or has no such member.
    """
    if not source.member:
        return package.read_bytes()
    try:
        if zipfile.is_zipfile(package):
            with zipfile.ZipFile(package) as archive:
                return archive.read(source.member)
        with tarfile.open(package) as archive:
            member = archive.extractfile(source.member)
            if member is None:
                raise KeyError(source.member)
            return member.read()
    except KeyError:
        raise FetchError(f"{source}: the package has no such file") from None
    except (tarfile.TarError, zipfile.BadZipFile, OSError) as error:
        raise FetchError(f"{source}: the package cannot be read ({error})") from None
