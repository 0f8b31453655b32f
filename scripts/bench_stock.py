"""The bench as `panel convert` makes it, beside which scripts/bench.py measures ours.

The output asks content delivery networks for Pyodide, for Bokeh's and Panel's scripts and for wheels. Here all of it is
laid out beside the page and the addresses in its text are changed to that, so what is measured needs no network and is
served like the rest. What else differs from what a reader would get, all of it to the advantage of the stock page:
Pyodide is the release of our lock; MarkupSafe and PyYAML are their pure Python halves; nh3, which has no wheel to be had
here and which the bench does not use, is an empty package; nothing is looked up in an index, as Pyodide's own list of
packages names them all.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from bokeh import __version__ as BOKEH
from playwright.sync_api import Browser

from ferrolab.bench.models import MODELS_ADDRESSES, MODELS_JS
from ferrolab.site.build import MARKER
from ferrolab.site.compress import compress_files
from ferrolab.site.fetch import Fetcher, cache_directory, sha256_of
from ferrolab.site.layout import find_sources
from ferrolab.site.lock import Source, load_lock
from ferrolab.site.serve import SiteServer
from ferrolab.site.sources import download, read_member

MIRROR = Source("pypi", "open-webui", "0.12.4", "", "", "3.12")
FOLDER = "open_webui/frontend/pyodide/"
FROM_MIRROR = (
    "micropip", "contourpy", "pandas", "pillow", "python_dateutil", "pytz", "six", "requests", "urllib3", "certifi", "idna",
    "charset_normalizer", "typing_extensions",
)
FROM_INDEX = {
    "narwhals": "2.18.1", "xyzservices": "2026.3.0", "tqdm": "4.67.3", "linkify-it-py": "2.0.3", "uc-micro-py": "1.0.3",
    "markdown": "3.10", "markdown-it-py": "4.0.0", "mdurl": "0.1.2", "mdit-py-plugins": "0.5.0", "panel-material-ui": "0.16.6",
}
SCRIPTS = {"bokeh": "bokeh/server/static/js/", "panel": "panel/dist/"}
"""Where the wheels have the scripts that the page takes from content delivery networks."""

FOREIGN = re.compile(r"https://cdn\.[^\s\"'<>)]+")
DEPENDS = {
    "pandas": ["numpy", "python-dateutil", "pytz", "six"], "requests": ["urllib3", "certifi", "idna", "charset-normalizer"],
    "jinja2": ["markupsafe"], "linkify-it-py": ["uc-micro-py"], "markdown-it-py": ["mdurl"],
}
"""As in Pyodide's own list; what Bokeh and Panel need their wheels say."""

APP = "bench_app"
CDN = "cdn"
WATCH_WORKER = """
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...more) {
  if (message?.type === "rendered") window.live ??= performance.now();
  return post.call(this, message, ...more);
};
"""
"""The page shows a picture of the bench at once; it tells its worker when it has drawn the one that answers."""

START_MS = 180_000


