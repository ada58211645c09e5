"""Grammars in files made into others: `otherwords grammar convert`, `prune` and `pivot`."""

from __future__ import annotations

from collections.abc import Callable

from otherwords.build.engine.base import Engine
from otherwords.build.engine.parquet import form_of
from otherwords.build.grammar.files import grammar_of, text_chunks
from otherwords.build.grammar.table import Grammar, write_grammar
from otherwords.io.files import Target, write_to

__all__ = ["GRAMMAR_FORMATS", "convert_grammar"]

GRAMMAR_FORMATS = ("joshua", "parquet")

# prune_grammar or pivot_grammar, with all arguments but the first two and the engine.
Change = Callable[..., Grammar]


def convert_grammar(
    file: str,
    output: Target,
    *,
    engine: Engine,
    form: str | None = None,
    change: Change | None = None,
) -> None:
    """Write a grammar as `joshua` text or as `parquet` (by the output's name unless given).

    `change`, if given, makes another grammar of it: `partial(prune_grammar, top=1, rank_by="p")`.
    """
    form = form_of(form, output, GRAMMAR_FORMATS)
    grammar = grammar_of(file, engine.folder)
    is_text = form == "joshua"
    if change is not None:
        path = str(engine.folder / "changed.parquet") if is_text else str(output)
        grammar = change(grammar, path, engine=engine)
    elif not is_text:
        write_grammar(grammar.batches(), str(output), grammar.features, grammar.metadata)
    if is_text:
        with write_to(output) as out:
            out.writelines(text_chunks(grammar.batches(), grammar.features))
