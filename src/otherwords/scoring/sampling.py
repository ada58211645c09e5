"""How certain scores are: bootstrap intervals, paired tests, clusters of systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from otherwords.errors import UsageError
from otherwords.io.arguments import check_number, check_whole
from otherwords.metrics.base import Metric
from otherwords.scoring.stream import SystemScores, align, shared_segments
from otherwords.tables.table import LEVEL, Number

if TYPE_CHECKING:
    from otherwords.stats.intervals import Resampling
    from otherwords.stats.significance import Correction, Family, Test


_TESTS = ("bootstrap", "randomization")


@dataclass(frozen=True)
class Sampling:
    """How scores are resampled for intervals and tests.

    Parameters
    ----------
    confidence
        Confidence level of the bootstrap intervals; `None` for no intervals.
    test
        Paired test of each system against the baseline: "randomization" (approximate
        randomization), "bootstrap", or `None`.
    resamples
        Number of resamples of an interval, and of trials of a test.
    resamples_max
        Most trials of a test, where the correction for many tests needs more than `resamples`.
    correction
        How p-values of several tests are corrected: "holm" (Holm 1979), "bh" (Benjamini & Hochberg
        1995), or "none", as in sacreBLEU.
    seed
        Seed of the random numbers.

    >>> Sampling(resamples=200).signature()
    '|bs:200|conf:0.95|seed:0'
    """

    confidence: float | None = 0.95
    test: Test | None = None
    resamples: int = 1000
    resamples_max: int = 100_000
    correction: Correction = "holm"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.confidence is not None:
            check_number("confidence", self.confidence, 0.5, 0.9999)
        if self.test is not None and self.test not in _TESTS:
            raise UsageError(f"test must be {' or '.join(_TESTS)}, not {self.test!r}")
        if self.correction not in ("holm", "bh", "none"):
            raise UsageError(f"correction must be holm, bh or none, not {self.correction!r}")
        check_whole("resamples", self.resamples, 1, 10**7)
        check_whole("resamples_max", self.resamples_max, 1, 10**7)
        check_whole("seed", self.seed, 0, 2**63)

    def resampling(self) -> Resampling:
        from otherwords.stats.intervals import Resampling

        return Resampling("percentile", self.confidence or 0.95, self.resamples, self.seed)

    def signature(self, *, by_document: bool = False, tests: Sequence[Number] = ()) -> str:
        parts = [f"|bs:{self.resamples}|conf:{self.confidence:g}"] if self.confidence else []
        if self.test:
            name = "ar" if self.test == "randomization" else "paired-bs"
            most = max((number.trials or 0 for number in tests), default=0)
            grown = f"-{most}" if most > self.resamples else ""
            parts.append(f"|{name}:{self.resamples}{grown}")
            if any(number.adjusted is not None for number in tests):
                parts.append(f"|{self.correction}")
        parts += [f"|seed:{self.seed}"] if parts else []
        return "".join(parts) + ("|by:doc" if parts and by_document else "")

    def corrected(self, tests: str) -> str:
        """What the p-values of a table are corrected for, in words."""
        from otherwords.stats.significance import CORRECTIONS

        if self.correction == "none":
            return f"not corrected for their number; * below {LEVEL:g}"
        return f"corrected for {tests} ({CORRECTIONS[self.correction]}); * below {LEVEL:g}"

    def cautions(self, units: Sequence[int]) -> list[str]:
        """What to know of intervals and tests of so few segments or documents."""
        from otherwords.stats.intervals import FEW as FEW_FOR_INTERVALS
        from otherwords.stats.significance import FEW

        few, notes = min(units), []
        if self.confidence and few < FEW_FOR_INTERVALS:
            least = f"fewer than {FEW_FOR_INTERVALS} segments or documents"
            notes.append(f"{least}: intervals are rough")
        if self.test == "bootstrap" and few < FEW:
            notes.append(
                f"fewer than {FEW} segments or documents: the paired bootstrap finds too many "
                "differences; use randomization"
            )
        return notes

    def interval(self, label: str, metric: Metric, system: SystemScores) -> dict[str, Any]:
        """The interval of a system's score; none for a single segment or document."""
        system = system.scored_by(label)
        if self.confidence is None or len(set(system.docs or system.items)) < 2:
            return {}
        from otherwords.stats.intervals import interval

        return vars(
            interval(
                metric.corpus_scores,
                system.statistics[label],
                confidence=self.confidence,
                resamples=self.resamples,
                seed=self.seed,
                docs=system.docs,
                within=(metric.traits.low, metric.traits.high),
            )
        )

    def compare(
        self, label: str, metric: Metric, systems: Sequence[SystemScores], baseline: SystemScores
    ) -> dict[str, dict[str, Any]]:
        """Test each system against the baseline, on the segments that both have.

        P-values of several systems are corrected for their number.
        """
        from otherwords.stats.significance import CORRECTIONS

        scored = {system.system: system.scored_by(label) for system in systems}
        systems, baseline = list(scored.values()), scored[baseline.system]
        others = [system for system in systems if system is not baseline]
        for system in others:
            shared_segments(system, baseline)  # refuses what cannot be compared
        pairs = [(system.system, baseline.system) for system in others]
        family = self.family(label, metric, systems, pairs)
        several = len(pairs) > 1 and self.correction != "none"
        return {
            system: {
                "difference": test.difference,
                "p": test.p,
                "adjusted": test.adjusted if several else None,
                "correction": CORRECTIONS[self.correction],
                "test": self.test,
                "trials": test.trials,
                "is_floor": test.is_floor,
            }
            for (system, _), test in family.tests.items()
        }

    def family(
        self,
        label: str,
        metric: Metric,
        systems: Sequence[SystemScores],
        pairs: Sequence[tuple[str, str]] | None = None,
    ) -> Family:
        """Tests of pairs of systems (all by default), with enough trials for their number."""
        from otherwords.stats.significance import compare_family

        aligned, docs = align(label, [system.scored_by(label) for system in systems])
        return compare_family(
            metric.corpus_scores,
            aligned,
            pairs,
            test=self.test or "randomization",
            trials=self.resamples,
            trials_max=self.resamples_max,
            level=LEVEL,
            seed=self.seed,
            docs=docs,
            correction=self.correction,
        )


