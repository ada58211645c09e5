"""`otherwords grammar`: look into grammars, convert, prune, pivot and index them."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from otherwords.cli.bitexts import Memory, Temporary, Threads
from otherwords.cli.extract_grammar import GrammarForm, GrammarFormat, batch_bytes, chosen_format
from otherwords.cli.options import Output
from otherwords.cli.output import check_output, emit, emit_bytes, file_wanted, indented
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.engine import Engine
    from otherwords.grammar import Grammar


File = Annotated[
    str,
    typer.Argument(help="Joshua, Thrax or PPDB text, plain or .gz, or Parquet.", metavar="FILE"),
]


class InfoFormat(StrEnum):
    """Output formats of `grammar info`."""

    text = "text"
    json = "json"


class Side(StrEnum):
    """A side of a rule."""

    source = "source"
    target = "target"


def info_command(
    file: File,
    form: Annotated[InfoFormat, typer.Option("--format", "-f", help="Output format.")] = (
        InfoFormat.text
    ),
    output: Output = None,
) -> int:
    """Count the rules of a grammar, by type, and show the range of each feature."""
    from otherwords.engine import Engine
    from otherwords.grammar import GrammarIndex, describe, grammar_of
    from otherwords.grammar.index import is_index

    check_output(output, file)
    if is_index(file):
        document = GrammarIndex.open(file).description()
    else:
        with Engine() as engine:
            document = describe(grammar_of(file, engine.folder))
    if form is InfoFormat.json:
        emit([json.dumps(document, indent=2, ensure_ascii=False)], output)
    else:
        emit(indented(document, ""), output)
    return 0


def convert_command(file: File, form: GrammarForm = None, output: Output = None) -> int:
    """Write a grammar in another format."""
    _changed(file, output, form, 1, 2.0, None, None)
    return 0


def prune_command(
    file: File,
    at_least: Annotated[
        list[str] | None, typer.Option("--at-least", help="FEATURE=NUMBER; may be repeated.")
    ] = None,
    at_most: Annotated[
        list[str] | None, typer.Option("--at-most", help="FEATURE=NUMBER; may be repeated.")
    ] = None,
    labels: Annotated[
        int | None, typer.Option("--labels", help="Of rules that differ in labels only.", min=1)
    ] = None,
    top: Annotated[int | None, typer.Option("--top", help="Of each source side.", min=1)] = None,
    rank_by: Annotated[
        str | None, typer.Option("--by", help="Feature whose smallest values are the best.")
    ] = None,
    descending: Annotated[
        bool, typer.Option("--descending", help="Its largest values are the best.")
    ] = False,
    form: GrammarForm = None,
    output: Output = None,
    threads: Threads = 1,
    memory: Memory = 2.0,
    temporary: Temporary = None,
) -> int:
    """Leave rules out: by features, then by labels, then all but the best of each source."""
    from otherwords.grammar import prune_grammar

    bounds = [_bounds(given or []) for given in (at_least, at_most)]

    def prune(grammar: Grammar, path: str, engine: Engine) -> Grammar:
        return prune_grammar(
            grammar,
            path,
            engine=engine,
            at_least=bounds[0],
            at_most=bounds[1],
            labels=labels,
            top=top,
            rank_by=rank_by,
            descending=descending,
        )

    _changed(file, output, form, threads, memory, temporary, prune)
    return 0


def pivot_command(
    file: File,
    foreign: Annotated[
        Side, typer.Option("--foreign", help="The side that is left out.")
    ] = Side.source,
    min_step: Annotated[
        float, typer.Option("--min-step", help="Smallest p(f|e1) and p(e2|f).", min=0, max=1)
    ] = 0.0,
    min_probability: Annotated[
        float, typer.Option("--min-probability", help="Smallest p(e2|e1).", min=0, max=1)
    ] = 0.0,
    identity: Annotated[
        bool, typer.Option("--identity/--no-identity", help="Keep rules with equal sides.")
    ] = True,
    form: GrammarForm = None,
    output: Output = None,
    threads: Threads = 1,
    memory: Memory = 2.0,
    temporary: Temporary = None,
) -> int:
    """Make a paraphrase grammar of a bilingual one."""
    from otherwords.grammar import pivot_grammar

    def pivot(grammar: Grammar, path: str, engine: Engine) -> Grammar:
        return pivot_grammar(
            grammar,
            path,
            engine=engine,
            foreign=foreign.value,
            min_step=min_step,
            min_probability=min_probability,
            identity=identity,
        )

    _changed(file, output, form, threads, memory, temporary, pivot)
    return 0


def index_command(file: File, output: Output = None, temporary: Temporary = None) -> int:
    """Write the index of a grammar, in which a sentence pair finds the rules that it can use."""
    from otherwords.grammar import GrammarIndex

    check_output(output, file)
    path = file_wanted(output, "an index")
    GrammarIndex.build(Path(file), path, temporary=temporary)
    return 0


def _changed(
    file: str,
    output: str | None,
    form: GrammarFormat | None,
    threads: int,
    memory: float,
    temporary: str | None,
    change: Callable[[Grammar, str, Engine], Grammar] | None,
) -> None:
    """Read a grammar, change it, and write it in the wanted format."""
    from otherwords.engine import Engine
    from otherwords.grammar import grammar_of, write_grammar

    check_output(output, file)
    form = chosen_format(form, output)
    with Engine(threads=threads, memory_gb=memory, temporary=temporary) as engine:
        grammar = grammar_of(file, engine.folder)
        is_text = form is GrammarFormat.joshua
        if change is not None:
            path = str(engine.folder / "changed.parquet") if is_text else str(output)
            grammar = change(grammar, path, engine)
        elif not is_text:
            write_grammar(grammar.batches(), str(output), grammar.features, grammar.metadata)
        if is_text:
            emit_bytes(batch_bytes(grammar.batches(), grammar.features), output)


def _bounds(given: list[str]) -> dict[str, float]:
    """The numbers of `feature=number`.

    >>> _bounds(["count=2"])
    {'count': 2.0}
    """
    bounds = {}
    for text in given:
        name, equals, value = text.rpartition("=")
        try:
            bounds[name] = float(value)
        except ValueError:
            equals = ""
        if not equals or not name:
            raise UsageError(f"a bound is feature=number, not '{text}'")
    return bounds
