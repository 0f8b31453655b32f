"""A lesson as one file that a learning management system takes: SCORM 1.2, or cmi5.

Both are the page with everything it needs, and a manifest that says where to begin. The page tells the system what the
learner did through the scripts in web/course.
"""

import io
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from xml.etree import ElementTree

from ferrolab.lesson import Lesson, render_page

from .build import COURSE, MANIFEST, assets_folder, build_site, files_key, manifest_script, read_manifest
from .errors import SiteError
from .layout import Sources
from .publish import ASSETS, RUNTIME

KINDS = ("scorm", "cmi5")
COMPRESSED = (".br", ".gz")
_THE_BEGINNING = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip can hold: same files, same bytes

_IMSCP = "http://www.imsproject.org/xsd/imscp_rootv1p1p2"
_ADLCP = "http://www.adlnet.org/xsd/adlcp_rootv1p2"
_CMI5 = "https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd"


def page_path(lesson: Lesson) -> str:
    """The lesson's page in a package."""
    return f"lessons/{lesson.slug}/index.html"


def scorm_manifest(lesson: Lesson, files: Iterable[str]) -> bytes:
    """imsmanifest.xml of SCORM 1.2 (Content Aggregation Model, ADL, 2001): one item, one sharable content object."""
    ElementTree.register_namespace("", _IMSCP)
    ElementTree.register_namespace("adlcp", _ADLCP)

    def add(parent: ElementTree.Element, tag: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
        made = ElementTree.SubElement(parent, f"{{{_IMSCP}}}{tag}", attributes)
        made.text = text
        return made

    root = ElementTree.Element(f"{{{_IMSCP}}}manifest", {"identifier": f"ferrolab-{lesson.slug}", "version": "1.0"})
    metadata = add(root, "metadata")
    add(metadata, "schema", "ADL SCORM")
    add(metadata, "schemaversion", "1.2")
    organisation = add(add(root, "organizations", default="course"), "organization", identifier="course")
    add(organisation, "title", lesson.title)
    add(add(organisation, "item", identifier="lesson", identifierref="page"), "title", lesson.title)
    resource = add(add(root, "resources"), "resource", identifier="page", type="webcontent", href=page_path(lesson))
    resource.set(f"{{{_ADLCP}}}scormtype", "sco")
    for file in files:
        add(resource, "file", href=file)
    return _xml(root)


def cmi5_manifest(lesson: Lesson, files: Iterable[str]) -> bytes:
    """cmi5.xml (course structure, ADL, 2016): one assignable unit, done when it is passed."""
    ElementTree.register_namespace("", _CMI5)

    def add(parent: ElementTree.Element, tag: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
        made = ElementTree.SubElement(parent, f"{{{_CMI5}}}{tag}", attributes)
        made.text = text
        return made

    def described(parent: ElementTree.Element) -> None:
        for tag, text in (("title", lesson.title), ("description", lesson.summary)):
            add(add(parent, tag), "langstring", text, lang=lesson.language)

    root = ElementTree.Element(f"{{{_CMI5}}}courseStructure")
    described(add(root, "course", id=f"urn:ferrolab:course:{lesson.slug}"))
    unit = add(root, "au", id=f"urn:ferrolab:lesson:{lesson.slug}", moveOn="Passed", masteryScore="1.0", launchMethod="AnyWindow")
    described(unit)
    add(unit, "url", page_path(lesson))
    return _xml(root)


MANIFESTS = {"scorm": ("imsmanifest.xml", scorm_manifest), "cmi5": ("cmi5.xml", cmi5_manifest)}


def _xml(root: ElementTree.Element) -> bytes:
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def make_package(kind: str, lesson: Lesson, site: Path, web: Path) -> bytes:
    """Return the package of `lesson` as a zip: the scripts and the runtime of the built `site`, and those for courses in `web`."""
    files = {f"{ASSETS}/{COURSE}/{path.name}": path.read_bytes() for path in sorted((web / COURSE).glob("*.js"))}
    manifest = read_manifest(assets_folder(site))
    snapshot = manifest.pop("snapshot")
    # A package stays small, and leaves nothing in the browser that a later visit could start from.
    left_out = {snapshot["name"], *(file for _, file in snapshot["libraries"])} if snapshot else set()
    for root, name in ((assets_folder(site), ASSETS), (site / RUNTIME, RUNTIME)):
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix not in COMPRESSED and path.name not in left_out:
                files[f"{name}/{path.relative_to(root).as_posix()}"] = path.read_bytes()
    files[f"{ASSETS}/{MANIFEST}"] = manifest_script({**manifest, "snapshot": None}).encode()
    files[page_path(lesson)] = render_page(lesson, base="../../", lms=kind).encode()
    name, manifest = MANIFESTS[kind]
    files = {name: manifest(lesson, sorted(files)), **files}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, _THE_BEGINNING)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return out.getvalue()


def export(kind: str, lesson: Lesson, out: Path, sources: Sources, progress: Callable[[str], None] = lambda sentence: None) -> Path:
    """Write the package of `lesson` to the file `out` and return it.

    Raises
    ------
    SiteError
        If the site it is made from cannot be built, or `out` cannot be written.
    """
    if not out.parent.is_dir():
        raise SiteError(f"{out.parent} is no folder; choose another file with --out")
    with tempfile.TemporaryDirectory(prefix="ferrolab-export-") as scratch:
        key = files_key(sources.package, sources.web)
        site = build_site(Path(scratch) / "site", progress=progress, sources=sources, lessons=[lesson], key=key, compress=False, deploy=False)
        data = make_package(kind, lesson, site, sources.web)
    try:
        out.write_bytes(data)
    except OSError as error:
        raise SiteError(f"{out} cannot be written ({error.strerror}); choose another file with --out") from None
    progress(f"The package is in {out} ({len(data) / 1e6:.1f} MB).")
    return out
