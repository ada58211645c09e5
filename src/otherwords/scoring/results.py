"""What `otherwords.score` returns: the result of a metric on a corpus, or of several metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from otherwords.errors import UsageError
from otherwords.metrics.base import Array, Explanation, Metric, text_of
from otherwords.metrics.inputs import Segments
from otherwords.scoring.seen import NOT_NEW, of_segments
from otherwords.scoring.stream import column_of
from otherwords.stats.intervals import Interval, interval
from otherwords.stats.significance import Comparison, Test
from otherwords.stats.significance import compare as paired_test
from otherwords.tables.table import Column, Table, decimals_of
from otherwords.tables.tabular import Tabular

__all__ = ["Result", "Results"]

_SHOWN = 40  # characters of a signature in a short form


@dataclass(frozen=True, eq=False, repr=False)
class Result(Tabular):
    """The scores of a corpus by one metric.

    `corpus` is the score of the corpus, `segments` has one for each hypothesis; `statistics` are
    the rows that both are computed from. Printing it shows a table; `to_frame` and `to_dict` also
    have the segment scores.

    >>> import otherwords
    >>> result = otherwords.score("ter", ["the cat sat"], references=["the cat sat down"])
    >>> result
    <Result ter: 25.00 over 1 segment; ter|v:1|case:lc|tok:tercom|norm:no|punct...>
    >>> result.to_dict()["score"], result.to_dict()["segments"]
    ({'value': 25.0}, [{'score': 25.0}])
    """

    metric: Metric
    corpus: float
    segments: Array
    signature: str
    statistics: Array
    inputs: Segments

    def __repr__(self) -> str:
        number = len(self.segments)
        value = f"{self.corpus:z.{decimals_of(self.metric.traits.high)}f}"
        signature = self.signature
        if len(signature) > _SHOWN:
            signature = signature[:_SHOWN] + "..."
        segments = "segment" if number == 1 else "segments"
        return f"<Result {self.metric.name}: {value} over {number:,} {segments}; {signature}>"

    def explain(self, i: int, *, findings: bool = False) -> Explanation:
        """Why segment i (from 0) has its score; with `findings` also what differs, span by span,
        in `details["findings"]`, one list per reference (docs/facts.md).
        """
        number = len(self.segments)
        if not isinstance(i, (int, np.integer)) or not -number <= i < number:
            raise UsageError(f"there is no segment {i}; they run from 0 to {number - 1}")
        explained = self.metric.explain_segment(self.inputs.pick(i))
        if not findings:
            return explained
        from otherwords.scoring.findings import with_findings

        return with_findings(explained)

    @property
    def parts(self) -> dict[str, Array]:
        """The scores that the metric gives besides its own, for each segment (of PEM: adequacy,
        fluency, dissimilarity).
        """
        places = {name: self.metric.columns.index(name) for name in self.metric.parts}
        return {name: self.statistics[:, place].copy() for name, place in places.items()}

    def interval(
        self,
        *,
        confidence: float = 0.95,
        resamples: int = 1000,
        seed: int = 0,
        docs: Sequence[str] | None = None,
    ) -> Interval:
        """Bootstrap interval of the corpus score, over segments or whole documents."""
        return interval(
            self.metric.from_sums,
            self.statistics,
            confidence=confidence,
            resamples=resamples,
            seed=seed,
            docs=docs,
        )

    def compare(
        self,
        other: Result,
        *,
        test: Test = "randomization",
        resamples: int = 1000,
        seed: int = 0,
        docs: Sequence[str] | None = None,
    ) -> Comparison:
        """Paired test of this result against another one of the same metric and segments.

        `test` is approximate randomization, as in `otherwords compare`, or "bootstrap".

        >>> import otherwords
        >>> references = ["the cat sat", "a dog barked", "it rained"]
        >>> a = otherwords.score("chrf", ["the cat sat", "a dog barks", "it rains"], references)
        >>> b = otherwords.score("chrf", ["a cat", "the dog", "it snowed"], references)
        >>> found = a.compare(b)
        >>> found.difference == a.corpus - b.corpus, 0 < found.p <= 1
        (True, True)
        """
        if not isinstance(other, Result):
            raise UsageError(f"a result is compared with another Result, not {other!r:.60}")
        if other.signature != self.signature:
            raise UsageError(
                "the two results were computed in different ways: "
                f"{self.signature} and {other.signature}"
            )
        if len(other.segments) != len(self.segments):
            raise UsageError(
                f"the two results have {len(self.segments)} and {len(other.segments)} segments; "
                "a paired test needs the same ones"
            )
        return paired_test(
            self.metric.from_sums,
            self.statistics,
            other.statistics,
            test=test,
            trials=resamples,
            seed=seed,
            docs=docs,
        )

    def to_dict(self) -> dict[str, Any]:
        """The scores of the corpus and of the segments, for JSON."""
        scores = {"score": self.segments, **self.parts}
        return {
            "metric": self.metric.name,
            "signature": self.signature,
            "score": {"value": self.corpus},
            **self._parts_of_corpus(),
            "segments": [
                dict(zip(scores, row, strict=True))
                for row in np.column_stack(list(scores.values())).tolist()
            ],
        }

    def _parts_of_corpus(self) -> dict[str, Any]:
        means = {part: {"value": float(values.mean())} for part, values in self.parts.items()}
        return {"parts": means} if means else {}

    @property
    def trained_on(self) -> float:
        """The share of the segments that the metric was trained on, 0 to 1."""
        return of_segments(self.metric, [self.inputs]).share

    def tables(self) -> list[Table]:
        """The scores of the corpus."""
        return Results({self.metric.name: self}).tables()

    def records(self) -> list[Table]:
        """The scores of the segments."""
        return Results({self.metric.name: self}).records()

    def notes(self) -> list[str]:
        """What the metric was trained on, if it was on these segments, and the signature."""
        return Results({self.metric.name: self}).notes()


class Results(Mapping[str, Result], Tabular):
    """The results of several metrics on the same segments, by the metrics' names.

    >>> import otherwords
    >>> text = ["the cat sat down"]
    >>> results = otherwords.score(["bleu", "chrf"], text, references=text)
    >>> list(results), round(results["chrf"].corpus)
    (['bleu', 'chrf'], 100)
    >>> print(results)
    segments    bleu    chrf
           1  100.00  100.00
    <BLANKLINE>
    bleu|v:1|case:mixed|eff:no|tok:13a|smooth:exp|sacrebleu:...
    chrf|v:1|case:mixed|eff:yes|nc:6|nw:0|space:no|sacrebleu:...
    """

    def __init__(self, results: Mapping[str, Result]) -> None:
        self._results = dict(results)

    def __getitem__(self, name: str) -> Result:
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def __repr__(self) -> str:
        return "<Results " + ", ".join(repr(one) for one in self._results.values()) + ">"

    def tables(self) -> list[Table]:
        """The scores of the corpus, one column for each metric and for each of its parts."""
        columns, cells, size = [Column("segments")], [], 0
        for label, result in self._results.items():
            size = len(result.segments)
            columns.append(column_of(label, result.metric.traits))
            cells.append(result.corpus)
            for part, traits in result.metric.parts.items():
                columns.append(column_of(f"{label}.{part}", traits))
                cells.append(float(result.parts[part].mean()))
        return [Table("corpus", columns, [[size, *cells]])]

    def records(self) -> list[Table]:
        """The scores of the segments, numbered from 0 as `explain` takes them."""
        columns, values = [Column("segment"), Column("hypothesis", left=True)], []
        texts: list[str] = []
        for label, result in self._results.items():
            texts = [text_of(text) for text in result.inputs.hypotheses]
            columns.append(column_of(label, result.metric.traits))
            values.append(result.segments.tolist())
            for part, traits in result.metric.parts.items():
                columns.append(column_of(f"{label}.{part}", traits))
                values.append(result.parts[part].tolist())
        rows = [list(row) for row in zip(range(len(texts)), texts, *values, strict=True)]
        return [Table("segments", columns, rows)]

    def notes(self) -> list[str]:
        """Metrics that were trained on these segments, and the signatures."""
        trained = [
            note
            for label, one in self._results.items()
            for note in of_segments(one.metric, [one.inputs]).remarks(label, NOT_NEW)
        ]
        return [*trained, *(result.signature for result in self._results.values())]

    def to_dict(self) -> dict[str, Any]:
        """The results by the metrics' names, for JSON."""
        return {"results": {label: result.to_dict() for label, result in self._results.items()}}
