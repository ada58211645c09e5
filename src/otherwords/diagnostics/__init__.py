"""Diagnostics: how good is a paraphraser, by gold alignments (ParaMetric)."""

from otherwords.diagnostics.annotators import Aligned, Statistic, annotator_agreement
from otherwords.diagnostics.certainty import Estimate, Resampling, estimates
from otherwords.diagnostics.groups import Group, group_rows, phrase_pairs
from otherwords.diagnostics.parametric import SCORES, Counted, ParaMetric, Score, Scored, System
from otherwords.diagnostics.systems import read_alignments, read_paraphrases

__all__ = [
    "SCORES",
    "Aligned",
    "Counted",
    "Estimate",
    "Group",
    "ParaMetric",
    "Resampling",
    "Score",
    "Scored",
    "Statistic",
    "System",
    "annotator_agreement",
    "estimates",
    "group_rows",
    "phrase_pairs",
    "read_alignments",
    "read_paraphrases",
]
