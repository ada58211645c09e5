"""Which rows of a phrase table the embedded pivots keep.

Between the phrases of a language and its packed table:

1. **Registers.** Half of what the tables know of rarer phrases is the Bible's, in four English
   versions. p(f|e) is the mean of what the Bible and what all other text says, each weighed with
   the root of how often it has the phrase: the many verses in which hands are `put forth` leave
   room for the few proposals that are.
2. **Forms.** Words of the pivot language that share a Snowball stem become the commonest of them:
   `présenté`, `présentée`, `présentés` say the same thing of an English phrase. Chinese has none.
3. **Value.** All frequent single words stay. Phrases of several words are taken in the order of
   (log2 N(e))^2 x (1/2 + D(e)). D is how far the pivot words of the phrase are from those of its
   words (1 - F1 of the bags, PEM §4.3): a phrase that is the sum of its words adds little to a
   table, `put forward` does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords.build.bitext.corpus import Bitext, Side
from otherwords.build.bitext.links import Links
from otherwords.build.engine import DuckEngine, Engine
from otherwords.build.engine.parquet import write_parquet
from otherwords.build.engine.stages import Workspace
from otherwords.build.phrases.table import build_table
from otherwords.build.pipeline.model import read_bitext
from otherwords.io.files import read_lines
from otherwords.models import container

SNOWBALL = {"fr": "french", "de": "german", "es": "spanish"}
SHORTEST = 4  # letters of a word that is stemmed
SCHEMA = pa.schema(
    {
        "source": pa.string(),
        "target": pa.string(),
        "count_source": pa.int64(),
        "p_target": pa.float64(),
        "p_source": pa.float64(),
    }
)
# Of phrases of several words, each has a letter: punctuation is no part of a meaning.
_ROWS = """
SELECT phrases.source, phrases.target, phrases.count_source, phrases.count_target, phrases.count,
       COALESCE(verses.count, 0) AS verse_count, COALESCE(spoken.seen, 0) AS verse_source
FROM phrases
LEFT JOIN verses ON phrases.source = verses.source AND phrases.target = verses.target
LEFT JOIN (SELECT source, MAX(count_source) AS seen FROM verses GROUP BY source) spoken
  ON phrases.source = spoken.source
WHERE {frequent} AND (NOT phrases.source LIKE '% %'
                      OR NOT regexp_matches(phrases.source, '(^| )[^a-z ]+( |$)'))
ORDER BY phrases.source, phrases.target
"""
_TOTALS = """
SELECT words, CAST(SUM(seen) AS BIGINT) AS total
FROM (SELECT MAX(length(source) - length(replace(source, ' ', ''))) + 1 AS words,
             MAX(count_source) AS seen FROM phrases GROUP BY source)
