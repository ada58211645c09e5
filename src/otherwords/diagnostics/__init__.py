"""Diagnostics of paraphrase resources: ParaMetric, PARADIGM, agreement of annotators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.diagnostics.annotators import Aligned as Aligned
    from otherwords.diagnostics.annotators import Statistic as Statistic
    from otherwords.diagnostics.annotators import annotator_agreement as annotator_agreement
    from otherwords.diagnostics.coverage_result import CoverageResult as CoverageResult
    from otherwords.diagnostics.coverage_result import paradigm_coverage as paradigm_coverage
    from otherwords.diagnostics.group_estimates import GroupResampling as GroupResampling
    from otherwords.diagnostics.group_estimates import estimates as estimates
    from otherwords.diagnostics.groups import SentenceGroup as SentenceGroup
    from otherwords.diagnostics.groups import group_rows as group_rows
    from otherwords.diagnostics.groups import phrase_pairs as phrase_pairs
    from otherwords.diagnostics.overlap_result import OverlapResult as OverlapResult
    from otherwords.diagnostics.overlap_result import paradigm_overlap as paradigm_overlap
    from otherwords.diagnostics.paradigm_paper import ParadigmTables as ParadigmTables
    from otherwords.diagnostics.paradigm_paper import paradigm_tables as paradigm_tables
    from otherwords.diagnostics.parametric_paper import ParametricTables as ParametricTables
    from otherwords.diagnostics.parametric_paper import parametric_tables as parametric_tables
    from otherwords.diagnostics.parametric_result import ParametricResult as ParametricResult
    from otherwords.diagnostics.parametric_result import parametric as parametric
    from otherwords.diagnostics.parametric_scorer import SCORES as SCORES
    from otherwords.diagnostics.parametric_scorer import Counted as Counted
    from otherwords.diagnostics.parametric_scorer import ParaMetric as ParaMetric
    from otherwords.diagnostics.parametric_scorer import Paraphraser as Paraphraser
    from otherwords.diagnostics.parametric_scorer import ScoreKey as ScoreKey
    from otherwords.diagnostics.parametric_scorer import SystemCounts as SystemCounts
    from otherwords.diagnostics.paraphrasers import read_alignments as read_alignments
    from otherwords.diagnostics.paraphrasers import read_paraphrases as read_paraphrases
    from otherwords.diagnostics.translations import GroupSizes as GroupSizes
    from otherwords.diagnostics.translations import group_sizes as group_sizes

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.diagnostics.annotators": ("Aligned Statistic annotator_agreement"),
        "otherwords.diagnostics.coverage_result": "CoverageResult paradigm_coverage",
        "otherwords.diagnostics.group_estimates": "GroupResampling estimates",
        "otherwords.diagnostics.translations": "GroupSizes group_sizes",
        "otherwords.diagnostics.groups": "SentenceGroup group_rows phrase_pairs",
        "otherwords.diagnostics.overlap_result": "OverlapResult paradigm_overlap",
        "otherwords.diagnostics.paradigm_paper": "ParadigmTables paradigm_tables",
        "otherwords.diagnostics.parametric_paper": "ParametricTables parametric_tables",
        "otherwords.diagnostics.parametric_result": "ParametricResult parametric",
        "otherwords.diagnostics.parametric_scorer": (
            "Counted ParaMetric Paraphraser SCORES ScoreKey SystemCounts"
        ),
        "otherwords.diagnostics.paraphrasers": "read_alignments read_paraphrases",
    },
)
