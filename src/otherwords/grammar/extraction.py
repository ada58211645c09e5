"""Synchronous rules from word-aligned pairs: Hiero, constituents, and CCG-style labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from otherwords import _native
from otherwords.bitext.corpus import Side
from otherwords.bitext.links import Links
from otherwords.engine import Engine, write_parquet
from otherwords.errors import UsageError, near
from otherwords.grammar.rule import escape
from otherwords.grammar.table import KIND, Grammar, rule_schema
from otherwords.grammar.trees import TreeNodes
from otherwords.io.arguments import check_flag, check_whole
from otherwords.phrases.aligned import aligned_text
from otherwords.phrases.extraction import packed_texts, rounds

__all__ = [
    "FEATURES",
    "KINDS",
    "LABELS",
    "PRESETS",
    "RuleLimits",
    "build_grammar",
    "count_rules",
    "extract_rules",
    "label_limits",
    "limits_of",
]

KINDS = ("hiero", "samt", "syntax")
PRESETS = ("paper",)
# The labels of a span, and the limit that allows each; constituents are always labels.
LABELS = {
    "constituent": None,
    "slash": "slashed",
    "concatenation": "concatenated",
    "concatenation3": "concatenated3",
}
UNARY = ("all", "bottom", "top")
SIDES = ("left", "right")
LONGEST = 200  # words of an initial phrase pair
BLOCK_TOKENS = 1 << 14  # of both sides: what one thread holds in memory at a time

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

_COUNTS = pa.schema(
    {
        "lhs": pa.large_string(),
        "source": pa.large_string(),
        "target": pa.large_string(),
        "alignment": pa.large_string(),
        "count": pa.int64(),
        "links": pa.int32(),
        "arity": pa.int32(),
        "source_words": pa.int32(),
        "target_words": pa.int32(),
        "source_characters": pa.int32(),
        "target_characters": pa.int32(),
        "lex_source": pa.float64(),
        "lex_target": pa.float64(),
    }
)


@dataclass(frozen=True)
class RuleLimits:
    """What rules are extracted: Thrax's limits, as its Hiero example sets them.

    >>> limits_of("samt").phrase_length, limits_of("hiero", arity=1).arity
    (12, 1)
    """

    phrase_length: int = 10  # words a side of an initial phrase pair
    arity: int = 2  # nonterminals
    lexicality: int = 1  # links between words, at least
    adjacent: bool = False  # nonterminals side by side in the source
    loose: bool = False  # phrase pairs with unaligned words at their edges
    abstract: bool = False  # rules without words
    nonlexical_x: bool = True  # the default label in rules with nonterminals
    source_symbols: int = 5  # of rules with nonterminals
    target_symbols: int = 5
    source_words: int | None = None  # of rules with nonterminals
    target_words: int | None = None
    rule_span: int | None = None  # words that a rule covers, a side
    full_sentence: bool = False  # the whole pair is a phrase pair, however long
    unary: str = "bottom"  # the label of a unary chain
    slashed: bool = False  # A/B and A\B
    concatenated: bool = False  # A+B
    concatenated3: bool = False  # A+B+C
    min_count: int = 1  # times that a rule was seen
    identity: bool = True  # rules with the same source and target

    def __post_init__(self) -> None:
        check_whole("phrase_length", self.phrase_length, 1, LONGEST)
        check_whole("arity", self.arity, 0, 9)
        check_whole("lexicality", self.lexicality, 0, LONGEST)
        check_whole("min_count", self.min_count, 1, 2**53)
        for name in ("source_symbols", "target_symbols", "rule_span"):
            if getattr(self, name) is not None:
                check_whole(name, getattr(self, name), 1, _NO_LIMIT)
        for name in ("source_words", "target_words"):
            if getattr(self, name) is not None:
                check_whole(name, getattr(self, name), 0, _NO_LIMIT)
        if self.unary not in UNARY:
            raise UsageError(f"unknown unary handling '{self.unary}'; {near(self.unary, UNARY)}")
        for one in fields(self):
            if one.type == "bool":
                check_flag(one.name, getattr(self, one.name))

    @property
    def signature(self) -> str:
        """All limits as text."""
        return "|".join(f"{name.replace('_', '-')}:{_told(v)}" for name, v in asdict(self).items())

    def native(self, tree_side: str) -> dict[str, Any]:
        """As the kernel takes them."""
        values = asdict(self)
        for name in ("source_words", "target_words", "rule_span"):
            values[name] = _NO_LIMIT if values[name] is None else values[name]
        return {**values, "labels_on_left": tree_side == "left"}


_NO_LIMIT = 1 << 15
_SYNTAX = RuleLimits(phrase_length=12, lexicality=0, adjacent=True, loose=True, nonlexical_x=False)
_DEFAULTS = {
    "hiero": RuleLimits(),
    "syntax": _SYNTAX,
    "samt": replace(_SYNTAX, slashed=True, concatenated=True, concatenated3=True),
}


# PARADIGM §5.1: constituents and slashes. The paper names no limits; these are those of Thrax's
# Hiero example, with which its Figure 1 has the 45 rules that the paper counts.
_PAPER = {
    "hiero": _DEFAULTS["hiero"],
    "syntax": replace(_SYNTAX, slashed=True, phrase_length=10, adjacent=False),
}


def _told(value: object) -> str:
    if value is None:
        return "off"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def label_limits(labels: Iterable[str]) -> dict[str, bool]:
    """The limits of `RuleLimits` that allow these labels, and no others.

    >>> label_limits(["constituent", "slash"])
    {'slashed': True, 'concatenated': False, 'concatenated3': False}
    """
    wanted = list(labels)
    for label in wanted:
        if label not in LABELS:
            raise UsageError(f"unknown labels '{label}'; {near(label, LABELS)}")
    if "constituent" not in wanted:
        raise UsageError("labels are made of constituents: name constituent among them")
    return {limit: label in wanted for label, limit in LABELS.items() if limit is not None}


def limits_of(
    kind: str,
    *,
    labels: Iterable[str] | None = None,
    preset: str | None = None,
    **changes: Any,
) -> RuleLimits:
    """The limits of a kind of grammar: Thrax's examples, and its SAMT without CCG-style labels.

    `labels` chooses the labels of spans instead. The `preset` "paper" gives PARADIGM's grammars,
    Hiero or syntax: constituents and slashes; other limits are refused beside it.

    >>> limits_of("syntax", labels=["constituent", "slash"]).slashed
    True
    >>> limits_of("syntax", preset="paper").phrase_length
    10
    """
    if kind not in KINDS:
        raise UsageError(f"unknown kind of grammar '{kind}'; {near(kind, KINDS)}")
    if labels is not None and kind == "hiero":
        raise UsageError("a Hiero grammar has the one label X; labels need the kind syntax or samt")
    if labels is not None:
        changes |= label_limits(labels)
    if preset is None:
        return replace(_DEFAULTS[kind], **changes)
    if preset not in PRESETS:
        raise UsageError(f"unknown preset '{preset}'; {near(preset, PRESETS)}")
    if kind not in _PAPER:
        raise UsageError(f"PARADIGM has no {kind} grammar; its kinds are hiero and syntax")
    if changes:
        name = "labels" if labels is not None else next(iter(changes)).replace("_", "-")
        raise UsageError(f"the preset '{preset}' sets all limits: leave out {name}")
    return _PAPER[kind]


def extract_rules(
    left: Side,
    right: Side,
    links: Links,
    trees: TreeNodes | None = None,
    *,
    limits: RuleLimits | None = None,
    tree_side: str = "right",
    threads: int = 1,
) -> Iterator[pa.RecordBatch]:
    """The rules of an aligned bitext, whose left side is the source, counted within each batch.

    A row is a rule with the links between its words; the same row may come in several batches,
    whose number is that of stretches of text and not of threads. Without trees all labels are X.
    """
    if tree_side not in SIDES:
        raise UsageError(f"unknown side '{tree_side}'; {near(tree_side, SIDES)}")
    check_whole("threads", threads, 1, 1024)
    chosen = limits or RuleLimits()
    text = aligned_text(_escaped(left), _escaped(right), links)
    lexicon = text.word_links()
    nodes = _packed_nodes(trees)
    for starts in rounds(left, right, BLOCK_TOKENS, threads):
        for block in _native.count_rules(
            text, lexicon, *nodes, chosen.native(tree_side), starts, threads
        ):
            yield _batch(block)


def _escaped(side: Side) -> Side:
    return side._replace(words=[escape(word) for word in side.words])


_Numbers = NDArray[np.int32]
_Nodes = tuple[
    _Numbers, _Numbers, _Numbers, NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64]
]


def _packed_nodes(trees: TreeNodes | None) -> _Nodes:
    if trees is None:
        none = np.zeros(0, np.int32)
        no_bounds = np.zeros(0, np.int64)
        return none, none, none, no_bounds, np.zeros(0, np.uint8), np.zeros(1, np.int64)
    encoded = [name.encode() for name in trees.names]
    bounds = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum([len(name) for name in encoded], out=bounds[1:])
    return (*trees[:4], np.frombuffer(b"".join(encoded), np.uint8), bounds)


def _batch(block: dict[str, Any]) -> pa.RecordBatch:
    named = {"lhs": "labels", "source": "sources", "target": "targets", "alignment": "alignments"}
    columns = {
        name: packed_texts(*block[named[name]]).take(pa.array(block[name]))
        if name in named
        else pa.array(block[name])
        for name in _COUNTS.names
    }
    return pa.RecordBatch.from_arrays(list(columns.values()), schema=_COUNTS)


# Thrax's features, its phrase probabilities in single precision as it has them. It counts a space
# between symbols as a character: the side with one more word has one more. Of the alignments
# of a rule the most frequent one stands for it; of equally frequent ones that with the fewest
# links, then the first. Few rules have several: only those are counted by alignment.
_COUNT = """
WITH counted AS (
    SELECT lhs, source, target, MIN(alignment) AS alignment, MAX(alignment) AS other,
           MIN(lex_source) AS lex_source, MIN(lex_target) AS lex_target, MIN(arity) AS arity,
           MIN(source_words) AS source_words, MIN(target_words) AS target_words,
           MIN(target_characters + target_words - source_characters - source_words)
               AS character_difference,
           CAST(SUM(count) AS BIGINT) AS rule_count
    FROM counts
    GROUP BY lhs, source, target
    HAVING SUM(count) >= {min_count}
), aligned AS (
    SELECT counts.lhs AS lhs, counts.source AS source, counts.target AS target,
           counts.alignment AS alignment, MIN(counts.links) AS links,
           MIN(counts.lex_source) AS lex_source, MIN(counts.lex_target) AS lex_target,
           CAST(SUM(counts.count) AS BIGINT) AS aligned_count
    FROM counts
    JOIN (SELECT lhs, source, target FROM counted WHERE alignment <> other) AS several
    ON counts.lhs = several.lhs AND counts.source = several.source
        AND counts.target = several.target
    GROUP BY counts.lhs, counts.source, counts.target, counts.alignment
), keyed AS (
    SELECT *, CONCAT(LPAD(CAST(1000000000000000 - aligned_count AS VARCHAR), 16, '0'), ' ',
                     LPAD(CAST(links AS VARCHAR), 6, '0'), ' ', alignment) AS choice
    FROM aligned
), chosen AS (
    SELECT lhs, source, target, MIN_BY(alignment, choice) AS alignment,
           MIN_BY(lex_source, choice) AS lex_source, MIN_BY(lex_target, choice) AS lex_target
    FROM keyed
    GROUP BY lhs, source, target
), rules AS (
    SELECT lhs, source, target, alignment, lex_source, lex_target, arity, source_words,
           target_words, character_difference, rule_count
    FROM counted
    WHERE alignment = other
    UNION ALL
    SELECT counted.lhs, counted.source, counted.target, chosen.alignment, chosen.lex_source,
           chosen.lex_target, arity, source_words, target_words, character_difference, rule_count
    FROM counted
    JOIN chosen ON counted.lhs = chosen.lhs AND counted.source = chosen.source
        AND counted.target = chosen.target
), sources AS (
    SELECT source, CAST(SUM(rule_count) AS DOUBLE) AS total FROM counted GROUP BY source
), targets AS (
    SELECT target, CAST(SUM(rule_count) AS DOUBLE) AS total FROM counted GROUP BY target
){pairs}
SELECT rules.lhs, rules.source, rules.target, rules.alignment, CAST(NULL AS VARCHAR) AS relation,
       CAST(rule_count AS DOUBLE) AS f0, lex_target AS f1,
       0 - CAST(LN(CAST(CAST({both} / sources.total AS FLOAT) AS DOUBLE)) AS FLOAT) AS f2,
       lex_source AS f3,
       0 - CAST(LN(CAST(CAST({both} / targets.total AS FLOAT) AS DOUBLE)) AS FLOAT) AS f4,
       EXP(1 - rule_count) AS f5,
       CASE WHEN arity = 0 AND source_words = 1 THEN 1 ELSE 0 END AS f6,
       CASE WHEN arity = 0 AND source_words > 1 THEN 1 ELSE 0 END AS f7,
       CASE WHEN arity > 0 THEN 1 ELSE 0 END AS f8,
       target_words - source_words AS f9, character_difference AS f10
