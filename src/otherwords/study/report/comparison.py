"""The page that compares systems with a baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.metrics.base import text_of
from otherwords.scoring.compare import ComparisonResult
from otherwords.scoring.compare_pair import Contrast, Example, PairComparison, Phrase, WordContrast
from otherwords.scoring.seen import SEEN
from otherwords.study.report.page import (
    Section,
    bound_p,
    document,
    example_html,
    frame_table,
    interval_decimals,
    join_names,
    list_html,
    star_p,
    table_html,
)
from otherwords.study.report.plot import Plot, curves, draw_interval
from otherwords.study.report.rows import EXPLAINED, Measure, row_data, spans_html
from otherwords.study.report.spans import draw, plain_html
from otherwords.tables.table import LEVEL, Cell, Column, Table

_ORDERS = {1: "Words", 2: "Bigrams", 3: "Trigrams", 4: "4-grams"}
_TESTED = "p: approximate randomization, corrected for the lines of the table (Holm); * below 0.05"


def page(result: ComparisonResult) -> str:
    """The whole page as HTML."""
    first = result.comparisons[0]
    others = [comparison.pair.names[0] for comparison in result.comparisons]
    lead = f"{len(first.pair):,} segments, {len(first.metrics)} metrics; otherwords compare"
    top = [f'<p class="verdict">{plain_html(sentence(result))}</p>']
    top += [_differences(comparison) for comparison in result.comparisons]
    with_ = "and" if len(others) == 1 else "against"
    title = f"{join_names(others)} {with_} {result.baseline}"
    return document(title, lead, list(_sections(result)), "\n".join(top))


def sentence(result: ComparisonResult) -> str:
    """Which systems are better or worse than the baseline, by which metrics."""
    groups: dict[tuple[tuple[str, ...], ...], list[PairComparison]] = {}
    for comparison in result.comparisons:
        sides = tuple(tuple(c.name for c in _won(comparison, better)) for better in (True, False))
        groups.setdefault(sides, []).append(comparison)
    said = []
    for sides, group in groups.items():
        names = [comparison.pair.names[0] for comparison in group]
        parts = []
        for word, labels in zip(("better", "worse"), sides, strict=True):
            tests = [c for comparison in group for c in comparison.corpus if c.name in labels]
            p = max((c.adjusted or 0.0 for c in tests), default=0.0)
            if labels:
                parts.append(
                    f"{word} than {result.baseline} by {join_names(labels)} ({bound_p(p)})"
                )
        is_ = "is" if len(names) == 1 else "are"
        decided = {*sides[0], *sides[1]}
        rest = [c.name for c in group[0].corpus if c.p is not None and c.name not in decided]
        words = f"{join_names(names)} {is_} {' and '.join(parts)}" if parts else ""
        if rest:
            who = f"{join_names(names)} and {result.baseline}"
            words += f"; by {join_names(rest)} they" if parts else who
            words += " do not differ significantly" + ("" if parts else f" by {join_names(rest)}")
        said.append(
            words or f"{join_names(names)} cannot be tested: all metrics were trained on these rows"
        )
    return "; ".join(said) + "."


def _won(comparison: PairComparison, better: bool) -> list[Contrast]:
    """The contrasts in which the first system is significantly better, or worse."""
    return [
        c
        for c in comparison.corpus
        if c.adjusted is not None
        and c.adjusted < LEVEL
        and (c.difference > 0) == (comparison.metrics[c.name].traits.higher_is_better == better)
    ]


def _differences(comparison: PairComparison) -> str:
    """A table of metrics: both scores, the difference with its interval, and segments won."""
    names = comparison.pair.names
    share = f"{100 * (comparison.sampling.confidence or 0.95):g} %"
    caption = f"{names[0]} − {names[1]}, {len(comparison.pair):,} segments; bars: {share} intervals"
    heads = [
        "metric",
        *names,
        "difference",
        "p",
        f"{names[0]} better",
        "same",
        f"{names[1]} better",
    ]
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
        kinds = ["number", "number", "", *["number"] * 4]
        row = "".join(
            f'<td class="{kind}" data-head="{plain_html(head)}">{cell}</td>'
            for kind, head, cell in zip(kinds, heads[1:], cells, strict=True)
        )
        lines.append(f'<tr><th scope="row">{plain_html(label)}</th>{row}</tr>')
    number = ' class="number"'
    titles = "".join(
        f'<th scope="col"{"" if place in (0, 3) else number}>{plain_html(head)}</th>'
        for place, head in enumerate(heads)
    )
    note = f"{_TESTED}; better, same: numbers of segments"
    return frame_table("forest sorts", titles, lines, caption, [note])


def _around_zero(c: Contrast) -> str:
    """The difference and its interval on its own axis, with a line at zero."""
    if c.low is None or c.high is None:
        return ""
    reach = max(abs(c.low), abs(c.high)) or 1.0
    return draw_interval((c.difference, c.low, c.high), (-reach, reach), zero=True)


def _sections(result: ComparisonResult) -> Iterator[Section]:
    rows, numbers = _rows(result)
    yield rows
    is_multiple = len(result.comparisons) > 1
    for place, comparison in enumerate(result.comparisons):
        before = f"{comparison.pair.names[0]}: " if is_multiple else ""
        for section in _contrasts(comparison, _Links(numbers[place])):
            name = f"{section.name}-{place + 1}" if is_multiple else section.name
            heading = section.heading
            heading = f"{before}{heading[0].lower()}{heading[1:]}" if before else heading
            yield replace(section, name=name, heading=heading)
    notes = "".join(
        f"<p>{plain_html(str(note))}</p>"
        for comparison in result.comparisons
        for note in comparison.remarks
    )
    yield Section(
        "signatures", "Signatures", html=notes + list_html(result.comparisons[0].signatures)
    )


class _Links:
    """Links from the buckets of a comparison to the rows that show them."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers  # rows of the first system, by segment

    def rows(self, segments: Sequence[int]) -> str:
        """The link to the rows of these segments."""
        return f"#near={','.join(str(self._numbers[n]) for n in segments)}" if segments else ""

    def length(self, name: str) -> str:
        """The link to the rows of a bucket of lengths."""
        low, _, high = name.removesuffix("+").partition("-")
        end = "" if name.endswith("+") else f"&amp;to={high or low}"
        return f"#by=length&amp;from={low}{end}"


