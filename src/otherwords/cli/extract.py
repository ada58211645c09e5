"""`otherwords extract`: phrases, a grammar or lattices from an aligned bitext."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from otherwords.cli.bitexts import (
    AlignedBitext,
    Case,
    GrammarOutput,
    Machines,
    MaxLength,
    target,
    warn,
)
from otherwords.cli.options import Output, limit, names_of, or_default, read, refuse_idle, written
from otherwords.cli.output import check_output, emit_bytes
from otherwords.cli.parameters import option

PhraseFormat = Literal["moses", "parquet"]  # Output formats of phrase pairs.


def phrases_command(
    *,
    aligned: AlignedBitext,
    machine: Machines,
    max_length: MaxLength = 4,
    form: PhraseFormat | None = written(
        "Write this format (default: by the name of -o, else moses).",
        "--format",
        "-f",
    ),
    output: Output = None,
) -> int:
    """Extract all phrase pairs consistent with a word alignment; the left column is the source."""
    from otherwords.build.phrases.moses import extract_phrases

    check_output(output, *aligned.files)
    with machine.engine() as engine:
        extract_phrases(
            aligned.open(),
            target(output),
            engine=engine,
            form=form,
            max_length=max_length,
            warn=warn,
        )
    return 0


# One label, constituents, also CCG-style labels, or the syntax grammar of PARADIGM.
Kind = Literal["hiero", "syntax", "samt", "paradigm"]
TreeSide = Literal["left", "right"]  # The column that has trees.


@dataclass(frozen=True)
class Limits:
    """Limits on extracted rules; the defaults depend on the kind of grammar."""

    phrase_length: int | None = limit(
        "Limit both sides of a phrase pair to this many words (default: 10; syntax, samt: 12).",
        min=1,
        max=200,
    )
    arity: int | None = limit("Limit a rule to this many nonterminals (default: 2).", min=0, max=9)
    lexicality: int | None = limit(
        "Require at least this many links in a rule (default: 1; syntax, samt: 0).", min=0, max=200
    )
    adjacent: bool | None = limit(
        "Allow adjacent nonterminals (default: no; syntax, samt: yes).", "--adjacent/--no-adjacent"
    )
    loose: bool | None = limit(
        "Allow unaligned words at edges (default: tight; syntax, samt: loose).", "--loose/--tight"
    )
    abstract: bool | None = limit(
        "Allow rules without words (default: no).", "--abstract/--no-abstract"
    )
    nonlexical_x: bool | None = limit(
        "Allow X in rules with nonterminals (default: yes; syntax, samt: no).",
        "--nonlexical-x/--no-nonlexical-x",
    )
    source_symbols: int | None = limit(
        "Limit the source side of rules with nonterminals to this many symbols (default: 5).",
        min=1,
        max=32768,
    )
    target_symbols: int | None = limit(
        "Limit the target side of rules with nonterminals to this many symbols (default: 5).",
        min=1,
        max=32768,
    )
    min_count: int | None = limit("Drop rules that occur less often (default: 1).", min=1)
    identity: bool | None = limit(
        "Keep rules whose sides are the same (default: yes).", "--identity/--no-identity"
    )


def grammar_command(
    *,
    aligned: AlignedBitext,
    limits: Limits,
    to: GrammarOutput,
    machine: Machines,
    kind: Kind | None = option("Extract this kind of grammar (default: hiero)."),
    labels: str | None = option(
        "Allow these labels in syntax grammars, separated by commas: constituent, "
        "slash, concatenation, concatenation3 (default: by --kind)."
    ),
    trees: str | None = read(
        "Read trees for syntax and samt, one per line (default: parse the English side)."
    ),
    tree_side: TreeSide | None = read("Read the trees as those of this column (default: right)."),
) -> int:
    """Extract a synchronous grammar as Thrax does; the left column is the source."""
    from otherwords.build.grammar.extraction import extract_grammar, limits_of

    check_output(to.output, *aligned.files, trees)
    kind = kind or ("syntax" if labels else "hiero")
    refuse_idle(kind != "hiero", "--kind syntax or samt", tree_side=tree_side)
    chosen = limits_of(kind, labels=names_of(labels), **vars(limits))
    with machine.engine() as engine:
        extract_grammar(
            aligned.open(),
            target(to.output),
            engine=engine,
            kind=kind,
            limits=chosen,
            trees=trees,
            tree_side=or_default(tree_side, "right"),
            form=to.form,
            warn=warn,
        )
    return 0


def lattices_command(
    *,
    trees: str = read("Read lines of a group, a tab and a tree in PTB brackets."),
    parse: bool = read("Parse the lines: they hold English sentences instead of trees."),
    case: Case = False,
    max_length: int = limit("Limit phrases to this many words.", min=1, max=20, default=5),
    links: bool = written(
        "Print links i-j from the first sentence of a group to each of the others."
    ),
    output: Output = None,
) -> int:
    """Merge the trees of equivalent sentences into lattices, and extract paraphrases (Pang)."""
    from otherwords.build.phrases.lattices import lattice_lines

    check_output(output, trees)
    lines = lattice_lines(trees, parse=parse, links=links, max_length=max_length, case=case)
    emit_bytes((f"{line}\n".encode() for line in lines), output)
    return 0
