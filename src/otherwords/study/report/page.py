"""A self-contained HTML file: no network, light and dark, readable without script.

The content policy allows one script and one stylesheet, by their hashes, so that no text of a row
can run as code.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from otherwords import __version__
from otherwords.metrics.base import text_of
from otherwords.metrics.drawing import plain_html
from otherwords.study.report.plot import Plot
from otherwords.study.report.style import script, stylesheet
from otherwords.tables.table import (
    LEVEL,
    Cell,
    Column,
    Table,
    best_rows,
    join_words,
    shown,
    shown_p,
)
from otherwords.text.sentence import Text

_NAMED = 20  # columns of a matrix whose p-values fit side by side
_WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()


@dataclass(frozen=True)
class Section:
    """A part of a page: the name for links, a heading, plots, tables, other HTML.

    With `fold`, the name of what opens them, tables are folded away; triangles are not.
    """

    name: str
    heading: str
    plots: Sequence[Plot] = ()
    tables: Sequence[Table] = ()
    html: str = ""
    fold: str = ""


@dataclass(frozen=True)
class Matrix(Table):
    """A triangle of p-values; `levels` has the significance of each cell, from 0 to 3.

    A row in `starts` begins a new cluster.
    """

    levels: Sequence[Sequence[int]] = ()
    starts: frozenset[int] = field(default_factory=frozenset)


def document(title: str, lead: str, sections: Sequence[Section], top: str = "") -> str:
    """The whole page: heading, a line below it, the HTML on `top`, and the sections."""
    links = "".join(
        f'<li><a href="#{section.name}">{plain_html(section.heading)}</a></li>'
        for section in sections
    )
    parts = "\n".join(
        f'<section aria-labelledby="{section.name}">\n<h2 id="{section.name}">'
        f"{plain_html(section.heading)}</h2>\n{_content(section)}\n</section>"
        for section in sections
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
    triangular = [table for table in section.tables if isinstance(table, Matrix)]
    shared = [n for n in triangular[0].notes if _is_shared(n, triangular)] if triangular else []
    matrices = [
        table_html(replace(table, notes=[note for note in table.notes if note not in shared]))
        for table in triangular
    ]
    tables = [table_html(table) for table in section.tables if not isinstance(table, Matrix)]
    if section.fold:
        tables = [fold_html(section.fold, tables)]
    triangles = "\n".join(matrices)
    parts = [
        figures_html(section.plots),
        f'<div class="triangles">\n{triangles}\n</div>' if matrices else "",
        *(f'<p class="note">{plain_html(note)}</p>' for note in shared),
        *tables,
        section.html,
    ]
    return "\n".join(part for part in parts if part)


def _is_shared(note: str, tables: Sequence[Table]) -> bool:
    return all(note in table.notes for table in tables)


def fold_html(summary: str, parts: Iterable[str], name: str = "") -> str:
    """What opens when its summary is pressed; `name` is for links."""
    about = f' id="{name}"' if name else ""
    inside = "\n".join(parts)
    return f"<details{about}>\n<summary>{plain_html(summary)}</summary>\n{inside}\n</details>"


def table_html(table: Table, links: Sequence[str] = ()) -> str:
    """A table with its caption and notes; each cell names its column, for narrow screens.

    `links` are the targets of the rows' first cells; an empty string makes no link.
    """
    kind, rows = "sorts", list(table.rows)
    if isinstance(table, Matrix):
        kind = "triangle flow" if len(rows) >= _NAMED else "triangle"
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
        link = links[number] if links else ""
        cells = "".join(
            _cell(table, row, number, place, (number, place) in best, link) for place in places
        )
        lines.append(f'<tr class="first">{cells}</tr>' if first else f"<tr>{cells}</tr>")
    return frame_table(kind, heads, lines, table.caption, table.notes)


def frame_table(
    kind: str, heads: str, lines: Iterable[str], caption: str = "", notes: Iterable[str] = ()
) -> str:
    """A table of a `kind`, its head and lines as HTML, with plain text above and below."""
    above = f"<caption>{plain_html(caption)}</caption>\n" if caption else ""
    below = "".join(f'\n<p class="note">{plain_html(note)}</p>' for note in notes)
    body = "\n".join(lines)
    return (
        f'<div class="table"><table class="{kind}">\n{above}<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table>{below}</div>"
    )


def _head(column: Column) -> str:
    kind = "" if column.left else ' class="number"'
    kind = ' class="number up"' if column.best == "lowest" else kind
    return f'<th scope="col"{kind}>{plain_html(column.title)}</th>'


def _cell(table: Table, row: Sequence[Cell], number: int, place: int, best: bool, link: str) -> str:
    column = table.columns[place]
    text = plain_html(shown(row[place], column).strip())
    text = f"<strong>{text}</strong>" if best else text
    if place == 0 and column.left:
        text = f'<a href="{link}">{text}</a>' if link else text
        return f'<th scope="row">{text}</th>'
    kinds = [] if column.left else ["number"]
    if isinstance(table, Matrix):  # a shade; the number appears when pointed at
        kinds = [f"p{table.levels[number][place - 1]}"] if text else []
        text = f"<span>{text}</span>" if text else ""
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


def example_html(summary: str, drawings: Sequence[str], source: Text | None) -> str:
    """An example that opens: drawn explanations, and the source if there is one."""
    said = plain_html(text_of(source)) if source else ""
    origin = f'<p dir="auto"><b>source</b> {said}</p>\n' if said else ""
    drawn = "\n".join(drawings)
    return fold_html(summary, [f'<div class="example">\n{origin}{drawn}\n</div>'])


def list_html(lines: Iterable[str]) -> str:
    """Lines of code, such as signatures, as a list."""
    return "<ul>" + "".join(f"<li><code>{plain_html(line)}</code></li>" for line in lines) + "</ul>"


def shade(p: float | None) -> int:
    """The shade of a p-value's cell: one step darker below each of .05, .01 and .001.

    >>> shade(0.03), shade(0.0001), shade(None)
    (1, 3, 0)
    """
    return 0 if p is None else sum(p < level for level in (LEVEL, 0.01, 0.001))


def star_p(p: float | None, *, is_floor: bool = False) -> str:
    """A p-value with three decimals, and a star below 0.05.

    >>> star_p(0.0312), star_p(0.0001), star_p(1.0), star_p(None)
    ('.031*', '<.001*', '1', 'n/a')
    """
    if p is None:
        return "n/a"
    text = shown_p(p, is_floor=is_floor).removeprefix("= ").replace("< ", "<").replace("0.", ".")
    return ("1" if text == "1.000" else text) + ("*" if p < LEVEL else "")


join_names = partial(join_words, most=6)  # for a sentence


def spell_number(number: int) -> str:
    """A small number in words.

    >>> spell_number(7), spell_number(40)
    ('seven', '40')
    """
    return _WORDS[number] if number < len(_WORDS) else str(number)


def bound_p(p: float) -> str:
    """The round level that p is below.

    >>> bound_p(0.0004).split(), bound_p(0.004)[-3:], bound_p(0.03)[-3:]
    (['p', '<', '.001'], '.01', '.05')
    """
    level = next((level for level in (".001", ".01") if p < float(level)), ".05")
    return f"p < {level}".replace(" ", "\N{NO-BREAK SPACE}")
