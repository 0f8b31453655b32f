"""The writers: HTML that asks nobody for anything, CSV and JSON that read back as they were."""

import csv
import io
import json
import re
from html.parser import HTMLParser

import pytest

from ferrolab.audit.study import PARTS, Options, Reporter, Study, descent_part, study
from ferrolab.audit.study.csv_file import FIELDS, as_csv
from ferrolab.audit.study.html import as_html
from ferrolab.audit.study.text import as_text
from ferrolab.cli import build_parser
from ferrolab.validate import InvalidInput

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Strict(HTMLParser):
    """Fails on a tag left open or closed twice, and collects what a reader or a browser would follow."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.references, self.tags, self.described = [], [], [], [], []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        self.references += [attributes[name] for name in ("href", "src", "data", "action", "poster", "xlink:href") if name in attributes]
        self.described += attributes.get("aria-labelledby", "").split()
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()


@pytest.fixture(scope="module")
def whole(audit):
    """The audit with a short descent, so that every part is written."""
    short = descent_part.run(audit.options, iterations=3)
    return Study(audit.options, audit.environment, {**audit.results, "descent": short})


@pytest.fixture(scope="module")
def page(whole):
    parser = Strict()
    text = as_html(whole)
    parser.feed(text)
    parser.close()
    return parser, text


def test_page_is_closed_and_complete(page, whole):
    parser, text = page
    assert parser.open == []
    assert text.startswith("<!doctype html>")
    assert len(parser.ids) == len(set(parser.ids))
    assert set(PARTS) <= set(parser.ids)
    sections = whole.sections()
    assert parser.tags.count("svg") == sum(len(section.figures) for section in sections) >= 10
    assert parser.tags.count("table") == sum(len(section.tables) for section in sections)
    assert "script" not in parser.tags


def test_page_names_no_address(page):
    parser, text = page
    assert all(reference.startswith("#") and reference[1:] in parser.ids for reference in parser.references)
    assert set(parser.described) <= set(parser.ids)
    for foreign in ("http:", "https:", "//", "@import", "url(h"):
        assert foreign not in text.replace("url(#", ""), foreign


def test_page_says_how_it_was_made(page, whole):
    text = page[1]
    assert f"ferrolab {whole.environment.ferrolab}" in text
    assert f"numpy {whole.environment.numpy}" in text
    assert "nan" not in re.sub(r"<[^>]*>", " ", text).lower().split()


def test_every_caption_says_what_is_held_and_what_varies(whole):
    for section in whole.sections():
        assert section.findings and section.held and section.varied
        for item in (*section.tables, *section.figures):
            assert re.search(r"[Hh]eld", item.caption) and re.search(r"[Vv]aried", item.caption), item.id


def test_every_command_in_the_report_is_one_the_program_takes(whole):
    for section in whole.sections():
        for command in section.commands:
            program, *arguments = command.split()
            assert program == "ferrolab"
            build_parser().parse_args(arguments)


def test_figures_lie_inside_their_frame(page):
    numbers = [tuple(map(float, pair)) for pair in re.findall(r'<circle cx="([-\d.]+)" cy="([-\d.]+)"', page[1])]
    assert len(numbers) > 100
    assert all(60.0 < x < 760.0 and 0.0 < y < 560.0 for x, y in numbers)


def test_csv_reads_back_exactly(whole):
    rows = list(csv.DictReader(io.StringIO(as_csv(whole))))
    assert tuple(rows[0]) == FIELDS
    found = {(row["table"], int(row["row"]), row["column"]): row["value"] for row in rows}
    expected = {}
    for section in whole.sections():
        for table in section.tables:
            if table.for_reading:
                continue
            for number, cells in enumerate(table.cells(), 1):
                for column, value in zip(table.columns, cells):
                    expected[table.id, number, column.name] = value
    assert found.keys() == expected.keys() and len(rows) == len(found)
    for key, value in expected.items():
        text = found[key]
        if value is None:
            assert text == ""
        elif isinstance(value, bool):
            assert text == str(value)
        else:
            assert type(value)(text) == value, key


def test_json_reads_back_exactly(whole):
    plain = whole.as_dict()
    text = json.dumps(plain, allow_nan=False)
    back = json.loads(text)
    assert json.dumps(back, allow_nan=False) == text
    assert list(back["parts"]) == list(PARTS)
    assert back["version"] == 1
    ladder = back["parts"]["tolerance-ladder"]
    assert ladder["entry_exact"] == whole["tolerance-ladder"].entry_exact
    assert len(ladder["rungs"]) == 27 and ladder["findings"]


def test_text_has_every_part_and_no_line_of_prose_too_long(whole):
    text = as_text(whole)
    for number, section in enumerate(whole.sections(), 1):
        assert f"{number}. {section.title}" in text
    assert not [line for line in text.splitlines() if line.startswith(("* ", "Held:", "Varied:")) and len(line) > 110]


def test_two_runs_give_the_same_figures(audit):
    again = study(only=["split", "tolerance-ladder"])
    assert again["split"] == audit["split"]
    assert again["tolerance-ladder"] == audit["tolerance-ladder"]


def test_parts_are_computed_in_the_order_of_the_report_and_unknown_ones_refused():
    assert list(study(only=["split", "sign-table"]).results) == ["sign-table", "split"]
    with pytest.raises(InvalidInput, match="only was 'signs'; it must be one of stiffness-sweep"):
        study(only=["signs"])


def test_progress_is_one_line_a_part_when_nobody_watches():
    stream = io.StringIO()
    study(Options(stop=4.0), only=["sign-table", "split"], reporter=Reporter(2, stream))
    lines = stream.getvalue().splitlines()
    assert [re.sub(r"\d+\.\d s$", "", line) for line in lines] == ["[1/2] sign-table ", "[2/2] split "]


def test_progress_rewrites_its_line_on_a_terminal():
    stream = io.StringIO()
    stream.isatty = lambda: True
    study(Options(stop=4.0), only=["sign-table"], reporter=Reporter(1, stream))
    assert "\r\x1b[K[1/1] sign-table dt 1e-05 s" in stream.getvalue()
    assert stream.getvalue().count("\n") == 1
