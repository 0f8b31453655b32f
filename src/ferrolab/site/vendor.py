"""Third-party Python for the page: wheels unpacked and compiled once, kept by the hash of their content."""

import hashlib
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import HashError, LockError
from .lock import Lock
from .node import INSIDE, run_in_pyodide

COMPILER = ("compile_tree.py", "driver.mjs", "panel_pyodide.py")
"""What in ``inside/`` decides the compiled files, besides the wheels."""

COMPILED_UNDER = {"PYTHONNODEBUGRANGES": "1"}
"""The compiler's environment: bytecode keeps its lines, not the columns, which no traceback can point to without a source."""

SHIM = "panel/io/pyodide.py"
WASM_SUFFIX = "wasm32-emscripten.so"
METADATA_FILES = ("METADATA", "entry_points.txt")
UNWANTED_FOLDERS = ("tests", "__pycache__", "panel/dist", "bokeh/server/static", "numpy/f2py", "numpy/_core/include")
UNWANTED_FILES = ("package-lock.json",)


@dataclass(frozen=True)
class Vendor:
    """Where the prepared third-party files lie.

    ``core`` holds the Pyodide files, ``packages`` the compiled site-packages (all of it, before any
    tree shaking), ``stdlib`` the compiled standard library, ``key`` the hash of what they are made of.
    """

    core: Path
    packages: Path
    stdlib: Path
    key: str


def wanted(name: str) -> bool:
    """Return whether the wheel member `name` may be needed by a program in the page."""
    folder, _, base = name.rpartition("/")
    if not folder or name.endswith("/") or ".data/" in name:
        return False
    if ".dist-info" in folder:
        return base in METADATA_FILES and folder.endswith(".dist-info")
    if any(f"/{unwanted}/" in f"/{folder}/" for unwanted in UNWANTED_FOLDERS):
        return False
    if base.endswith((".so", ".pyd", ".dylib")):
        return base.endswith(WASM_SUFFIX)
    return base not in UNWANTED_FILES and not base.endswith((".pyi", ".pyx", ".pxd", ".c", ".h", ".a", ".ts", ".tsx", ".map"))


def unpack_wheel(wheel: Path, target: Path) -> None:
    """Unpack what is wanted of `wheel` below `target`."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if wanted(name):
                archive.extract(name, target)


def check_against_pyodide(lock: Lock, paths: Mapping[str, Path]) -> None:
    """Hold every wheel built for Pyodide to the hash that Pyodide's own lock gives for it.

    Raises
    ------
    HashError
        If our lock and Pyodide's disagree about a wheel.
    LockError
        If Pyodide's lock does not know a wasm wheel of ours.
    """
    published = json.loads(paths["pyodide-lock.json"].read_text(encoding="utf-8"))["packages"]
    hashes = {entry["file_name"]: entry["sha256"] for entry in published.values()}
    for file in lock.of_kind("wheel"):
        if not file.name.endswith("wasm32.whl"):
            continue
        if file.name not in hashes:
            raise LockError(f"{file.name} is not a file of Pyodide {lock.pyodide}; take one its pyodide-lock.json lists")
        if hashes[file.name] != file.sha256:
            raise HashError(
                f"{file.name} has sha256 {file.sha256} in our lock but {hashes[file.name]} in Pyodide's "
                "pyodide-lock.json: it is not the genuine file. Correct lock.json."
            )


def vendor_key(lock: Lock) -> str:
    """Return the hash of everything the compiled files depend on."""
    digest = hashlib.sha256()
    for file in lock.files:
        digest.update(f"{file.name} {file.sha256}\n".encode())
    for name in COMPILER:
        digest.update((INSIDE / name).read_bytes())
    digest.update(Path(__file__).read_bytes())
    return digest.hexdigest()


def compile_in_pyodide(job: Mapping[str, Any], core: Path, work: Path, stdlib: Path | None = None) -> dict[str, Any]:
    """Return what ``inside/compile_tree.py`` says of the `job`, whose paths lie in the folder `work`, inside ``/work``.

    Parameters
    ----------
    core, stdlib
        As of :func:`ferrolab.site.node.run_in_pyodide`.
    """
    return run_in_pyodide("compile_tree.py", job, core=core, stdlib=stdlib, mounts={"/work": work}, env=COMPILED_UNDER)


def prepare_vendor(
    lock: Lock, paths: Mapping[str, Path], cache: Path, progress: Callable[[str], None] = lambda sentence: None
) -> Vendor:
    """Return the compiled third-party files, made now unless the cache has them.

    Parameters
    ----------
    paths
        Verified files by name, as :meth:`ferrolab.site.fetch.Fetcher.fetch_all` returns them.
    cache
        The cache directory; the result is kept below ``compiled/<key>``.
    """
    check_against_pyodide(lock, paths)
    key = vendor_key(lock)
    home = Path(cache) / "compiled" / key[:32]
    vendor = Vendor(home / "core", home / "packages", home / "stdlib.zip", key)
    if home.is_dir():
        return vendor
    progress("Compiling Panel, Bokeh and the standard library inside Pyodide (once) ...")
    home.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=home.parent, prefix=".partial-"))
    try:
        for name in ("core", "source", "packages"):
            (work / name).mkdir()
        for file in lock.of_kind("runtime"):
            shutil.copyfile(paths[file.name], work / "core" / file.name)
        for file in lock.of_kind("wheel"):
            unpack_wheel(paths[file.name], work / "source")
        shutil.copyfile(INSIDE / "panel_pyodide.py", work / "source" / SHIM)
        compile_in_pyodide(
            {"trees": [["/work/source", "/work/packages"]], "zips": [["/work/core/python_stdlib.zip", "/work/stdlib.zip"]]},
            core=work / "core", work=work,
        )
        shutil.rmtree(work / "source")
        try:
            os.rename(work, home)
        except OSError:
            if not home.is_dir():  # a concurrent build finished first, and its result is as good
                raise
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return vendor
