"""Paraphrases by pivoting: English phrases that share foreign translations.

p(e2|e1) = sum over f of p(f|e1) p(e2|f) (Bannard & Callison-Burch 2005, eq. 3), its mean over pivot
languages, and ParaEval's paraphrase sets (Zhou, Lin & Hovy 2006, §3.2).

Probabilities are summed as whole numbers, in units of 2^-60, so that sums do not depend on the
order in which an engine adds them, nor on threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pyarrow as pa

from otherwords.build.engine.base import UNIT, Engine, sql_number, sql_text
from otherwords.build.engine.parquet import (
    PARQUET,
    form_of,
    is_parquet,
    metadata_of,
    open_parquet,
    read_batches,
    row_count,
)
from otherwords.build.phrases.moses import read_moses
from otherwords.build.phrases.table import PhraseTable
from otherwords.errors import UsageError
from otherwords.io.arguments import check_flag, check_number, check_whole
from otherwords.io.files import Target, write_to

_MOST = 2**53


@dataclass(frozen=True)
class Pruning:
    """Thresholds for pruning; by default nothing is dropped.

    `min_count`, `max_length` and `min_step` apply to the phrase pairs before pivoting,
    `min_probability` and then `top` to the paraphrases. The probabilities of the rest stay the
    same, without renormalisation.

    >>> Pruning(min_count=2, top=10).signature
    'min-count:2|min-step:0|max-length:all|min-probability:0|top:10'
    """

    min_count: int = 1  # minimum count of the phrase pair
    min_step: float = 0.0  # minimum of p(f|e1) and p(e2|f), per foreign phrase
    max_length: int | None = None  # words of an English phrase
    min_probability: float = 0.0
    top: int | None = None  # most probable paraphrases of a phrase

    def __post_init__(self) -> None:
        check_whole("min_count", self.min_count, 1, _MOST)
        check_number("min_step", self.min_step, 0, 1)
        check_number("min_probability", self.min_probability, 0, 1)
        for name in ("max_length", "top"):
            if getattr(self, name) is not None:
                check_whole(name, getattr(self, name), 1, _MOST)

    @property
    def signature(self) -> str:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return "|".join(
            f"{name.replace('_', '-')}:{'all' if value is None else f'{value:.17g}'}"
            for name, value in values.items()
        )


ENGLISH = ("source", "target")

PARAPHRASES = pa.schema(
    {
        "phrase": pa.string(),
        "paraphrase": pa.string(),
        "probability": pa.float64(),
        "pivots": pa.int64(),  # foreign phrases that both translate to, in all languages
        "languages": pa.int64(),  # languages with such a foreign phrase
    }
)
SETS = pa.schema(
    {
        "language": pa.string(),
        "foreign": pa.string(),
        "phrase": pa.string(),
        "probability": pa.float64(),  # p(phrase | foreign)
        "count": pa.int64(),
    }
)

_LIMITS = {
    "probability": (0.0, 1.0),
    **dict.fromkeys(("pivots", "languages", "count"), (0, 2**62)),
}

# With one table per language, use its own probabilities.
_ONE_TABLE = """
SELECT {english} AS phrase, {foreign} AS foreign_phrase, count AS pair_count,
       p_{foreign} AS forward, p_{english} AS backward
FROM phrase_table
"""

# With several tables of a language, add their counts, as if their bitexts were one.
_SEVERAL_TABLES = """
WITH pairs AS (
    SELECT {english} AS phrase, {foreign} AS foreign_phrase,
           CAST(SUM(count) AS BIGINT) AS pair_count
    FROM phrase_table
    GROUP BY {english}, {foreign}
), phrases AS (
    SELECT phrase, SUM(pair_count) AS phrase_count FROM pairs GROUP BY phrase
), foreigns AS (
    SELECT foreign_phrase, SUM(pair_count) AS foreign_count FROM pairs GROUP BY foreign_phrase
)
SELECT pairs.phrase, pairs.foreign_phrase, pair_count,
       CAST(pair_count AS DOUBLE) / CAST(phrase_count AS DOUBLE) AS forward,
       CAST(pair_count AS DOUBLE) / CAST(foreign_count AS DOUBLE) AS backward
