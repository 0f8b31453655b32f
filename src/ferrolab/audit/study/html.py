"""The audit as one HTML file, to be attached to a paper: no script, no request, prints as it is."""

from __future__ import annotations

from dataclasses import asdict
from html import escape

from ferrolab.audit.study.section import Section, Table
from ferrolab.audit.study.study import Study
from ferrolab.audit.study.svg import draw
from ferrolab.audit.study.typeset import as_markup

STYLE = """
:root { color-scheme: light; --ink: #1a1a1a; --soft: #555; --rule: #bbb; --faint: #eee; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 54rem; color: var(--ink); background: #fff;
  font: 1rem/1.5 "Source Serif 4", "Charter", "Georgia", serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.25rem; margin: 3rem 0 .3rem; padding-top: .8rem; border-top: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 2rem 0 .3rem; } sup, sub { line-height: 0; font-size: .75em; }
.question { font-style: italic; margin: 0 0 1rem; }
.meta, .notes, figcaption, nav, footer { font-size: .88rem; color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .5rem 0 1rem; }
dt { font-weight: 600; } dd { margin: 0; }
nav ol { columns: 2; padding-left: 1.4rem; } nav a { color: inherit; }
.findings li { margin: .3rem 0; }
figure { margin: 1.5rem 0; } figure:has(svg) { break-inside: avoid; } svg { display: block; width: 100%; height: auto; }
figcaption { padding: .5rem 0; } figcaption b { color: var(--ink); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .82rem; line-height: 1.35; font-variant-numeric: tabular-nums lining-nums; }
th, td { padding: .16rem .7rem .16rem 0; text-align: left; vertical-align: bottom; } td { white-space: nowrap; }
th.n, td.n { text-align: right; }
thead th { border-top: 1.5px solid var(--ink); border-bottom: .75px solid var(--ink); font-weight: 600; }
tbody tr:last-child td { border-bottom: 1.5px solid var(--ink); }
thead small { font-weight: 400; color: var(--soft); display: block; }
code, pre { font: .85em/1.5 "DejaVu Sans Mono", "Menlo", "Consolas", monospace; } pre { margin: .2rem 0; white-space: pre-wrap; }
summary { cursor: pointer; font-size: .88rem; }
.grid path { stroke: #ddd; stroke-width: .8; } .frame { fill: none; stroke: #333; stroke-width: 1; }
.line { fill: none; stroke-width: 1.6; } svg text { font: 12px "Helvetica Neue", "Arial", sans-serif; fill: #222; } .axis { font-size: 13px; }
.key text { font-size: 12px; }
@media print { body { max-width: none; font-size: 10pt; padding: 0; } h2 { break-after: avoid; } tr, .findings li { break-inside: avoid; } thead { display: table-header-group; } }
"""

ABSTRACT = (
    "A mass falls onto a plane once. Its final state is differentiated with respect to its start by every combination of contact law, "
    "stepping and derivative route, "
    "and each derivative is compared with an exact one. Every part below changes one thing and holds the rest; captions say which."
)


def as_html(study: Study) -> str:
    """The whole report."""
    sections = study.sections()
    title = "Audit of contact gradients: a mass, a plane, one impact"
    contents = "".join(f'<li><a href="#{s.id}">{escape(s.title)}</a></li>' for s in sections)
    counter = _Counter()
    body = "".join(_section(number, section, counter) for number, section in enumerate(sections, 1))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><header><h1>{escape(title)}</h1>"
        f'<p class="meta">Supplement made by <code>ferrolab audit</code></p><p>{escape(ABSTRACT)}</p>{_settings(study)}</header>'
        f'<nav aria-label="Contents"><ol>{contents}</ol></nav><main>{body}</main>{_footer(study)}</body></html>\n'
    )


class _Counter:
    """Numbers the report's tables and figures."""

    def __init__(self) -> None:
        self.tables = self.figures = 0


def _settings(study: Study) -> str:
    o, made = study.options, study.environment
    rows = {
        "Drop": f"from h = {o.height:g} m with v = {o.velocity:g} m/s, gravity {o.gravity:g} m/s², {o.horizon:g} s; touch-down at {o.touch_down:.6g} s",
        "Contact": f"spring-damper, damping ratio {o.damping_ratio:g}; held at k = {o.stiffness:g} 1/s², swept over log10 k = {o.start:g} … {o.stop:g}",
        "Fixed steps": ", ".join(f"{dt:g} s" for dt in o.dts) + f" ({o.stepper})",
        "Tolerance": f"Dormand–Prince 5(4), rtol {o.rtol:g}, atol = rtol/1000",
        "Software": f"ferrolab {made.ferrolab}, numpy {made.numpy}, Python {made.python}, {made.machine}, double precision",
    }
    return "<dl>" + "".join(f"<dt>{escape(k)}</dt><dd>{as_markup(v)}</dd>" for k, v in rows.items()) + "</dl>"


def _section(number: int, section: Section, counter: _Counter) -> str:
    out = [
        f'<section id="{section.id}"><h2>{number}. {as_markup(section.title)}</h2><p class="question">{as_markup(section.question)}</p>',
        f"<dl><dt>Held</dt><dd>{as_markup(section.held)}</dd><dt>Varied</dt><dd>{as_markup(section.varied)}</dd></dl>",
        '<ul class="findings">' + "".join(f"<li>{as_markup(text)}</li>" for text in section.findings) + "</ul>",
    ]
    for figure in section.figures:
        counter.figures += 1
        out.append(f'<figure id="{figure.id}">{draw(figure)}<figcaption><b>Figure {counter.figures}.</b> {as_markup(figure.caption)}</figcaption></figure>')
    for table in section.tables:
        counter.tables += 1
        out.append(_table(table, counter.tables))
    if section.notes:
        out.append('<div class="notes">' + "".join(f"<p>{as_markup(note)}</p>" for note in section.notes) + "</div>")
    out.append("<h3>Compute it again</h3>" + "".join(f"<pre>{escape(command)}</pre>" for command in section.commands))
    return "".join([*out, "</section>"])


def _table(table: Table, number: int) -> str:
    right = [all(not isinstance(row[i], str) for row in table.cells()) for i in range(len(table.columns))]
    kind = [' class="n"' if one else "" for one in right]
    heads = "".join(
        f"<th scope=\"col\"{k}>{as_markup(c.label)}{f'<small>{as_markup(c.unit)}</small>' if c.unit else ''}</th>" for c, k in zip(table.columns, kind)
    )
    rows = "".join("<tr>" + "".join(f"<td{k}>{as_markup(text)}</td>" for text, k in zip(row, kind)) + "</tr>" for row in table.shown())
    caption = f'<figcaption id="{table.id}-d"><b>Table {number}.</b> {as_markup(table.caption)}</figcaption>'
    grid = f'<table aria-labelledby="{table.id}-d"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>'
    whole = f'<figure id="{table.id}">{caption}<div class="scroll" tabindex="0" role="region" aria-labelledby="{table.id}-d">{grid}</div></figure>'
    if not table.folded:
        return whole
    return f"<details><summary>Table {number}, {len(table.rows)} rows: {as_markup(table.caption.split('. ')[0])}</summary>{whole}</details>"


def _footer(study: Study) -> str:
    values = "; ".join(f"{name} = {value}" for name, value in asdict(study.options).items())
    return (
        "<footer><h2>How to reproduce this report</h2><pre>" + escape(study.options.command("").replace(" --only ", " ").strip()) + " --html report.html</pre>"
        "<p>The same figures as data: <code>--json</code> (all fields), <code>--csv</code> (a line for each value). Options: "
        f"{escape(values)}.</p></footer>"
    )
