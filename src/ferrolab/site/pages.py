"""The site's pages as bytes by their address: made by the build, and one at a time while an author watches."""

import json
from collections.abc import Sequence

from ferrolab.lesson import Lesson, render_index, render_page
from ferrolab.lesson.page import render_questions


def lesson_pages(lesson: Lesson) -> dict[str, bytes]:
    """Return the files of one lesson by their path in the site."""
    folder = f"lessons/{lesson.slug}"
    data = json.dumps(lesson.to_dict(), ensure_ascii=False, allow_nan=False)
    return {
        f"{folder}/index.html": render_page(lesson, base="../../").encode(),
        f"{folder}/lesson.json": data.encode(),
        f"{folder}/questions.html": render_questions(lesson).encode(),
    }


def site_pages(lessons: Sequence[Lesson]) -> dict[str, bytes]:
    """Return every page of a site of `lessons` by its path."""
    pages = {"index.html": render_index(lessons).encode()}
    for lesson in lessons:
        pages |= lesson_pages(lesson)
    return pages
