"""Build the whole static site into a folder: every byte from here, or from a locked file."""

import hashlib
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ferrolab import __version__
from ferrolab.lesson import Lesson
from ferrolab.lesson.check import first_look

from .archive import Archives, build_archives
from .compress import compress_files
from .docs import doc_pages
from .errors import SiteError
from .fetch import Fetcher, cache_directory, sha256_of
from .layout import Sources, find_sources
from .lock import LOCK_PATH, Lock, load_lock
from .pages import site_pages
from .publish import ASSETS, DIGITS, RUNTIME, SERVICE_WORKER, hashed_folder, publish
from .snapshot import Snapshot, make_snapshot
from .vendor import Vendor, prepare_vendor

MARKER = "site.json"
"""A file in every built site; a folder without it is not ours to replace."""

BOKEH_SCRIPTS = "bokeh/server/static/js/"
SCRIPTS = ("bokeh.min.js",)
"""What the page needs of Bokeh's scripts, out of the same wheel as its Python; nothing of Panel's (see archive.py)."""

PANEL_ROOT = "//panel.invalid/"
"""Root of the addresses Panel bakes into documents: no document of ours may hold one, and this one is easy to see."""

RUNTIME_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
MODELS = "models.js"
TEMPLATES = "templates"
COURSE = "course"
"""Scripts of exported packages alone (see export.py): a page of the site has no way to report to anybody."""
SHOWN_FAULTS = 5
MANIFEST = "manifest.js"
_MANIFEST_OPENS = "// Made by `ferrolab build`.\nexport default "

Progress = Callable[[str], None]


def worker_environment() -> dict[str, str]:
    """Return the environment variables Python gets in the worker."""
    return {"PANEL_CDN_ROOT": PANEL_ROOT}


def load_lessons(folder: Path) -> list[Lesson]:
    """Return every lesson below `folder`, in order.

    Raises
    ------
    SiteError
        If there is none, or one cannot be read.
    """
    paths = sorted(path.parent for path in folder.glob("*/lesson.toml"))
    if not paths:
        raise SiteError(f"{folder} has no lesson; a lesson is a folder with a lesson.toml")
    return read_lessons(paths)


def read_lessons(folders: Iterable[Path]) -> list[Lesson]:
    """Return the lessons in `folders`, by number.

    Raises
    ------
    SiteError
        If there is none, or one cannot be shown; the message holds its first diagnostics.
    """
    lessons = []
    for path in folders:
        lesson, faults = first_look(path)
        if lesson is None or faults:
            told = "".join(f"\n  {fault}" for fault in faults[:SHOWN_FAULTS])
            raise SiteError(f"the lesson in {path} cannot be shown; run `ferrolab check {path}`:{told}")
        lessons.append(lesson)
    if not lessons:
        raise SiteError("there is no lesson to build; make one with `ferrolab new lesson my-lesson`")
    return sorted(lessons, key=lambda lesson: (lesson.number, lesson.slug))


def _bokeh_wheel(paths: Mapping[str, Path]) -> Path:
    for name, path in paths.items():
        if name.startswith("bokeh-") and name.endswith(".whl"):
            return path
    raise SiteError(f"the lock has no wheel of bokeh; add it to {LOCK_PATH.name}")


def _assets(sources: Sources, paths: Mapping[str, Path], assets: Path) -> None:
    shutil.copytree(sources.web, assets, ignore=shutil.ignore_patterns(TEMPLATES, COURSE, SERVICE_WORKER, ".*"), dirs_exist_ok=True)
    (assets / MODELS).write_bytes(sources.models_script())
    with zipfile.ZipFile(_bokeh_wheel(paths)) as wheel:
        for name in SCRIPTS:
            (assets / name).write_bytes(wheel.read(BOKEH_SCRIPTS + name))


def _runtime(vendor: Vendor, archives: Archives, snapshot: Snapshot | None, lock: Lock, runtime: Path) -> dict[str, Any]:
    """Lay out the runtime's files below `runtime`, named by their content, and return what the worker must know of them."""
    core = runtime / "core"
    core.mkdir(parents=True)
    for name in RUNTIME_FILES:
        shutil.copyfile(vendor.core / name, core / name)
    core = hashed_folder(core)
    stdlib = vendor.stdlib.read_bytes()
    stdlib_name = f"python_stdlib-{sha256_of(stdlib)[:DIGITS]}.zip"
    (runtime / stdlib_name).write_bytes(stdlib)
    packs = [archives.vendor, archives.ferrolab, *([snapshot.memory, *snapshot.libraries.values()] if snapshot else [])]
    for made in packs:
        (runtime / made.name).write_bytes(made.data)
    return {
        "pyodide": lock.pyodide,
        "platform": {"python": f"{lock.python}.0", "abi_version": lock.abi, "arch": "wasm32", "platform": lock.platform},
        "env": worker_environment(),
        "core": core.name,
        "stdlib": described(stdlib_name, stdlib),
        "archives": [described(made.name, made.data) for made in (archives.vendor, archives.ferrolab)],
        "snapshot": snapshot and {
            **described(snapshot.memory.name, snapshot.memory.data),
            "memory": snapshot.size,
            "libraries": [[path, made.name] for path, made in snapshot.libraries.items()],
        },
    }


def described(name: str, data: bytes) -> dict[str, Any]:
    """Return what the worker must know to load the file `name` and to check it."""
    return {"name": name, "size": len(data), "sha256": sha256_of(data)}


