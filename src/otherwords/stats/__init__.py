"""Resampling, intervals, paired tests, correlations, corrections for many tests.

Everything here takes arrays; a corpus score is a function of column sums (`FromSums`).

>>> from otherwords import stats
>>> stats.pearson([1.0, 2.0, 3.0], [1.0, 2.0, 2.5]).__round__(3)
0.982
"""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
