"""One HTML file that needs nothing but itself: no script, no network, light and dark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from otherwords import __version__
from otherwords.report import spans
from otherwords.report.plot import LIGHT, MARKS, SERIES, Plot
from otherwords.report.spans import plain_html, seen
from otherwords.tables.formats import html
from otherwords.tables.table import Table

__all__ = ["Section", "document", "example_html", "figures_html", "list_html", "table_html"]

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
DARK = {
    "ground": "#14171c",
    "text": "#e8ebef",
    "quiet": "#a9b4c0",
    "line": "#46505c",
    "c0": "#7db4ff",
    "c1": "#ff9d7a",
    "c2": "#7ddba4",
    "c3": "#d3a6f5",
    "c4": "#e6c260",
    "c5": "#ff9ac8",
}


@dataclass(frozen=True)
class Section:
    """A part of a page: the name that links lead to, a heading, plots, tables, other HTML."""

    name: str
    heading: str
    plots: Sequence[Plot] = ()
    tables: Sequence[Table] = ()
    html: str = ""


def _colours(palette: dict[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in palette.items())


_SERIES = "\n".join(f".plot .c{i} {{ color: var(--c{i}); }}" for i in range(SERIES))

CSS = f"""\
:root {{ color-scheme: light dark; {_colours(LIGHT)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {_colours(DARK)} }} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0 auto; padding: 1rem; max-width: 76rem; background: var(--ground);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }}
h1 {{ font-size: 1.5rem; margin: 0 0 .5rem; }}
h2 {{ font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }}
h3 {{ font-size: 1rem; margin: 1.2rem 0 .3rem; }}
a {{ color: var(--c0); }}
a:focus-visible, summary:focus-visible, .scroll:focus-visible {{
  outline: 3px solid var(--c5); outline-offset: 2px; }}
nav ul {{ display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; list-style: none; }}
.quiet, figcaption, .note {{ color: var(--quiet); font-size: .9rem; }}
.scroll {{ overflow-x: auto; margin: .75rem 0 .25rem; }}
.scroll table {{ border-collapse: collapse; font-variant-numeric: tabular-nums;
  min-width: min(100%, 24rem); }}
caption {{ text-align: left; font-weight: 600; padding-bottom: .25rem; }}
.scroll th, .scroll td {{ padding: .2rem .6rem; border-bottom: 1px solid var(--line);
  white-space: nowrap; text-align: left; }}
.scroll .number {{ text-align: right; }}
.scroll tbody th {{ font-weight: normal; }}
figure {{ margin: .75rem 0; }}
figcaption b {{ color: var(--text); }}
.figures {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr));
  gap: 1rem; }}
.plot {{ display: block; width: 100%; max-width: 32rem; height: auto; }}
.tree {{ width: auto; max-width: none; }}
.plot .t {{ fill: var(--text); }}
.plot .g {{ stroke: var(--line); fill: none; }}
{_SERIES}
{MARKS}
details {{ margin: .4rem 0; }}
summary {{ cursor: pointer; padding: .15rem 0; }}
.example {{ border-left: 3px solid var(--line); padding-left: .8rem; }}
.example table {{ display: block; max-width: 100%; overflow-x: auto; }}
code {{ font-size: .85rem; overflow-wrap: anywhere; }}
@media print {{ .scroll {{ overflow: visible; }} }}
"""


def document(title: str, lead: str, sections: Sequence[Section]) -> str:
    """The whole page; `lead` is a line of text below the title."""
    links = "".join(
        f'<li><a href="#{one.name}">{plain_html(one.heading)}</a></li>' for one in sections
    )
    parts = "\n".join(
        f'<section aria-labelledby="{one.name}">\n<h2 id="{one.name}">'
        f"{plain_html(one.heading)}</h2>\n{_content(one)}\n</section>"
        for one in sections
    )
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="generator" content="otherwords {__version__}">
<title>{plain_html(title)}</title>
<link rel="icon" href="data:,">
<style>
{CSS}{spans.CSS}</style>
</head>
<body>
<header>
<h1>{plain_html(title)}</h1>
<p class="quiet">{plain_html(lead)}</p>
<nav aria-label="Sections"><ul>{links}</ul></nav>
</header>
<main>
{parts}
</main>
</body>
</html>"""


def _content(section: Section) -> str:
    parts = [figures_html(section.plots), *map(table_html, section.tables), section.html]
    return "\n".join(part for part in parts if part)


def table_html(table: Table) -> str:
    """A table with its caption, in a place that scrolls by itself, by keyboard too."""
    lines = "\n".join(html([replace(table, notes=())], ()))
    notes = "".join(f'\n<p class="note">{plain_html(note)}</p>' for note in table.notes)
    return (
        '<div class="scroll" tabindex="0" role="region" '
        f'aria-label="{plain_html(table.caption)}">\n{seen(lines)}\n</div>{notes}'
    )


def figures_html(plots: Iterable[Plot]) -> str:
    """Plots side by side, or one below the other where there is no room."""
    drawn = "\n".join(
        f"<figure>\n{plot.svg}\n<figcaption><b>{plain_html(plot.title)}.</b> "
        f"{plain_html(plot.caption)}</figcaption>\n</figure>"
        for plot in plots
    )
    return f'<div class="figures">\n{drawn}\n</div>' if drawn else ""


def example_html(summary: str, drawings: Sequence[str], *, source: str | None = None) -> str:
    """An example that opens: drawn explanations, and the source if there is one."""
    origin = f'<p dir="auto"><b>source</b> {plain_html(source)}</p>\n' if source else ""
    drawn = "\n".join(drawings)
    return (
        f"<details>\n<summary>{plain_html(summary)}</summary>\n"
        f'<div class="example">\n{origin}{drawn}\n</div>\n</details>'
    )


def list_html(lines: Iterable[str]) -> str:
    """Lines of code, such as signatures, as a list."""
    return "<ul>" + "".join(f"<li><code>{plain_html(one)}</code></li>" for one in lines) + "</ul>"
