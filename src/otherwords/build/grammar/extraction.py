"""Extraction of synchronous rules from aligned pairs: Hiero, constituents, CCG-style labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _build
from otherwords.build.bitext.corpus import Side
from otherwords.build.bitext.links import AlignedFiles, Links
from otherwords.build.bitext.pairs import read_bitext
from otherwords.build.engine.base import Engine
from otherwords.build.engine.parquet import form_of
from otherwords.build.grammar.counting import (
    FEATURES,
    NO_TREES,
    RULES,
    count_rules,
    stage_rules,
)
from otherwords.build.grammar.table import (
    GRAMMAR_FORMATS,
    KIND,
    Grammar,
    escape,
    rule_schema,
    text_chunks,
    write_grammar,
)
from otherwords.build.grammar.trees import TreeNodes, parse_nodes, read_tree_nodes
from otherwords.build.phrases.extraction import aligned_text, rounds
from otherwords.corpus.problems import Finding
from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_flag, check_whole
from otherwords.io.files import STDIN, Target, write_to
from otherwords.io.processes import in_order
from otherwords.models.arrays import Strings
from otherwords.text.language import is_foreign

KINDS = ("hiero", "paradigm", "samt", "syntax")
# The labels of a span, and the limit that allows each; constituents are always labels.
LABELS = {
    "constituent": None,
    "slash": "slashed",
    "concatenation": "concatenated",
    "concatenation3": "concatenated3",
}
SIDES = ("left", "right")
LONGEST = 200  # words of an initial phrase pair
BLOCK_TOKENS = 1 << 12  # tokens of both sides per block of a thread
PART = 1 << 13  # approximate rows that a thread turns into rules at a time
SAMPLE = 200  # sentences for detecting the language
FEWEST_WORDS = 50  # words needed in these sentences; a few names are no evidence


@dataclass(frozen=True)
class RuleLimits:
    """Limits on extracted rules; the defaults are those of Thrax's Hiero example.

    >>> limits_of("samt").phrase_length, limits_of("hiero", arity=1).arity
    (12, 1)
    """

    phrase_length: int = 10  # words per side of an initial phrase pair
    arity: int = 2  # nonterminals
    lexicality: int = 1  # minimum number of links between words
    adjacent: bool = False  # adjacent nonterminals in the source
    loose: bool = False  # phrase pairs with unaligned words at their edges
    abstract: bool = False  # rules without words
    nonlexical_x: bool = True  # the default label in rules with nonterminals
    source_symbols: int = 5  # in rules with nonterminals
    target_symbols: int = 5
    slashed: bool = False  # A/B and A\B
    concatenated: bool = False  # A+B
    concatenated3: bool = False  # A+B+C
    min_count: int = 1  # minimum count of a rule
    identity: bool = True  # rules with the same source and target

    def __post_init__(self) -> None:
        check_whole("phrase_length", self.phrase_length, 1, LONGEST)
        check_whole("arity", self.arity, 0, 9)
        check_whole("lexicality", self.lexicality, 0, LONGEST)
        check_whole("min_count", self.min_count, 1, 2**53)
        check_whole("source_symbols", self.source_symbols, 1, 2 * LONGEST)
        check_whole("target_symbols", self.target_symbols, 1, 2 * LONGEST)
        for field in fields(self):
            if field.type == "bool":
                check_flag(field.name, getattr(self, field.name))

    @property
    def signature(self) -> str:
        shown = {True: "yes", False: "no"}
        return "|".join(
            f"{name.replace('_', '-')}:{shown[value] if isinstance(value, bool) else value}"
            for name, value in asdict(self).items()
        )

    def native(self, tree_side: str) -> dict[str, Any]:
        return {**asdict(self), "labels_on_left": tree_side == "left"}


_SYNTAX = RuleLimits(phrase_length=12, lexicality=0, adjacent=True, loose=True, nonlexical_x=False)
_DEFAULTS = {
    "hiero": RuleLimits(),
    "syntax": _SYNTAX,
    # PARADIGM §5.1: constituents and slashes. The paper gives no limits. With those of Thrax's
    # Hiero example its Figure 1 has 45 rules, as the paper counts.
    "paradigm": replace(_SYNTAX, slashed=True, phrase_length=10, adjacent=False),
    "samt": replace(_SYNTAX, slashed=True, concatenated=True, concatenated3=True),
}


def label_limits(labels: Iterable[str]) -> dict[str, bool]:
    """Return the options of `RuleLimits` that allow exactly these labels.

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