FROM pairs
JOIN phrases ON pairs.phrase = phrases.phrase
JOIN foreigns ON pairs.foreign_phrase = foreigns.foreign_phrase
"""

_PRUNED = """
SELECT phrase, foreign_phrase, pair_count, forward, backward
FROM translations
WHERE {conditions}
"""

# Phrases are numbered in sorted order: joining and grouping by number is several times faster than
# by text, and sorting by number sorts by phrase.
_STEPS = """
SELECT phrases.id AS phrase, foreigns.id AS foreign_phrase, forward, backward
FROM pruned_{language} AS pruned
JOIN phrases ON pruned.phrase = phrases.phrase
JOIN foreigns ON pruned.foreign_phrase = foreigns.foreign_phrase
"""

_PIVOT = """
SELECT there.phrase AS phrase, back.phrase AS paraphrase,
       CAST(SUM(CAST(FLOOR(there.forward * back.backward * {unit}) AS BIGINT)) AS BIGINT) AS units,
       COUNT(*) AS pivots
FROM steps_{language} AS there
JOIN steps_{language} AS back ON there.foreign_phrase = back.foreign_phrase
WHERE there.forward >= {min_step} AND back.backward >= {min_step}
GROUP BY there.phrase, back.phrase
"""

# The mean over the languages that have the phrase. Each language adds its share of the unit, so
# that sums over any number of languages stay below 2^63.
_LANGUAGE = """
SELECT phrase, paraphrase, pivots,
       CAST(FLOOR(CAST(units AS DOUBLE) / CAST({languages} AS DOUBLE)) AS BIGINT) AS units
