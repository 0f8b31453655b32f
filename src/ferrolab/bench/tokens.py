"""The bench's colours, type and plot geometry: the one place they are written down.

Widgets take them as CSS custom properties (`stylesheet`), plots as plain
colours (`Tokens`), because a canvas cannot read a custom property.
Each suspect keeps one colour everywhere: `fixed` for the fixed step, `tolerance`
for error control, `trajectory` for the forward error, `exact` for the reference,
`event` for what knows of the event, `model` for the contact model.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'

#: Pixels between the edge of a plot and its frame. Fixed, so that the slider's
#: thumb stands exactly above the line that marks the learner's position.
AXIS_LEFT = 46
AXIS_RIGHT = 14

#: Decades the stiffness axis reaches beyond each end of the slider.
AXIS_PAD = 0.12


@dataclass(frozen=True)
class Tokens:
    """Colours of one scheme, as CSS colour strings."""

    paper: str
    card: str
    ink: str
    soft: str
    line: str
    accent: str
    fixed: str
    tolerance: str
    trajectory: str
    exact: str
    event: str
    model: str
    good: str
    bad: str
    wash: str


LIGHT = Tokens(
    paper="#fbfaf7",
    card="#ffffff",
    ink="#1d2228",
    soft="#5b6570",
    line="#e4e0d8",
    accent="#0b5cad",
    fixed="#c2410c",
    tolerance="#0b5cad",
    trajectory="#6b7280",
    exact="#1d2228",
    event="#0f7b5f",
    model="#9c4f96",
    good="#0f7b5f",
    bad="#b42318",
    wash="#fdf1ec",
)

DARK = Tokens(
    paper="#14171a",
    card="#1b1f24",
    ink="#e9e6df",
    soft="#9aa4ae",
    line="#2c3238",
    accent="#7cb7ff",
    fixed="#ff9b6a",
    tolerance="#7cb7ff",
    trajectory="#a8b0b9",
    exact="#e9e6df",
    event="#5fd0ab",
    model="#cf84c8",
    good="#5fd0ab",
    bad="#ff8f82",
    wash="#2a1d18",
)

SCHEMES = {"light": LIGHT, "dark": DARK}


def tokens(scheme: str) -> Tokens:
    """Return the tokens of `scheme`, one of "light" and "dark"."""
    if scheme not in SCHEMES:
        raise ValueError(f"scheme was {scheme!r}; it must be 'light' or 'dark'.")
    return SCHEMES[scheme]


def _declarations(palette: Tokens) -> str:
    return "".join(f"--{field.name}:{getattr(palette, field.name)};" for field in fields(palette))


def stylesheet(start: float, stop: float, beyond: float = AXIS_PAD) -> str:
    """Return the custom properties every part of the bench inherits.

    `start` and `stop` are the ends of the slider that stands over an axis, `beyond` how far that axis reaches further;
    with the plot's geometry they give the inset that puts the slider in line with it.
    """
    pad = beyond / (stop - start + 2 * beyond)
    return f"""
:host {{ {_declarations(LIGHT)} color-scheme: light; }}
:host([data-scheme="dark"]) {{ {_declarations(DARK)} color-scheme: dark; }}
:host {{
  --sans: {SANS};
  --bokeh-base-font: var(--sans);
  --axis-left: {AXIS_LEFT}px;
  --axis-right: {AXIS_RIGHT}px;
  --axis-pad: {pad:.6f};
  background: var(--card);
  color: var(--ink);
}}
"""


def page_style(scheme: str) -> str:
    """Return the style sheet of a page that holds nothing but a bench in `scheme`."""
    return f":root {{ color-scheme: {scheme}; }} body {{ background: {tokens(scheme).paper}; }}"
