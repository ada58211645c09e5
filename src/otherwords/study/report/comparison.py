"""The page that compares systems with a baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.metrics.drawing import draw, plain_html
from otherwords.scoring.compare import ComparisonResult
from otherwords.scoring.compare_pair import Contrast, PairComparison, WordContrast
from otherwords.scoring.seen import SEEN
from otherwords.study.report.correlation import pair_plots
from otherwords.study.report.page import (
    Section,
    document,
    example_html,
    fold_html,
    frame_table,
    join_names,
    list_html,
    star_p,
    table_html,
)
from otherwords.study.report.plot import Plot, draw_interval, key_mark, ranking
from otherwords.study.report.rows import EXPLAINED, Measure, RowData, row_data, spans_html
from otherwords.tables.table import Cell, Column, Table, interval_decimals

_ORDERS = {1: "Words", 2: "Bigrams", 3: "Trigrams", 4: "4-grams"}
_EXPLORED = "exploratory: differences in this table are not tested"


def page(result: ComparisonResult) -> str:
    """The whole page as HTML."""
    first = result.comparisons[0]
    others = [comparison.pair.names[0] for comparison in result.comparisons]
    lead = f"{len(first.pair):,} segments, {len(first.metrics)} metrics; otherwords compare"
    top = [f'<p class="verdict">{plain_html(result.verdict)}</p>']
    top += [
        _differences(comparison, _series(result, number))
        for number, comparison in enumerate(result.comparisons, 1)
    ]
    title = f"{join_names(others)} against {result.baseline}"
    return document(title, lead, list(_sections(result)), "\n".join(top))


def _series(result: ComparisonResult, number: int) -> tuple[int, int]:
    """The colours of a pair: of two systems the first two, of several 0 for the baseline."""
    return (0, 1) if len(result.comparisons) == 1 else (number, 0)


def _differences(comparison: PairComparison, series: tuple[int, int]) -> str:
    """A table of metrics: both scores, the difference with its interval, and segments won."""
    names = comparison.pair.names
    share = f"{100 * (comparison.sampling.confidence or 0.95):g} %"
    caption = f"{names[0]} − {names[1]}, {len(comparison.pair):,} segments; bars: {share} intervals"
    heads = ["metric", *names, "difference", "p"]
    heads += [f"{names[0]} better", "same", f"{names[1]} better"]
    lines = []
    for c in comparison.corpus:
        metric = comparison.metrics[c.name]
        label = c.name + SEEN * (c.p is None)
        label += "" if metric.traits.higher_is_better else " (lower is better)"
        half = None if c.low is None or c.high is None else (c.high - c.low) / 2
        estimate = c.difference, c.low, c.high
        decimals = 4 if half is None else interval_decimals([estimate]) or 0
        texts = [f"{score:z.{decimals}f}" for score in c.scores]
        around = "" if half is None else f" ± {half:.{decimals}f}"
        texts.append(f"{c.difference:+z.{decimals}f}{around}")
        p = "n/a" if c.adjusted is None else star_p(c.adjusted, is_floor=c.is_floor)
        cells = [plain_html(text) for text in (*texts, p, *map(str, comparison.wins[c.name]))]
        cells[2] = f"{_around_zero(c)}<span>{cells[2]}</span>"
        row = "".join(
            f'<td{_kind(head)} data-head="{plain_html(head)}">{cell}</td>'
            for head, cell in zip(heads[1:], cells, strict=True)
        )
        lines.append(f'<tr><th scope="row">{plain_html(label)}</th>{row}</tr>')
    marks = ["", *map(key_mark, series), *[""] * len(heads)]
    titles = "".join(
        f'<th scope="col"{_kind(head)}>{mark}{plain_html(head)}</th>'
        for head, mark in zip(heads, marks, strict=False)
    )
    note = f"{comparison.how}; better, same: numbers of segments"
    return frame_table("forest sorts", titles, lines, caption, [note])


def _kind(head: str) -> str:
    return "" if head in ("metric", "difference") else ' class="number"'


def _around_zero(c: Contrast) -> str:
    """The difference and its interval on its own axis, with a line at zero."""
    if c.low is None or c.high is None:
        return ""
    reach = max(abs(c.low), abs(c.high)) or 1.0
    return draw_interval((c.difference, c.low, c.high), (-reach, reach), zero=True)


def _sections(result: ComparisonResult) -> Iterator[Section]:
    data, rows = _rows(result)
    html = data.html(spans_html(data, result.comparisons[0].metrics, EXPLAINED))
    yield Section("rows", "Segments", html=html)
    faults = data.faults()
    for number, comparison in enumerate(result.comparisons, 1):
        section = _contrast(comparison, number, _series(result, number), rows[number - 1])
        yield replace(section, plots=[*section.plots, faults] if faults else section.plots)
    remarks = [note for comparison in result.comparisons for note in comparison.remarks]
    notes = "".join(f"<p>{plain_html(note)}</p>" for note in [*result.warnings(), *remarks])
    signatures = list_html(result.comparisons[0].signatures)
    yield Section("signatures", "Notes", html=notes + signatures)


class _Links:
    """Links from the buckets of a comparison to the rows that show them."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers  # rows of the first system, by segment

    def rows(self, segments: Sequence[int]) -> str:
        return f"#near={','.join(str(self._numbers[n]) for n in segments)}" if segments else ""

    def length(self, name: str) -> str:
        low, _, high = name.removesuffix("+").partition("-")
        end = "" if name.endswith("+") else f"&amp;to={high or low}"
        return f"#by=length&amp;from={low}{end}"


