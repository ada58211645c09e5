"""Files of paraphrases of any origin: pairs (a, b) with p(b|a), read many at a time.

moses   `a ||| b ||| scores`, p(b|a) being the third score as in `phrases.moses`, or the only one
ppdb    rules of PPDB 1.0 and 2.0 (Ganitkevitch et al. 2013; Pavlick et al. 2015), `[LHS] ||| a |||
        b ||| Name=value ...`, with p(b|a) as a negative logarithm
meteor  three lines an entry: score, a, b (Denkowski & Lavie 2014)
tsv     a, b and perhaps a score from 0 to 1, tabs between them; also what `otherwords pivot` prints

Parquet files that `otherwords pivot` has written are read too, and so are phrase tables of English
and English.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from otherwords.build.engine.parquet import metadata_of, open_parquet
from otherwords.build.phrases.moses import fields_of, unescaped
from otherwords.build.phrases.pivoting import PARAPHRASES, SETS, Paraphrases
from otherwords.build.phrases.table import PhraseTable
from otherwords.errors import InputError, UsageError, near
from otherwords.io.files import STDIN, read_lines

__all__ = ["FORMS", "PairFile", "ParaphraseBatch"]

FORMS = ("auto", "moses", "ppdb", "meteor", "tsv")
BATCH = 1 << 16  # pairs
_ROWS = 1 << 19  # of a Parquet file: few lookups of what is wanted
_HEADER = PARAPHRASES.names
_KNOWN = (
    "lines `a ||| b ||| scores`, PPDB rules, METEOR's three lines per entry, "
    "or two columns with a tab between them"
)
# p(e|f) of PPDB 1.0 is that of the target given the source, as Thrax names them.
_PPDB_SCORE = re.compile(r"(?<!\S)(?:p\(e\|f\)|-logp\(e2\|e1\))=(\S+)")
_LABEL = re.compile(r"\[\S+\]")
_NONTERMINAL = re.compile(r"(?<!\S)\[\S+,\d+\](?!\S)")

Row = tuple[str, str, float]


class ParaphraseBatch(NamedTuple):
    """Many pairs: phrases, paraphrases, p(paraphrase|phrase), the lines they are in if known."""

    phrases: Sequence[str]
    paraphrases: Sequence[str]
    probabilities: NDArray[np.float64]
    lines: Sequence[int] | None


class PairFile:
    """A file of paraphrases, to be read once; `form` and `skipped` are known afterwards."""

    def __init__(
        self,
        path: str | Path,
        form: str = "auto",
        *,
        wanted: Collection[str] | None = None,
        likely: float = 0.0,
    ) -> None:
        """Pairs less `likely`, or whose phrase in lower case is not `wanted`, may be left out."""
        if form not in FORMS:
            raise UsageError(f"unknown format '{form}'; {near(str(form), FORMS)}")
        self.path = Path(path)
        self.form = form
        self.skipped: Counter[str] = Counter()
        self._likely = likely
        self._wanted = None if wanted is None else pa.array(sorted(wanted), pa.string())

    def __iter__(self) -> Iterator[ParaphraseBatch]:
        """The pairs, many at a time, as they are written."""
        if self.form == "auto" and _is_parquet(self.path):
            self.form = "parquet"
            return self._parquet()
        lines = read_lines(self.path)
        first = list(islice(lines, 3))
        if self.form == "auto":
            self.form = self._found_out(first)
        lines = chain(first, lines)
        if self.form == "meteor":
            return self._meteor(lines)
        parse = {"moses": _moses, "ppdb": self._ppdb, "tsv": _tsv}[self.form]
        skip = 0
        if self.form == "tsv" and first and first[0].split("\t") == _HEADER:
            parse, skip = _pivoted, 1
        return self._rows(lines, parse, skip)

    def _found_out(self, first: Sequence[str]) -> str:
        """What the first lines look like."""
        if not first:
            raise InputError(f"the file is empty; it should have {_KNOWN}", path=self.path)
        if not first[0].strip():
            raise InputError(f"the line is empty; it should have {_KNOWN}", path=self.path, line=1)
        fields = fields_of(first[0])
        if len(fields) > 1:
            rule = _LABEL.fullmatch(fields[0]) and len(fields) > 3 and "=" in fields[3]
            return "ppdb" if rule else "moses"
        if "\t" in first[0]:
            return "tsv"
        if _number(first[0]) is not None and len(first) == 3:
            return "meteor"
        raise InputError(f"this is not a table of paraphrases: {_KNOWN}", path=self.path, line=1)

    def _rows(
        self, lines: Iterator[str], parse: Callable[[str], Row | None], skip: int
    ) -> Iterator[ParaphraseBatch]:
        """From files with one entry per line."""
        rows: list[Row] = []
        places: list[int] = []
        for number, line in enumerate(islice(lines, skip, None), skip + 1):
            try:
                row = parse(line)
            except ValueError as error:
                message = f"{error} (read as {self.form})"
                raise InputError(message, path=self.path, line=number) from error
            if row is None:
                continue
            rows.append(row)
            places.append(number)
            if len(rows) == BATCH:
                yield _columns(rows, places)
                rows, places = [], []
        if rows:
            yield _columns(rows, places)

    def _meteor(self, lines: Iterator[str]) -> Iterator[ParaphraseBatch]:
        done = 0
        while entries := list(islice(lines, 3 * BATCH)):
            if len(entries) % 3:
                message = "the file ends inside an entry: score, phrase, paraphrase are needed"
                raise InputError(message, path=self.path, line=done + len(entries))
            try:
                scores = np.array(list(map(float, entries[0::3])))
            except ValueError as error:
                row = next(i for i, text in enumerate(entries[0::3]) if _number(text) is None)
                message = (
                    f"'{entries[3 * row]:.40}' is not a score; METEOR has one in every third line"
                )
                raise InputError(message, path=self.path, line=done + 3 * row + 1) from error
            places = range(done + 1, done + 1 + len(entries), 3)
            yield ParaphraseBatch(entries[1::3], entries[2::3], self._capped(scores), places)
            done += len(entries)

    def _capped(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sums of rounded or damaged counts exceed 1 in METEOR's table and in PPDB."""
        above = (scores > 1) & np.isfinite(scores)
        self.skipped["scores_lowered_to_1"] += int(above.sum())
        return np.where(above, 1.0, scores)

    def _ppdb(self, line: str) -> Row | None:
        fields = fields_of(line)
        if len(fields) < 4:
            raise ValueError(f"{len(fields)} fields; [LHS] ||| a ||| b ||| Name=value are needed")
        _, phrase, paraphrase, features = fields[:4]
        if _NONTERMINAL.search(phrase) or _NONTERMINAL.search(paraphrase):
            self.skipped["rules_with_nonterminals"] += 1
            return None
        found = _PPDB_SCORE.search(features)
        if found is None:
            raise ValueError("the features have neither p(e|f) nor -logp(e2|e1)")
        cost = _number(found[1])
        if cost is None or not math.isfinite(cost):
            raise ValueError(f"'{found[0]}' is not a negative logarithm")
        if cost < 0:
            self.skipped["scores_lowered_to_1"] += 1
        return phrase, paraphrase, math.exp(-max(cost, 0.0))

    def _parquet(self) -> Iterator[ParaphraseBatch]:
        with open_parquet(self.path, {}, "paraphrase table") as file:
            is_phrase_table = metadata_of(file).get("kind") == "phrase-table"
        table: Paraphrases | PhraseTable
        if is_phrase_table:
            table, names = PhraseTable.open(self.path), ["source", "target", "p_target"]
        else:
            table, names = Paraphrases.open(self.path), _HEADER[:3]
            if table.columns != _HEADER:
                raise InputError(_sets_message(), path=self.path)
        for batch in table.batches(names, _ROWS):
            columns = batch.columns
            if self._likely > 0:
                columns = _filtered(columns, pc.greater_equal(columns[2], self._likely))
            if self._wanted is not None:
                columns = _filtered(columns, pc.is_in(pc.utf8_lower(columns[0]), self._wanted))
            phrases, paraphrases, probabilities = (column.to_pylist() for column in columns)
            yield ParaphraseBatch(
                phrases, paraphrases, np.array(probabilities, dtype=np.float64), None
            )