def _rows(result: ComparisonResult) -> tuple[Section, list[list[int]]]:
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
    data = row_data(rows, measures, facts=bool(result.comparisons[0].classes))
    html = data.html(spans_html(data, result.comparisons[0].metrics, EXPLAINED))
    return Section("rows", "Rows", html=html), places


def _contrasts(comparison: PairComparison, links: _Links) -> Iterator[Section]:
    lengths = [_length_table(comparison, label, links) for label in comparison.lengths]
    folded = _fold("The same numbers as tables", lengths)
    yield Section("by-length", "By length", plots(comparison), html=folded)
    for name, what, contrasts in (
        ("by-word-class", "word class", comparison.classes),
        ("by-frequency", "frequency in the references", comparison.frequencies),
    ):
        if contrasts:
            html = _word_tables(comparison, what, contrasts, links)
            yield Section(name, f"By {what}", html=html)
    grams = [
        part
        for length, sides in comparison.phrases.items()
        for part in _phrases(comparison, length, sides, links)
    ]
    if grams:
        note = (
            "right: how often each system gets it right; p: exact sign test over segments, "
            "corrected for all n-grams of the length (Holm), n/a where fewer than 6 segments differ"
        )
        html = f'<div class="triangles">{"".join(grams)}</div><p class="note">{note}</p>'
        yield Section("n-grams", "N-grams", html=html)
    yield Section("examples", "Examples", html="\n".join(_examples(comparison)))


def _fold(summary: str, parts: Sequence[str]) -> str:
    inside = "\n".join(parts)
    return f"<details>\n<summary>{plain_html(summary)}</summary>\n{inside}\n</details>"


