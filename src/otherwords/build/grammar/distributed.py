"""Extraction and counting of rules where kernels run in other processes: SQL over texts.

On one machine the kernel keeps the sides of rules and tables have their numbers (`counting`), which
costs less. Here rows carry their texts, so that no process needs to hold the rules of another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from otherwords import _build
from otherwords.build.bitext.corpus import Side
from otherwords.build.bitext.links import Links
from otherwords.build.engine.base import Engine
from otherwords.build.grammar.counting import FEATURES
from otherwords.build.grammar.table import rule_schema
from otherwords.build.grammar.trees import TreeNodes
from otherwords.build.phrases.extraction import (
    Lexicon,
    Spans,
    aligned_text,
    arrays_of,
    linked_words,
    packed_texts,
    put_aligned,
    rounds,
    sides_of,
)
from otherwords.models.strings import Strings

__all__ = ["RULES", "stage_rules"]

BLOCK_TOKENS = 1 << 14  # of both sides: what a task holds in memory at a time
_NODES = ("node_begin", "node_end", "node_label")
_SHAPE = ("lexical", "phrasal", "syntactic", "word_difference", "character_difference")

RULES = "SELECT * FROM grammar_rows ORDER BY lhs, source, target"  # what `stage_rules` has made
_COUNTS = pa.schema(
    {
        **dict.fromkeys(("lhs", "source", "target", "alignment"), pa.large_string()),
        **dict.fromkeys(("links", "times"), pa.int64()),
        **dict.fromkeys(("lex_source", "lex_target", *_SHAPE), pa.float64()),
    }
)

# As in `counting`: the most frequent alignment stands for a rule; of equally frequent ones that
# with the fewest links, then the first.
_RULES = """
WITH aligned_rules AS (
    SELECT lhs, source, target, alignment, MIN(links) AS links,
           CAST(SUM(times) AS BIGINT) AS aligned_count,
           MIN(lex_source) AS lex_source, MIN(lex_target) AS lex_target,
           MIN(lexical) AS lexical, MIN(phrasal) AS phrasal, MIN(syntactic) AS syntactic,
           MIN(word_difference) AS word_difference,
           MIN(character_difference) AS character_difference
    FROM rule_counts
    GROUP BY lhs, source, target, alignment
), ranked AS (
    SELECT *, CAST(SUM(aligned_count) OVER (PARTITION BY lhs, source, target) AS BIGINT)
               AS rule_count,
           ROW_NUMBER() OVER (
               PARTITION BY lhs, source, target ORDER BY aligned_count DESC, links, alignment
           ) AS place
    FROM aligned_rules
), rules AS (
    SELECT * FROM ranked WHERE place = 1 AND rule_count >= {min_count}
), pairs AS (
    SELECT source, target, CAST(SUM(rule_count) AS BIGINT) AS both_count
    FROM rules
    GROUP BY source, target
), sources AS (
    SELECT source, CAST(SUM(both_count) AS BIGINT) AS source_count FROM pairs GROUP BY source
), targets AS (
    SELECT target, CAST(SUM(both_count) AS BIGINT) AS target_count FROM pairs GROUP BY target
)
SELECT rules.lhs, rules.source, rules.target, alignment, lex_source, lex_target, lexical, phrasal,
       syntactic, word_difference, character_difference, rule_count, both_count, source_count,
       target_count
FROM rules
JOIN pairs ON rules.source = pairs.source AND rules.target = pairs.target
JOIN sources ON rules.source = sources.source
JOIN targets ON rules.target = targets.target
WHERE {identity}
"""


def stage_rules(
    engine: Engine,
    sides: tuple[Side, Side, Links],
    trees: TreeNodes | None,
    limits: dict[str, Any],
) -> None:
    """Extract and count the rules of a bitext whose words are escaped; `RULES` reads them.

    `limits` are as the kernel takes them; of those, `min_count` and `identity` are left to SQL.
    """
    left, right, links = sides
    nodes: dict[str, Spans] = {}
    if trees is not None:
        columns = zip(_NODES, trees[:3], strict=True)
        nodes = {name: (numbers, trees.bounds) for name, numbers in columns}
    put_aligned(engine, left, right, links, **nodes)
    kernel = RuleKernel(
        (Strings.of(left.words), Strings.of(right.words)),
        linked_words(engine, len(left.words), len(right.words)),
        None if trees is None else Strings.of(trees.names),
        limits,
    )
    engine.map("rule_counts", "SELECT * FROM aligned", kernel, _COUNTS)
    same = "TRUE" if limits["identity"] else "rules.source <> rules.target"
    counted = _RULES.format(min_count=limits["min_count"], identity=same)
    engine.map("grammar_rows", counted, _featured, rule_schema(FEATURES))


@dataclass(frozen=True)
class RuleKernel:
    """Counts the rules of rows of a bitext, with the lexicon of the whole of it."""

    words: tuple[Strings, Strings]
    lexicon: Lexicon
    names: Strings | None  # of the labels of trees
    limits: dict[str, Any]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows of rules, from batches of the table `aligned`."""
        lexicon = _build.WordLinks(*self.lexicon)
        for batch in batches:
            left, right, links = sides_of(batch)
            text = aligned_text(left, right, links, self.words)
            for starts in rounds(left, right, BLOCK_TOKENS, 1):
                # What it keeps of the rules of a block goes with it.
                rules = _build.Rules(text, lexicon, *self._nodes(batch), self.limits)
                yield _texts(rules.rows(*starts))

    def _nodes(self, batch: pa.RecordBatch) -> tuple[Any, Any, Any, Any, Any, Any]:
        if self.names is None:
            none, no_bounds = np.zeros(0, np.int32), np.zeros(0, np.int64)
            return none, none, none, no_bounds, np.zeros(0, np.uint8), np.zeros(1, np.int64)
        (begin, bounds), (end, _), (label, _) = arrays_of(batch, _NODES)
        return begin, end, label, bounds, self.names.bytes, self.names.bounds


def _texts(columns: tuple[Any, Any, Any]) -> pa.RecordBatch:
    """The rows of a block of text."""
    texts, links, features = columns
    named = dict(zip(FEATURES, map(pa.array, features), strict=True))
    arrays = [
        *(packed_texts(*one) for one in texts),
        *(pa.array(links), named["count"].cast(pa.int64())),
        *(named[name] for name in ("f_given_e_lex", "e_given_f_lex", *_SHAPE)),
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=_COUNTS)


def _featured(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Rows of a grammar, with the features that follow from counts over the whole of it."""
    for rows in batches:
        names = ("rule_count", "both_count", "source_count", "target_count")
        totals = [rows[name].to_numpy() for name in names]
        e_given_f, f_given_e, rarity = map(pa.array, _build.count_features(*totals))
        features = [
            *(rows["rule_count"].cast(pa.float64()), rows["lex_target"], e_given_f),
            *(rows["lex_source"], f_given_e, rarity, *(rows[name] for name in _SHAPE)),
        ]
        texts = [rows[name].cast(pa.string()) for name in ("lhs", "source", "target", "alignment")]
        relation = pa.nulls(len(rows), pa.string())
        schema = rule_schema(FEATURES)
        yield pa.RecordBatch.from_arrays([*texts, relation, *features], schema=schema)
