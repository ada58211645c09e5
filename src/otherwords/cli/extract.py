"""`otherwords extract`: phrases, a grammar or lattices from an aligned bitext."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from otherwords.cli.bitexts import (
    AlignedBitext,
    Case,
    GrammarOutput,
    Machines,
    MaxLength,
    target,
    warn,
)
from otherwords.cli.options import Output, given, limit, names_of, read, refuse_idle, written
from otherwords.cli.output import check_output, emit_bytes
from otherwords.cli.parameters import Option

__all__ = ["grammar_command", "lattices_command", "phrases_command"]


class PhraseFormat(StrEnum):
    """Output formats of phrase pairs."""

    moses = "moses"
    parquet = "parquet"
    extract = "extract"


def phrases_command(
    aligned: AlignedBitext,
    machine: Machines,
    max_length: MaxLength = 4,
    form: Annotated[
        PhraseFormat | None,
        written(
            "--format",
            "-f",
            help="Write a scored table (moses, parquet) or every pair (extract) (default: by the "
            "name of -o).",
        ),
    ] = None,
    output: Output = None,
) -> int:
    """Extract all phrase pairs consistent with a word alignment; the left column is the source."""
    from otherwords.build.phrases.moses import extract_phrases

    machine.check_output(output, *aligned.files)
    with machine.engine() as engine:
        extract_phrases(
            aligned.opened(),
            target(output),
            engine=engine,
            form=form,
            max_length=max_length,
            warn=warn,
        )
    return 0


class Kind(StrEnum):
    """One label, constituents, also CCG-style labels, or the syntax grammar of PARADIGM."""

    hiero = "hiero"
    syntax = "syntax"
    samt = "samt"
    paradigm = "paradigm"


class TreeSide(StrEnum):
    """The column that the trees are of."""

    left = "left"
    right = "right"


class Unary(StrEnum):
    """The label of a unary chain."""

    top = "top"
    bottom = "bottom"
    all = "all"


@dataclass(frozen=True)
class Limits:
    """Which rules are kept; without a value, what is usual for the kind of grammar."""

    phrase_length: Annotated[
        int | None,
        limit(
            "--phrase-length",
            help="Limit both sides of a phrase pair to this many words (default: 10; syntax, "
            "samt: 12).",
            min=1,
            max=200,
        ),
    ] = None
    arity: Annotated[
        int | None,
        limit("--arity", help="Limit a rule to this many nonterminals (default: 2).", min=0, max=9),
    ] = None
    lexicality: Annotated[
        int | None,
        limit(
            "--lexicality",
            help="Require at least this many links in a rule (default: 1; syntax, samt: 0).",
            min=0,
            max=200,
        ),
    ] = None
    adjacent: Annotated[
        bool | None,
        limit(
            "--adjacent/--no-adjacent",
            help="Allow adjacent nonterminals (default: no; syntax, samt: yes).",
        ),
    ] = None
    loose: Annotated[
        bool | None,
        limit(
            "--loose/--tight",
            help="Allow unaligned words at edges (default: tight; syntax, samt: loose).",
        ),
    ] = None
    abstract: Annotated[
        bool | None,
        limit("--abstract/--no-abstract", help="Allow rules without words (default: no)."),
    ] = None
    nonlexical_x: Annotated[
        bool | None,
        limit(
            "--nonlexical-x/--no-nonlexical-x",
            help="Allow X in rules with nonterminals (default: yes; syntax, samt: no).",
        ),
    ] = None
    source_symbols: Annotated[
        int | None,
        limit(
            help="Limit the source side of rules with nonterminals to this many symbols "
            "(default: 5).",
            min=1,
            max=32768,
        ),
    ] = None
    target_symbols: Annotated[
        int | None,
        limit(
            help="Limit the target side of rules with nonterminals to this many symbols "
            "(default: 5).",
            min=1,
            max=32768,
        ),
    ] = None
    source_words: Annotated[
        int | None,
        limit(
            help="Limit the source side of rules with nonterminals to this many words (default: no "
            "limit).",
            min=0,
            max=32768,
        ),
    ] = None
    target_words: Annotated[
        int | None,
        limit(
            help="Limit the target side of rules with nonterminals to this many words (default: no "
            "limit).",
            min=0,
            max=32768,
        ),
    ] = None
    rule_span: Annotated[
        int | None,
        limit(
            help="Limit the words that a side of a rule covers (default: no limit).",
            min=1,
            max=32768,
        ),
    ] = None
    full_sentence: Annotated[
        bool | None,
        limit(
            "--full-sentence/--no-full-sentence",
            help="Also make a rule of each whole pair, of any length (default: no).",
        ),
    ] = None
    unary: Annotated[
        Unary | None,
        limit("--unary", help="Take the label of a unary chain from here (default: bottom)."),
    ] = None
    min_count: Annotated[
        int | None,
        limit("--min-count", help="Drop rules that occur less often (default: 1).", min=1),
    ] = None
    identity: Annotated[
        bool | None,
        limit(
            "--identity/--no-identity", help="Keep rules whose sides are the same (default: yes)."
        ),
    ] = None


def grammar_command(
    aligned: AlignedBitext,
    limits: Limits,
    to: GrammarOutput,
    machine: Machines,
    kind: Annotated[
        Kind | None, Option("--kind", help="Extract this kind of grammar (default: hiero).")
    ] = None,
    labels: Annotated[
        str | None,
        Option(
            "--labels",
            help="Allow these labels in syntax grammars, separated by commas: constituent, "
            "slash, concatenation, concatenation3 (default: by --kind).",
        ),
    ] = None,
    trees: Annotated[
        str | None,
        read(
            "--trees",
            help="Read trees for syntax and samt, one per line (default: parse the English side).",
        ),
    ] = None,
    tree_side: Annotated[
        TreeSide | None,
        read("--tree-side", help="Read the trees as those of this column (default: right)."),
    ] = None,
) -> int:
    """Extract a synchronous grammar as Thrax does; the left column is the source."""
    from otherwords.build.grammar.extraction import extract_grammar, limits_of

    machine.check_output(to.output, *aligned.files, trees)
    kind = kind or (Kind.syntax if labels else Kind.hiero)
    refuse_idle(kind is not Kind.hiero, "--kind syntax or samt", tree_side=tree_side)
    chosen = limits_of(kind, labels=names_of(labels), **vars(limits))
    with machine.engine() as engine:
        extract_grammar(
            aligned.opened(),
            target(to.output),
            engine=engine,
            kind=kind,
            limits=chosen,
            trees=trees,
            tree_side=given(tree_side, TreeSide.right),
            form=to.form,
            warn=warn,
        )
    return 0


def lattices_command(
    trees: Annotated[
        str, read("--trees", help="Read lines of a group, a tab and a tree in PTB brackets.")
    ],
    parse: Annotated[
        bool, read("--parse", help="Parse the lines: they hold English sentences instead of trees.")
    ] = False,
    case: Case = False,
    max_length: Annotated[
        int, limit("--max-length", help="Limit phrases to this many words.", min=1, max=20)
    ] = 5,
    links: Annotated[
        bool,
        written(
            "--links",
            help="Print links i-j from the first sentence of a group to each of the others.",
        ),
    ] = False,
    output: Output = None,
) -> int:
    """Merge the trees of equivalent sentences into lattices, and extract paraphrases (Pang)."""
    from otherwords.build.phrases.lattices import lattice_lines

    check_output(output, trees)
    lines = lattice_lines(trees, parse=parse, links=links, max_length=max_length, case=case)
    emit_bytes((f"{line}\n".encode() for line in lines), output)
    return 0
