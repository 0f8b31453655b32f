"""The documentation as pages of the site, below instructors/: everything in docs/, and the notes beside each bench."""

from pathlib import Path

from ferrolab.lesson.document import render_document
from ferrolab.lesson.page import render_doc_page

from .errors import SiteError
from .layout import Sources

HOME = "instructors"
NOTES = Path("bench") / "views"


def documents(sources: Sources) -> dict[str, Path]:
    """Return the Markdown file behind each page by the page's name."""
    notes = {f"model-{path.stem.replace('_', '-')}": path for path in sorted((sources.package / NOTES).glob("*.md"))}
    return {path.stem: path for path in sorted(sources.docs.glob("*.md"))} | notes


def doc_pages(sources: Sources) -> dict[str, bytes]:
    """Return the pages by their path in the site.

    Raises
    ------
    SiteError
        If a link leads nowhere.
    """
    files = documents(sources)
    names = {path.resolve(): name for name, path in files.items()}
    by_name = {path.name: name for name, path in files.items()}
    pages = {}
    for name, path in files.items():

        def link(target: str, here: Path = path) -> str:
            file, mark, part = target.partition("#")
            # In an installed package the folders lie elsewhere; the names are the same.
            found = names.get((here.parent / file).resolve()) or by_name.get(Path(file).name)
            if found is None and Path(file).stem in files:  # the copy of a bench's note beside the pages
                found = Path(file).stem
            if file and found is None:
                raise SiteError(f"{here} links to {target!r}, which is no page of the documentation; correct the link")
            return (f"{found}.html" if file else "") + mark + part

        document = render_document(path.read_text(encoding="utf-8"), link)
        pages[f"{HOME}/{name}.html"] = render_doc_page(document, base="../", home=name == "index").encode()
    return pages
