"""A learned combination of statistics (`otherwords train combine`), and the embedded one,
`otherwords-mt`: what people would say of a translation.

The statistics are those of `combine_features`; `docs/combine.md` tells how they are joined.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from otherwords.errors import ModelError, UsageError
from otherwords.io.arguments import check_flag
from otherwords.metrics.base import Array, Traits
from otherwords.metrics.combine_features import BothSides, columns_of, resources
from otherwords.metrics.combine_model import Combination
from otherwords.metrics.pairs import PairMetric
from otherwords.metrics.registry import cached, register
from otherwords.text.sentence import Text

__all__ = ["Combine", "OtherwordsMt", "combine", "otherwords_mt"]

EMBEDDED = "otherwords-mt"
SHOWN = 12  # statistics that an explanation lists


@register
class Combine(PairMetric):
    """A combination that `otherwords train combine` wrote: `model` is its file.

    0 is unrelated text, 1 a copy of the reference. Of several references the one that gives the
    best score counts.
    """

    name = "combine"
    traits = Traits(low=0.0, high=1.0, english=True)
    columns = ("score", "segments")
    retrain = "otherwords train combine"

    def __init__(self, *, model: str | Path = EMBEDDED, case: bool = False, **common: Any) -> None:
        super().__init__(model=model, case=case, **common)
        self.case = check_flag("case", case)
        self.combination = Combination.load(model)
        self.seen = self.combination.seen
        self._resources = resources()
        self._require_its_resources()
        if common.get("against") is None:  # as it was trained
            self.against = self.combination.provenance.get("against", self.against)

    def _require_its_resources(self) -> None:
        wanted = self.combination.provenance.get("resources")
        if wanted != self._resources:
            raise UsageError(
                f"the combination was trained with the models {wanted}, these are "
                f"{self._resources}; train it again with `otherwords train combine`"
            )

    def signature_parts(self) -> dict[str, str]:
        """The combination, and the models behind its statistics."""
        case = "kept" if self.case else "folded"
        return {"case": case, "combination": self.combination.digest, **self._resources}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """The score of each pair; a copy is 1, a text without a word 0."""
        texts = BothSides(left, right, threads, case=self.case)
        scores = self.combination.scores(self._rows(texts), threads)
        return np.select([texts.copies, texts.empty], [1.0, 0.0], scores)[:, None]

    def _rows(self, texts: BothSides) -> Array:
        columns = columns_of(texts, self.combination.families)
        if tuple(columns) != self.combination.statistics:
            raise ModelError("the combination was trained with other statistics; train it again")
        return np.column_stack(list(columns.values()))

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        """What each family, and those statistics that matter most, add to an average score."""
        row = self._rows(BothSides([hypothesis], [target], case=self.case))[0]
        added = self.combination.contributions(row)
        families = dict.fromkeys(self.combination.families, 0.0)
        for name, value in added.items():
            families[name.split("/")[0]] += value
        most = sorted(added, key=lambda name: -abs(added[name]))[:SHOWN]
        values = dict(zip(added, row.tolist(), strict=True))
        return {
            "average": self.combination.average,
            "families": {name: round(value, 4) for name, value in families.items()},
            "statistics": {
                name: {"value": round(values[name], 4), "adds": round(added[name], 4)}
                for name in most
            },
        }


@register
class OtherwordsMt(Combine):
    """The embedded combination, for translations into English."""

    name = "otherwords-mt"


def combine(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """The score of one segment by a combination of your own: `model` is its file.

    >>> combine("The cat sat on the mat.", "The cat sat on the mat.", model="otherwords-mt")
    1.0
    """
    return cached("combine", options).score_one(hypothesis, references)


def otherwords_mt(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """The score of one translation.

    >>> otherwords_mt("The cat sat on the mat.", "The cat sat on the mat.")
    1.0
    """
    return cached("otherwords-mt", options).score_one(hypothesis, references)
