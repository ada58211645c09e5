"""Distribution functions for tests and intervals, so that scoring does not need SciPy."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from otherwords.stats.arrays import Array

_TINY = 1e-300
_STEPS = 100_000  # limit of the continued fraction, which needs about sqrt(parameters)


def normal_cdf(x: Array) -> Array:
    """P(X <= x) of the standard normal distribution.

    >>> normal_cdf(np.array([0.0, 1.96])).round(4).tolist()
    [0.5, 0.975]
    """
    scaled = (-np.asarray(x) / math.sqrt(2)).ravel().tolist()
    return np.array([0.5 * math.erfc(value) for value in scaled]).reshape(np.shape(x))


def t_cdf(freedom: float, t: float) -> float:
    """P(T <= t) of Student's t distribution.

    >>> round(t_cdf(2, 4.3027), 4)
    0.975
    """
    tail = 0.5 * _beta(freedom / 2, 0.5, freedom / (freedom + t * t))
    return tail if t < 0 else 1 - tail


@lru_cache(maxsize=1024)
def t_quantile(freedom: float, p: float) -> float:
    """The t with P(T <= t) = p, by bisection.

    >>> round(t_quantile(2, 0.975), 4)
    4.3027
    """
    if p < 0.5:
        return -t_quantile(freedom, 1 - p)
    low, high = 0.0, 1.0
    while t_cdf(freedom, high) < p:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if t_cdf(freedom, middle) < p else (low, middle)
    return high


def _beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (DLMF 8.17.22)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # where the fraction converges slowly
        return 1 - _beta(b, a, 1 - x)
    front = a * math.log(x) + b * math.log1p(-x) - math.log(a)
    front += math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    value = numerator = 1.0
    denominator = 0.0
    for step in range(_STEPS):  # the modified Lentz algorithm
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        denominator = 1 / _away_from_zero(1 + term * denominator)
        numerator = _away_from_zero(1 + term / numerator)
        value *= numerator * denominator
        if abs(numerator * denominator - 1) < 1e-15:
            break
    return math.exp(front) * (value - 1)


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