def _length_table(comparison: PairComparison, label: str, links: _Links) -> str:
    contrasts = comparison.lengths[label]
    decimals = interval_decimals((c.difference, c.low, c.high) for c in contrasts) or 0
    heads = [Column("length", left=True), Column("segments")]
    scores = [Column(name, decimals=decimals) for name in comparison.pair.names]
    columns = [*heads, *scores, Column("difference", decimals=decimals, signed=True), Column("p")]
    rows: list[list[Cell]] = [
        [c.name, c.size, *c.scores, c.difference, star_p(c.adjusted)] for c in contrasts
    ]
    table = Table(f"length-{label}", columns, rows, f"{label} by length in tokens", [_TESTED])
    return table_html(table, [links.length(c.name) for c in contrasts])


def _word_tables(
    comparison: PairComparison, what: str, contrasts: Sequence[WordContrast], links: _Links
) -> str:
    """F1 of both systems, with precision and recall folded away."""
    names = comparison.pair.names
    first = Column(what, left=True)
    columns = [first, Column("words"), *(Column(name, f"F1 {name}", decimals=3) for name in names)]
    columns += [Column("difference", decimals=3, signed=True), Column("p")]
    rows: list[list[Cell]] = []
    parts: list[list[Cell]] = []
    for contrast in contrasts:
        c = contrast.contrast
        p = star_p(c.adjusted)
        rows.append([c.name, contrast.words, *c.scores, c.difference, p])
        parts.append([c.name, *contrast.recall, *contrast.precision])
    more = [
        Column(f"{part} {name}", decimals=3) for part in ("recall", "precision") for name in names
    ]
    caption = f"Words by {what}: how many are right; a name leads to rows that differ most"
    table = Table(what, columns, rows, caption, [f"difference: of F1; {_TESTED}"])
    folded = Table(f"{what}-parts", [first, *more], parts, f"Words by {what}")
    drawn = table_html(table, [links.rows(contrast.examples) for contrast in contrasts])
    return drawn + _fold("Recall and precision", [table_html(folded)])


def _phrases(
    comparison: PairComparison, length: int, sides: Sequence[Sequence[Phrase]], links: _Links
) -> Iterator[str]:
    for system, phrases in zip(comparison.pair.names, sides, strict=True):
        columns = [Column("words", _ORDERS[length], left=True)]
        columns += [Column(name, f"right {name}") for name in comparison.pair.names]
        rows: list[list[Cell]] = [
            [" ".join(phrase.words), *phrase.right, star_p(phrase.adjusted)] for phrase in phrases
        ]
        if rows:
            caption = f"{_ORDERS[length]} that {system} gets right more often"
            table = Table("", [*columns, Column("p")], rows, caption)
            yield table_html(table, [links.rows(phrase.examples) for phrase in phrases])


def plots(comparison: PairComparison) -> list[Plot]:
    """The systems' scores by length, one plot per metric."""
    drawn = []
    for label, contrasts in comparison.lengths.items():
        series = {
            system: [
                (
                    contrast.scores[side],
                    *(contrast.intervals[side] if contrast.intervals else (None, None)),
                )
                for contrast in contrasts
            ]
            for side, system in enumerate(comparison.pair.names)
        }
        share = f"{100 * (comparison.sampling.confidence or 0.95):g} %"
        drawn.append(
            curves(
                f"length-{label}",
                f"{label} by length",
                f"Corpus score of the segments of each length, with {share} bootstrap intervals",
                [contrast.name for contrast in contrasts],
                series,
                ("length in tokens", label),
            )
        )
    return drawn


def _examples(comparison: PairComparison) -> Iterator[str]:
    for system, examples in zip(comparison.pair.names, comparison.examples, strict=True):
        if examples:
            words = f"{system} is better, by {comparison.example_metric}"
            yield f"<h3>{plain_html(words)}</h3>"
            yield from _show(comparison.pair.names, examples)
    if not any(comparison.examples):
        yield "<p>There is no segment on which the systems differ.</p>"


def _show(names: Sequence[str], examples: Sequence[Example]) -> Iterator[str]:
    for example in examples:
        first, second = example.scores
        drawings = [
            f"<h4>{plain_html(system)}</h4>\n{draw(explanation)}"
            for system, explanation in zip(names, example.explanations, strict=True)
        ]
        source = example.rows[0].source
        yield example_html(
            f"segment {example.item}: {first:.4g} against {second:.4g}",
            drawings,
            source=None if source is None else text_of(source),
        )
