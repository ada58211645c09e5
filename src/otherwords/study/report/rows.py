"""The rows in a page, to search, filter and open with its script, and to read without it.

The data are JSON. Matched spans are compressed JSON, in blocks that are unpacked when one of their
rows is opened.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.metrics.base import Explanation, Metric, text_of
from otherwords.metrics.drawing import layers_of, plain_html, seen
from otherwords.scoring.compare_pair import targets_of
from otherwords.scoring.explanations import LOSSES, losses
from otherwords.scoring.stream import segment_keys
from otherwords.stats.arrays import Array
from otherwords.study.agreement.human_scores import systems_of
from otherwords.study.report.page import frame_table
from otherwords.study.report.plot import Plot, stacked
from otherwords.text.sentence import tokenize

SHOWN, EXPLAINED = 20_000, 2_000  # rows in a page, and rows with drawn matches
MAJOR = {"contradicted", "empty", "copy"}  # flags of texts that fail
_BLOCK = 200  # rows per compressed block of spans


@dataclass(frozen=True)
class Measure:
    """Scores of all rows, NaN if there is none, and what texts were compared `against`."""

    name: str
    scores: Array
    against: str | None = None  # None for human scores
    higher_is_better: bool = True

    def text(self, row: int) -> str:
        """The score of a row, with as many decimals as all others."""
        score = self.scores[row]
        return f"{score:z.{decimals_of(self.scores)}f}" if np.isfinite(score) else "n/a"


@dataclass(frozen=True)
class RowData:
    """Rows with their measures; `numbers` are their places among all rows, `note` says of which."""

    rows: Sequence[Row]
    numbers: Sequence[int]
    note: str
    measures: Sequence[Measure]
    flags: Sequence[Sequence[str]]

    def to_dict(self) -> dict[str, Any]:
        items: dict[tuple[Any, ...], int] = {}
        systems: dict[str, int] = {}
        rows = []
        for place, (row, key) in enumerate(zip(self.rows, segment_keys(self.rows), strict=True)):
            source = None if row.source is None else seen(text_of(row.source))
            references = tuple(seen(text_of(text)) for text in row.references)
            name = row.item if row.item is not None else ""
            item = items.setdefault((key, seen(name), row.doc, source, references), len(items))
            mine = [systems.setdefault(name, len(systems)) for name in systems_of(row)]
            number = self.numbers[place]
            scores = [_short(measure.scores[number]) for measure in self.measures]
            text = seen(text_of(row.hypothesis))
            rows.append([number, item, mine, text, scores, list(self.flags[place])])
        return {
            "systems": [seen(name) for name in systems],
            "measures": [
                {
                    "name": seen(m.name),
                    "against": m.against,
                    "higher": m.higher_is_better,
                    "decimals": decimals_of(m.scores),
                }
                for m in self.measures
            ],
            "items": [
                {
                    "name": name,
                    "doc": doc and seen(doc),
                    "source": source,
                    "references": references,
                    "length": len(tokenize((*references, source or "")[0]).tokens),
                }
                for _, name, doc, source, references in items
            ],
            "rows": rows,
        }

    def html(self, explained: str) -> str:
        """The place of the script's table, the data, and a plain table if there is no script."""
        data = json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":"))
        safe = data.replace("<", "\\u003c")
        name = hashlib.sha256(data.encode("utf-8", "backslashreplace")).hexdigest()[:16]
        return (
            f'<p class="note">{self.note}</p>\n<div id="explorer"></div>\n'
            f'<script type="application/json" data-name="{name}" id="row-data">{safe}</script>\n'
            f"{explained}\n<noscript>{self._plain()}</noscript>"
        )

    def faults(self) -> Plot | None:
        """The texts of each system without faults, with minor ones, and with major ones."""
        counts: dict[str, list[int]] = {}
        for row, flags in zip(self.rows, self.flags, strict=True):
            kind = 2 if MAJOR.intersection(flags) else 1 if flags else 0
            for name in systems_of(row):
                counts.setdefault(name, [0, 0, 0])[kind] += 1
        if not any(self.flags):
            return None
        ordered = dict(sorted(counts.items(), key=lambda item: (item[1][2], item[1][1])))
        caption = (
            "Segments by what their texts have: nothing wrong; words missing or added (minor); "
            "content contradicted, an empty text or a copy (major). Fewest major faults first."
        )
        return stacked("faults", "Faults found", caption, ordered, ("none", "minor", "major"))

    def _plain(self) -> str:
        titles = ["system", "text", *(measure.name for measure in self.measures)]
        heads = "".join(f'<th scope="col">{plain_html(title)}</th>' for title in titles)
        lines, before = [], None
        for place, row in enumerate(self.rows):
            about = [text_of(text) for text in (row.source, *row.references) if text is not None]
            if (here := (row.item, *about)) != before:
                before = here
                words = " · ".join(plain_html(text) for text in [row.item or "", *about] if text)
                lines.append(f'<tr><td colspan="{2 + len(self.measures)}"><b>{words}</b></td></tr>')
            scores = "".join(
                f'<td class="number" data-head="{plain_html(measure.name)}">'
                f"{measure.text(self.numbers[place])}</td>"
                for measure in self.measures
            )
            system = plain_html(", ".join(systems_of(row)))
            text = plain_html(text_of(row.hypothesis))
            lines.append(
                f'<tr><th scope="row">{system}</th><td class="text">{text}</td>{scores}</tr>'
            )
        return frame_table("list", heads, lines)


