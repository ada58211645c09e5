"""Phrase tables as Moses text, and `otherwords extract phrases`.

A line is `source ||| target ||| scores ||| links ||| counts`. The scores are p(s|t), lex(s|t),
p(t|s), lex(t|s); the counts c(t), c(s), c(s, t). Numbers are written with all their digits, so that
reading a table back gives the same table. The word `|||` in a phrase is written with Moses' escape
for bars.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from otherwords.build.bitext.links import AlignedFiles
from otherwords.build.engine.base import Engine
from otherwords.build.engine.parquet import form_of, write_parquet
from otherwords.build.phrases.table import SCHEMA, PhraseTable, build_table
from otherwords.corpus.problems import Finding
from otherwords.errors import InputError
from otherwords.io.files import Target, packed_write, read_lines, write_to
from otherwords.io.values import parse_float
from otherwords.models.paraphrase_files import BARS, ESCAPED_BARS, moses_fields, moses_phrase

BATCH = 1 << 16
_LINK = re.compile(r"[0-9]{1,9}-[0-9]{1,9}")
_SCORES = ("p_source", "lex_source", "p_target", "lex_target")
_COUNTS = ("count_target", "count_source", "count")


def write_moses(table: PhraseTable, path: str | Path) -> None:
    """Write a phrase table as Moses text."""
    with packed_write(path) as file:
        for text in moses_lines(table):
            file.write(text)


def moses_lines(table: PhraseTable) -> Iterator[bytes]:
    """Yield the lines of a phrase table, many at a time."""
    for batch in table.batches():
        phrases = (_escape(batch[name]) for name in ("source", "target"))
        scores = _join(batch, _SCORES, 0.0)
        counts = _join(batch, _COUNTS, "")
        fields = [*phrases, scores, batch["alignment"].fill_null(""), counts]
        lines = pc.binary_join_element_wise(*fields, " ||| ")
        yield "".join(f"{line.rstrip()}\n" for line in lines.to_pylist()).encode("utf-8")


def _join(batch: pa.RecordBatch, names: tuple[str, ...], missing: float | str) -> pa.Array:
    texts = (batch[name].cast(pa.string()).fill_null(str(missing)) for name in names)
    return pc.binary_join_element_wise(*texts, " ")


def _escape(phrases: pa.Array) -> pa.Array:
    if not pc.any(pc.match_substring(phrases, BARS)).as_py():
        return phrases
    return pa.array(
        [
            " ".join(ESCAPED_BARS if word == BARS else word for word in phrase.split(" "))
            for phrase in phrases.to_pylist()
        ]
    )


def read_moses(path: str | Path, parquet: str | Path) -> PhraseTable:
    """Convert a Moses phrase table, plain or `.gz`, to Parquet; refuse bad lines."""
    metadata = {"kind": "phrase-table", "signature": "moses-text|v:1"}
    write_parquet(parquet, SCHEMA, _batches(str(path)), metadata)
    return PhraseTable.open(parquet)


def _batches(name: str) -> Iterator[pa.RecordBatch]:
    rows: list[tuple[Any, ...]] = []
    for number, line in enumerate(read_lines(name), 1):
        try:
            rows.append(_row(line))
        except ValueError as error:
            raise InputError(str(error), path=name, line=number) from error
        if len(rows) == BATCH:
            yield _batch(rows)
            rows = []
    yield _batch(rows)


def _batch(rows: list[tuple[Any, ...]]) -> pa.RecordBatch:
    columns = zip(*rows, strict=True) if rows else ([] for _ in SCHEMA)
    arrays = [
        pa.array(list(cells), field.type) for cells, field in zip(columns, SCHEMA, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


def _row(line: str) -> tuple[Any, ...]:
    fields = moses_fields(line)
    if len(fields) < 3:
        raise ValueError(f"{len(fields)} fields; source ||| target ||| scores are needed")
    source, target, scores, links, counts = (*fields, "", "")[:5]
    source, target = _phrase(source), _phrase(target)
    alignment = _links(links, source.count(" ") + 1, target.count(" ") + 1)
    return (source, target, *_scores(scores), alignment, *_counts(counts))


def _phrase(text: str) -> str:
    if text[:1] in ("", " ") or text[-1] == " " or "  " in text or "\t" in text:
        text = " ".join(word for word in re.split("[ \t]", text) if word)
    if not text:
        raise ValueError("a phrase is empty")
    return moses_phrase(text)


def _scores(text: str) -> list[float]:
    scores = text.split()
    if len(scores) < 4:
        raise ValueError(f"{len(scores)} scores; p(s|t) lex(s|t) p(t|s) lex(t|s) are needed")
    return [_probability(score) for score in scores[:4]]


def _number(text: str) -> float:
    try:
        return parse_float(text)
    except ValueError:
        return math.nan


def _probability(text: str) -> float:
    value = _number(text)
    if not 0 <= value <= 1:
        raise ValueError(f"score '{text}' is not a probability")
    return value


@lru_cache(1 << 16)
def _links(text: str, left: int, right: int) -> str:
    for link in text.split():
        if not _LINK.fullmatch(link):
            raise ValueError(f"'{link}' is not a link; write i-j, two positions from 0")
        i, j = link.split("-")
        if int(i) >= left or int(j) >= right:
            raise ValueError(f"link {link} points past the end: {left} and {right} words")
    return " ".join(text.split())


def _counts(text: str) -> tuple[int | None, int | None, int | None]:
    counts = text.split()
    if len(counts) < 3:
        return None, None, None
    target, source, both = (_whole(count) for count in counts[:3])
    if not 0 < both <= min(target, source):
        raise ValueError(f"counts '{text}' cannot be: c(s, t) must be 1 to c(t) and c(s)")
    return target, source, both


def _whole(text: str) -> int:
    value = _number(text)
    if not (0 <= value < 2**53 and value == int(value)):
        raise ValueError(f"count '{text}' is not a whole number")
    return int(value)


PHRASE_FORMATS = ("moses", "parquet")


def extract_phrases(
    aligned: AlignedFiles,
    output: Target,
    *,
    engine: Engine,
    form: str | None = None,
    max_length: int = 4,
    warn: Callable[[Finding], None] = lambda finding: None,
) -> None:
    """Write the phrase pairs of an aligned bitext.

    Parameters
    ----------
    aligned
        The bitext, whose left column is the source, and its links.
    output
        The output file.
    engine
        The engine that does the work.
    form
        `moses` or `parquet` (default: by the name of the output).
    max_length
        The most words in a phrase of either side, up to 7.
    warn
        Called with each finding about a line of the bitext.
    """
    form = form_of(form, output, PHRASE_FORMATS)
    text, links = aligned.read(warn)
    path = engine.folder / "table.parquet" if form == "moses" else str(output)
    table = build_table(*text, links, path, max_length=max_length, engine=engine)
    if form == "moses":
        with write_to(output) as file:
            file.writelines(moses_lines(table))
