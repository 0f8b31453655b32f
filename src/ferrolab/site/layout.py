"""Where the sources of the site lie: in the source tree, or inside the installed package."""

from dataclasses import dataclass, replace
from pathlib import Path

from .errors import SiteError


@dataclass(frozen=True)
class Sources:
    """Folders a site is built from.

    Attributes
    ----------
    package, web, lessons
        The ferrolab package, the page's files and the lessons that come with it.
    mine
        Whoever builds may have a folder of lessons too; a lesson there takes the place of ours of the same name.
    only_mine
        Leave our lessons out.
    docs
        The documentation for instructors, made into pages too; None for a site without it.
    """

    package: Path
    web: Path
    lessons: Path
    mine: Path | None = None
    only_mine: bool = False
    docs: Path | None = None

    @property
    def lesson_folders(self) -> list[Path]:
        """Every lesson's folder, sorted by name."""
        roots = [*([] if self.only_mine else [self.lessons]), *([self.mine] if self.mine else [])]
        found = {path.parent.name: path.parent for root in roots for path in sorted(root.glob("*/lesson.toml"))}
        return [found[name] for name in sorted(found)]

    def models_script(self) -> bytes:
        """Return the views of the bench's models as one script, out of those in ``bench/models_js``.

        They go without semicolons, and without one between them the next would be called with what the last returns.
        """
        return b";\n".join(path.read_bytes() for path in sorted((self.package / "bench" / "models_js").glob("*.js")))


def with_mine(sources: Sources, folder: Path | None, only: bool = False) -> Sources:
    """Return `sources` with the lessons in `folder`, by default ``lessons`` in the current folder when there is one.

    Raises
    ------
    SiteError
        If `folder` is no folder, or `only` its lessons are wanted and it has none.
    """
    if folder is None:
        folder = Path("lessons") if Path("lessons").is_dir() else None
    elif not folder.is_dir():
        raise SiteError(f"{folder} is no folder; give the folder your lessons are in, or make one with `ferrolab new lesson my-lesson`")
    if only and folder is None:
        raise SiteError("there is no folder lessons here, so only your lessons would be no lesson; make one with `ferrolab new lesson my-lesson`")
    return replace(sources, mine=folder, only_mine=only)


def find_sources(package: Path | None = None) -> Sources:
    """Return where the package, ``web``, ``lessons`` and ``docs`` are.

    Raises
    ------
    SiteError
        If one of them is nowhere to be found.
    """
    package = (package or Path(__file__).parents[1]).resolve()
    found = {}
    for name in ("web", "lessons", "docs"):
        candidates = (package / f"_{name}", package.parents[1] / name)
        for candidate in candidates:
            if candidate.is_dir():
                found[name] = candidate
                break
        else:
            raise SiteError(f"no {name} folder at {' or '.join(map(str, candidates))}; install ferrolab again")
    return Sources(package, found["web"], found["lessons"], docs=found["docs"])