def _rows(result: ComparisonResult) -> tuple[RowData, list[list[int]]]:
    """All segments, those of the baseline once, and the numbers of each system's rows."""
    rows: list[Row] = []
    scores: dict[str, list[float]] = {label: [] for label in result.comparisons[0].metrics}
    places: list[list[int]] = []
    seen: set[str] = set()
    for comparison in result.comparisons:
        places.append([])
        for place, both in enumerate(zip(comparison.pair.left, comparison.pair.right, strict=True)):
            item = comparison.pair.item(place)
            places[-1].append(len(rows))
            for side in (0, 1)[: 1 if item in seen else 2]:
                rows.append(replace(both[side], item=item, system=comparison.pair.names[side]))
                for label, mine in scores.items():
                    mine.append(float(comparison.scores[label][side][place]))
            seen.add(item)
    measures = [
        Measure(label, np.array(scores[label]), metric.against, metric.traits.higher_is_better)
        for label, metric in result.comparisons[0].metrics.items()
    ]
    return row_data(rows, measures, facts=bool(result.comparisons[0].classes)), places


def _contrast(
    comparison: PairComparison, number: int, series: tuple[int, int], rows: Sequence[int]
) -> Section:
    """One system and the baseline: plots by segment and by length, and tables that fold."""
    links = _Links(rows)
    label = next(iter(comparison.metrics))
    scored = zip(series, comparison.scores[label], strict=True)
    systems = dict(zip(comparison.pair.names, scored, strict=True))
    higher = comparison.metrics[label].traits.higher_is_better
    drawn = [*pair_plots(label, systems, rows, higher), *_length_plots(comparison)]
    folds = {"By length": [_length_table(comparison, label, links) for label in comparison.lengths]}
    for what, contrasts in (
        ("word class", comparison.classes),
        ("frequency in the references", comparison.frequencies),
    ):
        if contrasts:
            folds[f"By {what}"] = _word_tables(comparison, what, contrasts, links)
    if grams := list(_phrases(comparison, links)):
        note = "right: how often each system gets it right; exploratory: differences are not tested"
        inside = f'<div class="triangles">{"".join(grams)}</div><p class="note">{note}</p>'
        folds["Words and n-grams that one gets right more often"] = [inside]
    folds["Examples"] = list(_examples(comparison))
    names = [f"{summary.split()[-1]}-{number}" for summary in folds]
    html = "\n".join(
        fold_html(summary, parts, name)
        for name, (summary, parts) in zip(names, folds.items(), strict=True)
    )
    heading = " against ".join(comparison.pair.names)
    return Section(f"pair-{number}", heading, drawn, html=html)


