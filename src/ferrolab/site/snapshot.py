"""The memory snapshot: a Python in which everything is imported and a bench of each view and language is ready, as a file.

It is made in Pyodide under Node from the finished archives, restored there, and held to do what the archives do with
every lesson, without a file. A page that cannot restore it starts from the archives.
"""

import io
import tarfile
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ferrolab.lesson import Lesson
from ferrolab.words import for_bench

from .archive import Archives, Pack, one_for_each_view
from .errors import RuntimeCheckError
from .fetch import sha256_of
from .node import run_in_pyodide
from .publish import DIGITS
from .vendor import Vendor

START = "snapshot.js"
LIBRARY = ".so"


@dataclass(frozen=True)
class Snapshot:
    """The snapshot and what belongs to it.

    Attributes
    ----------
    memory
        The file: the memory without the zeros at its end.
    size
        Bytes of memory it is restored into.
    libraries
        The compiled parts of numpy by their paths below site-packages, in the order in which they are loaded.
    """

    memory: Pack
    size: int
    libraries: Mapping[str, Pack]


def named(label: str, suffix: str, data: bytes) -> Pack:
    """Return `data` as a file whose name holds its hash."""
    return Pack(f"{label}-{sha256_of(data)[:DIGITS]}{suffix}", data, 1)


def libraries_of(vendor: Pack) -> dict[str, Pack]:
    """Return the compiled libraries in an archive by their paths, sorted."""
    with tarfile.open(fileobj=io.BytesIO(vendor.data)) as archive:
        files = {member.name: archive.extractfile(member).read() for member in archive if member.name.endswith(LIBRARY)}
    return {path: named(Path(path).name.split(".")[0].strip("_"), LIBRARY, files[path]) for path in sorted(files)}


def make_snapshot(
    vendor: Vendor,
    archives: Archives,
    lessons: Sequence[Lesson],
    web: Path,
    env: Mapping[str, str],
    progress: Callable[[str], None] = lambda sentence: None,
) -> Snapshot:
    """Return the snapshot for the benches of `lessons`.

    Parameters
    ----------
    archives
        What it is made from, and what it is held to.
    web
        The folder of the page's files: its ``snapshot.js`` and ``unpack.js`` are used here as there.
    env
        The environment the worker gives Python.

    Raises
    ------
    RuntimeCheckError
        If it cannot be made or restored, or a bench does otherwise from it than from the archives.
    """
    tried = one_for_each_view(lessons)
    benches = {(lesson.bench, lesson.language): {"view": lesson.bench, "words": for_bench(lesson.language)} for lesson in lessons}
    libraries = libraries_of(archives.vendor)
    with tempfile.TemporaryDirectory(prefix="ferrolab-snapshot-") as scratch:
        work = Path(scratch)
        for made in (archives.vendor, archives.ferrolab, *libraries.values()):
            (work / made.name).write_bytes(made.data)
        ways: dict[str, Any] = {
            "start": str(web / START), "libraries": [[path, str(work / made.name)] for path, made in libraries.items()],
        }
        file = work / "memory"
        progress("Making the memory snapshot ...")
        made = run_in_pyodide(
            "exercise.py", {"roots": [], "lessons": tried}, then=("snapshot.py", {"benches": [*benches.values()]}),
            core=vendor.core, stdlib=vendor.stdlib, env=env, unpack=web / "unpack.js",
            packs=[work / archives.vendor.name, work / archives.ferrolab.name], snapshot={**ways, "make": str(file)},
        )
        progress("Trying every bench from the snapshot alone ...")
        nothing = work / "nothing"
        nothing.touch()
        trial = run_in_pyodide(
            "exercise.py", {"roots": ["/"], "lessons": tried, "restored": True}, core=vendor.core, stdlib=nothing, env=env,
            snapshot={**ways, "restore": str(file), "memory": made["memory"]},
        )
        memory = named("memory", ".bin", file.read_bytes())
    check_trial(trial, archives.trial)
    return Snapshot(memory, made["memory"], libraries)


def check_trial(trial: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuse a snapshot whose benches differ from those of the archives or read files, which a page has not.

    Raises
    ------
    RuntimeCheckError
        Naming what differs, or the files.
    """
    for what in ("models", "messages", "addresses"):
        if trial[what] != wanted[what]:
            raise RuntimeCheckError(
                f"the bench from the memory snapshot has {what} {trial[what]}, from the archives {wanted[what]}; "
                "see prepared.py and inside/snapshot.py"
            )
    opened = [name for name in trial["opened"] if not name.startswith("dev/")]
    if opened:
        raise RuntimeCheckError(
            f"the bench from the memory snapshot reads {', '.join(opened[:5])}, but a page has no such file; "
            "see that inside/exercise.py uses what reads it before the snapshot is made"
        )
