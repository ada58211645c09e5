"""Diagnostics of paraphrase resources: ParaMetric, PARADIGM, agreement of annotators."""

from otherwords.study.diagnostics.annotators import Aligned, Statistic, annotator_agreement
from otherwords.study.diagnostics.coverage_result import CoverageResult, paradigm_coverage
from otherwords.study.diagnostics.group_estimates import GroupResampling, estimates
from otherwords.study.diagnostics.groups import SentenceGroup, group_rows, phrase_pairs
from otherwords.study.diagnostics.overlap_result import OverlapResult, paradigm_overlap
from otherwords.study.diagnostics.paradigm_paper import ParadigmTables, paradigm_tables
from otherwords.study.diagnostics.paradigm_stages import Parsing
from otherwords.study.diagnostics.parametric_paper import ParametricTables, parametric_tables
from otherwords.study.diagnostics.parametric_result import ParametricResult, parametric
from otherwords.study.diagnostics.parametric_scorer import (
    SCORES,
    Counted,
    ParaMetric,
    Paraphraser,
    ScoreKey,
    SystemCounts,
)
from otherwords.study.diagnostics.paraphrasers import read_alignments, read_paraphrases
from otherwords.study.diagnostics.translations import GroupSizes, group_sizes

__all__ = [
    "SCORES",
    "Aligned",
    "Counted",
    "CoverageResult",
    "GroupResampling",
    "GroupSizes",
    "OverlapResult",
    "ParaMetric",
    "ParadigmTables",
    "ParametricResult",
    "ParametricTables",
    "Paraphraser",
    "Parsing",
    "ScoreKey",
    "SentenceGroup",
    "Statistic",
    "SystemCounts",
    "annotator_agreement",
    "estimates",
    "group_rows",
    "group_sizes",
    "paradigm_coverage",
    "paradigm_overlap",
    "paradigm_tables",
    "parametric",
    "parametric_tables",
    "phrase_pairs",
    "read_alignments",
    "read_paraphrases",
]
