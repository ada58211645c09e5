"""Pairs of texts -> numbers: what the findings about each pair amount to, for regressions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from otherwords.metrics.base import Array
from otherwords.metrics.facts.comparison import Compared, comparer
from otherwords.metrics.facts.finding import Finding
from otherwords.metrics.facts.losses import SHARES, content, lost_shares
from otherwords.text.sentence import Text

__all__ = ["FEATURES", "finding_features"]

# The meaning of each column is fixed: models are trained on them. docs/facts.md describes them.
FEATURES = (
    *SHARES,
    "decisive",
    "strong",
    "weak",
    "values",
    "polarity",
    "structure",
    "hole",
    "surplus",
    "replaced",
    "equivalent",
    "same",
    "unlinked",
    "tight",
    "balance",
)
_VALUES = frozenset({"number", "date", "unit", "name"})
_POLARITY = frozenset({"negation", "antonym", "quantifier", "modality", "tense", "question"})
_STRONG = 0.8  # weight of a contradiction
_SURE = 0.5  # weight of what is missing or added
_REPLACED = 0.4
_BATCH = 2000  # pairs that are compared at once, which bounds the memory


def finding_features(pairs: Sequence[tuple[Text, Text]], threads: int = 1) -> Array:
    """One row for each pair (hypothesis, reference), one column for each of `FEATURES`.

    >>> found = finding_features([("He paid 30 euros.", "He paid 20 euros."), ("Hm.", "Hm.")])
    >>> found.shape == (2, len(FEATURES))
    True
    >>> found[:, FEATURES.index("values")].tolist()
    [1.0, 0.0]
    """
    rows = []
    for begin in range(0, len(pairs), _BATCH):
        batch = list(pairs[begin : begin + _BATCH])
        rows += [_row(compared) for compared in comparer().compare(batch, threads)]
    return np.array(rows, np.float64).reshape(len(rows), len(FEATURES))


def _row(compared: Compared) -> list[float]:
    pair, found = compared.pair, compared.findings
    contradicted = [f for f in found if f.verdict == "contradicted"]
    both = pair.a.total + pair.b.total
    mine = compared.hypothesis.total
    return [
        *lost_shares(compared).values(),
        sum(f.decisive for f in found),
        sum(f.weight >= _STRONG for f in contradicted),
        sum(f.weight < _STRONG for f in contradicted),
        sum(f.kind in _VALUES for f in contradicted),
        sum(f.kind in _POLARITY for f in contradicted),
        len(contradicted) - sum(f.kind in _VALUES | _POLARITY for f in contradicted),
        _mass(compared, [f for f in found if f.verdict == "missing" and f.weight >= _SURE]),
        _mass(compared, [f for f in found if f.verdict == "added" and f.weight >= _SURE]),
        _mass(compared, [f for f in found if f.verdict == "unknown" and f.weight >= _REPLACED]),
        _mass(compared, [f for f in found if f.verdict == "equivalent"]) / both if both else 0.0,
        pair.sameness,
        pair.unlinked,
        _tightness(compared),
        mine / both if both else 0.5,
    ]


def _mass(compared: Compared, found: Sequence[Finding]) -> float:
    return sum(content(compared, finding) for finding in found)


def _tightness(compared: Compared) -> float:
    """How much of the surroundings of what is not linked is the same; 1 if all is linked."""
    pair, mass, kept = compared.pair, 0.0, 0.0
    for slot in pair.slots:
        here = sum(pair.a.weights[slice(*slot.a)]) + sum(pair.b.weights[slice(*slot.b)])
        mass += here
        kept += here * slot.tight
    return kept / mass if mass > 0 else 1.0
