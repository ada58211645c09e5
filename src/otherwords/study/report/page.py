"""A self-contained HTML file: no network, light and dark, readable without script.

The content policy allows one script and one stylesheet, by their hashes, so that no text of a row
can run as code.
"""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from otherwords import __version__
from otherwords.study.report.plot import Estimated, Plot
from otherwords.study.report.spans import plain_html
from otherwords.study.report.style import script, stylesheet
from otherwords.tables.table import LEVEL, Cell, Column, Table, best_rows, shown, shown_p

_NAMED = 24  # columns of a matrix whose p-values fit side by side
_WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()


@dataclass(frozen=True)
class Section:
    """A part of a page: the name for links, a heading, plots, tables, other HTML.

    `files` are plots that are written to files but not shown.
    """

    name: str
    heading: str
    plots: Sequence[Plot] = ()
    tables: Sequence[Table] = ()
    html: str = ""
    files: Sequence[Plot] = ()


@dataclass(frozen=True)
class Matrix(Table):
    """A triangle of p-values; `levels` has the significance of each cell, from 0 to 3.

    A row in `starts` begins a new cluster.
    """

    levels: Sequence[Sequence[int]] = ()
    starts: frozenset[int] = field(default_factory=frozenset)


def document(title: str, lead: str, sections: Sequence[Section], top: str = "") -> str:
    """The whole page.

    Parameters
    ----------
    title, lead : str
        Plain text: the heading, and a line below it.
    sections : sequence of Section
        The parts that the navigation links to.
    top : str
        HTML above the navigation.
    """
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
    matrices = "\n".join(table_html(table) for table in section.tables if isinstance(table, Matrix))
    parts = [
        figures_html(section.plots),
        *(table_html(table) for table in section.tables if not isinstance(table, Matrix)),
        f'<div class="triangles">\n{matrices}\n</div>' if matrices else "",
        section.html,
    ]
    return "\n".join(part for part in parts if part)


def table_html(table: Table, links: Sequence[str] = ()) -> str:
    """A table with its caption and notes; each cell names its column, for narrow screens.

    `links` are the targets of the rows' first cells; an empty string makes no link.
    """
    kind, rows = "sorts", list(table.rows)
    if isinstance(table, Matrix):
        sizes = {" flow": len(rows) >= _NAMED, " many": len(rows) > 12, "": True}
        kind = "triangle" + next(size for size, fits in sizes.items() if fits)
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
    return frame_table(kind, heads, lines, table.caption, table.notes)


def frame_table(
    kind: str, heads: str, lines: Iterable[str], caption: str = "", notes: Iterable[str] = ()
) -> str:
    """A table in its scrolling frame.

    Parameters
    ----------
    kind : str
        The classes of the table.
    heads : str
        The cells of the head, as HTML.
    lines : iterable of str
        The rows, as HTML.
    caption, notes
        Plain text above and below the table.
    """
    above = f"<caption>{plain_html(caption)}</caption>\n" if caption else ""
    below = "".join(f'\n<p class="note">{plain_html(note)}</p>' for note in notes)
    body = "\n".join(lines)
    return (
        f'<div class="table"><table class="{kind}">\n{above}<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table>{below}</div>"
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


def join_names(names: Sequence[str], most: int = 6) -> str:
    """Join names for a sentence.

    >>> join_names(["a", "b", "c"]), join_names(["a", "b", "c", "d"], most=2)
    ('a, b and c', 'a and 3 others')
    """
    shown = list(names) or [""]
    if len(shown) > most:
        left = len(shown) - most + 1
        shown = [*shown[: most - 1], f"{spell_number(left) if left > 9 else left} others"]
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


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


def interval_decimals(estimates: Iterable[Estimated]) -> int | None:
    """Decimals that show two digits of the median half interval; None without intervals.

    >>> interval_decimals([(0.0, -2.285, 2.285)]), interval_decimals([(5.0, None, None)])
    (1, None)
    """
    halves = (
        (high - low) / 2 for _, low, high in estimates if low is not None and high is not None
    )
    known = sorted(half for half in halves if half > 0)
    if not known:
        return None
    return min(max(0, 1 - math.floor(math.log10(known[len(known) // 2]))), 6)
