"""Intervals of PEM's correlations: originals resampled with all their rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from otherwords.metrics.base import Array, Metric
from otherwords.stats.drawn import pearson_drawn, pearson_each
from otherwords.stats.draws import Counts, Draws
from otherwords.stats.estimates import Resampling
from otherwords.stats.intervals import percentiles
from otherwords.study.agreement.sums import JudgedRows, system_sums

__all__ = ["MeansDrawn", "Originals"]

Rows = NDArray[np.bool_]
MeansDrawn = Callable[[Rows, Counts], Array]  # [resamples, systems]


@dataclass(frozen=True)
class Originals:
    """The originals of a judged set: `units[row]` is the number of the row's original."""

    units: NDArray[np.intp]
    resampling: Resampling

    @property
    def size(self) -> int:
        """How many originals there are."""
        return int(self.units.max()) + 1 if len(self.units) else 0

    @cached_property
    def _draws(self) -> Sequence[Counts]:
        return list(Draws(self.size, self.resampling.resamples, self.resampling.seed))

    def of_rows(self, x: Array, y: Array, known: Rows) -> tuple[float, float] | None:
        """The interval of Pearson's r over rows."""
        parts = [pearson_drawn(x[known], y[known], self.units[known], one) for one in self._draws]
        return self._interval(parts)

    def of_systems(self, x: MeansDrawn, y: MeansDrawn, known: Rows) -> tuple[float, float] | None:
        """The interval of Pearson's r over the means of systems, computed in each resample."""
        parts = [pearson_each(x(known, times), y(known, times)) for times in self._draws]
        return self._interval(parts)

    def _interval(self, parts: Sequence[Array]) -> tuple[float, float] | None:
        draws = np.concatenate(parts)
        draws = draws[np.isfinite(draws)]
        if self.size < 2 or len(draws) < 2:
            return None
        return percentiles(draws, self.resampling.confidence)

    def means(self, values: Array, systems: Mapping[str, NDArray[np.intp]]) -> MeansDrawn:
        """The mean of the values of each system in each resample, NaN where it has no row."""

        def drawn(known: Rows, times: Counts) -> Array:
            found = np.full((len(times), len(systems)), np.nan)
            for place, rows in enumerate(systems.values()):
                mine = rows[known[rows]]
                sums, counts = (
                    times @ np.bincount(self.units[mine], weights, self.size)
                    for weights in (values[mine], None)
                )
                np.divide(sums, counts, out=found[:, place], where=counts > 0)
            return found

        return drawn

    def scores(
        self, metric: Metric, statistics: Array, systems: Mapping[str, NDArray[np.intp]]
    ) -> MeansDrawn:
        """The metric's corpus score of each system in each resample."""
        rows = JudgedRows({}, systems, self.units, "segments")

        def drawn(known: Rows, times: Counts) -> Array:
            nobody = np.zeros(len(statistics))
            return system_sums(rows, nobody, metric, statistics, known).scores(times)

        return drawn
