"""Text files of paraphrases: pairs (a, b) with p(b|a), and the sets that ParaEval joins them to.

moses   `a ||| b ||| scores`: p(b|a) is the third score, as Moses has it, or the only one
ppdb    rules of PPDB 1.0 and 2.0 (Ganitkevitch et al. 2013; Pavlick et al. 2015), `[LHS] ||| a |||
        b ||| Name=value ...`, p(b|a) being a negative logarithm
meteor  three lines per entry: score, a, b (Denkowski & Lavie 2014)
tsv     a, b and perhaps a score from 0 to 1, tabs between them; also what `otherwords pivot` prints

Parquet files are packed by `otherwords model pack` (`build.phrases.paraphrase_files`).
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import InputError, UsageError, near
from otherwords.io.files import STDIN, read_lines, starts_with
from otherwords.models import container
from otherwords.models.paraphrase_model import KIND, ParaphraseModel
from otherwords.models.pivot_packing import pack

FORMS = ("auto", "moses", "ppdb", "meteor", "tsv")
PAIR_COLUMNS = ["phrase", "paraphrase", "probability", "pivots", "languages"]
SET_COLUMNS = ["language", "foreign", "phrase", "probability", "count"]
BATCH = 1 << 16  # pairs
BARS, ESCAPED_BARS = "|||", "&#124;&#124;&#124;"
SETS_REFUSED = "these are sets of paraphrases; run `otherwords pivot` without --sets"
_KNOWN = (
    "lines `a ||| b ||| scores`, PPDB rules, METEOR's three lines per entry, "
    "or two columns with a tab between them"
)
_FIELD_END = re.compile(r"(?<!\S)\|\|\|(?!\S)")
# PPDB 1.0's p(e|f) is p(target|source) in the terms of Thrax.
_PPDB_SCORE = re.compile(r"(?<!\S)(?:p\(e\|f\)|-logp\(e2\|e1\))=(\S+)")
_LABEL = re.compile(r"\[\S+\]")
_NONTERMINAL = re.compile(r"(?<!\S)\[\S+,\d+\](?!\S)")

Pair = tuple[str, str, float]
SetRow = tuple[str, str, str, float, int]  # SET_COLUMNS


class ParaphraseBatch(NamedTuple):
    """Many pairs: phrases, paraphrases, p(paraphrase|phrase), and their lines if known."""

    phrases: Sequence[str]
    paraphrases: Sequence[str]
    probabilities: NDArray[np.float64]
    lines: Sequence[int] | None


class PairFile:
    """A text file of pairs, to be read once; reading sets `form` and `skipped`."""

    def __init__(self, path: str | Path, form: str = "auto") -> None:
        if form not in FORMS:
            raise UsageError(f"unknown format '{form}'; {near(str(form), FORMS)}")
        self.path = Path(path)
        self.form = form
        self.skipped: Counter[str] = Counter()

    def __iter__(self) -> Iterator[ParaphraseBatch]:
        """The pairs in batches, in the order of the file."""
        if self.form == "auto" and is_parquet(self.path):
            raise InputError(
                f"a Parquet file is packed first: otherwords model pack {self.path} -o table.owm",
                path=self.path,
            )
        lines = read_lines(self.path)
        first = list(islice(lines, 3))
        if first and first[0].split("\t") == SET_COLUMNS:
            raise InputError(SETS_REFUSED, path=self.path, line=1)
        if self.form == "auto":
            self.form = self._recognise(first)
        lines = chain(first, lines)
        if self.form == "meteor":
            return self._meteor(lines)
        parse = {"moses": _moses, "ppdb": self._ppdb, "tsv": _tsv}[self.form]
        skip = 0
        if self.form == "tsv" and first and first[0].split("\t") == PAIR_COLUMNS:
            parse, skip = _pivot_line, 1
        return self._pairs(lines, parse, skip)

    def _recognise(self, first: Sequence[str]) -> str:
        """The format that the first lines look like."""
        if not first:
            raise InputError(f"the file is empty; it should have {_KNOWN}", path=self.path)
        if not first[0].strip():
            raise InputError(f"the line is empty; it should have {_KNOWN}", path=self.path, line=1)
        fields = moses_fields(first[0])
        if len(fields) > 1:
            rule = _LABEL.fullmatch(fields[0]) and len(fields) > 3 and "=" in fields[3]
            return "ppdb" if rule else "moses"
        if "\t" in first[0]:
            return "tsv"
        if _number(first[0]) is not None and len(first) == 3:
            return "meteor"
        raise InputError(f"this is not a table of paraphrases: {_KNOWN}", path=self.path, line=1)

    def _pairs(
        self, lines: Iterator[str], parse: Callable[[str], Pair | None], skip: int
    ) -> Iterator[ParaphraseBatch]:
        """Read files with one entry per line."""
        pairs: list[Pair] = []
        places: list[int] = []
        for number, line in enumerate(islice(lines, skip, None), skip + 1):
            try:
                pair = parse(line)
            except ValueError as error:
                message = f"{error} (read as {self.form})"
                raise InputError(message, path=self.path, line=number) from error
            if pair is None:
                continue
            pairs.append(pair)
            places.append(number)
            if len(pairs) == BATCH:
                yield _batch(pairs, places)
                pairs, places = [], []
        if pairs:
            yield _batch(pairs, places)

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
            # Rounded or damaged counts give sums above 1 in METEOR's table and in PPDB.
            above = (scores > 1) & np.isfinite(scores)
            self.skipped["scores_lowered_to_1"] += int(above.sum())
            places = range(done + 1, done + 1 + len(entries), 3)
            scores = np.where(above, 1.0, scores)
            yield ParaphraseBatch(entries[1::3], entries[2::3], scores, places)
            done += len(entries)

    def _ppdb(self, line: str) -> Pair | None:
        fields = moses_fields(line)
        if len(fields) < 4:
            raise ValueError(f"{len(fields)} fields; [LHS] ||| a ||| b ||| Name=value are needed")
        _, phrase, paraphrase, features = fields[:4]
        if _NONTERMINAL.search(phrase) or _NONTERMINAL.search(paraphrase):
            self.skipped["rules_with_nonterminals"] += 1
            return None
        score = _PPDB_SCORE.search(features)
        if score is None:
            raise ValueError("the features have neither p(e|f) nor -logp(e2|e1)")
        cost = _number(score[1])
        if cost is None or not math.isfinite(cost):
            raise ValueError(f"'{score[0]}' is not a negative logarithm")
        if cost < 0:
            self.skipped["scores_lowered_to_1"] += 1
        return phrase, paraphrase, math.exp(-max(cost, 0.0))


def is_parquet(path: str | Path) -> bool:
    """Whether a regular file begins as Parquet does."""
    return str(path) != STDIN and starts_with(path, b"PAR1")


def moses_fields(line: str) -> list[str]:
    """The fields of a line of Moses or PPDB.

    >>> moses_fields("a b ||| c |||")
    ['a b', 'c', '']
    """
    fields = line.split(" ||| ")
    if len(fields) not in (5, 6):  # unusual for Moses and PPDB
        fields = [field.strip(" ") for field in _FIELD_END.split(line)]
    return fields


def moses_phrase(field: str) -> str:
    """Replace Moses' escape for bars by bars.

    >>> moses_phrase("a &#124;&#124;&#124; b")
    'a ||| b'
    """
    if ESCAPED_BARS not in field:
        return field
    return " ".join(BARS if word == ESCAPED_BARS else word for word in field.split(" "))


def _batch(pairs: Sequence[Pair], places: Sequence[int]) -> ParaphraseBatch:
    phrases, paraphrases, probabilities = zip(*pairs, strict=True)
    return ParaphraseBatch(phrases, paraphrases, np.array(probabilities, np.float64), places)


def _moses(line: str) -> Pair:
    fields = moses_fields(line)
    if len(fields) < 3:
        raise ValueError(f"{len(fields)} fields; a ||| b ||| scores are needed")
    scores = fields[2].split()
    if len(scores) not in (1, 3) and len(scores) < 4:
        raise ValueError(f"{len(scores)} scores; one, or p(a|b) lex(a|b) p(b|a) ... are needed")
    score = scores[0] if len(scores) == 1 else scores[2]
    return moses_phrase(fields[0]), moses_phrase(fields[1]), _probability(score)


def _tsv(line: str) -> Pair:
    if not line.strip():
        raise ValueError("the line is empty; two phrases and perhaps a score are needed")
    cells = line.split("\t")
    if not 2 <= len(cells) <= 3:
        raise ValueError(f"{len(cells)} columns; two phrases and perhaps a score are needed")
    return cells[0], cells[1], _probability(cells[2]) if len(cells) == 3 else 1.0


def _pivot_line(line: str) -> Pair:
    cells = line.split("\t")
    if len(cells) != len(PAIR_COLUMNS):
        raise ValueError(f"{len(cells)} columns; the first line names {len(PAIR_COLUMNS)}")
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


def is_sets(path: str | Path) -> bool:
    """Whether the first line is the header of `otherwords pivot --sets`."""
    if str(path) == STDIN or is_parquet(path):
        return False
    with suppress(OSError, InputError):
        return next(read_lines(path), "").split("\t") == SET_COLUMNS
    return False


def read_sets(path: str | Path) -> ParaphraseModel:
    """The paraphrase sets of a text file that `otherwords pivot --sets` wrote."""
    return sets_model(_set_rows(path), path)


def sets_model(rows: Iterable[SetRow], path: str | Path) -> ParaphraseModel:
    """The sets of each language as a pivot table of phrases in lower case, not stemmed.

    ParaEval (§3.2) joins "all English phrases that have the same translation". A set is stored as a
    foreign phrase with its English phrases, so that it is clipped as one phrase (§3.3).
    p(foreign | phrase) is the share of the phrase's counts.
    """
    languages: dict[str, dict[tuple[str, str], tuple[float, int]]] = defaultdict(dict)
    for language, foreign, phrase, probability, count in rows:
        key = phrase.lower(), foreign  # `A car` and `a car` are one phrase
        known = languages[language].get(key, (0.0, 0))
        languages[language][key] = min(known[0] + probability, 1.0), known[1] + count
    if not languages:
        raise InputError("there is no paraphrase set", path=path)
    arrays: dict[str, NDArray[Any]] = {}
    for language, pairs in sorted(languages.items()):
        totals: dict[str, int] = defaultdict(int)
        for (phrase, _), (_, count) in pairs.items():
            totals[phrase] += count
        packed = pack(
            [phrase for phrase, _ in pairs],
            [foreign for _, foreign in pairs],
            [totals[phrase] for phrase, _ in pairs],
            [count / totals[phrase] for (phrase, _), (_, count) in pairs.items()],
            [probability for probability, _ in pairs.values()],
        )
        arrays |= {f"pivot/{language}/{name}": array for name, array in packed.arrays.items()}
    source = {"source": Path(path).name, "stems": False}
    return ParaphraseModel(container.in_memory(str(path), KIND, arrays, source))


def _set_rows(path: str | Path) -> Iterator[SetRow]:
    for number, line in enumerate(read_lines(path), 1):
        try:
            if number > 1:
                yield _set_row(line)
        except ValueError as error:
            raise InputError(str(error), path=path, line=number) from error


def _set_row(line: str) -> SetRow:
    cells = line.split("\t")
    if len(cells) != len(SET_COLUMNS):
        raise ValueError(f"{len(cells)} columns; the first line names {len(SET_COLUMNS)}")
    language, foreign, phrase, share, counted = cells
    if not (language.isidentifier() and foreign.strip() and phrase.strip()):
        raise ValueError("a language, a foreign phrase and a phrase are needed")
    try:
        probability, count = float(share), int(counted or 1)
    except ValueError as error:
        raise ValueError(f"'{share:.40}' and '{counted:.40}' must be numbers") from error
    if not (math.isfinite(probability) and 0 < probability <= 1 and count >= 1):
        raise ValueError(f"probability {share:.40} and count {counted:.40} are out of range")
    return language, foreign, phrase, probability, count
