"""The metrics as `torchmetrics.Metric`: update, compute, merge, over any number of processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torchmetrics import Metric

import otherwords
from otherwords.errors import UsageError
from otherwords.metrics.base import Metric as TextMetric
from otherwords.scoring.choice import make_metrics
from otherwords.stats.arrays import column_sums


class CorpusScore(Metric):  # type: ignore[misc]  # torchmetrics may be absent where types are checked
    """The corpus score by a metric of otherwords, given as a name or as a metric object.

    The state is the sum of the segments' statistics, which is all that a corpus score depends on:
    states of batches and processes are added. `options` are those of `torchmetrics.Metric`.
    """

    is_differentiable = False
    full_state_update = False

    def __init__(
        self,
        metric: str | TextMetric,
        *,
        threads: int = 1,
        any_language: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        [self.metric] = make_metrics(metric).values()
        self.threads, self.any_language = threads, any_language
        zeros = torch.zeros(len(self.metric.columns), dtype=torch.float64)
        self.add_state("sums", zeros, dist_reduce_fx="sum")
        self.add_state("segments", torch.tensor(0), dist_reduce_fx="sum")

    @property
    def higher_is_better(self) -> bool:
        return self.metric.traits.higher_is_better

    def update(
        self,
        preds: Sequence[str],
        target: Sequence[Any] | None = None,
        sources: Sequence[str] | None = None,
    ) -> None:
        """Add a batch: `target` has a reference, or a list of references, for each prediction."""
        how: dict[str, Any] = {"threads": self.threads, "any_language": self.any_language}
        result = otherwords.score(self.metric, preds, target, sources, **how)
        self.sums += torch.from_numpy(column_sums(result.statistics)).to(self.sums)
        self.segments += len(result.segments)

    def compute(self) -> torch.Tensor:
        if not self.segments:
            raise UsageError("there is nothing to score: update() was not called")
        return torch.tensor(self.metric.score_of_sums(self.sums.cpu().numpy()), dtype=torch.float64)
