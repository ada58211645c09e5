"""All metrics with what they compare, their range, their cost and when to use them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from otherwords.metrics.base import Cost, Metric, Traits
from otherwords.metrics.registry import metric_classes, plugin_problems
from otherwords.tables.table import Column, Table
from otherwords.tables.tabular import Tabular

_COSTS = (
    "cost: CPU time per segment on one thread, relative to sacreBLEU's sentence BLEU in the same "
    "run: fast up to 1 time, medium up to 3 times, slow more"
)


@dataclass(frozen=True)
class MetricDescription:
    """What helps users to choose a metric."""

    name: str
    traits: Traits
    parts: tuple[str, ...]
    cost: Cost | None
    use: str

    @property
    def compares(self) -> str:
        """What a hypothesis is compared with."""
        both = self.traits.against == "references" and self.traits.needs_source
        return "references and source" if both else self.traits.against

    @property
    def range(self) -> str:
        """Lowest and highest score.

        >>> traits = Traits(0, math.inf)
        >>> MetricDescription("ter", traits, (), None, "").range
        'from 0'
        """
        low, high = self.traits.range
        if math.isinf(high):
            return f"from {low:g}"
        return f"to {high:g}" if math.isinf(low) else f"{low:g} to {high:g}"


@dataclass(frozen=True)
class MetricCatalogue(Tabular):
    """All metrics, in alphabetical order."""

    metrics: tuple[MetricDescription, ...]
    problems: tuple[str, ...] = ()  # metrics of other packages that cannot be used

    def tables(self) -> Iterator[Table]:
        names = ("metric", "compares with", "range", "better", "language", "cost", "use")
        rows = [
            [
                *(metric.name, metric.compares, metric.range),
                "higher" if metric.traits.higher_is_better else "lower",
                "English" if metric.traits.english else "any",
                *(metric.cost or "", metric.use),
            ]
            for metric in self.metrics
        ]
        yield Table("metrics", [Column(name, left=True) for name in names], rows)

    def notes(self) -> list[str]:
        return [
            *self.problems,
            _COSTS,
            "score without -m: otherwords-mt, maxsim and chrf with references, "
            "otherwords-rewrite with sources",
            "scores of other programs (COMET, BERTScore, METEOR) join in with --scores NAME=FILE",
        ]

    def to_dict(self) -> dict[str, Any]:
        return {
            "metrics": [
                {
                    "metric": metric.name,
                    "compares": metric.compares,
                    "low": _finite(metric.traits.low),
                    "high": _finite(metric.traits.high),
                    "higher_is_better": metric.traits.higher_is_better,
                    "symmetric": metric.traits.symmetric,
                    "english": metric.traits.english,
                    "parts": list(metric.parts),
                    "cost": metric.cost,
                    "use": metric.use,
                }
                for metric in self.metrics
            ],
            "notes": self.notes(),
        }


def describe_metrics() -> MetricCatalogue:
    """Every metric that is registered.

    >>> [metric.use for metric in describe_metrics().metrics if metric.name == "meaning"]
    ['Whether a rewrite keeps the meaning.']
    """
    return MetricCatalogue(
        tuple(
            MetricDescription(
                name, metric.traits, tuple(metric.parts), metric.cost, metric.use or _doc(metric)
            )
            for name, metric in metric_classes().items()
        ),
        tuple(plugin_problems().values()),
    )


def _doc(metric: type[Metric]) -> str:
    """The first line of the docstring of another package's metric."""
    return (metric.__doc__ or "").strip().partition("\n")[0]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