def row_data(
    rows: Sequence[Row],
    measures: Sequence[Measure],
    *,
    facts: bool,
    threads: int = 1,
    most: int = SHOWN,
) -> RowData:
    """At most `most` rows for a page, with flags; with `facts`, also of what English texts say."""
    numbers = chosen_rows(rows, most)
    sample = [rows[number] for number in numbers]
    note = ""
    if len(sample) < len(rows):
        kept, every = (len(set(segment_keys(some))) for some in (sample, rows))
        note = f"{kept:,} of {every:,} segments, sampled at random."
    return RowData(sample, numbers, note, measures, _flags(sample, facts, threads))


def chosen_rows(rows: Sequence[Row], most: int) -> list[int]:
    """The places of at most `most` rows, in order: whole segments, sampled at random.

    >>> chosen_rows([Row("a", item="1"), Row("b", item="1"), Row("c", item="2")], 1)
    [2]
    """
    if len(rows) <= most:
        return list(range(len(rows)))
    by_key: dict[str, list[int]] = {}
    for place, key in enumerate(segment_keys(rows)):
        by_key.setdefault(key, []).append(place)
    segments = list(by_key.values())
    order = np.argsort(np.random.PCG64(0).random_raw(len(segments)), kind="stable")
    chosen: list[int] = []
    for number in order.tolist():
        if len(chosen) + len(segments[number]) > most and chosen:
            continue
        chosen += segments[number]
        if len(chosen) >= most:
            break
    return sorted(chosen[:most])


def _flags(rows: Sequence[Row], facts: bool, threads: int) -> list[list[str]]:
    by_row: list[list[str]] = [[] for _ in rows]
    for flags, row in zip(by_row, rows, strict=True):
        text = text_of(row.hypothesis).strip()
        if not text:
            flags.append("empty")
        elif row.source is not None and text == text_of(row.source).strip():
            flags.append("copy")
    pairs = {
        place: (row.hypothesis, targets[0])
        for place, row in enumerate(rows)
        if facts and (targets := targets_of(row)) and not by_row[place]
    }
    for place, shares in zip(pairs, losses(list(pairs.values()), threads), strict=True):
        by_row[place] += [name for name in LOSSES if shares[name] > 0]
    return by_row


def spans_html(
    data: RowData,
    metrics: Mapping[str, Metric],
    most: int,
) -> str:
    """The matches of each metric for at most `most` rows, whole segments.

    A metric without matches is left out; the script then marks the words that texts share.
    """
    able = {
        label: metric
        for label, metric in metrics.items()
        if type(metric).matches is not Metric.matches
    }
    ordered = chosen_rows(data.rows, most) if able and most else []
    blocks = []
    for start in range(0, len(ordered), _BLOCK):
        here = ordered[start : start + _BLOCK]
        blocks.append(_block({data.numbers[n]: _spans(data.rows[n], able) for n in here}))
    return "\n".join(blocks)


def _spans(row: Row, metrics: Mapping[str, Metric]) -> dict[str, list[list[tuple[Any, ...]]]]:
    """What each metric marks in each pair of texts: verdict, sentence, and both spans."""
    by_metric: dict[str, list[list[tuple[Any, ...]]]] = {}
    for label, metric in metrics.items():
        segments = metric.check_rows([row])
        found = Explanation(
            *(label, 0.0, {}, text_of(row.hypothesis)),
            tuple(map(text_of, segments.targets[0])),
            metric.matches(segments),
            against=metric.against,
            matches_all=metric.matches_all,
        )
        first = (next(iter(layers_of(found, n).values())) for n in range(len(found.references)))
        by_metric[label] = [
            [
                (s.verdict, s.sentence(metric.against), *s.hypothesis, *s.reference)
                for s in spans
                if s.verdict != "same"
            ]
            for spans in first
        ]
    return by_metric


def _block(spans: dict[int, Any]) -> str:
    data = json.dumps(spans, ensure_ascii=False, separators=(",", ":"))
    packed = gzip.compress(data.encode("utf-8", "backslashreplace"), 9, mtime=0)
    numbers = f'data-first="{min(spans)}" data-last="{max(spans)}"'
    text = base64.b64encode(packed).decode("ascii")
    return f'<script type="application/gzip" class="spans" {numbers}>{text}</script>'


def decimals_of(scores: Array) -> int:
    """Decimals that fit all of these scores: none for whole numbers, one if they reach 10.

    >>> [decimals_of(np.array(scores)) for scores in ([4.0, 5.0], [7.25, 31.5], [0.25, 0.5])]
    [0, 1, 3]
    """
    known = scores[np.isfinite(scores)]
    if np.all(known == np.round(known)):
        return 0
    return 1 if np.abs(known).max() >= 10 else 3


def _short(score: float) -> float | None:
    return float(f"{score:.6g}") if np.isfinite(score) else None
