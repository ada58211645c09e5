"""Extracted rules counted, with Thrax's features: SQL over the numbers of their sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from otherwords.engine import Engine
from otherwords.errors import OtherwordsError
from otherwords.grammar.numbered import Block, Ordered, in_order, stage_blocks
from otherwords.phrases.extraction import packed_texts

if TYPE_CHECKING:
    from otherwords.grammar.extraction import ExtractedRules

__all__ = ["FEATURES", "count_rules"]

# e is the target and f the source, as Thrax names them; probabilities and lexical weights are
# negative natural logarithms.
FEATURES = (
    "count",
    "e_given_f_lex",
    "e_given_f_phrase",
    "f_given_e_lex",
    "f_given_e_phrase",
    "rarity",
    "lexical",
    "phrasal",
    "syntactic",
    "word_difference",
    "character_difference",
)

_ALIGNMENTS = """
SELECT id, MIN(text) AS text, MIN(check_hash) <> MAX(check_hash) AS clash, MIN(links) AS links
FROM alignments
GROUP BY id
"""
_LABELS = """
SELECT id, MIN(text) AS text, MIN(check_hash) <> MAX(check_hash) AS clash FROM labels GROUP BY id
"""

# Of the alignments of a rule the most frequent one stands for it; of equally frequent ones that
# with the fewest links, then the first. Few rules have several: only those are counted by
# alignment. Rows are sorted by label and by the first bytes of the source; `write` does the rest.
_RULES = """
WITH counted AS (
    SELECT lhs, source, target, MIN(alignment) AS alignment, MAX(alignment) AS other,
           MIN(lex_source) AS lex_source, MIN(lex_target) AS lex_target,
           MIN(source_place) AS source_place, MIN(target_place) AS target_place,
           MIN(first_bytes) AS first_bytes, MIN(second_bytes) AS second_bytes,
           MIN(check_hash) <> MAX(check_hash) AS clash, CAST(SUM(count) AS BIGINT) AS rule_count
    FROM {counts}
    GROUP BY lhs, source, target
    HAVING SUM(count) >= {min_count}
), aligned AS (
    SELECT counts.lhs AS lhs, counts.source AS source, counts.target AS target,
           counts.alignment AS alignment,
           MIN(counts.lex_source) AS lex_source, MIN(counts.lex_target) AS lex_target,
           CAST(SUM(counts.count) AS BIGINT) AS aligned_count
    FROM {counts} AS counts
    JOIN (SELECT lhs, source, target FROM counted WHERE alignment <> other) AS several
    ON counts.lhs = several.lhs AND counts.source = several.source
        AND counts.target = several.target
    GROUP BY counts.lhs, counts.source, counts.target, counts.alignment
), keyed AS (
    SELECT aligned.*, CONCAT(LPAD(CAST(1000000000000000 - aligned_count AS STRING), 16, '0'),
                             LPAD(CAST(links AS STRING), 6, '0'),
                             LPAD(CAST(place AS STRING), 16, '0')) AS choice
    FROM aligned
    JOIN alignment_places ON aligned.alignment = alignment_places.id
), chosen AS (
    SELECT lhs, source, target, MIN_BY(alignment, choice) AS alignment,
           MIN_BY(lex_source, choice) AS lex_source, MIN_BY(lex_target, choice) AS lex_target
    FROM keyed
    GROUP BY lhs, source, target
), rules AS (
    SELECT lhs, source, target, alignment, lex_source, lex_target, source_place, target_place,
           first_bytes, second_bytes, clash, rule_count
    FROM counted
    WHERE alignment = other
    UNION ALL
    SELECT counted.lhs, counted.source, counted.target, chosen.alignment, chosen.lex_source,
           chosen.lex_target, source_place, target_place, first_bytes, second_bytes, clash,
           rule_count
    FROM counted
    JOIN chosen ON counted.lhs = chosen.lhs AND counted.source = chosen.source
        AND counted.target = chosen.target
)
SELECT label_places.place AS label, first_bytes, second_bytes, source, target, source_place,
       target_place, rule_count, alignment_places.place AS alignment, lex_source, lex_target, clash
