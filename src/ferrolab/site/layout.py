"""Where the sources of the site lie: in the source tree, or inside the installed package."""

from dataclasses import dataclass
from pathlib import Path

from .errors import SiteError


@dataclass(frozen=True)
class Sources:
    """Folders a site is built from: the ferrolab `package`, `web` and `lessons`."""

    package: Path
    web: Path
    lessons: Path


def find_sources(package: Path | None = None) -> Sources:
    """Return where the package, ``web`` and ``lessons`` are.

    Raises
    ------
    SiteError
        If ``web`` or ``lessons`` is nowhere to be found.
    """
    package = (package or Path(__file__).parents[1]).resolve()
    found = {}
    for name in ("web", "lessons"):
        candidates = (package / f"_{name}", package.parents[1] / name)
        for candidate in candidates:
            if candidate.is_dir():
                found[name] = candidate
                break
        else:
            raise SiteError(f"no {name} folder at {' or '.join(map(str, candidates))}; install ferrolab again")
    return Sources(package, found["web"], found["lessons"])
