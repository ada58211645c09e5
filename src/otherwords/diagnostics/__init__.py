"""Diagnostics: how good is a paraphraser, by gold alignments (ParaMetric)."""

from otherwords.diagnostics.certainty import Estimate, Resampling, estimates
from otherwords.diagnostics.groups import Group, group_rows, phrase_pairs
from otherwords.diagnostics.parametric import SCORES, Counted, ParaMetric, Score, Scored, System
from otherwords.diagnostics.systems import read_alignments, read_paraphrases

__all__ = [
    "SCORES",
    "Counted",
    "Estimate",
    "Group",
    "ParaMetric",
    "Resampling",
    "Score",
    "Scored",
    "System",
    "estimates",
    "group_rows",
    "phrase_pairs",
    "read_alignments",
    "read_paraphrases",
]