def at_once(manifest: Mapping[str, Any]) -> list[str]:
    """Return the files of the runtime that every visit needs, by their paths in the site."""
    files = [f"{manifest['core']}/{name}" for name in RUNTIME_FILES]
    files += [name for _, name in manifest["snapshot"]["libraries"]]
    return [f"{RUNTIME}/{name}" for name in files]


def assets_folder(site: Path) -> Path:
    """Return the folder of the scripts and styles of the built `site`."""
    return site / json.loads((site / MARKER).read_text(encoding="utf-8"))["assets"]


def manifest_script(manifest: Mapping[str, Any]) -> str:
    """Return `manifest` as the module the worker imports."""
    return f"{_MANIFEST_OPENS}{json.dumps(manifest, indent=1)};\n"


def read_manifest(assets: Path) -> dict[str, Any]:
    """Return what the worker is told in the folder `assets` of a built site."""
    text = (assets / MANIFEST).read_text(encoding="utf-8")
    return json.loads(text.removeprefix(_MANIFEST_OPENS).removesuffix(";\n"))


def _pages(pages: Mapping[str, bytes], site: Path) -> None:
    for name, data in pages.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_bytes(data)


def source_key(sources: Sources) -> str:
    """Return the hash of every file the site is made from, the lock among them."""
    return files_key(sources.package, sources.web, *([sources.docs] if sources.docs else []), *sources.lesson_folders)


def files_key(*roots: Path) -> str:
    """Return the hash of every file below `roots`, with its name."""
    digest = hashlib.sha256()
    for root in roots:
        for path in sorted(root.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{root.name}/{path.relative_to(root)}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _is_current(out: Path, key: str) -> bool:
    try:
        return json.loads((out / MARKER).read_text(encoding="utf-8"))["key"] == key
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _require_writable(out: Path) -> None:
    """Refuse a folder that cannot be written before the long work, not after it."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-"):
            pass
    except OSError as error:
        raise SiteError(f"{out} cannot be written ({error.strerror}); give a folder that can, with --out.") from None


def _require_replaceable(out: Path) -> None:
    if not out.exists() or (out / MARKER).is_file() or (out.is_dir() and not any(out.iterdir())):
        return
    raise SiteError(f"{out} exists and is no site made by ferrolab; choose another folder with --out, or remove it")


def _replace(out: Path, made: Path) -> None:
    former = None
    if out.exists():
        former = made.with_name(f"{made.name}-former")
        os.rename(out, former)
    os.rename(made, out)
    if former is not None:
        shutil.rmtree(former)


def build_site(
    out: Path,
    *,
    progress: Progress = lambda sentence: None,
    cache: Path | None = None,
    sources: Sources | None = None,
    lock: Lock | None = None,
    lessons: Sequence[Lesson] | None = None,
    key: str | None = None,
    compress: bool = True,
    deploy: bool = True,
) -> Path:
    """Build the site into the folder `out` and return it.

    The site is made beside `out` and moved there at the very end: when anything fails, `out` is as it was.
    A site that was made from the same files already is left alone.

    Parameters
    ----------
    out
        The folder; a former site there is replaced, anything else is refused.
    progress
        Called with one sentence a step.
    cache
        Where fetched and compiled files are kept (default :func:`ferrolab.site.fetch.cache_directory`).
    sources, lock
        What to build from (default: this installation's own).
    lessons, key
        The lessons, when others than those of `sources` are wanted, and what tells the site made of them from others.
    compress
        Whether to make compressed copies of the files, for hosts that send them.
    deploy
        Whether the files get the names of one deployment, a service worker (see publish.py) and a memory snapshot. A course's package and
        an author's preview have plain names, and leave nothing in the browser.

    Raises
    ------
    SiteError
        If a file cannot be fetched or is not the locked one, the bench does not come up, or `out` is in the way.
    """
    out = Path(out).absolute()
    _require_replaceable(out)
    cache = cache or cache_directory()
    sources = sources or find_sources()
    key = key or source_key(sources)
    if lock is None and _is_current(out, key):
        progress(f"The site in {out} is up to date.")
        return out
    _require_writable(out)
    lock = lock or load_lock()
    lessons = lessons or read_lessons(sources.lesson_folders)
    with Fetcher(cache, progress) as fetcher:
        paths = fetcher.fetch_all(lock.files)
    vendor = prepare_vendor(lock, paths, cache, progress)
    unpack = sources.web / "unpack.js"
    archives = build_archives(vendor, sources.package, lessons, unpack, worker_environment(), progress)
    snapshot = make_snapshot(vendor, archives, lessons, sources.web, worker_environment(), progress) if deploy else None
    made = Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}-building-"))
    try:
        made.chmod(0o755)
        progress("Writing the pages ...")
        _assets(sources, paths, made / ASSETS)
        manifest = _runtime(vendor, archives, snapshot, lock, made / RUNTIME)
        (made / ASSETS / MANIFEST).write_text(manifest_script(manifest), encoding="utf-8")
        _pages(site_pages(lessons) | (doc_pages(sources) if sources.docs else {}), made)
        assets = publish(made, sources.web / SERVICE_WORKER, at_once(manifest)) if deploy else ASSETS
        marker = {"ferrolab": __version__, "pyodide": lock.pyodide, "key": key, "assets": assets}
        (made / MARKER).write_text(json.dumps(marker), encoding="utf-8")
        if compress:
            progress("Compressing (slow the first time only) ...")
            compress_files([path for path in made.rglob("*") if path.is_file()], cache)
        _replace(out, made)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    progress(f"The site is in {out}.")
    return out
