"""The lesson page and the list of lessons, as HTML that needs no script to be read. Build time only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ferrolab import __version__
from ferrolab.lesson.document import Document
from ferrolab.lesson.evidence import lesson_key
from ferrolab.lesson.model import Lesson
from ferrolab.lesson.prose import PART_IDS, parts
from ferrolab.lesson.render import Renderer
from ferrolab.words import DEFAULT, Words, for_bench, for_scripts, load

_PACKAGED = Path(__file__).resolve().parents[1] / "_web"
_IN_TREE = Path(__file__).resolve().parents[3] / "web"


def render_page(lesson: Lesson, base: str = "../../", lms: str | None = None) -> str:
    """The page of one lesson.

    `base` is the relative address of the site's root from the page's folder, ending in "/"; `lms` the kind of learning
    management system it is exported for, "scorm" or "cmi5", None for a page of the site. Raises what the parsers
    of equations and living figures raise: check a lesson before building it.
    """
    _require_relative(base)
    environment = _environment()
    renderer = Renderer(lesson, environment)
    before, after = renderer.document()
    return environment.get_template("lesson.html").render(
        **_in(lesson.language, {**for_scripts(lesson.language), "bench": for_bench(lesson.language)}),
        base=base,
        lesson=lesson,
        before=Markup(before),
        after=Markup(after),
        parts=list(zip(PART_IDS, parts(lesson.language))),
        data=json_for_html(lesson.to_dict()),
        key=lesson_key(lesson),
        version=__version__,
        lms=lms,
    )


def render_questions(lesson: Lesson) -> str:
    """The lesson's questions alone, for a page that asks one of them again; not a page to be visited."""
    environment = _environment()
    renderer = Renderer(lesson, environment)
    block = environment.get_template("blocks.html").module.question
    return "".join(str(block(question, number, renderer.inline, load(lesson.language)["page"])) for number, question in enumerate(lesson.questions, 1))


def render_doc_page(document: Document, base: str, home: bool = False) -> str:
    """A page of the documentation, `home` for the one the others lead back to; `base` as for `render_page`."""
    _require_relative(base)
    return _environment().get_template("document.html").render(**_in(DEFAULT), base=base, lms=None, document=document, home=home)


def render_index(lessons: Sequence[Lesson], base: str = "") -> str:
    """The list of lessons, in their language when they share one; the learner's progress is filled in by the browser."""
    if base:
        _require_relative(base)
    shared = {lesson.language for lesson in lessons}
    language = shared.pop() if len(shared) == 1 else DEFAULT
    return _environment().get_template("index.html").render(
        **_in(language, for_scripts(language)),
        words_in=lambda code: load(code)["page"],
        name_of=lambda code: load(code)["name"],
        base=base,
        lms=None,
        lessons=sorted(lessons, key=lambda lesson: lesson.number),
        data=json_for_html([
            {"slug": x.slug, "checks": len(x.checks), "questions": len(x.questions), "question_ids": [q.id for q in x.questions]}
            for x in lessons
        ]),
    )


def json_for_html(value: object) -> Markup:
    """JSON that may stand inside a script element: no `<`, `>` or `&` survives as itself."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def template_folder() -> Path:
    """Where the templates are: in the installed package, or in the source tree."""
    for root in (_PACKAGED, _IN_TREE):
        if (root / "templates" / "lesson.html").is_file():
            return root / "templates"
    raise FileNotFoundError(f"no page templates in {_PACKAGED} or {_IN_TREE}; install ferrolab again.")


def _in(language: str, words: Words | None = None) -> dict[str, object]:
    """What every template needs to speak `language`; `words` are those for the page's scripts."""
    return {
        "language": language,
        "t": load(language)["page"],
        "words": json_for_html(words) if words else "",
        "in_english": "" if language == DEFAULT else Markup(f' hreflang="{DEFAULT}"'),
    }


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(template_folder()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["markup"] = _markup
    return environment


def _markup(text: str, **tags: str) -> Markup:
    """`text` escaped, with its placeholders filled by HTML."""
    return Markup(str(escape(text)).format(**tags))


def _require_relative(base: str) -> None:
    if not base.endswith("/") or base.startswith("/") or ":" in base:
        raise ValueError(f"base is {base!r} and must be a relative address ending in '/', such as '../../'.")
