"""`otherwords extract grammar`: an aligned bitext in, its synchronous grammar out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from otherwords.cli.bitexts import (
    BitextTokenizer,
    Case,
    Memory,
    Temporary,
    Threads,
    read_bitext,
    tell,
)
from otherwords.cli.options import Output
from otherwords.cli.output import check_output, emit_bytes, file_wanted
from otherwords.errors import UsageError
from otherwords.io.files import STDIN

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["GrammarForm", "GrammarFormat", "batch_bytes", "chosen_format", "grammar_command"]


LINES = 1 << 13  # of text in memory at a time


class Kind(StrEnum):
    """Kinds of grammars: one label, constituents, or also CCG-style labels."""

    hiero = "hiero"
    syntax = "syntax"
    samt = "samt"


class TreeSide(StrEnum):
    """The column that the trees are of."""

    left = "left"
    right = "right"


class Unary(StrEnum):
    """The label of a unary chain."""

    top = "top"
    bottom = "bottom"
    all = "all"


class GrammarFormat(StrEnum):
    """Output formats of grammars."""

    joshua = "joshua"
    parquet = "parquet"


GrammarForm = Annotated[
    GrammarFormat | None,
    typer.Option("--format", "-f", help="Text, or parquet (the default if so named)."),
]


def chosen_format(form: GrammarFormat | None, output: str | None) -> GrammarFormat:
    """The format asked for, or that of the name of the output; Parquet goes to a file."""
    if form is None:
        named = output is not None and output.endswith(".parquet")
        form = GrammarFormat.parquet if named else GrammarFormat.joshua
    if form is GrammarFormat.parquet:
        file_wanted(output)
    return form


def grammar_command(
    bitext: Annotated[
        str, typer.Option("--bitext", help="Two columns with a tab or ||| between them.")
    ],
    alignment: Annotated[
        str, typer.Option("--alignment", help="Links i-j of each line, from 0, left first.")
    ],
    kind: Annotated[Kind, typer.Option("--kind", help="Labels of the rules.")] = Kind.hiero,
    trees: Annotated[
        str | None,
        typer.Option(
            "--trees", help="A tree in brackets a line, for syntax and samt; else we parse English."
        ),
    ] = None,
    tree_side: Annotated[
        TreeSide, typer.Option("--tree-side", help="The column that the trees are of.")
    ] = TreeSide.right,
    phrase_length: Annotated[
        int | None,
        typer.Option("--phrase-length", help="Words of a phrase pair; 10, or 12.", min=1, max=200),
    ] = None,
    arity: Annotated[
        int | None, typer.Option("--arity", help="Nonterminals of a rule; 2.", min=0, max=9)
    ] = None,
    lexicality: Annotated[
        int | None,
        typer.Option("--lexicality", help="Links of a rule, at least; 1, or 0.", min=0, max=200),
    ] = None,
    adjacent: Annotated[
        bool | None,
        typer.Option("--adjacent/--no-adjacent", help="Nonterminals side by side; no, or yes."),
    ] = None,
    loose: Annotated[
        bool | None,
        typer.Option("--loose/--tight", help="Unaligned words at edges; tight, or loose."),
    ] = None,
    abstract: Annotated[
        bool | None, typer.Option("--abstract/--no-abstract", help="Rules without words; no.")
    ] = None,
    nonlexical_x: Annotated[
        bool | None,
        typer.Option("--nonlexical-x/--no-nonlexical-x", help="X in rules with nonterminals."),
    ] = None,
    source_symbols: Annotated[
        int | None,
        typer.Option(help="Source symbols of rules with nonterminals; 5.", min=1, max=32768),
    ] = None,
    target_symbols: Annotated[
        int | None,
        typer.Option(help="Target symbols of rules with nonterminals; 5.", min=1, max=32768),
    ] = None,
    source_words: Annotated[
        int | None,
        typer.Option(help="Source words of rules with nonterminals; off.", min=0, max=32768),
    ] = None,
    target_words: Annotated[
        int | None,
        typer.Option(help="Target words of rules with nonterminals; off.", min=0, max=32768),
    ] = None,
    rule_span: Annotated[
        int | None, typer.Option(help="Words a rule covers, a side; off.", min=1, max=32768)
    ] = None,
    full_sentence: Annotated[
        bool | None,
        typer.Option("--full-sentence/--no-full-sentence", help="Rules of whole pairs; no."),
    ] = None,
    unary: Annotated[
        Unary | None, typer.Option("--unary", help="Label of a unary chain; bottom.")
    ] = None,
    min_count: Annotated[
        int | None, typer.Option("--min-count", help="Times that a rule was seen; 1.", min=1)
    ] = None,
    identity: Annotated[
        bool | None,
        typer.Option("--identity/--no-identity", help="Rules whose sides are the same; yes."),
    ] = None,
    form: GrammarForm = None,
    output: Output = None,
    tokenizer: BitextTokenizer = "auto",
    case: Case = False,
    threads: Threads = 1,
    memory: Memory = 2.0,
    temporary: Temporary = None,
) -> int:
    """Extract a synchronous grammar as Thrax does; the left column is the source."""
    given = dict(locals())
    _check_inputs(kind, bitext, alignment, trees)
    check_output(output, *bitext.split(","), alignment, trees)
    form = chosen_format(form, output)

    from otherwords.bitext.links import read_links
    from otherwords.engine import Engine
    from otherwords.grammar.extraction import (
        FEATURES,
        Limits,
        build_grammar,
        count_rules,
        extract_rules,
        limits_of,
    )
    from otherwords.grammar.trees import parsed_nodes, read_tree_nodes

    options = {name: given[name] for name in Limits.__dataclass_fields__ if name in given}
    chosen = {name: value for name, value in options.items() if value is not None}
    limits = limits_of(kind.value, **chosen)
    text, report = read_bitext([bitext], tokenizer, case)
    links = read_links(alignment, text, bitext)
    side = text.left if tree_side is TreeSide.left else text.right
    nodes = None
    if trees is not None:
        nodes = read_tree_nodes(trees, side, bitext)
    elif kind is not Kind.hiero:
        cased, _ = read_bitext([bitext], tokenizer, True)
        nodes = parsed_nodes(cased[tree_side is TreeSide.right], threads)
    tell(report)
    with Engine(threads=threads, memory_gb=memory, temporary=temporary) as engine:
        if form is GrammarFormat.parquet:
            build_grammar(
                text.left,
                text.right,
                links,
                str(output),
                engine=engine,
                kind=kind.value,
                trees=nodes,
                tree_side=tree_side.value,
                limits=limits,
            )
            return 0
        rules = extract_rules(
            text.left,
            text.right,
            links,
            nodes,
            limits=limits,
            tree_side=tree_side.value,
            threads=threads,
        )
        batches = engine.run(count_rules(rules, engine, limits))
        emit_bytes(batch_bytes(batches, FEATURES), output)
    return 0


def _check_inputs(kind: Kind, bitext: str, alignment: str, trees: str | None) -> None:
    if (bitext, alignment, trees).count(STDIN) > 1:
        raise UsageError("standard input can be read only once: give files for the others")
    if kind is Kind.hiero and trees is not None:
        raise UsageError("a Hiero grammar has no use for trees; --kind syntax or samt has")
    if kind is not Kind.hiero and trees is None and bitext == STDIN:
        raise UsageError("the bitext is read twice to be parsed: give a file, or --trees")


def batch_bytes(batches: Iterable[pa.RecordBatch], features: Sequence[str]) -> Iterator[bytes]:
    """The lines of the rows of a grammar, many at a time."""
    from otherwords.grammar.files import batch_text
    from otherwords.grammar.table import rule_schema

    schema = rule_schema(features)
    for batch in batches:
        rows = batch.cast(schema)
        for start in range(0, len(rows), LINES):
            yield batch_text(rows.slice(start, LINES), features)