FROM rules
JOIN sources ON rules.source = sources.source
JOIN targets ON rules.target = targets.target{join_pairs}
WHERE {identity}
ORDER BY rules.lhs, rules.source, rules.target
"""

# What the labels of rules with the same sides have together; with one label it is the rule's own.
_PAIRS = {
    "pairs": """, pairs AS (
    SELECT source, target, CAST(SUM(rule_count) AS DOUBLE) AS total
    FROM counted GROUP BY source, target
)""",
    "both": "pairs.total",
    "join_pairs": """
JOIN pairs ON rules.source = pairs.source AND rules.target = pairs.target""",
}
_ONE_LABEL = {"pairs": "", "both": "CAST(rule_count AS DOUBLE)", "join_pairs": ""}


def count_rules(batches: Iterable[pa.RecordBatch], engine: Engine, limits: RuleLimits) -> str:
    """The query that makes a grammar of extracted rules (what `extract_rules` yields).

    Its columns are those of `rule_schema(FEATURES)`; it can be run as long as the engine is open.
    """
    rows = engine.folder / "rules.parquet"
    labels: set[str] = set()
    write_parquet(rows, _COUNTS, _noting_labels(batches, labels), fast=("lhs", "alignment"))
    engine.table("counts", rows)
    identity = "TRUE" if limits.identity else "rules.source <> rules.target"
    pairs = _PAIRS if len(labels) > 1 else _ONE_LABEL
    return _COUNT.format(min_count=limits.min_count, identity=identity, **pairs)


def _noting_labels(batches: Iterable[pa.RecordBatch], seen: set[str]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        seen.update(pc.unique(batch["lhs"]).to_pylist())
        yield batch


def build_grammar(
    left: Side,
    right: Side,
    links: Links,
    path: str | Path,
    *,
    engine: Engine,
    kind: str = "hiero",
    trees: TreeNodes | None = None,
    tree_side: str = "right",
    limits: RuleLimits | None = None,
) -> Grammar:
    """Extract and count the rules of an aligned bitext; left is the source."""
    chosen = limits_of(kind) if limits is None else limits
    if kind != "hiero" and trees is None:
        raise UsageError(f"a grammar of the kind '{kind}' needs trees")
    batches = extract_rules(
        left,
        right,
        links,
        None if kind == "hiero" else trees,
        limits=chosen,
        tree_side=tree_side,
        threads=engine.threads,
    )
    sql = count_rules(batches, engine, chosen)
    signature = f"grammar|v:2|kind:{kind}|tree-side:{tree_side}|{chosen.signature}"
    metadata = {"kind": KIND, "features": list(FEATURES), "signature": signature}
    engine.write(sql, path, metadata, schema=rule_schema(FEATURES))
    return Grammar.open(path)
