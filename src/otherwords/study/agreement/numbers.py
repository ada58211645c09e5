"""Estimates as the tables and the JSON documents of results have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from otherwords.stats.estimates import Estimate, Resampling
from otherwords.tables.formats import number_dict
from otherwords.tables.table import Column, Number

__all__ = ["coefficient_column", "estimate_dict", "number_of", "resampling_dict"]


def coefficient_column(name: str, head: str | None = None) -> Column:
    """A column of coefficients with their intervals."""
    return Column(name, head, decimals=4, best="highest", interval="range")


def number_of(one: Estimate, resampling: Resampling | None) -> Number:
    """An estimate as a cell of a table.

    >>> number_of(Estimate(0.5, 8, 0.51, 0.4, 0.6, 990), Resampling(resamples=1000)).resamples
    990
    """
    if one.low is None or resampling is None:
        return Number(one.value, reason=one.reason)
    confidence = resampling.confidence
    return Number(one.value, one.low, one.high, confidence=confidence, resamples=one.defined)


def estimate_dict(one: Estimate, resampling: Resampling | None) -> dict[str, Any]:
    """An estimate as a JSON object: `resamples` of the interval are those that have a value.

    >>> estimate_dict(Estimate(None, 2, reason="2 rows"), None)
    {'value': None, 'reason': '2 rows', 'size': 2}
    """
    found = number_dict(number_of(one, resampling)) | {"size": one.size}
    if one.mean is not None:
        found["mean"] = one.mean  # of the resamples
    if one.value is not None and (one.groups > 1 or one.left_out):
        found |= {"groups": one.groups, "left_out": one.left_out}
    return found


def resampling_dict(
    resampling: Resampling | None, unit: str, size: int, **more: Any
) -> Mapping[str, Any] | None:
    """How all intervals of a document are made; `size` counts the units that were resampled."""
    if resampling is None:
        return None
    return {
        **more,
        "confidence": resampling.confidence,
        "resamples": resampling.resamples,
        "seed": resampling.seed,
        "by": unit,
        "size": size,
    }