def limits_of(kind: str, *, labels: Iterable[str] | None = None, **changes: Any) -> RuleLimits:
    """Return the limits of a kind of grammar.

    Parameters
    ----------
    kind
        `hiero` and `samt` as Thrax's examples set them, `syntax`, which is SAMT without CCG-style
        labels, or `paradigm`, the syntax grammar of that paper: constituents and slashes.
    labels
        The labels of spans: `constituent`, `slash`, `concatenation`, `concatenation3` (default: by
        the kind).
    changes
        Other fields of `RuleLimits`; `None` stands for the default of the kind.

    >>> limits_of("syntax", labels=["constituent", "slash"]).slashed
    True
    >>> limits_of("paradigm").phrase_length
    10
    """
    if kind not in KINDS:
        raise UsageError(f"unknown kind of grammar '{kind}'; {near(kind, KINDS)}")
    changes = {name: value for name, value in changes.items() if value is not None}
    if labels is not None and kind == "hiero":
        raise UsageError("a Hiero grammar has the one label X; labels need the kind syntax or samt")
    if labels is not None:
        changes |= label_limits(labels)
    return replace(_DEFAULTS[kind], **changes)


class ExtractedRules:
    """The rules of an aligned bitext, block by block; `count_rules` turns them into a grammar.

    A block has the rows of its rules, as bytes for the kernel, and the bounds of parts among them.
    Parts are in the order of the grammar. They depend on the blocks of text, not on threads.
    """

    def __init__(self, left: Side, right: Side, native: _build.Rules, threads: int) -> None:
        self._sides = left, right
        self._threads = threads
        self.native = native

    def __iter__(self) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.int64]]]:
        stretches = list(rounds(*self._sides, BLOCK_TOKENS, 1))
        threads = self._threads if self._threads > 1 else 0
        # Counted blocks are added in the order of the text, while others are counted.
        for counted in in_order(lambda ends: self.native.count(*ends), stretches, threads):
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
    """Extract the rules of an aligned bitext lazily, block by block; the left side is the source.

    `trees` are those of the `tree_side`, `left` or `right`; without them all labels are X.
    """
    if tree_side not in SIDES:
        raise UsageError(f"unknown side '{tree_side}'; {near(tree_side, SIDES)}")
    check_whole("threads", threads, 1, 1024)
    limits = limits or RuleLimits()
    text = aligned_text(_escape_words(left), _escape_words(right), links)
    nodes = NO_TREES
    if trees is not None:
        names = Strings.of(trees.names)
        nodes = (trees.begin, trees.end, trees.label, trees.bounds, names.bytes, names.bounds)
    native = _build.Rules(text, text.word_links(), *nodes, limits.native(tree_side))
    return ExtractedRules(left, right, native, threads)


def _escape_words(side: Side) -> Side:
    return side._replace(words=[escape(word) for word in side.words])


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
    """Extract and count the rules of an aligned bitext, and write a Parquet file.

    Parameters
    ----------
    path
        The output file.
    engine
        The engine that does the work.
    kind
        One of `KINDS`, as in `limits_of`.
    left, right, links
        The bitext and its links; left is the source.
    trees, tree_side
        The nodes of the trees of one side, `left` or `right`, for kinds other than `hiero`.
    limits
        Which rules are extracted (default: those of the kind).
    """
    limits = limits or limits_of(kind)
    if kind != "hiero" and trees is None:
        raise UsageError(f"a grammar of the kind '{kind}' needs trees")
    if tree_side not in SIDES:
        raise UsageError(f"unknown side '{tree_side}'; {near(tree_side, SIDES)}")
    used = None if kind == "hiero" else trees
    signature = f"grammar|v:2|kind:{kind}|tree-side:{tree_side}|{limits.signature}"
    if engine.distributed:
        sides = _escape_words(left), _escape_words(right), links
        stage_rules(engine, sides, used, limits.native(tree_side))
        described = {"kind": KIND, "features": list(FEATURES), "signature": signature}
        engine.write(RULES, path, described, schema=rule_schema(FEATURES))
        return Grammar.open(path)
    rules = extract_rules(
        left, right, links, used, limits=limits, tree_side=tree_side, threads=engine.threads
    )
    rows = count_rules(rules, engine, min_count=limits.min_count, identity=limits.identity)
    return write_grammar(rows, path, FEATURES, {"signature": signature})