GROUP BY words ORDER BY words
"""

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Selection:
    """Least N(e) by words of e, least p(f|e), most translations, phrases of several words kept."""

    least: Sequence[int] = (3, 5, 10, 20)
    min_probability: float = 0.03
    top: int = 12
    phrases: int = 24_000


@dataclass(frozen=True)
class Rows:
    """Translations: places of e and f in their lists, how often they were seen together."""

    phrase: Integers
    pivot: Integers
    together: NDArray[np.float64]
    forward: NDArray[np.float64]  # p(f|e)

    def where(self, kept: NDArray[Any]) -> Rows:
        """Some of them."""
        return Rows(self.phrase[kept], self.pivot[kept], self.together[kept], self.forward[kept])


@dataclass(frozen=True)
class Table:
    """A phrase table in columns."""

    phrases: list[str]
    pivots: list[str]
    seen: NDArray[np.float64]  # N(e)
    pivot_seen: NDArray[np.float64]  # N(f)
    rows: Rows


def select(workspace: Workspace, *, threads: int, memory_gb: float) -> None:
    """Writes `phrases.parquet` with the rows that stay, and `totals.json`."""
    language = workspace.parameters["language"]
    wanted = Selection(**workspace.parameters["selection"])
    bitext = read_bitext(workspace.result(f"tokens-{language}"))
    links = container.read(workspace.result(f"align-{language}") / "links.owm", "links").arrays
    pairs = read_lines(workspace.result(f"clean-{language}") / "pairs.tsv")
    verses = in_bible(pairs, workspace.files["bible"])
    workspace.log("registers", pairs=len(verses), verses=int(verses.sum()))
    with DuckEngine(threads=threads, memory_gb=memory_gb, temporary=workspace.folder) as engine:
        engine.table("phrases", workspace.result(f"phrases-{language}") / "phrases.parquet")
        found, totals = rows_of(engine, *part_of(bitext, Links(**links), verses), wanted)
    table = folded(table_of(found), forms(bitext.right, language))
    rows = likely(table, wanted)
    kept = np.zeros(len(table.phrases), bool)
    kept[chosen(table, rows, wanted.phrases)] = True
    rows = rows.where(kept[rows.phrase])
    workspace.log("selected", phrases=int(kept.sum()), rows=len(rows.phrase))
    write_parquet(workspace.folder / "phrases.parquet", SCHEMA, [_batch(table, rows)], {})
    (workspace.folder / "totals.json").write_text(json.dumps(totals), encoding="utf-8")


def in_bible(pairs: Iterable[str], bible: str) -> NDArray[np.bool_]:
    """Which lines (english TAB foreign) have a foreign verse of a bitext of the Bible."""
    verses = {" ".join(line.partition("\t")[2].split()) for line in read_lines(bible)}
    return np.array([" ".join(pair.partition("\t")[2].split()) in verses for pair in pairs], bool)


def part_of(bitext: Bitext, links: Links, kept: NDArray[np.bool_]) -> tuple[Side, Side, Links]:
    """Some sentence pairs of a bitext, and their links."""
    left, right = (
        Side(side.tokens[_within(side.bounds, kept)], _bounds(side.bounds, kept), side.words)
        for side in bitext
    )
    inside = _within(links.bounds, kept)
    return left, right, Links(links.left[inside], links.right[inside], _bounds(links.bounds, kept))


def _within(bounds: NDArray[Any], kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.repeat(kept, np.diff(bounds))


def _bounds(bounds: NDArray[Any], kept: NDArray[np.bool_]) -> Integers:
    return np.r_[0, np.cumsum(np.diff(bounds)[kept])].astype(np.int64)


def rows_of(
    engine: Engine, left: Side, right: Side, links: Links, wanted: Selection
) -> tuple[pa.Table, list[int]]:
    """The rows of frequent phrases, with what the verses have of them; all N(e) by length."""
    verses = engine.folder / "verses.parquet"
    build_table(left, right, links, verses, engine=engine)
    engine.table("verses", verses)
    totals = engine.run(_TOTALS).read_all().column("total").to_pylist()
    return engine.run(_ROWS.format(frequent=_frequent(wanted.least))).read_all(), totals


def _frequent(least: Sequence[int]) -> str:
    """The SQL of what is frequent enough for its length."""
    spaces = "length(phrases.source) - length(replace(phrases.source, ' ', ''))"
    cases = " ".join(f"WHEN {words} THEN {count}" for words, count in enumerate(least))
    return f"phrases.count_source >= CASE {spaces} {cases} ELSE {least[-1]} END"


def table_of(found: pa.Table) -> Table:
    """The columns of rows that are sorted by phrase."""
    phrase = found.column("source").combine_chunks().dictionary_encode()
    pivot = found.column("target").combine_chunks().dictionary_encode()
    seen_here, together, verse_seen, verse_together = (
        found.column(name).to_numpy().astype(np.float64)
        for name in ("count_source", "count", "verse_source", "verse_count")
    )
    rows = Rows(
        phrase.indices.to_numpy().astype(np.int64),
        pivot.indices.to_numpy().astype(np.int64),
        together,
        mixed(verse_together, verse_seen, together - verse_together, seen_here - verse_seen),
    )
    seen, pivot_seen = np.zeros(len(phrase.dictionary)), np.zeros(len(pivot.dictionary))
    seen[rows.phrase] = seen_here
    pivot_seen[rows.pivot] = found.column("count_target").to_numpy()
    return Table(
        phrase.dictionary.to_pylist(), pivot.dictionary.to_pylist(), seen, pivot_seen, rows
    )


def mixed(*counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """p(f|e) of two registers, given c(e, f) and N(e) in the one, then in the other.

    >>> mixed(np.array([64.0, 0.0]), np.array([64.0, 64.0]), np.array([0.0, 1.0]), np.ones(2))
    array([0.88888889, 0.11111111])
    """
    one, one_seen, other, other_seen = counts
    roots = np.sqrt(one_seen) + np.sqrt(other_seen)
    shares = [
        together / np.sqrt(np.maximum(seen, 1))
        for together, seen in ((one, one_seen), (other, other_seen))
    ]
    return (shares[0] + shares[1]) / roots


def forms(side: Side, language: str) -> dict[str, str]:
    """For each word of a side that has one, the commonest word with its stem.

    >>> from otherwords.build.bitext.corpus import encode
    >>> forms(encode(["présenter présenter présentée la"], "words"), "fr")
    {'présentée': 'présenter'}
    """
    if language not in SNOWBALL:
        return {}
    from Stemmer import Stemmer

    stemmer = Stemmer(SNOWBALL[language])
    stemmed = [word for word in side.words if len(word) >= SHORTEST and word.isalpha()]
    often = np.bincount(side.tokens, minlength=len(side.words)).tolist()
    counts = dict(zip(side.words, often, strict=True))
    best: dict[str, str] = {}
    stems = dict(zip(stemmed, stemmer.stemWords(stemmed), strict=True))
    for word, stem in stems.items():
        held = best.get(stem)
        if held is None or (counts[word], held) > (counts[held], word):
            best[stem] = word
    return {word: best[stem] for word, stem in stems.items() if best[stem] != word}


def folded(table: Table, form: Mapping[str, str]) -> Table:
    """The table with pivot phrases of the same forms as one."""
    places: dict[str, int] = {}
    number = np.array(
        [
            places.setdefault(
                " ".join(form.get(word, word) for word in pivot.split(" ")), len(places)
            )
            for pivot in table.pivots
        ],
        np.int64,
    )
    pairs, place = np.unique(
        table.rows.phrase * len(places) + number[table.rows.pivot], return_inverse=True
    )
    together, forward = (
        np.bincount(place, weights=column) for column in (table.rows.together, table.rows.forward)
    )
    rows = Rows(pairs // len(places), pairs % len(places), together, np.minimum(forward, 1.0))
    pivot_seen = np.bincount(number, weights=table.pivot_seen)
    return Table(table.phrases, list(places), table.seen, pivot_seen, rows)


def likely(table: Table, wanted: Selection) -> Rows:
    """The likely translations of each phrase, most likely first."""
    rows = table.rows.where(table.rows.forward >= wanted.min_probability)
    rows = rows.where(np.lexsort((rows.pivot, -rows.forward, rows.phrase)))
    starts = np.flatnonzero(np.r_[True, np.diff(rows.phrase) != 0][: len(rows.phrase)])
    lengths = np.diff(np.r_[starts, len(rows.phrase)])
    rank = np.arange(len(rows.phrase)) - np.repeat(starts, lengths)
    return rows.where(rank < wanted.top)


def chosen(table: Table, rows: Rows, phrases: int) -> Integers:
    """The single words, and of the phrases of several words those of most value."""
    from scipy import sparse

    vocabulary: dict[str, int] = {}
    used, place = np.unique(rows.pivot, return_inverse=True)
    words = [
        [vocabulary.setdefault(word, len(vocabulary)) for word in table.pivots[pivot].split(" ")]
        for pivot in used
    ]
    lengths = np.array([len(one) for one in words])
    holds = sparse.csr_array(
        (
            np.ones(lengths.sum()),
            np.concatenate(words) if words else np.zeros(0, np.int64),
            np.r_[0, np.cumsum(lengths)],
        ),
        shape=(len(used), len(vocabulary)),
    )
    size = len(table.phrases)
    sums = np.bincount(rows.phrase, weights=rows.forward, minlength=size)
    edges = sparse.csr_array(
        (rows.forward / sums[rows.phrase], (rows.phrase, place)), shape=(size, len(used))
    )
    bags = (edges @ holds).tocsr()
    numbers = {phrase: number for number, phrase in enumerate(table.phrases)}
    parts = [phrase.split(" ") for phrase in table.phrases]
    several = np.array([len(one) > 1 for one in parts])
    made_of = [
        (number, numbers[word])
        for number in np.flatnonzero(several & (sums > 0)).tolist()
        for word in parts[number]
        if word in numbers
    ]
    whole, part = np.array(made_of, np.int64).reshape(-1, 2).T
    composed = sparse.csr_array((np.ones(len(whole)), (whole, part)), shape=(size, size)) @ bags
    common = bags.minimum(composed.tocsr()).sum(axis=1)
    weight = bags.sum(axis=1) + composed.sum(axis=1)
    differs = 1 - 2 * common / np.where(weight > 0, weight, 1)
    value = np.where(several & (sums > 0), np.log2(table.seen) ** 2 * (0.5 + differs), 0)
    best = np.argsort(-value, kind="stable")[:phrases]
    single = np.flatnonzero(~several & (sums > 0))
    return np.sort(np.r_[single, best[value[best] > 0]])


def _batch(table: Table, rows: Rows) -> pa.RecordBatch:
    columns = [
        [table.phrases[place] for place in rows.phrase],
        [table.pivots[place] for place in rows.pivot],
        table.seen[rows.phrase].astype(np.int64),
        rows.forward,
        rows.together / table.pivot_seen[rows.pivot],
    ]
    arrays = [pa.array(one, field.type) for one, field in zip(columns, SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)
