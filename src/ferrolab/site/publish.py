"""From plain names to those of one deployment: files named by their content, and the service worker that keeps them.

A page names its scripts by the hash of all of them, and they name the runtime's files by theirs. Whoever has a page
has what belongs to it, or nothing: files of two deployments cannot meet.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path

from .fetch import sha256_of

ASSETS = "assets"
RUNTIME = "runtime"
SERVICE_WORKER = "sw.js"
OFFLINE = "offline.js"
DIGITS = 16
"""Hexadecimal digits of the sha256 in a name."""

HASHED = re.compile(r"-[0-9a-f]{16}(?:/|\.\w+$)")
"""In the path of a file that never changes: a folder or a file with the hash of its content in its name."""

_REFERENCE = re.compile(rf'((?:src|href)="(?:\.\./)*){ASSETS}/')
_PLACE = "const SITE = null;"


def hashed_folder(folder: Path) -> Path:
    """Rename `folder` to its name with the hash of everything in it, and return it."""
    listing = "".join(f"{name} {digest}\n" for name, digest in hashes(folder, [folder]).items())
    return folder.rename(folder.with_name(f"{folder.name}-{sha256_of(listing.encode())[:DIGITS]}"))


def hashes(root: Path, folders: Iterable[Path]) -> dict[str, str]:
    """Return the sha256 of every file below `folders` by its path from `root`, sorted."""
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): sha256_of(path.read_bytes()) for path in files}


def address_assets(page: str, assets: str) -> str:
    """Return the HTML `page` with its scripts and styles taken from the folder `assets`, and told to keep the site."""
    page = _REFERENCE.sub(rf"\g<1>{assets}/", page)
    found = re.search(rf'href="((?:\.\./)*{assets}/)', page)
    if found is None:
        return page  # a fragment for another page's script
    return page.replace("</head>", f'<script type="module" src="{found[1]}{OFFLINE}"></script>\n</head>', 1)


def publish(site: Path, service_worker: Path, at_once: Iterable[str]) -> str:
    """Give the files of `site` the names of this deployment and return the name of its assets' folder.

    Parameters
    ----------
    site
        A folder with the pages, ``assets`` and ``runtime``.
    service_worker
        The source of the service worker (``web/sw.js``).
    at_once
        The files of the runtime that every visit needs, from `site`; the page's worker keeps others as it uses them.
    """
    pages = sorted(path for path in site.rglob("*") if path.is_file() and not {ASSETS, RUNTIME} & set(path.relative_to(site).parts))
    assets = hashed_folder(site / ASSETS)
    for path in pages:
        if path.suffix == ".html":
            path.write_text(address_assets(path.read_text(encoding="utf-8"), assets.name), encoding="utf-8")
    files = hashes(site, [assets, site / RUNTIME])
    install = [name for name in files if name.startswith(f"{assets.name}/")] + sorted(at_once)
    names = [path.relative_to(site).as_posix() for path in pages]
    version = sha256_of(json.dumps([files, [sha256_of(path.read_bytes()) for path in pages]]).encode())[:DIGITS]
    listing = {"version": version, "assets": assets.name, "pages": names, "files": files, "install": install}
    source = service_worker.read_text(encoding="utf-8")
    if source.count(_PLACE) != 1:
        raise ValueError(f"{service_worker} must hold {_PLACE!r} once, for the list of the site's files")
    (site / SERVICE_WORKER).write_text(source.replace(_PLACE, f"const SITE = {json.dumps(listing)};"), encoding="utf-8")
    return assets.name