def _filtered(columns: Sequence[pa.Array], kept: pa.Array) -> list[pa.Array]:
    return [column.filter(kept) for column in columns]


def _columns(rows: Sequence[Row], places: Sequence[int]) -> ParaphraseBatch:
    phrases, paraphrases, probabilities = zip(*rows, strict=True)
    return ParaphraseBatch(phrases, paraphrases, np.array(probabilities, dtype=np.float64), places)


def _moses(line: str) -> Row:
    fields = fields_of(line)
    if len(fields) < 3:
        raise ValueError(f"{len(fields)} fields; a ||| b ||| scores are needed")
    scores = fields[2].split()
    if len(scores) not in (1, 3) and len(scores) < 4:
        raise ValueError(f"{len(scores)} scores; one, or p(a|b) lex(a|b) p(b|a) ... are needed")
    score = scores[0] if len(scores) == 1 else scores[2]
    return unescaped(fields[0]), unescaped(fields[1]), _probability(score)


def _tsv(line: str) -> Row:
    if not line.strip():
        raise ValueError("the line is empty; two phrases and perhaps a score are needed")
    cells = line.split("\t")
    if cells == SETS.names:
        raise ValueError(_sets_message())
    if not 2 <= len(cells) <= 3:
        raise ValueError(f"{len(cells)} columns; two phrases and perhaps a score are needed")
    return cells[0], cells[1], _probability(cells[2]) if len(cells) == 3 else 1.0


def _pivoted(line: str) -> Row:
    cells = line.split("\t")
    if len(cells) != len(_HEADER):
        raise ValueError(f"{len(cells)} columns; the first line names {len(_HEADER)}")
    return cells[0], cells[1], _probability(cells[2])


def _probability(text: str) -> float:
    value = _number(text)
    if value is None or not 0 <= value <= 1:
        raise ValueError(f"'{text:.40}' is not a probability, 0 to 1")
    return value


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _sets_message() -> str:
    return "these are sets of paraphrases; run `otherwords pivot` without --sets"


def _is_parquet(path: Path) -> bool:
    # A pipe can be read only once; the reader of text reports what cannot be opened.
    with suppress(OSError):
        if str(path) != STDIN and os.path.isfile(path):
            with path.open("rb") as file:
                return file.read(4) == b"PAR1"
    return False