def check_sampling(sampling: Sampling | None) -> Sampling | None:
    """Refuse anything else that is given as `sampling`."""
    if sampling is not None and not isinstance(sampling, Sampling):
        raise UsageError(f"sampling must be a Sampling, not {sampling!r:.60}")
    return sampling


@dataclass(frozen=True)
class Clusters:
    """Groups of systems, best first; no system differs significantly from the best of its group.

    `trials` are the most that a pair needed; `unresolved` counts the pairs for which too few
    trials were allowed.
    """

    groups: Sequence[Sequence[str]]
    test: str
    comparisons: int
    trials: int
    unresolved: int = 0

    def number(self, system: str) -> int:
        """Which cluster a system is in, the best being 1."""
        return next(place for place, names in enumerate(self.groups, 1) if system in names)

    def to_dict(self) -> dict[str, Any]:
        return {
            "groups": [list(names) for names in self.groups],
            "comparisons": self.comparisons,
            "test": self.test,
            "trials": self.trials,
            "unresolved": self.unresolved,
        }


def find_clusters(
    metrics: Mapping[str, Metric], systems: Sequence[SystemScores], sampling: Sampling
) -> dict[str, Clusters]:
    """The clusters by each metric, by approximate randomization, which keeps its level for few
    segments too; none where two systems share no segment.
    """
    from otherwords.stats.significance import clusters

    sampling = replace(sampling, test="randomization", correction="holm")
    by_metric = {}
    for label, metric in metrics.items():
        family = sampling.family(label, metric, systems)
        tests = family.tests.values()
        if len(tests) == len(systems) * (len(systems) - 1) // 2:
            by_metric[label] = Clusters(
                clusters(family, higher_is_better=metric.traits.higher_is_better),
                family.test,
                len(tests),
                max(test.trials for test in tests),
                sum(test.is_unresolved(family.level) for test in tests),
            )
    return by_metric
