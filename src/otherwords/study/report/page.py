"""One HTML file that needs nothing but itself: no network, light and dark, readable without script.

Its one script and its one stylesheet are named by their hashes in the content policy, so that no
text of a row can ever run.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from otherwords import __version__
from otherwords.study.report.look import script, stylesheet
from otherwords.study.report.plot import Plot
from otherwords.study.report.spans import plain_html
from otherwords.tables.table import Cell, Column, Table, best_rows, shown

__all__ = [
    "Matrix",
    "Section",
    "document",
    "example_html",
    "figures_html",
    "list_html",
    "table_html",
]

_NAMED = 24  # columns of a matrix that have room for their p-values side by side


@dataclass(frozen=True)
class Section:
    """A part of a page: the name that links lead to, a heading, plots, tables, other HTML.

    `files` are plots that the page shows in another way; they are written with the others.
    """

    name: str
    heading: str
    plots: Sequence[Plot] = ()
    tables: Sequence[Table] = ()
    html: str = ""
    files: Sequence[Plot] = ()


@dataclass(frozen=True)
class Matrix(Table):
    """A triangle of p-values; `levels` has how significant each cell is, from 0 to 3.

    A row in `starts` begins a new cluster.
    """

    levels: Sequence[Sequence[int]] = ()
    starts: frozenset[int] = field(default_factory=frozenset)


def document(title: str, lead: str, sections: Sequence[Section], top: str = "") -> str:
    """The whole page; `lead` is a line of text below the title, `top` HTML that answers first."""
    links = "".join(
        f'<li><a href="#{one.name}">{plain_html(one.heading)}</a></li>' for one in sections
    )
    parts = "\n".join(
        f'<section aria-labelledby="{one.name}">\n<h2 id="{one.name}">'
        f"{plain_html(one.heading)}</h2>\n{_content(one)}\n</section>"
        for one in sections
    )
    code, look = script(), stylesheet()
    policy = (
        "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
        f"script-src '{_pin(code)}'; style-src '{_pin(look)}'"
    )
    return f"""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="generator" content="otherwords {__version__}">
<title>{plain_html(title)}</title>
<link rel="icon" href="data:,">
<style>{look}</style>
</head>
<body>
<header>
<h1>{plain_html(title)}</h1>
<p class="quiet">{plain_html(lead)}</p>
</header>
<main>
{top}
<nav class="pages" aria-label="Evidence"><ul>{links}</ul></nav>
{parts}
</main>
<script type="module">{code}</script>
</body>
</html>"""


def _pin(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _content(section: Section) -> str:
    matrices = "\n".join(table_html(one) for one in section.tables if isinstance(one, Matrix))
    parts = [
        figures_html(section.plots),
        *(table_html(one) for one in section.tables if not isinstance(one, Matrix)),
        f'<div class="triangles">\n{matrices}\n</div>' if matrices else "",
        section.html,
    ]
    return "\n".join(part for part in parts if part)


def table_html(table: Table, links: Sequence[str] = ()) -> str:
    """A table with its caption and notes; each cell names its column, for narrow screens.

    `links` are where the first cells of the rows lead, empty where nowhere.
    """
    kind, rows = "sorts", list(table.rows)
    if isinstance(table, Matrix):
        many = len(rows) > 12
        kind = "triangle flow" if len(rows) >= _NAMED else f"triangle{' many' if many else ''}"
    places = [place for place, column in enumerate(table.columns) if not column.hidden]
    best = {
        (row, place)
        for place in places
        if (how := table.columns[place].best) is not None
        for row in best_rows(rows, place, how)
    }
    heads = "".join(_head(table.columns[place]) for place in places)
    lines = []
    for number, row in enumerate(rows):
        first = isinstance(table, Matrix) and number in table.starts
        cells = "".join(
            _cell(table, row, number, place, (number, place) in best) for place in places
        )
        if links and links[number]:
            head, _, rest = cells.removeprefix('<th scope="row">').partition("</th>")
            cells = f'<th scope="row"><a href="{links[number]}">{head}</a></th>{rest}'
        lines.append(f'<tr class="first">{cells}</tr>' if first else f"<tr>{cells}</tr>")
    caption = f"<caption>{plain_html(table.caption)}</caption>\n" if table.caption else ""
    notes = "".join(f'\n<p class="note">{plain_html(note)}</p>' for note in table.notes)
    body = "\n".join(lines)
    return (
        f'<div class="table"><table class="{kind}">\n{caption}<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table>{notes}</div>"
    )


def _head(column: Column) -> str:
    kind = "" if column.left else ' class="number"'
    return f'<th scope="col"{kind}>{plain_html(column.title)}</th>'


def _cell(table: Table, row: Sequence[Cell], number: int, place: int, best: bool) -> str:
    column = table.columns[place]
    text = plain_html(shown(row[place], column).strip())
    text = f"<strong>{text}</strong>" if best else text
    if place == 0 and column.left:
        return f'<th scope="row">{text}</th>'
    kinds = [] if column.left else ["number"]
    if isinstance(table, Matrix):
        kinds = [f"p{table.levels[number][place - 1]}"] if text else []
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    return f'<td{kind} data-head="{plain_html(column.title)}">{text}</td>'


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