FROM rules
JOIN label_places ON rules.lhs = label_places.id
JOIN alignment_places ON rules.alignment = alignment_places.id
WHERE {identity}
ORDER BY label, first_bytes, second_bytes
"""
_KEPT = """
SELECT source, target, CAST(SUM(count) AS BIGINT) AS rule_count
FROM {counts}
GROUP BY lhs, source, target
HAVING SUM(count) >= {min_count}
"""
_ORDER = ("label", "first_bytes", "second_bytes")
PART = 1 << 19  # rows of counts, about, that are made into rules at a time


def count_rules(
    extracted: ExtractedRules, engine: Engine, *, min_count: int = 1, identity: bool = True
) -> Iterator[pa.RecordBatch]:
    """The rows of a grammar, sorted by label, source and target.

    Rules that were seen less than `min_count` times are left out before anything else, and those
    whose sides are the same unless `identity`. Columns are those of `rule_schema(FEATURES)`.
    """
    parts = _Parts(extracted)
    if not stage_blocks(parts, engine):
        return
    alignments = in_order("alignment_places", _ALIGNMENTS, engine)
    labels = in_order("label_places", _LABELS, engine)
    rules = extracted.native
    if min_count > 1:  # a side was seen as often as its rules that are kept
        rules.forget_totals()
        for rows in parts.run(_KEPT, engine, min_count=min_count):
            rules.add_totals(
                *(rows[name].to_numpy() for name in ("source", "target", "rule_count"))
            )
    same = "TRUE" if identity else "rules.source <> rules.target"
    kept = parts.run(_RULES, engine, min_count=min_count, identity=same)
    for rows in _whole_groups(kept):
        if pc.any(rows["clash"]).as_py():
            raise OtherwordsError("two different rules of this grammar have the same hashes")
        yield _written(rows, extracted, labels, alignments)


class _Parts:
    """Blocks whose counts are split into parts that follow each other in the order of the grammar,
    so that no more than one of them is grouped and sorted at a time.

    With one label the parts are ranges of sources, else of labels, by their first bytes.
    """

    def __init__(self, extracted: ExtractedRules) -> None:
        self._extracted = extracted
        self._by = "label_bytes" if extracted.native.has_labels else "first_bytes"
        self._bounds: NDArray[np.int64] | None = None

    def __iter__(self) -> Iterator[Block]:
        for block in self._extracted:
            counts = dict(block["counts"])
            keys = counts[self._by]
            del counts["label_bytes"]
            if self._bounds is None:  # the first block is like the others
                size = max(1, len(keys) * self._extracted.blocks // PART)
                quantiles = np.sort(keys)[len(keys) * np.arange(1, size) // size]
                self._bounds = np.unique(quantiles)
            part = np.searchsorted(self._bounds, keys, side="right")
            order = np.argsort(part, kind="stable")
            cuts = np.searchsorted(part[order], np.arange(len(self._bounds) + 2))
            tables = {
                f"counts_{number}": {
                    name: column[order[cuts[number] : cuts[number + 1]]]
                    for name, column in counts.items()
                }
                for number in range(len(self._bounds) + 1)
            }
            yield {"labels": block["labels"], "alignments": block["alignments"], **tables}

    def run(self, sql: str, engine: Engine, **options: object) -> Iterator[pa.RecordBatch]:
        """The results of a query of `counts`, part by part."""
        assert self._bounds is not None
        for number in range(len(self._bounds) + 1):
            yield from engine.run(sql.format(counts=f"counts_{number}", **options))


def _whole_groups(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows; those that the order does not separate are in the same batch."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        keys = [batch[name].to_numpy() for name in _ORDER]
        different = np.any([key != key[-1] for key in keys], axis=0)
        end = int(different.nonzero()[0][-1]) + 1 if different.any() else 0
        if waiting and not _same(waiting[-1], batch):
            yield pa.concat_batches(waiting)
            waiting = []
        if end:
            yield pa.concat_batches([*waiting, batch.slice(0, end)])
            waiting = []
        waiting.append(batch.slice(end))
    if waiting:
        yield pa.concat_batches(waiting)


def _same(one: pa.RecordBatch, other: pa.RecordBatch) -> bool:
    """Whether the order does not separate the end of one from the beginning of the other."""
    return all(one[name][-1] == other[name][0] for name in _ORDER)


def _written(
    rows: pa.RecordBatch, extracted: ExtractedRules, labels: Ordered, alignments: Ordered
) -> pa.RecordBatch:
    """Texts in place of numbers, in order, and the features."""
    names = ("source", "target", "source_place", "target_place", "rule_count")
    order, sources, targets, features = extracted.native.write(
        [rows[name].to_numpy() for name in _ORDER], *(rows[name].to_numpy() for name in names)
    )
    rows = rows.select(["label", "alignment", "rule_count", "lex_source", "lex_target"])
    rows = rows.take(pa.array(order))
    e_given_f, f_given_e, *others = features
    values = [
        *(rows["rule_count"].cast(pa.float64()), rows["lex_target"], pa.array(e_given_f)),
        *(rows["lex_source"], pa.array(f_given_e), *map(pa.array, others)),
    ]
    return pa.RecordBatch.from_pydict(
        {
            "lhs": labels.at(rows["label"]),
            "source": packed_texts(*sources),
            "target": packed_texts(*targets),
            "alignment": alignments.at(rows["alignment"]),
            "relation": pa.nulls(len(rows), pa.string()),
            **{f"f{place}": value for place, value in enumerate(values)},
        }
    )
