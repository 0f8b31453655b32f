"""The archives the worker unpacks: only what the bench reads, as this Pyodide's bytecode, stored.

The bench is brought up once in Pyodide from everything, the files it reads are kept, and it is brought
up again from the finished archives alone: what a page will do is tried before a page exists.
"""

import hashlib
import io
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ferrolab.lesson import Lesson
from ferrolab.words import for_bench

from .errors import RuntimeCheckError
from .node import run_in_pyodide
from .vendor import Vendor, compile_in_pyodide

PACKAGE = "ferrolab"
LEFT_OUT = ("__pycache__", "_web", "_lessons", "inside")
SITE_MODULES = ("__init__.py", "session.py", "bridge.py", "links.py", "prepared.py", "rest.py")
"""What of ``ferrolab.site`` runs in the page; the rest is for the build."""

DATA_SUFFIXES = (".css", ".html", ".jinja", ".json")
"""Small files that Panel and Bokeh look for before they read them, some of them late: kept, read or not."""


@dataclass(frozen=True)
class Pack:
    """One archive: its file name (with a hash of the content in it) and its bytes."""

    name: str
    data: bytes
    files: int


@dataclass(frozen=True)
class Archives:
    """The third-party and the ferrolab archive, and what the trial run said (see ``inside/exercise.py``)."""

    vendor: Pack
    ferrolab: Pack
    trial: Mapping[str, Any]


def pack(label: str, root: Path, names: Iterable[str]) -> Pack:
    """Return an uncompressed tar of the files `names` below `root`: same files, same bytes.

    Uncompressed, because the server compresses, better than a zip does and only for the wire.
    """
    names = sorted(names)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in names:
            data = (root / name).read_bytes()
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    data = buffer.getvalue()
    return Pack(f"{label}-{hashlib.sha256(data).hexdigest()[:16]}.tar", data, len(names))


def vendor_files(packages: Path, read: Iterable[str]) -> list[str]:
    """Return the files below `packages` that were `read`, and the data files of the same top-level packages."""
    used = {name for name in read if (packages / name).is_file()}
    tops = {name.split("/")[0] for name in used}
    data = {
        path.relative_to(packages).as_posix()
        for top in tops
        for path in (packages / top).rglob("*")
        if path.suffix in DATA_SUFFIXES
    }
    return sorted(used | data)


def stage_package(source: Path, target: Path) -> None:
    """Copy the parts of the ferrolab package at `source` that may run in a page to `target`."""

    def leave_out(folder: str, names: list[str]) -> list[str]:
        out = [name for name in names if name in LEFT_OUT]
        if Path(folder) == source / "site":
            out += [name for name in names if name not in SITE_MODULES]
        return out

    shutil.copytree(source, target, ignore=leave_out)


def check_document(trial: Mapping[str, Any]) -> None:
    """Refuse a bench whose document needs what the page does not bring: panel.js, or any address.

    Raises
    ------
    RuntimeCheckError
        Naming the models or the addresses.
    """
    foreign = [name for name in trial["models"] if name.startswith("panel.")]
    if foreign:
        raise RuntimeCheckError(
            f"the bench's document uses {', '.join(sorted(foreign))}, but the page brings no panel.js; "
            "use Bokeh's own models or the bench's (see bench/shell.py)"
        )
    if trial["addresses"]:
        raise RuntimeCheckError(
            f"the bench's document names {', '.join(trial['addresses'])}; a page may ask for nothing but its own "
            "files: bring the file with the bench, or take the style sheet out (see bench/shell.py)"
        )


def one_for_each_view(lessons: Iterable[Lesson]) -> list[dict[str, Any]]:
    """Return what ``inside/exercise.py`` needs of one lesson for each view of the bench.

    A page brings the words of its language, so that none are read from a file.
    """
    return list({lesson.bench: {"lesson": lesson.to_dict(), "words": for_bench(lesson.language)} for lesson in lessons}.values())


def build_archives(
    vendor: Vendor,
    package: Path,
    lessons: Sequence[Lesson],
    unpack: Path,
    env: Mapping[str, str],
    progress: Callable[[str], None] = lambda sentence: None,
) -> Archives:
    """Return the two archives that bring up the benches of `lessons`.

    Parameters
    ----------
    package
        Folder of the ferrolab package.
    lessons
        The site's lessons; one for each view of the bench is tried.
    unpack
        The page's ``unpack.js``.
    env
        The environment the worker gives Python.

    Raises
    ------
    RuntimeCheckError
        If the bench does not come up in Pyodide, or comes up differently from the archives.
    """
    tried = one_for_each_view(lessons)
    with tempfile.TemporaryDirectory(prefix="ferrolab-archive-") as scratch:
        work = Path(scratch)
        stage_package(package, work / "source" / PACKAGE)
        progress("Bringing the bench up in Pyodide to see what it needs ...")
        compiled = compile_in_pyodide({"trees": [["/work/source", "/work/compiled"]]}, vendor.core, work, vendor.stdlib)
        if compiled["skipped"]:
            raise RuntimeCheckError(f"ferrolab does not compile in the page's Python: {'; '.join(compiled['skipped'])}")
        seen = run_in_pyodide(
            "exercise.py", {"roots": ["/work/compiled", "/packages"], "lessons": tried},
            core=vendor.core, stdlib=vendor.stdlib, env=env,
            mounts={"/work": work, "/packages": vendor.packages}, path=["/work/compiled", "/packages"],
        )
        read = seen["read"]
        ours = [name for name in read if name.startswith(f"{PACKAGE}/") and (work / "compiled" / name).is_file()]
        theirs = vendor_files(vendor.packages, read)
        packs = pack("vendor", vendor.packages, theirs), pack(PACKAGE, work / "compiled", ours)
        for made in packs:
            (work / made.name).write_bytes(made.data)
        progress("Bringing the bench up again, from the finished archives alone ...")
        trial = run_in_pyodide(
            "exercise.py", {"roots": [], "lessons": tried}, core=vendor.core, stdlib=vendor.stdlib, env=env,
            packs=[work / made.name for made in packs], unpack=unpack,
        )
    for what in ("models", "messages", "addresses"):
        if trial[what] != seen[what]:
            raise RuntimeCheckError(
                f"the bench from the archives has {what} {trial[what]}, from the whole packages {seen[what]}; "
                "a file it looks for without opening it is missing: see DATA_SUFFIXES and LEFT_OUT in archive.py"
            )
    check_document(trial)
    return Archives(*packs, trial)
