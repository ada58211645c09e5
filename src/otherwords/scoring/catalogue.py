"""All metrics with what they compare, their range, their cost and when to use them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from otherwords.metrics.base import Metric, Traits
from otherwords.metrics.registry import (
    metric_class,
    metric_classes,
    option_defaults,
    plugin_problems,
)
from otherwords.scoring.choice import PARAPHRASE, TRANSLATION
from otherwords.tables.table import Column, Table, join_words
from otherwords.tables.tabular import Tabular

_COSTS = (
    "cost: CPU time per segment on one thread, relative to sacreBLEU's sentence BLEU in the same "
    "run: fast up to 1 time, medium up to 3 times, slow more"
)

_DEFAULTS = [*TRANSLATION, *PARAPHRASE]
_CAPTIONS = {
    "references": "Against references",
    "source": "Against the original (source)",
    "references and source": "Against both",
}


def _place(metric: type[Metric]) -> int:
    """The place of a metric among those that are used by default; the others come after them."""
    return _DEFAULTS.index(metric.name) if metric.name in _DEFAULTS else len(_DEFAULTS)


def _compares(traits: Traits) -> str:
    both = traits.against == "references" and traits.needs_source
    return "references and source" if both else traits.against


def _range(traits: Traits) -> str:
    """Lowest and highest score.

    >>> _range(Traits(0, math.inf))
    'from 0'
    """
    low, high = traits.range
    if math.isinf(high):
        return f"from {low:g}"
    return f"to {high:g}" if math.isinf(low) else f"{low:g} to {high:g}"


def _use(metric: type[Metric]) -> str:
    """When to use it; of another package's metric, the first line of its docstring."""
    return metric.use or (metric.__doc__ or "").strip().partition("\n")[0]


@dataclass(frozen=True)
class MetricCatalogue(Tabular):
    """All metrics in alphabetical order; readers see them by what they compare a text with, first
    those that are used by default.
    """

    metrics: tuple[type[Metric], ...]
    problems: tuple[str, ...] = ()  # metrics of other packages that cannot be used
    options: Mapping[str, Any] | None = None  # those of a single metric, with their defaults

    def tables(self) -> Iterator[Table]:
        if self.options is None:
            for compared, caption in _CAPTIONS.items():
                metrics = [m for m in self.metrics if _compares(m.traits) == compared]
                if metrics:
                    metrics.sort(key=_place)
                    [table] = MetricCatalogue(tuple(metrics)).records()
                    columns = [replace(c, hidden=c.name == "compares with") for c in table.columns]
                    yield replace(table, columns=columns, caption=caption)
            return
        about, options = self.records()
        columns = [Column("metric", left=True), Column(self.metrics[0].name, left=True)]
        names = [column.name for column in about.columns]
        [row] = about.rows
        yield Table("metrics", columns, [*map(list, zip(names[1:], row[1:], strict=True))])
        yield options

    def records(self) -> Iterator[Table]:
        names = ("metric", "compares with", "range", "better", "language", "cost", "use")
        rows = [
            [
                *(metric.name, _compares(metric.traits), _range(metric.traits)),
                "higher" if metric.traits.higher_is_better else "lower",
                "English" if metric.traits.english else "any",
                *(metric.cost or "", _use(metric)),
            ]
            for metric in self.metrics
        ]
        columns = [Column(n, left=True, minor=n not in ("metric", "use")) for n in names]
        yield Table("metrics", columns, rows)
        if self.options is not None:
            heads = [Column("option", left=True), Column("default", left=True)]
            shown = [[name, str(value)] for name, value in self.options.items()]
            yield Table("options", heads, shown)

    def notes(self) -> list[str]:
        if self.options is not None:
            return ["set an option with --set OPTION=VALUE, in Python with OPTION=VALUE", _COSTS]
        translation, paraphrase = (join_words(names) for names in (TRANSLATION, PARAPHRASE))
        return [
            *self.problems,
            f"without -m: {translation} with references, {paraphrase} with originals alone",
            "options of a metric: otherwords metrics NAME",
            "scores of other programs (COMET, BERTScore, METEOR) join in with --scores NAME=FILE",
        ]

    def to_dict(self) -> dict[str, Any]:
        return {
            "metrics": [
                {
                    "metric": metric.name,
                    "compares": _compares(metric.traits),
                    "low": _finite(metric.traits.low),
                    "high": _finite(metric.traits.high),
                    "higher_is_better": metric.traits.higher_is_better,
                    "symmetric": metric.traits.symmetric,
                    "english": metric.traits.english,
                    "parts": list(metric.parts),
                    "cost": metric.cost,
                    "use": _use(metric),
                }
                for metric in self.metrics
            ],
            **({} if self.options is None else {"options": dict(self.options)}),
            "notes": self.notes(),
        }


def describe_metrics() -> MetricCatalogue:
    """Every metric that is registered.

    >>> [metric.use for metric in describe_metrics().metrics if metric.name == "meaning"]
    ['Whether a rewrite keeps the meaning.']
    """
    return MetricCatalogue(tuple(metric_classes().values()), tuple(plugin_problems().values()))


def describe_metric(name: str) -> MetricCatalogue:
    """One metric with its options.

    >>> (describe_metric("maxsim").options or {})["alpha"]
    0.8
    """
    metric = metric_class(name)
    unset = {"against": metric.traits.against, **metric.unset}
    options = {
        option: unset.get(option) if default is None else default
        for option, default in option_defaults(metric).items()
    }
    return MetricCatalogue((metric,), options=options)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
