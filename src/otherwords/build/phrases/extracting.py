"""Phrase pairs of an aligned bitext in files: `otherwords extract phrases`."""

from __future__ import annotations

from collections.abc import Callable

from otherwords.build.bitext.links import read_links
from otherwords.build.bitext.pairs import read_bitext, require_pairs
from otherwords.build.engine.base import Engine
from otherwords.build.engine.parquet import form_of
from otherwords.build.phrases.extraction import extract_lines
from otherwords.build.phrases.moses import moses_lines
from otherwords.build.phrases.table import build_table
from otherwords.corpus.findings import Finding
from otherwords.errors import UsageError
from otherwords.io.files import STDIN, Target, write_to

__all__ = ["PHRASE_FORMATS", "extract_phrases"]

PHRASE_FORMATS = ("moses", "parquet", "extract")


def extract_phrases(
    bitext: str,
    alignment: str,
    output: Target,
    *,
    engine: Engine,
    form: str | None = None,
    max_length: int = 4,
    tokenizer: str = "auto",
    case: bool = False,
    warn: Callable[[Finding], None] = lambda finding: None,
) -> None:
    """Write the phrase pairs of a bitext and its links `i-j`; the left column is the source.

    `form` is `moses` or `parquet` for a scored table (by the name of the output unless given), or
    `extract` for every pair as often as it occurs. `warn` is called with what is wrong with lines.
    """
    if bitext == alignment == STDIN:
        raise UsageError("standard input can be read only once: name a file for the bitext")
    form = form_of(form, output, PHRASE_FORMATS)
    text, _ = read_bitext([bitext], tokenizer, case=case, warn=warn)
    require_pairs(text, bitext)
    links = read_links(alignment, text, bitext)
    if form == "extract":
        lines = extract_lines(*text, links, max_length=max_length, threads=engine.threads)
    else:
        path = engine.folder / "table.parquet" if form == "moses" else str(output)
        table = build_table(*text, links, path, max_length=max_length, engine=engine)
        lines = moses_lines(table)
    if form != "parquet":
        with write_to(output) as file:
            file.writelines(lines)