def extract_grammar(
    aligned: AlignedFiles,
    output: Target,
    *,
    engine: Engine,
    kind: str = "hiero",
    limits: RuleLimits | None = None,
    trees: str | None = None,
    tree_side: str = "right",
    form: str | None = None,
    warn: Callable[[Finding], None] = lambda finding: None,
) -> None:
    """Write the synchronous grammar of an aligned bitext.

    Parameters
    ----------
    aligned
        The bitext, whose left column is the source, and its links.
    output
        The output file.
    engine
        The engine that does the work.
    kind
        One of `KINDS`, as in `limits_of`.
    limits
        Which rules are extracted (default: `limits_of(kind)`).
    trees
        A file of trees of the side `tree_side`, one per line, for kinds other than `hiero`. By
        default that side is parsed, and must be English.
    tree_side
        `left` or `right`.
    form
        `joshua` or `parquet` (default: by the name of the output).
    warn
        Called with each finding about a line of the bitext.
    """
    limits = limits or limits_of(kind)
    _check_inputs(kind, aligned, trees)
    form = form_of(form, output, GRAMMAR_FORMATS)
    text, links = aligned.read(warn)
    place = SIDES.index(tree_side)
    nodes = None
    if trees is not None:
        nodes = read_tree_nodes(trees, text[place], aligned.bitext)
    elif kind != "hiero":
        nodes = _parse_side(aligned, place, engine)
    if form == "joshua" and not engine.distributed:  # lines can be written as rules are counted
        rules = extract_rules(
            *text, links, nodes, limits=limits, tree_side=tree_side, threads=engine.threads
        )
        rows = count_rules(rules, engine, min_count=limits.min_count, identity=limits.identity)
        with write_to(output) as file:
            file.writelines(text_chunks(rows, FEATURES))
        return
    path = str(output) if form == "parquet" else str(engine.folder / "rules.parquet")
    grammar = build_grammar(
        *text,
        links,
        path,
        engine=engine,
        kind=kind,
        trees=nodes,
        tree_side=tree_side,
        limits=limits,
    )
    if form == "joshua":
        with write_to(output) as file:
            file.writelines(grammar.texts())


def _parse_side(aligned: AlignedFiles, place: int, engine: Engine) -> TreeNodes:
    """Parse a side of the bitext, read again because the parser needs its case."""
    text, _ = read_bitext([aligned.bitext], aligned.tokenizer, case=True)
    side = text[place]
    words = [
        word.lower()
        for number in range(min(SAMPLE, text.size))
        for word in side.sentence(number)
        if any(letter.isalpha() for letter in word)
    ]
    if len(words) >= FEWEST_WORDS and is_foreign(words):
        raise InputError(
            f"the {SIDES[place]} column, which is to be parsed, does not look like English; choose "
            "the other one (--tree-side), or give trees (--trees; `otherwords parse` makes them)",
            path=aligned.bitext,
        )
    return parse_nodes(side, engine)


def _check_inputs(kind: str, aligned: AlignedFiles, trees: str | None) -> None:
    if (aligned.bitext, aligned.alignment, trees).count(STDIN) > 1:
        raise UsageError("standard input can be read only once: name files for the others")
    if kind == "hiero" and trees is not None:
        raise UsageError(
            "a Hiero grammar uses no trees; leave them out, or choose the kind syntax or samt"
        )
    if kind != "hiero" and trees is None and aligned.bitext == STDIN:
        raise UsageError("the bitext is read twice to be parsed: name a file, or give trees")
