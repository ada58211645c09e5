"""`otherwords.compare`: systems against a baseline, on the same segments, with a paired test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from otherwords.errors import UsageError, near
from otherwords.metrics.base import Metric, Traits
from otherwords.scoring.results import Result, column_of
from otherwords.scoring.scores import Several, made_all, score
from otherwords.stats.intervals import Interval
from otherwords.stats.paired import Comparison, Test
from otherwords.tables.table import Cell, Column, Number, Table
from otherwords.tables.tabular import Tabular
from otherwords.text.sentence import Text

__all__ = ["PairedResult", "PairedScore", "compare"]


@dataclass(frozen=True)
class PairedScore:
    """A system's corpus score by a metric, its interval, and its test against the baseline."""

    system: str
    metric: str
    result: Result
    interval: Interval
    comparison: Comparison | None  # the baseline has none

    @property
    def number(self) -> Number:
        """As a table shows it."""
        test = self.comparison
        return Number(
            self.result.corpus,
            self.interval.low,
            self.interval.high,
            None if test is None else test.difference,
            None if test is None else test.p,
        )

    def to_dict(self) -> dict[str, Any]:
        """The one shape of a number with an interval and a test."""
        found: dict[str, Any] = {"value": self.result.corpus, "interval": vars(self.interval)}
        return found | ({"comparison": vars(self.comparison)} if self.comparison else {})


@dataclass(frozen=True)
class PairedResult(Tabular):
    """Scores of systems by metrics, each system tested against the baseline.

    `result["system", "metric"]` is one of the `scores`.
    """

    scores: tuple[PairedScore, ...]
    baseline: str
    segments: int

    def __getitem__(self, key: tuple[str, str]) -> PairedScore:
        """The score of a system by a metric."""
        for one in self.scores:
            if (one.system, one.metric) == key:
                return one
        raise KeyError(key)

    @property
    def systems(self) -> list[str]:
        """The systems in the order given."""
        return list(dict.fromkeys(one.system for one in self.scores))

    @property
    def metrics(self) -> dict[str, Traits]:
        """The metrics with their traits."""
        return {one.metric: one.result.metric.traits for one in self.scores}

    def tables(self) -> list[Table]:
        """One row for each system, one column for each metric."""
        columns = [column_of(label, traits) for label, traits in self.metrics.items()]
        rows: list[list[Cell]] = [
            [system, *(self[system, label].number for label in self.metrics)]
            for system in self.systems
        ]
        return [
            Table("systems", [Column("system", left=True), *columns], rows, baseline=self.baseline)
        ]

    def notes(self) -> list[str]:
        """How the intervals and tests were made; signatures."""
        first = self.scores[0].interval
        kinds = sorted(
            {(s.comparison.test, s.comparison.trials) for s in self.scores if s.comparison}
        )
        tests = [f"paired {test}, {trials:,} trials" for test, trials in kinds]
        intervals = f"{first.confidence:.0%} bootstrap intervals, {first.resamples:,} resamples"
        signatures = dict.fromkeys(one.result.signature for one in self.scores)
        return [f"{self.segments:,} segments; {'; '.join([intervals, *tests])}", *signatures]

    def to_dict(self) -> dict[str, Any]:
        """Scores by system and metric, and the signatures, as JSON has them."""
        return {
            "segments": self.segments,
            "baseline": self.baseline,
            "systems": {
                system: {label: self[system, label].to_dict() for label in self.metrics}
                for system in self.systems
            },
            "signatures": {one.metric: one.result.signature for one in self.scores},
        }


def compare(
    metric: str | Metric | Several,
    systems: Mapping[str, Sequence[Text]] | Sequence[Sequence[Text]] | Sequence[Text],
    other: Sequence[Text] | None = None,
    *,
    references: Sequence[Any] | None = None,
    sources: Sequence[Text | None] | None = None,
    baseline: str | None = None,
    test: Test = "bootstrap",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    docs: Sequence[str] | None = None,
    threads: int = 1,
    any_language: bool = False,
    **options: Any,
) -> PairedResult:
    """Compare the texts of systems by one metric or several, with a paired significance test.

    `systems` maps names to texts, or is a list of such texts; two lists of texts can be given one
    after the other. Each system is tested against the `baseline`, the first one unless named.
    `docs` names the document of each segment: whole documents are then resampled.

    >>> references = ["the cat sat", "a dog barked", "it rained"]
    >>> good, poor = ["the cat sat", "a dog barks", "it rains"], ["a cat", "the dog", "it snowed"]
    >>> found = compare("chrf", {"poor": poor, "good": good}, references=references)
    >>> found["good", "chrf"].comparison.difference > 0, found.baseline
    (True, 'poor')
    """
    texts = _systems(systems, other)
    first = next(iter(texts)) if baseline is None else baseline
    if first not in texts:
        raise UsageError(f"there is no system '{first}' to be the baseline; {near(first, texts)}")
    scorers = made_all(metric, options)
    scored = {
        name: score(
            scorers, hypotheses, references, sources, threads=threads, any_language=any_language
        )
        for name, hypotheses in texts.items()
    }
    sizes = {name: len(next(iter(results.values())).segments) for name, results in scored.items()}
    if len(set(sizes.values())) > 1:
        raise UsageError(f"the systems have different numbers of segments: {sizes}")
    how: dict[str, Any] = {"resamples": resamples, "seed": seed, "docs": docs}
    return PairedResult(
        tuple(
            PairedScore(
                name,
                label,
                result,
                result.interval(confidence=confidence, **how),
                None if name == first else result.compare(scored[first][label], test=test, **how),
            )
            for name, results in scored.items()
            for label, result in results.items()
        ),
        first,
        sizes[first],
    )


def _systems(systems: Any, other: Any) -> dict[str, Any]:
    if other is not None:
        if isinstance(systems, Mapping):
            raise UsageError("give a mapping of systems, or two lists of texts, not both")
        return {"system 1": systems, "system 2": other}
    if isinstance(systems, Mapping):
        found = {str(name): texts for name, texts in systems.items()}
    elif isinstance(systems, (list, tuple)) and not any(isinstance(s, Text) for s in systems):
        found = {f"system {number}": texts for number, texts in enumerate(systems, 1)}
    else:
        raise UsageError(
            "compare needs two systems: {'name': texts, 'other': texts}, or two lists of texts"
        )
    if len(found) < 2:
        raise UsageError("compare needs at least two systems")
    return found
