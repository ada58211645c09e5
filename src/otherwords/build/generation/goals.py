"""What PRO raises: a metric, or several with their shares, of the outputs of a decoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.build.generation.weights import check_weights
from otherwords.errors import UsageError
from otherwords.scoring.score import score
from otherwords.stats.intervals import percentiles
from otherwords.stats.resampling import resample
from otherwords.tables.table import Number

__all__ = ["Goal", "Lists", "References", "parse_goal"]

Array = NDArray[np.float64]
References = Sequence[Sequence[str]]
RESAMPLES = 1000


def parse_goal(given: Sequence[str]) -> str | dict[str, float]:
    """A metric to raise, or several with shares.

    >>> parse_goal(["bleu"]), parse_goal(["precis=0.7", "pinc=0.3"])
    ('bleu', {'precis': 0.7, 'pinc': 0.3})
    """
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    shares = {}
    for one in given:
        name, _, text = one.partition("=")
        try:
            shares[name] = float(text)
        except ValueError as error:
            raise UsageError(f"several metrics need shares, NAME=SHARE, not '{one}'") from error
    return shares


class Lists:
    """All outputs of each sentence that any iteration made, with features and gains."""

    def __init__(self, names: Sequence[str], sentences: int) -> None:
        self.names = list(names)
        self._places = {name: place for place, name in enumerate(self.names)}
        self.known: list[dict[tuple[str, bytes], None]] = [{} for _ in range(sentences)]
        self.features: list[list[Array]] = [[] for _ in range(sentences)]
        self.targets: list[list[str]] = [[] for _ in range(sentences)]
        self.gains: list[list[float]] = [[] for _ in range(sentences)]

    def row(self, features: Mapping[str, float]) -> Array:
        """The features in the order of the names."""
        row = np.zeros(len(self.names))
        for name, value in features.items():
            if name in self._places:
                row[self._places[name]] = value
        return row

    def add(self, sentence: int, target: str, row: Array) -> None:
        """One more output, unless the same words with the same features are there."""
        key = (target, row.tobytes())
        if key not in self.known[sentence]:
            self.known[sentence][key] = None
            self.features[sentence].append(row)
            self.targets[sentence].append(target)


class Goal:
    """A metric, or several with their shares, of outputs."""

    def __init__(
        self,
        metric: str | Mapping[str, float],
        sentences: Sequence[str],
        references: References,
        threads: int,
    ) -> None:
        self.shares = {metric: 1.0} if isinstance(metric, str) else check_weights(metric)
        if not self.shares:
            raise UsageError("a metric is needed")
        for name, share in self.shares.items():
            if share <= 0:
                raise UsageError(f"the share of {name} must be above 0, not {share:g}")
        self.name = "+".join(self.shares)
        self.sentences, self.references, self.threads = sentences, references, threads
        self.sign = 1.0
        if len(self.shares) == 1:
            [name] = self.shares
            result = self._result(name, [sentences[0]], [0])
            self.sign = 1.0 if result.metric.traits.higher_is_better else -1.0

    def _result(self, name: str, texts: Sequence[str], rows: Sequence[int]) -> Any:
        return score(
            name,
            list(texts),
            references=[list(self.references[i]) for i in rows],
            sources=[self.sentences[i] for i in rows],
            threads=self.threads,
        )

    def corpus(self, texts: Sequence[str], rows: Sequence[int]) -> float:
        """The metric over these sentences."""
        chosen = [texts[i] for i in rows]
        found = 0.0
        for name, share in self.shares.items():
            result = self._result(name, chosen, rows)
            found += self._part(share, result) * float(result.corpus)
        return found

    def _part(self, share: float, result: Any) -> float:
        """The share in the sum that is shown: one where lower is better counts against others."""
        counts_against = len(self.shares) > 1 and not result.metric.traits.higher_is_better
        return -share if counts_against else share

    def fill(self, lists: Lists, rows: Sequence[int]) -> None:
        """The gains of outputs that have none yet, all in one call."""
        # The same words come from many derivations, in one iteration and in several.
        known = {(i, lists.targets[i][k]): g for i in rows for k, g in enumerate(lists.gains[i])}
        wanted = [(i, text) for i in rows for text in lists.targets[i][len(lists.gains[i]) :]]
        new = [one for one in dict.fromkeys(wanted) if one not in known]
        if new:
            sums = np.zeros(len(new))
            for name, share in self.shares.items():
                result = self._result(name, [text for _, text in new], [i for i, _ in new])
                better = 1.0 if result.metric.traits.higher_is_better else -1.0
                sums += share * better * result.segments
            known.update(zip(new, map(float, sums), strict=True))
        for i, text in wanted:
            lists.gains[i].append(known[i, text])

    def difference(
        self, before: Sequence[str], after: Sequence[str], rows: Sequence[int], seed: int
    ) -> tuple[Number, Number, Number]:
        """The metric of both, and the difference, with intervals over sentences."""
        draws = list(resample(len(rows), RESAMPLES, seed=seed))
        sums = [np.zeros(len(draws) + 1) for _ in range(2)]
        for name, share in self.shares.items():
            for place, texts in enumerate((before, after)):
                result = self._result(name, [texts[i] for i in rows], rows)
                whole = range(len(rows))
                for d, draw in enumerate([whole, *draws]):
                    statistics = result.statistics[list(draw)]
                    value = float(result.metric.aggregate(statistics))
                    sums[place][d] += self._part(share, result) * value
        return tuple(map(_with_interval, (sums[0], sums[1], sums[1] - sums[0])))  # type: ignore[return-value]


def _with_interval(values: Array) -> Number:
    low, high = percentiles(values[1:], 0.95)
    return Number(float(values[0]), float(low), float(high), float(high - low) / 2)