FROM pivoted_{language}
"""
_MEAN = """
WITH weighted AS (
    {weighted}
), known AS (
    SELECT phrase, COUNT(*) AS languages FROM ({known}) AS each_language GROUP BY phrase
), together AS (
    SELECT phrase, paraphrase, CAST(SUM(units) AS BIGINT) AS units,
           CAST(SUM(pivots) AS BIGINT) AS pivots, COUNT(*) AS languages
    FROM weighted
    GROUP BY phrase, paraphrase
), paraphrases AS (
    SELECT together.phrase, paraphrase, pivots, together.languages,
           LEAST(CAST(together.units AS DOUBLE) * CAST({languages} AS DOUBLE)
                     / CAST(known.languages AS DOUBLE) / {unit},
                 CAST(1 AS DOUBLE)) AS probability
    FROM together
    JOIN known ON together.phrase = known.phrase
), ranked AS (
    SELECT phrase, paraphrase, probability, pivots, languages,
           ROW_NUMBER() OVER (PARTITION BY phrase ORDER BY probability DESC, paraphrase) AS place
    FROM paraphrases
    WHERE {conditions}
)
SELECT there.phrase AS phrase, back.phrase AS paraphrase, probability, pivots, languages
FROM ranked
JOIN phrases AS there ON ranked.phrase = there.id
JOIN phrases AS back ON ranked.paraphrase = back.id
WHERE {top}
ORDER BY ranked.phrase, probability DESC, ranked.paraphrase
"""

_SETS = """
WITH members AS (
    SELECT language, foreign_phrase, phrase, backward, pair_count,
           COUNT(*) OVER (PARTITION BY language, foreign_phrase) AS members,
           ROW_NUMBER() OVER (
               PARTITION BY language, foreign_phrase ORDER BY backward DESC, phrase
           ) AS place
    FROM ({named}) AS named
    WHERE backward >= {min_probability}
)
SELECT language, foreign_phrase AS foreign, phrase, backward AS probability, pair_count AS count
FROM members
WHERE members > 1 AND {top}
ORDER BY language, foreign_phrase, backward DESC, phrase
"""


@dataclass(frozen=True)
class Paraphrases:
    """The result of pivoting in a Parquet file: paraphrases, or sets of them."""

    path: Path
    rows: int
    metadata: Mapping[str, Any]

    @property
    def schema(self) -> pa.Schema:
        """The columns of paraphrases, or of sets."""
        return SETS if self.metadata.get("kind") == "paraphrase-sets" else PARAPHRASES

    @property
    def columns(self) -> list[str]:
        return list(self.schema.names)

    @property
    def signature(self) -> str:
        return str(self.metadata.get("signature", ""))

    @classmethod
    def open(cls, path: str | Path) -> Paraphrases:
        """Open a Parquet file; refuse it if it lacks a column."""
        with open_parquet(path, {}, "paraphrase table") as file:
            opened = cls(Path(path), row_count(path), metadata_of(file))
        columns = {field.name: field.type for field in opened.schema}
        open_parquet(path, columns, "paraphrase table").close()
        return opened

    def batches(
        self, columns: Sequence[str] | None = None, size: int = 1 << 16
    ) -> Iterator[pa.RecordBatch]:
        """Read the rows, or some columns, up to `size` at a time; refuse wrong values."""
        names = self.columns if columns is None else columns
        schema = pa.schema([self.schema.field(name) for name in names])
        return read_batches(
            self.path, schema, "paraphrase table", size, limits=_LIMITS, nullable=["count"]
        )


Tables = Mapping[str, Sequence[PhraseTable]]


def pivot(
    tables: Tables,
    path: str | Path,
    *,
    engine: Engine,
    english: str = "source",
    identity: bool = False,
    pruning: Pruning | None = None,
) -> Paraphrases:
    """Find the paraphrases of every English phrase, with p(e2|e1), and write a Parquet file.

    p(e2|e1) is the mean over the languages that have e1.

    Parameters
    ----------
    tables
        The phrase tables of each pivot language; counts of the tables of a language are added.
    path
        The output file.
    engine
        The engine that does the work.
    english
        The side of the tables that is English.
    identity
        Keep e2 = e1.
    pruning
        Thresholds.
    """
    pruning = pruning or Pruning()
    same = "1 = 1" if check_flag("identity", identity) else "paraphrase <> phrase"
    options = f"english:{english}|identity:{str(identity).lower()}"
    signature = f"pivot|v:2|tables:{_sources(tables)}|{options}"
    _load(engine, tables, english, pruning)
    _pivot_each(engine, range(len(tables)), pruning)
    places, count = range(len(tables)), len(tables)
    sql = _MEAN.format(
        weighted=_union(_LANGUAGE.format(language=place, languages=count) for place in places),
        known=_union(f"SELECT DISTINCT phrase FROM steps_{place}" for place in places),
        languages=count,
        unit=UNIT,
        conditions=f"probability >= {sql_number(pruning.min_probability)} AND {same}",
        top=_top(pruning),
    )
    metadata = {"kind": "paraphrases", "signature": f"{signature}|{pruning.signature}"}
    engine.write(sql, path, metadata, schema=PARAPHRASES)
    return Paraphrases.open(path)


def paraphrase_sets(
    tables: Tables,
    path: str | Path,
    *,
    engine: Engine,
    english: str = "source",
    pruning: Pruning | None = None,
) -> Paraphrases:
    """Write the sets of English phrases that share a foreign phrase to a Parquet file.

    Parameters
    ----------
    tables, path, engine, english
        As in `pivot`.
    pruning
        Thresholds; `min_probability` and `top` apply to p(phrase | foreign) within a set.
    """
    pruning = pruning or Pruning()
    _load(engine, tables, english, pruning)
    named = _union(
        f"SELECT {sql_text(name)} AS language, foreign_phrase, phrase, backward, pair_count "
        f"FROM pruned_{place}"
        for place, name in enumerate(tables)
    )
    least = max(pruning.min_probability, pruning.min_step)
    sql = _SETS.format(named=named, min_probability=sql_number(least), top=_top(pruning))
    signature = f"sets|v:1|tables:{_sources(tables)}|english:{english}|{pruning.signature}"
    metadata = {"kind": "paraphrase-sets", "signature": signature}
    engine.write(sql, path, metadata, schema=SETS)
    return Paraphrases.open(path)


def _load(engine: Engine, tables: Tables, english: str, pruning: Pruning) -> None:
    """Stage the pruned phrase pairs of each language, with probabilities of both directions."""
    if english not in ENGLISH:
        raise UsageError(f"english must be source or target, not {english!r}")
    if not tables or not all(tables.values()):
        raise UsageError("nothing to pivot: every language needs a phrase table")
    sides = {"english": english, "foreign": ENGLISH[1 - ENGLISH.index(english)]}
    conditions = ["1 = 1"]
    if pruning.min_count > 1:
        conditions.append(f"pair_count >= {pruning.min_count}")
    if pruning.max_length is not None:
        spaces = "LENGTH(phrase) - LENGTH(REPLACE(phrase, ' ', ''))"
        conditions.append(f"{spaces} < {pruning.max_length}")
    for place, parts in enumerate(tables.values()):
        has_several = len(parts) > 1
        for part in parts:
            part.check(counts=has_several or pruning.min_count > 1)
        engine.table("phrase_table", [part.path for part in parts])
        sql = (_SEVERAL_TABLES if has_several else _ONE_TABLE).format(**sides)
        pruned = _PRUNED.format(conditions=" AND ".join(conditions))
        engine.stage(f"pruned_{place}", f"WITH translations AS ({sql}) {pruned}")


def _pivot_each(engine: Engine, places: Sequence[int], pruning: Pruning) -> None:
    """Stage p(e2|e1) of each language; phrases of all languages are numbered together."""
    pruned = _union(f"SELECT phrase FROM pruned_{place}" for place in places)
    engine.number("phrases", "phrase", f"SELECT DISTINCT phrase FROM ({pruned}) AS pruned")
    for place in places:
        foreign = f"SELECT DISTINCT foreign_phrase FROM pruned_{place}"
        engine.number("foreigns", "foreign_phrase", foreign)
        options = {"language": place, "unit": UNIT, "min_step": sql_number(pruning.min_step)}
        engine.stage(f"steps_{place}", _STEPS.format(**options))
        engine.stage(f"pivoted_{place}", _PIVOT.format(**options))


def _sources(tables: Tables) -> str:
    return ",".join(
        f"{name}={'+'.join(table.digest for table in parts)}" for name, parts in tables.items()
    )


def _top(pruning: Pruning) -> str:
    return "1 = 1" if pruning.top is None else f"place <= {pruning.top}"


def _union(parts: Iterable[str]) -> str:
    return " UNION ALL ".join(parts)


PIVOT_FORMATS = ("tsv", PARQUET)


def pivot_tables(
    tables: Mapping[str, Sequence[str]],
    output: Target,
    *,
    engine: Engine,
    form: str | None = None,
    english: str = "source",
    identity: bool = False,
    sets: bool = False,
    pruning: Pruning | None = None,
) -> None:
    """Pivot phrase tables in files: `otherwords pivot`.

    Parameters
    ----------
    tables
        The phrase tables of each pivot language, Parquet or Moses text.
    output
        The file for the paraphrases.
    form
        `tsv` or `parquet` (default: by the name of the output).
    sets
        Write the sets of phrases that share a foreign phrase instead.
    engine, english, identity, pruning
        As in `pivot`.
    """
    form = form_of(form, output, PIVOT_FORMATS)
    if sets and identity:
        raise UsageError("sets of paraphrases have no identity")
    opened = {name: [_open(file, engine) for file in files] for name, files in tables.items()}
    path = str(output) if form == PARQUET else str(engine.folder / "result.parquet")
    if sets:
        paraphrases = paraphrase_sets(opened, path, engine=engine, english=english, pruning=pruning)
    else:
        paraphrases = pivot(
            opened, path, engine=engine, english=english, identity=identity, pruning=pruning
        )
    if form != PARQUET:
        with write_to(output) as file:
            file.writelines(_lines(paraphrases))


def _open(file: str, engine: Engine) -> PhraseTable:
    if is_parquet(file):
        return PhraseTable.open(file)
    place = sum(1 for _ in engine.folder.glob("moses-*.parquet"))
    return read_moses(file, engine.folder / f"moses-{place}.parquet")


def _lines(paraphrases: Paraphrases) -> Iterator[bytes]:
    """Yield TSV, many rows at a time."""
    yield ("\t".join(paraphrases.columns) + "\n").encode()
    for batch in paraphrases.batches():
        rows = zip(*(column.to_pylist() for column in batch.columns), strict=True)
        yield "".join(
            "\t".join("" if cell is None else str(cell) for cell in row) + "\n" for row in rows
        ).encode()
