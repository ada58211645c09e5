"""`otherwords.compare`: systems against a baseline, on the same segments, with a paired test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from otherwords.errors import UsageError, near
from otherwords.metrics.base import Metric, Traits
from otherwords.scoring.results import Result
from otherwords.scoring.scores import Several, made_all, score
from otherwords.scoring.seen import SEEN, Familiarity, of_segments
from otherwords.scoring.stream import column_of
from otherwords.stats.intervals import Interval
from otherwords.stats.significance import Comparison, Test, compare_family
from otherwords.tables.formats import number_dict
from otherwords.tables.table import LEVEL, Cell, Column, Number, Table
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
    adjusted: float | None = None  # p corrected for the number of systems, if there are several
    is_floor: bool = False

    @property
    def number(self) -> Number:
        """As tables and JSON have it."""
        test: dict[str, Any] = {} if self.comparison is None else vars(self.comparison)
        more = {"adjusted": self.adjusted, "is_floor": self.is_floor}
        return Number(self.result.corpus, **(vars(self.interval) | test | more))

    def to_dict(self) -> dict[str, Any]:
        """The one shape of a number with an interval and a test."""
        return number_dict(self.number)


@dataclass(frozen=True)
class PairedResult(Tabular):
    """Scores of systems by metrics, each system tested against the baseline.

    `result["system", "metric"]` is one of the `scores`. `familiarity` marks metrics that were
    trained on these segments: they are not tested.
    """

    scores: tuple[PairedScore, ...]
    baseline: str
    segments: int
    familiarity: Mapping[str, Familiarity] = field(default_factory=dict)

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
        columns = [
            replace(one, head=one.name + SEEN, best=None) if one.name in self.familiarity else one
            for one in columns
        ]
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
        how = f"{self.segments:,} segments; {'; '.join([intervals, *tests])}"
        trained = [note for n, one in self.familiarity.items() for note in one.remarks(n)]
        return [how, *trained, *signatures]

    def to_dict(self) -> dict[str, Any]:
        """Scores by system and metric, and the signatures, for JSON."""
        seen = {label: one.to_dict() for label, one in self.familiarity.items()}
        return {
            "segments": self.segments,
            "baseline": self.baseline,
            **({"seen": seen} if seen else {}),
            "systems": [
                {
                    "system": system,
                    "scores": {label: self[system, label].to_dict() for label in self.metrics},
                }
                for system in self.systems
            ],
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
    test: Test = "randomization",
    resamples: int = 1000,
    resamples_max: int = 100_000,
    confidence: float = 0.95,
    seed: int = 0,
    docs: Sequence[str] | None = None,
    threads: int = 1,
    any_language: bool = False,
    **options: Any,
) -> PairedResult:
    """Compare the texts of systems by one metric or several, with a paired significance test.

    `systems` maps names to texts, or is a list of such texts; two lists of texts can be given one
    after the other. Each system is tested against the `baseline`, the first one unless named, by
    approximate randomization as in `otherwords compare` (or `test="bootstrap"`).
    P-values of several systems are corrected for their number (Holm), by up to `resamples_max`
    trials. `docs` names the document of each segment: whole documents are then resampled. A metric
    that was trained on these segments is not tested.

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
    found, known = [], {}
    for label, baseline_result in scored[first].items():
        results = {name: several[label] for name, several in scored.items()}
        tests: dict[str, dict[str, Any]] = {name: {"comparison": None} for name in results}
        one = of_segments(baseline_result.metric, [result.inputs for result in results.values()])
        if one.is_marked:
            known[label] = one
        elif len(results) == 2:
            other_name = next(name for name in results if name != first)
            single = results[other_name].compare(baseline_result, test=test, **how)
            tests[other_name] = {"comparison": single}
        else:
            tests |= _family(results, first, test, resamples, resamples_max, seed, docs)
        for name, result in results.items():
            around = result.interval(confidence=confidence, **how)
            found.append(PairedScore(name, label, result, around, **tests[name]))
    order = list(scored)
    return PairedResult(
        tuple(sorted(found, key=lambda one: order.index(one.system))), first, sizes[first], known
    )


def _family(
    results: Mapping[str, Result],
    first: str,
    test: Test,
    resamples: int,
    resamples_max: int,
    seed: int,
    docs: Sequence[str] | None,
) -> dict[str, dict[str, Any]]:
    """Tests of several systems against the first one, corrected for their number."""
    family = compare_family(
        results[first].metric.from_sums,
        {name: result.statistics for name, result in results.items()},
        [(name, first) for name in results if name != first],
        test=test,
        trials=resamples,
        trials_max=resamples_max,
        level=LEVEL,
        seed=seed,
        docs=docs,
    )
    return {
        name: {
            "comparison": Comparison(one.difference, one.p, test, one.trials),
            "adjusted": one.adjusted,
            "is_floor": one.is_floor,
        }
        for (name, _), one in family.tests.items()
    }


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
