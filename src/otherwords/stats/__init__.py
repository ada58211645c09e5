"""Resampling, intervals, paired tests, correlations, corrections for many tests.

Everything here takes arrays; a corpus score is a function of column sums (`FromSums`).

>>> from otherwords.stats.coefficients import pearson
>>> pearson([1.0, 2.0, 3.0], [1.0, 2.0, 2.5]).__round__(3)
0.982
"""