def pure(wheel: Path, target: Path) -> Path:
    """Write the pure Python half of `wheel` to the folder `target` and return the new wheel."""
    name, version, *_ = wheel.name.split("-")
    made = target / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            if member.endswith("WHEEL"):
                new.writestr(member, "Wheel-Version: 1.0\nGenerator: bench\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            elif not member.endswith((".so", "RECORD")):
                new.writestr(member, old.read(member))
        new.writestr(f"{name}-{version}.dist-info/RECORD", "")
    return made


def empty(name: str, version: str, target: Path) -> Path:
    """Write a wheel of a package with nothing in it."""
    made = target / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(made, "w") as wheel:
        wheel.writestr(f"{name}/__init__.py", "")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: bench\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return made


def wheels(target: Path) -> Iterator[Path]:
    """Lay every wheel the stock page installs into `target` and yield it."""
    kept = cache_directory() / "stock"
    kept.mkdir(parents=True, exist_ok=True)
    if not any(kept.glob("micropip-*")):
        with tempfile.TemporaryDirectory() as scratch:
            package = download(MIRROR, Path(scratch))
            with zipfile.ZipFile(package) as archive:
                names = [name for name in archive.namelist() if name.startswith(FOLDER) and name.removeprefix(FOLDER).split("-")[0] in FROM_MIRROR]
            for name in names:
                (kept / name.removeprefix(FOLDER)).write_bytes(read_member(package, Source("pypi", "open-webui", "0.12.4", name)))
    for name, version in FROM_INDEX.items():
        if not any(kept.glob(f"{name.replace('-', '_')}-{version}-*")):
            with tempfile.TemporaryDirectory() as scratch:
                found = download(Source("pypi", name, version), Path(scratch))
                shutil.copyfile(found, kept / found.name)
    for path in kept.iterdir():
        yield Path(shutil.copyfile(path, target / path.name))
    lock = load_lock()
    with Fetcher(cache_directory()) as fetcher:
        for file in lock.of_kind("wheel"):
            path = target / file.name
            shutil.copyfile(fetcher.fetch(file), path)
            if "linux" in file.name:
                yield pure(path, target)
                path.unlink()
            else:
                yield path
    yield empty("nh3", "0.3.4", target)
    with tempfile.TemporaryDirectory() as scratch:
        source = find_sources().package.parents[1]
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--disable-pip-version-check", "--wheel-dir", scratch, str(source)]
        subprocess.run(command, check=True)
        [made] = Path(scratch).iterdir()
        yield Path(shutil.copyfile(made, target / made.name))


def listed(made: list[Path]) -> dict:
    """Return the wheels `made` as entries of Pyodide's list of packages."""
    entries = {}
    for path in made:
        name, version = path.name.split("-")[:2]
        entries[name.lower().replace("_", "-")] = {
            "name": name.lower().replace("_", "-"), "version": version, "file_name": path.name, "install_dir": "site",
            "sha256": sha256_of(path.read_bytes()), "package_type": "package", "imports": [name], "depends": DEPENDS.get(name.lower().replace("_", "-"), []), "unvendored_tests": False,
        }
    return entries


def make_stock(folder: Path) -> Path:
    """Convert the bench with Panel's own command, lay out what it asks for, and return the folder."""
    folder.mkdir()
    cdn = folder / CDN
    cdn.mkdir()
    made = list(wheels(cdn))
    lock = load_lock()
    with Fetcher(cache_directory()) as fetcher:
        for file in lock.of_kind("runtime"):
            shutil.copyfile(fetcher.fetch(file), cdn / file.name)
    packages = json.loads((cdn / "pyodide-lock.json").read_text(encoding="utf-8"))
    packages["packages"] = listed(made)
    (cdn / "pyodide-lock.json").write_text(json.dumps(packages), encoding="utf-8")
    app = folder / f"{APP}.py"
    shutil.copyfile(find_sources().package / "bench" / "main.py", app)
    command = [sys.executable, "-m", "panel", "convert", str(app), "--to", "pyodide-worker", "--out", str(folder), "--requirements", "numpy", "ferrolab"]
    subprocess.run(command, check=True, capture_output=True)
    app.unlink()
    localise(folder, made)
    (folder / MARKER).write_text('{"assets": "cdn"}', encoding="utf-8")
    compress_files([path for path in folder.rglob("*") if path.is_file() and path.suffix != ".whl"], cache_directory())
    return folder


def localise(folder: Path, made: list[Path]) -> None:
    """Change every foreign address in the converted page and its worker to a file in `folder`, which is put there."""
    archives = {name: zipfile.ZipFile(next(path for path in made if path.name.startswith(f"{name}-"))) for name in SCRIPTS}

    def place(address: re.Match) -> str:
        name = address[0].split("/")[-1]
        for package, root in SCRIPTS.items():
            wanted = f"/{name.replace(f'-{BOKEH}', '')}"
            for member in archives[package].namelist():
                if member.startswith(root) and member.endswith(wanted):
                    (folder / CDN / name).write_bytes(archives[package].read(member))
        return f"{CDN}/{name}"

    page, worker = (folder / f"{APP}{suffix}" for suffix in (".html", ".js"))
    page.write_text(FOREIGN.sub(place, page.read_text(encoding="utf-8")), encoding="utf-8")
    text = FOREIGN.sub(lambda address: f"${{self.location.origin}}/{place(address)}", worker.read_text(encoding="utf-8"))
    text = text.replace('from "${self.location.origin}/', 'from "./')  # an import takes no expression
    text = text.replace("'ferrolab']", f"'${{self.location.origin}}/{CDN}/{made[-1].name}']")
    worker.write_text(text, encoding="utf-8")
    for path, address in zip(MODELS_JS, MODELS_ADDRESSES.values(), strict=True):
        (folder / address).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / address)


def visit_stock(browser: Browser, server: SiteServer) -> dict:
    """Return ms from navigation to a bench that answers, and the bytes that took, for a first visit."""
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(START_MS)
    server.bytes = 0
    page.add_init_script(WATCH_WORKER)
    page.goto(f"{server.address}{APP}.html", wait_until="commit")
    page.wait_for_function("window.live")
    figures = {"live": page.evaluate("window.live"), "bytes": server.bytes}
    context.close()
    return figures
