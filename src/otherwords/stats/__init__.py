"""Resampling, intervals, paired tests, correlations, corrections for many tests.

Everything here takes arrays; a corpus score is a function of column sums (`FromSums`).

>>> from otherwords import stats
>>> stats.pearson([1.0, 2.0, 3.0], [1.0, 2.0, 2.5]).__round__(3)
0.982
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.stats.alpha import krippendorff_alpha as krippendorff_alpha
    from otherwords.stats.arrays import Array as Array
    from otherwords.stats.arrays import FromSums as FromSums
    from otherwords.stats.arrays import column_sums as column_sums
    from otherwords.stats.coefficients import better_worse_tau as better_worse_tau
    from otherwords.stats.coefficients import kendall as kendall
    from otherwords.stats.coefficients import pairwise_accuracy as pairwise_accuracy
    from otherwords.stats.coefficients import pearson as pearson
    from otherwords.stats.coefficients import spearman as spearman
    from otherwords.stats.coefficients import tie_calibrated_accuracy as tie_calibrated_accuracy
    from otherwords.stats.differences import bootstrap_p as bootstrap_p
    from otherwords.stats.differences import holm as holm
    from otherwords.stats.differences import permutation_p as permutation_p
    from otherwords.stats.differences import williams as williams
    from otherwords.stats.draws import Draws as Draws
    from otherwords.stats.draws import Stream as Stream
    from otherwords.stats.draws import resample as resample
    from otherwords.stats.estimates import Estimate as Estimate
    from otherwords.stats.estimates import Resampling as Resampling
    from otherwords.stats.intervals import Interval as Interval
    from otherwords.stats.intervals import bootstrap as bootstrap
    from otherwords.stats.intervals import interval as interval
    from otherwords.stats.paired import Comparison as Comparison
    from otherwords.stats.paired import compare as compare
    from otherwords.stats.paired import p_value as p_value
    from otherwords.stats.soft import soft_accuracy as soft_accuracy

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.stats.alpha": "krippendorff_alpha",
        "otherwords.stats.arrays": "Array FromSums column_sums",
        "otherwords.stats.intervals": "Interval bootstrap interval",
        "otherwords.stats.coefficients": (
            "better_worse_tau kendall pairwise_accuracy pearson spearman tie_calibrated_accuracy"
        ),
        "otherwords.stats.differences": "bootstrap_p holm permutation_p williams",
        "otherwords.stats.draws": "Draws Stream resample",
        "otherwords.stats.estimates": "Estimate Resampling",
        "otherwords.stats.paired": "Comparison compare p_value",
        "otherwords.stats.soft": "soft_accuracy",
    },
)
