"""All metrics with what they compare, their range, their cost and when to use them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from otherwords.metrics.base import Metric, Traits
from otherwords.metrics.registry import plugin_problems, registered
from otherwords.tables.table import Column, Table
from otherwords.tables.tabular import Tabular

__all__ = ["MetricCatalogue", "MetricDescription", "describe_metrics"]

Cost = Literal["fast", "medium", "slow"]

# Cost and use; `python -m bench.costs` measures the first.
_ABOUT: dict[str, tuple[Cost, str]] = {
    "bleu": ("medium", "Compare with published BLEU; corpus scores, not single segments."),
    "bp-bleu": ("fast", "BLEU's third step: brevity penalty (ParaEval §6)."),
    "chrf": ("medium", "Translations into any language; a robust baseline."),
    "chrf++": ("medium", "chrF with words; the stronger sacreBLEU baseline."),
    "combine": ("slow", "A combination trained on your own judgements (train combine)."),
    "difference": ("fast", "How much a rewrite differs in words."),
    "encoder-cos": ("slow", "Similarity of meaning by a neural encoder (extra `neural`)."),
    "encoder-f1": ("slow", "BERTScore by a neural encoder: word pieces matched in context."),
    "facts": ("slow", "Which facts differ: contradicted, missing and added spans are listed."),
    "fluency": ("fast", "How fluent a text is, by language models."),
    "gm": ("fast", "BLEU's second step: geometric mean (ParaEval §6)."),
    "ibleu": ("medium", "Paraphrases with references: BLEU minus similarity to the source."),
    "maxsim": ("fast", "Translations; the explanation shows which words match."),
    "meaning": ("fast", "Whether a rewrite keeps the meaning."),
    "mup": ("fast", "BLEU's first step: unigram precision (ParaEval §6)."),
    "otherwords-mt": ("slow", "Translations into English; trained on human scores."),
    "otherwords-rewrite": ("medium", "Rewrites: meaning, fluency, difference in one."),
    "pair": ("slow", "Whether both texts mean the same, by a neural model of pairs (`neural`)."),
    "paraeval-f": ("fast", "Translations, crediting paraphrases of the reference."),
    "paraeval-p": ("fast", "ParaEval's precision."),
    "paraeval-r": ("fast", "ParaEval's recall."),
    "paraeval-summary": ("fast", "Summaries against reference summaries (ParaEval's recall)."),
    "pem": ("fast", "Paraphrases without references, as the paper of 2010 scores them."),
    "pem.adequacy": ("fast", "PEM's adequacy: F1 of pivot n-grams; takes any pivot model."),
    "pem.dissimilarity": ("fast", "PEM's dissimilarity: share of n-grams changed."),
    "pem.fluency": ("fast", "PEM's fluency: log10 probability per word."),
    "pinc": ("fast", "Share of new n-grams in a paraphrase; does not measure meaning."),
    "precis": ("medium", "Sentence compression with references."),
    "rouge-l": ("medium", "Summaries; compare with published ROUGE-L (needs the extra [rouge])."),
    "ter": ("slow", "Edits to the nearest reference; compare with published TER."),
    "vectors": ("fast", "Similarity of meaning, also in different words; does not check facts."),
    "vectors-f1": ("fast", "The same word by word; the explanation shows which words match."),
}

_COSTS = (
    "cost: CPU time per segment on one thread, relative to sacreBLEU's sentence BLEU in the same "
    "run: fast up to 1 time, medium up to 3 times, slow more"
)


@dataclass(frozen=True)
class MetricDescription:
    """A metric for those who choose one."""

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
                *(one.name, one.compares, one.range),
                "higher" if one.traits.higher_is_better else "lower",
                "English" if one.traits.english else "any",
                *(one.cost or "", one.use),
            ]
            for one in self.metrics
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
                    "metric": one.name,
                    "compares": one.compares,
                    "low": _finite(one.traits.low),
                    "high": _finite(one.traits.high),
                    "higher_is_better": one.traits.higher_is_better,
                    "symmetric": one.traits.symmetric,
                    "english": one.traits.english,
                    "parts": list(one.parts),
                    "cost": one.cost,
                    "use": one.use,
                }
                for one in self.metrics
            ],
            "notes": self.notes(),
        }


def describe_metrics() -> MetricCatalogue:
    """Every metric that is registered.

    >>> [one.use for one in describe_metrics().metrics if one.name == "meaning"]
    ['Whether a rewrite keeps the meaning.']
    """
    return MetricCatalogue(
        tuple(
            MetricDescription(
                name, metric.traits, tuple(metric.parts), *_ABOUT.get(name, (None, _doc(metric)))
            )
            for name, metric in registered().items()
        ),
        tuple(plugin_problems().values()),
    )


def _doc(metric: type[Metric]) -> str:
    """The first line of the docstring of another package's metric."""
    return (metric.__doc__ or "").strip().partition("\n")[0]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