def _length_plots(comparison: PairComparison) -> Iterator[Plot]:
    """The difference by length, one plot per metric; none if all segments are about as long."""
    caption = "Difference on the segments of each length in tokens, with its interval"
    for label, contrasts in comparison.lengths.items():
        lines = [(c.name, (c.difference, c.low, c.high)) for c in contrasts]
        axis = f"{label}: {' − '.join(comparison.pair.names)}"
        if len(lines) > 1:
            yield ranking(f"length-{label}", f"{label} by length", caption, lines, axis)


def _length_table(comparison: PairComparison, label: str, links: _Links) -> str:
    contrasts = comparison.lengths[label]
    decimals = interval_decimals((c.difference, c.low, c.high) for c in contrasts) or 0
    heads = [Column("length", left=True), Column("segments")]
    scores = [Column(name, decimals=decimals) for name in comparison.pair.names]
    columns = [*heads, *scores, Column("difference", decimals=decimals, signed=True)]
    rows: list[list[Cell]] = [[c.name, c.size, *c.scores, c.difference] for c in contrasts]
    table = Table(f"length-{label}", columns, rows, f"{label} by length in tokens", [_EXPLORED])
    return table_html(table, [links.length(c.name) for c in contrasts])


def _word_tables(
    comparison: PairComparison, what: str, contrasts: Sequence[WordContrast], links: _Links
) -> list[str]:
    """F1 of both systems, with precision and recall folded away."""
    names = comparison.pair.names
    first = Column(what, left=True)
    columns = [first, Column("words"), *(Column(name, f"F1 {name}", decimals=3) for name in names)]
    columns.append(Column("difference", decimals=3, signed=True))
    rows: list[list[Cell]] = []
    parts: list[list[Cell]] = []
    for contrast in contrasts:
        c = contrast.contrast
        rows.append([c.name, contrast.words, *c.scores, c.difference])
        parts.append([c.name, *contrast.recall, *contrast.precision])
    more = [
        Column(f"{part} {name}", decimals=3) for part in ("recall", "precision") for name in names
    ]
    caption = f"Words by {what}: how many are right; a name leads to rows that differ most"
    table = Table(what, columns, rows, caption, [f"difference: of F1; {_EXPLORED}"])
    folded = Table(f"{what}-parts", [first, *more], parts, f"Words by {what}")
    drawn = table_html(table, [links.rows(contrast.examples) for contrast in contrasts])
    return [drawn, fold_html("Recall and precision", [table_html(folded)])]


def _phrases(comparison: PairComparison, links: _Links) -> Iterator[str]:
    for length, sides in comparison.phrases.items():
        for system, phrases in zip(comparison.pair.names, sides, strict=True):
            columns = [Column("words", _ORDERS[length], left=True)]
            columns += [Column(name) for name in comparison.pair.names]
            rows: list[list[Cell]] = [[" ".join(phrase.words), *phrase.right] for phrase in phrases]
            if rows:
                caption = f"{system} gets right more often"
                table = Table("", columns, rows, caption)
                yield table_html(table, [links.rows(phrase.examples) for phrase in phrases])


def _examples(comparison: PairComparison) -> Iterator[str]:
    names = comparison.pair.names
    for system, examples in zip(names, comparison.examples, strict=True):
        if examples:
            words = f"{system} is better, by {comparison.example_metric}"
            yield f"<h3>{plain_html(words)}</h3>"
        for example in examples:
            first, second = example.scores
            drawings = [
                f"<h4>{plain_html(name)}</h4>\n{draw(explanation)}"
                for name, explanation in zip(names, example.explanations, strict=True)
            ]
            summary = f"segment {example.item}: {first:.3f} against {second:.3f}"
            yield example_html(summary, drawings, example.rows[0].source)
    if not any(comparison.examples):
        yield "<p>There is no segment on which the systems differ.</p>"
