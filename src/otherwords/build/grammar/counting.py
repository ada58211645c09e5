"""Counting extracted rules, with Thrax's features.

On one machine the kernel keeps the sides of rules, tables refer to them by number, and the grammar
is built part by part. Where kernels run in other processes, rows carry the text of rules, so that
no process needs the rules of another one, and SQL counts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import FileIO
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords import _build
from otherwords.build.bitext.corpus import Side
from otherwords.build.bitext.links import Links
from otherwords.build.engine.base import Engine
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
from otherwords.errors import OtherwordsError
from otherwords.io.processes import in_order
from otherwords.models.arrays import Strings

if TYPE_CHECKING:
    from otherwords.build.engine.base import Engine
    from otherwords.build.grammar.extraction import ExtractedRules

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

# Begin, end, label and bounds of nodes, and the names of labels, where there are no trees.
_Ids = NDArray[np.int32]
_Nodes = tuple[_Ids, _Ids, _Ids, NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64]]
_NO_IDS = np.zeros(0, np.int32)
_NO_NAMES = np.zeros(0, np.uint8), np.zeros(1, np.int64)
NO_TREES: _Nodes = (_NO_IDS, _NO_IDS, _NO_IDS, np.zeros(0, np.int64), *_NO_NAMES)
_Rows = NDArray[np.uint8]


def count_rules(
    extracted: ExtractedRules, engine: Engine, *, min_count: int = 1, identity: bool = True
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a grammar, sorted by label, source and target.

    Rules seen less than `min_count` times are dropped first, and rules with two equal sides unless
    `identity`. Columns are those of `rule_schema(FEATURES)`.
    """

    def columns(part: _Rows) -> pa.RecordBatch:
        texts, _, features = extracted.native.columns(part, min_count, identity)
        return _batch(texts, features)

    with (engine.folder / "rules").open("w+b", buffering=0) as file:
        written = _RowsOnDisk(file)
        for rows, bounds in extracted:
            if len(rows):  # the number of parts is known from the first rows
                written.add(rows, bounds)
        try:
            if min_count > 1:  # the count of a side is that of its remaining rules
                extracted.native.forget_totals()
                for part in range(written.parts):
                    extracted.native.add_totals(written.part(part), min_count)
            parts = map(written.part, range(written.parts))
            yield from in_order(columns, parts, engine.threads if engine.threads > 1 else 0)
        except RuntimeError as error:
            raise OtherwordsError(str(error)) from error


class _RowsOnDisk:
    """Rows on disk, block by block and within each block part by part."""

    def __init__(self, file: FileIO) -> None:
        self._file = file
        self._bounds: list[NDArray[np.int64]] = []  # where the parts of each block are in the file
        self._end = 0

    @property
    def parts(self) -> int:
        return len(self._bounds[0]) - 1 if self._bounds else 0

    def add(self, rows: _Rows, bounds: NDArray[np.int64]) -> None:
        view = rows.data
        while view:
            view = view[self._file.write(view) :]
        self._bounds.append(bounds + self._end)
        self._end += len(rows)

    def part(self, number: int) -> _Rows:
        places = [(int(block[number]), int(block[number + 1])) for block in self._bounds]
        rows = np.empty(sum(end - begin for begin, end in places), np.uint8)
        left = rows.data
        for begin, end in places:
            self._file.seek(begin)
            while begin < end:
                size = self._file.readinto(left[: end - begin])
                if not size:
                    raise OtherwordsError("a temporary file is truncated")
                begin, left = begin + size, left[size:]
        return rows


def _batch(
    texts: list[tuple[_Rows, NDArray[np.int64]]], features: list[NDArray[np.float64]]
) -> pa.RecordBatch:
    schema = rule_schema(FEATURES)
    packed = [packed_texts(*text).cast(pa.string()) for text in texts]
    relation = pa.nulls(len(packed[0]), pa.string())
    return pa.RecordBatch.from_arrays([*packed, relation, *map(pa.array, features)], schema=schema)


BLOCK_TOKENS = 1 << 14  # tokens of both sides per block of a task
_NODES = ("node_begin", "node_end", "node_label")
_SHAPE = ("lexical", "phrasal", "syntactic", "word_difference", "character_difference")

RULES = "SELECT * FROM grammar_rows ORDER BY lhs, source, target"  # the result of `stage_rules`
_COUNTS = pa.schema(
    {
        **dict.fromkeys(("lhs", "source", "target", "alignment"), pa.large_string()),
        **dict.fromkeys(("links", "times"), pa.int64()),
        **dict.fromkeys(("lex_source", "lex_target", *_SHAPE), pa.float64()),
    }
)

# As on one machine, a rule gets its most frequent alignment; ties go to the one with the fewest
# links, then to the first.
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
    """Extract and count the rules of a bitext whose words are escaped; query `RULES` reads them.

    `limits` are the kernel's arguments; SQL applies `min_count` and `identity`.
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
    engine.map("grammar_rows", counted, _add_features, rule_schema(FEATURES))


@dataclass(frozen=True)
class RuleKernel:
    """Counts the rules of rows of a bitext, with the lexicon of the whole bitext."""

    words: tuple[Strings, Strings]
    lexicon: Lexicon
    names: Strings | None  # labels of trees
    limits: dict[str, Any]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield rows of rules, from batches of the table `aligned`."""
        lexicon = _build.WordLinks(*self.lexicon)
        for batch in batches:
            left, right, links = sides_of(batch)
            text = aligned_text(left, right, links, self.words)
            for starts in rounds(left, right, BLOCK_TOKENS, 1):
                # A new kernel for each block frees the rules of the last one.
                rules = _build.Rules(text, lexicon, *self._nodes(batch), self.limits)
                yield _text_batch(rules.rows(*starts))

    def _nodes(self, batch: pa.RecordBatch) -> _Nodes:
        if self.names is None:
            return NO_TREES
        (begin, bounds), (end, _), (label, _) = arrays_of(batch, _NODES)
        return begin, end, label, bounds, self.names.bytes, self.names.bounds


def _text_batch(columns: tuple[Any, Any, Any]) -> pa.RecordBatch:
    texts, links, features = columns
    named = dict(zip(FEATURES, map(pa.array, features), strict=True))
    arrays = [
        *(packed_texts(*text) for text in texts),
        *(pa.array(links), named["count"].cast(pa.int64())),
        *(named[name] for name in ("f_given_e_lex", "e_given_f_lex", *_SHAPE)),
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=_COUNTS)


def _add_features(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield rows of a grammar, with features from counts over the whole grammar."""
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
