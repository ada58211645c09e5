"""Synchronous rules from word-aligned pairs: Hiero, constituents, and CCG-style labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _build
from otherwords.build.bitext.corpus import Side
from otherwords.build.bitext.links import Links
from otherwords.build.engine.base import Engine
from otherwords.build.grammar.counting import FEATURES, count_rules
from otherwords.build.grammar.distributed import RULES, stage_rules
from otherwords.build.grammar.rule import escape
from otherwords.build.grammar.table import KIND, Grammar, rule_schema, write_grammar
from otherwords.build.grammar.trees import TreeNodes
from otherwords.build.phrases.extraction import aligned_text, rounds
from otherwords.errors import UsageError, near
from otherwords.io.arguments import check_flag, check_whole
from otherwords.io.processes import in_order

__all__ = [
    "KINDS",
    "LABELS",
    "PRESETS",
    "RuleLimits",
    "build_grammar",
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
BLOCK_TOKENS = 1 << 12  # of both sides: what one thread holds in memory at a time
PART = 1 << 13  # rows, about, that a thread makes into rules at a time


@dataclass(frozen=True)
class RuleLimits:
    """What rules are extracted: Thrax's limits, as its Hiero example sets them.

    >>> limits_of("samt").phrase_length, limits_of("hiero", arity=1).arity
    (12, 1)
    """

    phrase_length: int = 10  # words per side of an initial phrase pair
    arity: int = 2  # nonterminals
    lexicality: int = 1  # links between words, at least
    adjacent: bool = False  # adjacent nonterminals in the source
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
        return "|".join(f"{name.replace('_', '-')}:{_shown(v)}" for name, v in asdict(self).items())

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


def _shown(value: object) -> str:
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
        raise UsageError("other labels are built from constituents: add constituent to the labels")
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
    Hiero or syntax: constituents and slashes; other limits are refused together with it.

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


class ExtractedRules:
    """The rules of an aligned bitext, whose left side is the source, a block of text at a time.

    Of each block there are the rows of its rules, as bytes that the kernel understands, and the
    bounds of parts among them; parts follow each other in the order of the grammar. They depend on
    the blocks of text and not on threads. `count_rules` makes a grammar of them.
    """

    def __init__(self, left: Side, right: Side, native: _build.Rules, threads: int) -> None:
        self._sides = left, right
        self._threads = threads
        self.native = native

    def __iter__(self) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.int64]]]:
        stretches = list(rounds(*self._sides, BLOCK_TOKENS, 1))
        several = self._threads if self._threads > 1 else 0
        # Those before are added, in the order of the text, while others are counted.
        for counted in in_order(lambda ends: self.native.count(*ends), stretches, several):
            yield self.native.add(counted, max(self._threads // 2, 1), len(stretches), PART)


def extract_rules(
    left: Side,
    right: Side,
    links: Links,
    trees: TreeNodes | None = None,
    *,
    limits: RuleLimits | None = None,
    tree_side: str = "right",
    threads: int = 1,
) -> ExtractedRules:
    """The rules of an aligned bitext, whose left side is the source.

    They are extracted when blocks are asked for; `count_rules` makes a grammar of them. Without
    trees all labels are X.
    """
    if tree_side not in SIDES:
        raise UsageError(f"unknown side '{tree_side}'; {near(tree_side, SIDES)}")
    check_whole("threads", threads, 1, 1024)
    chosen = limits or RuleLimits()
    text = aligned_text(_escaped(left), _escaped(right), links)
    native = _build.Rules(text, text.word_links(), *_packed_nodes(trees), chosen.native(tree_side))
    return ExtractedRules(left, right, native, threads)


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
    if tree_side not in SIDES:
        raise UsageError(f"unknown side '{tree_side}'; {near(tree_side, SIDES)}")
    used = None if kind == "hiero" else trees
    signature = f"grammar|v:2|kind:{kind}|tree-side:{tree_side}|{chosen.signature}"
    if engine.distributed:
        sides = _escaped(left), _escaped(right), links
        stage_rules(engine, sides, used, chosen.native(tree_side))
        described = {"kind": KIND, "features": list(FEATURES), "signature": signature}
        engine.write(RULES, path, described, schema=rule_schema(FEATURES))
        return Grammar.open(path)
    rules = extract_rules(
        left, right, links, used, limits=chosen, tree_side=tree_side, threads=engine.threads
    )
    rows = count_rules(rules, engine, min_count=chosen.min_count, identity=chosen.identity)
    return write_grammar(rows, path, FEATURES, {"signature": signature})
