"""The candidates for each source, best first: a step towards PEM's paraphrase(R) =
argmax_P PEM(P, R) (PEM §7), where another program has proposed the P.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from otherwords.corpus.inputs import read_candidates
from otherwords.corpus.records import is_frame
from otherwords.corpus.rows import UNNAMED, Candidates, Row
from otherwords.errors import InputError, UsageError
from otherwords.io.arguments import check_whole
from otherwords.metrics.base import Metric, text_of
from otherwords.scoring.choice import make_metrics
from otherwords.scoring.detectors import Detector, find_detector
from otherwords.scoring.stream import ANNOTATED, BATCH, require_english
from otherwords.stats.arrays import Array
from otherwords.tables.table import Block, Cell, Column, Lines, Table, decimals_of, join_words
from otherwords.tables.tabular import Tabular
from otherwords.text.sentence import Sentence, Text

MOST = 2**31 - 1


@dataclass(frozen=True)
class Ranked:
    """A candidate with its rank and its `place` in the input, both from 1.

    `parts` are the further columns of the metric (for PEM: adequacy, fluency, dissimilarity).
    `item` is the candidate's own name if the source has none.
    """

    rank: int
    hypothesis: Text
    score: float
    parts: Mapping[str, float]
    place: int
    system: str | None = None
    item: str | None = None


@dataclass(frozen=True)
class Ranking:
    """The candidates of one source, best first; `item` names the source, if it has a name."""

    source: Text
    ranked: tuple[Ranked, ...]
    signature: str
    item: str | None = None
    left_out: int = 0  # candidates that contradict the source, if those are not wanted

    @property
    def document(self) -> dict[str, Any]:
        """The ranking as a JSON object."""
        return {
            "item": self.item,
            "source": text_of(self.source),
            "ranked": [_document(candidate) for candidate in self.ranked],
            **({"left_out": self.left_out} if self.left_out else {}),
            "signature": self.signature,
        }


def _document(candidate: Ranked) -> dict[str, Any]:
    names = {"system": candidate.system, "item": candidate.item}
    return {
        "rank": candidate.rank,
        "hypothesis": text_of(candidate.hypothesis),
        "score": candidate.score,
        **candidate.parts,
        "place": candidate.place,
        **{key: name for key, name in names.items() if name is not None},
    }


@dataclass(frozen=True)
class RankingResult(Tabular):
    """The rankings of all sources by a metric; those of a stream of sources can be shown once."""

    rankings: Iterable[Ranking]
    metric: Metric = field(compare=False)
    _emptied: dict[str, None] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __iter__(self) -> Iterator[Ranking]:
        return iter(self.rankings)

    def __len__(self) -> int:
        return len(tuple(self.rankings))

    def __getitem__(self, place: int) -> Ranking:
        return tuple(self.rankings)[place]

    def _named(self) -> Iterator[tuple[str, Ranking]]:
        """Sources without a name have their number."""
        for number, ranking in enumerate(self.rankings, 1):
            name = ranking.item or str(number)
            if not ranking.ranked:
                self._emptied[name] = None
            yield name, ranking

    def warnings(self) -> Iterator[str]:
        if self._emptied:
            names = ", ".join(map(repr, list(self._emptied)[:5]))
            more = f" and {len(self._emptied) - 5:,} more" if len(self._emptied) > 5 else ""
            yield f"all candidates contradict the source and are left out: {names}{more}"

    def tables(self) -> Iterator[Block]:
        for name, ranking in self._named():
            yield Lines("verdict", (), f"{name}: {_verdict(ranking.ranked, self.metric.name)}")
            caption = f"{name}: {text_of(ranking.source)}"
            if ranking.left_out:
                caption += f" ({ranking.left_out:,} left out: they contradict it)"
            yield Table("ranking", self._columns(ranking), _rows(ranking), caption)

    def _columns(self, ranking: Ranking) -> list[Column]:
        named = any(candidate.system for candidate in ranking.ranked)
        parts = [Column(part, decimals=4) for part in self.metric.parts]
        score = Column("score", decimals=decimals_of(self.metric.traits.high))
        return [
            *(Column("rank"), score, *parts, Column("place")),
            Column("system", left=True, hidden=not named),
            Column("candidate", left=True),
        ]

    def records(self) -> Iterable[Table]:
        heads = ["item", "rank", "score", *self.metric.parts, "place", "system", "id"]
        columns = [*map(Column, heads), *map(Column, ("hypothesis", "source", "signature"))]
        return [Table("candidates", columns, self._records())]

    def _records(self) -> Iterator[list[Cell]]:
        for name, ranking in self._named():
            for candidate in ranking.ranked:
                numbers: list[Cell] = [
                    candidate.rank,
                    candidate.score,
                    *candidate.parts.values(),
                    candidate.place,
                ]
                texts = [text_of(candidate.hypothesis), text_of(ranking.source)]
                yield [name, *numbers, candidate.system, candidate.item, *texts, ranking.signature]

    def to_dict(self) -> dict[str, Any]:
        return {"rankings": [{**ranking.document, "item": name} for name, ranking in self._named()]}

    def notes(self) -> Iterable[str]:
        if isinstance(self.rankings, Sequence):
            return dict.fromkeys(ranking.signature for ranking in self.rankings)
        return [self.metric.signature]


def _verdict(ranked: Sequence[Ranked], metric: str) -> str:
    """Which candidates are best: their systems, if each has its own, else their places."""
    if not ranked:
        return "no candidate is left."
    names = [candidate.system or "" for candidate in ranked]
    are_systems = all(names) and len(set(names)) == len(names)
    if not are_systems:
        names = [str(candidate.place) for candidate in ranked]
    level = sum(candidate.score == ranked[0].score for candidate in ranked)
    said = "is best" if level == 1 else "are equally good"
    kind = "" if are_systems else "candidate " if level == 1 else "candidates "
    then = f", then {join_words(names[level:], 3)}" if names[level:] else ""
    return f"{kind}{join_words(names[:level], 3)} {said} by {metric}{then}."


def _rows(ranking: Ranking) -> list[list[Cell]]:
    return [
        [
            *(candidate.rank, candidate.score, *candidate.parts.values(), candidate.place),
            *(candidate.system or "-", text_of(candidate.hypothesis)),
        ]
        for candidate in ranking.ranked
    ]


def rank(
    sources: Iterable[Candidates | tuple[Text, Sequence[Text]]],
    metric: str | Metric = "otherwords-rewrite",
    *,
    top: int | None = None,
    no_contradictions: bool | str | Detector = False,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> RankingResult:
    """Order the candidates of each source by a metric; equal scores keep the order of the input.

    Parameters
    ----------
    sources
        Pairs of a source and its candidates, or `Candidates`; or a DataFrame, as
        `otherwords.corpus.inputs.read_candidates` reads it. Those of an iterator are ranked
        while the result is read, with a few thousand candidates in memory at a time.
    metric
        A name or a `Metric`.
    top
        Keep this many candidates of each source (default: all).
    no_contradictions
        Drop candidates that say something else than the source: `True`, or how strictly this is
        judged ("low", "normal", "high").
    threads, any_language, progress
        As in `otherwords.score`.
    **options
        Options of the metric.

    >>> source = "Nobody knew why the ship had changed its course."
    >>> rewritten = "No one understood why the boat had altered its course."
    >>> [ranking] = rank([(source, [source, rewritten, "Bread is sold here."])])
    >>> [candidate.place for candidate in ranking.ranked]
    [2, 1, 3]
    """
    chosen, *others = make_metrics(metric, options).values()
    if others:
        raise UsageError(f"candidates are ranked by one metric, not by {len(others) + 1}")
    if top is not None:
        top = check_whole("top", top, 1, MOST)
    detector = find_detector(no_contradictions)
    if is_frame(sources):
        sources = list(read_candidates(sources))
    if not isinstance(sources, Iterable):
        raise UsageError(f"sources must be pairs of a text and its candidates, not {sources!r:.60}")
    rankings = _rankings(
        sources,
        chosen,
        top,
        detector,
        threads,
        any_language,
        progress or (lambda done: None),
    )
    lazy = isinstance(sources, Iterator)
    return RankingResult(rankings if lazy else tuple(rankings), chosen)


def _rankings(
    sources: Iterable[Candidates | tuple[Text, Sequence[Text]]],
    metric: Metric,
    top: int | None,
    detector: Detector | None,
    threads: int,
    any_language: bool,
    progress: Callable[[int], None],
) -> Iterator[Ranking]:
    groups = (_candidates(entry, number) for number, entry in enumerate(sources, 1))
    checked = any_language
    for batch in _batches(groups):
        rows = [row for group in batch for row in group.rows]
        segments = metric.check_rows(rows)
        if not checked:  # once, as for a corpus
            require_english(metric, segments, rows[0].path or "the candidates")
            checked = True
        statistics = metric.run(segments, threads)
        parts = [
            dict(zip(metric.parts, values, strict=True))
            for values in statistics[:, [metric.columns.index(n) for n in metric.parts]].tolist()
        ]
        pairs = [(row.hypothesis, group.source) for group in batch for row in group.rows]
        dropped = [False] * len(rows)
        if detector is not None:
            dropped = detector.contradicted(pairs, threads)
        signature = metric.signature + (ANNOTATED if segments.is_annotated else "")
        scores = metric.segment_scores(statistics)
        begin = 0
        for group in batch:
            mine = slice(begin, begin + len(group.rows))
            best = [n for n in _best_first(scores[mine], metric) if not dropped[begin + n]]
            yield Ranking(
                group.source,
                tuple(
                    _ranked(group, place, position, float(scores[mine][place]), parts[mine][place])
                    for position, place in enumerate(best[:top], 1)
                ),
                signature,
                group.item,
                len(group.rows) - len(best),
            )
            begin += len(group.rows)
        progress(len(rows))


def _candidates(entry: Any, number: int) -> Candidates:
    if isinstance(entry, Candidates):
        return entry
    try:
        source, texts = entry
    except (TypeError, ValueError):
        source = texts = None
    if not isinstance(source, Text) or not isinstance(texts, Sequence) or isinstance(texts, str):
        raise InputError(f"source {number} must be a pair: the text, and a list of candidates")
    if not texts:
        raise InputError(f"source {number} has no candidates")
    for place, text in enumerate(texts, 1):
        if not isinstance(text, (str, Sentence)):
            kind = type(text).__name__
            raise InputError(f"candidate {place} of source {number} must be text, not {kind}")
    return Candidates(source, tuple(Row(text, source=source) for text in texts))


def _batches(groups: Iterable[Candidates]) -> Iterator[list[Candidates]]:
    """Whole sources, at least `BATCH` candidates at a time."""
    batch: list[Candidates] = []
    size = 0
    for group in groups:
        batch.append(group)
        size += len(group.rows)
        if size >= BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _ranked(
    group: Candidates, place: int, position: int, score: float, parts: dict[str, float]
) -> Ranked:
    row = group.rows[place]
    system = None if row.system == UNNAMED else row.system
    item = row.item if group.item is None else None
    return Ranked(position, row.hypothesis, score, parts, place + 1, system, item)


def _best_first(scores: Array, metric: Metric) -> list[int]:
    """Places (from 0) of the scores, best first."""
    keys = -scores if metric.traits.higher_is_better else scores
    return [int(place) for place in np.argsort(keys, kind="stable")]
