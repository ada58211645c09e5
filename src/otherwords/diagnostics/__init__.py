"""Diagnostics: how good is a paraphraser, by gold alignments (ParaMetric)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.diagnostics.annotators import Aligned as Aligned
    from otherwords.diagnostics.annotators import Statistic as Statistic
    from otherwords.diagnostics.annotators import annotator_agreement as annotator_agreement
    from otherwords.diagnostics.certainty import Estimate as Estimate
    from otherwords.diagnostics.certainty import Resampling as Resampling
    from otherwords.diagnostics.certainty import estimates as estimates
    from otherwords.diagnostics.groups import Group as Group
    from otherwords.diagnostics.groups import group_rows as group_rows
    from otherwords.diagnostics.groups import phrase_pairs as phrase_pairs
    from otherwords.diagnostics.parametric import SCORES as SCORES
    from otherwords.diagnostics.parametric import Counted as Counted
    from otherwords.diagnostics.parametric import ParaMetric as ParaMetric
    from otherwords.diagnostics.parametric import Score as Score
    from otherwords.diagnostics.parametric import Scored as Scored
    from otherwords.diagnostics.parametric import System as System
    from otherwords.diagnostics.systems import read_alignments as read_alignments
    from otherwords.diagnostics.systems import read_paraphrases as read_paraphrases

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.diagnostics.annotators": "Aligned Statistic annotator_agreement",
        "otherwords.diagnostics.certainty": "Estimate Resampling estimates",
        "otherwords.diagnostics.groups": "Group group_rows phrase_pairs",
        "otherwords.diagnostics.parametric": "Counted ParaMetric SCORES Score Scored System",
        "otherwords.diagnostics.systems": "read_alignments read_paraphrases",
    },
)
