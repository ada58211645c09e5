"""ParaMetric (Callison-Burch, Cohn & Lapata 2008): paraphrasers against manual word alignments.

>>> from otherwords.build.bitext.gold import Gold
>>> from otherwords.study.parametric import parametric
>>> rows = [Gold(("they", "quit"), ("they", "resign"), *[frozenset({(0, 0), (1, 1)})] * 2)]
>>> parametric(rows, tables={"mine": lambda phrase, _: ["resign"]}).of("mine", "rel-recall").value
0.5
"""

from otherwords.study.parametric.annotators import Aligned, Statistic, annotator_agreement
from otherwords.study.parametric.estimates import GroupResampling, estimates
from otherwords.study.parametric.result import (
    ParametricResult,
    PhraseRules,
    parametric,
    read_alignments,
    read_paraphrases,
)
from otherwords.study.parametric.scorer import (
    SCORES,
    Counted,
    ParaMetric,
    Paraphraser,
    ScoreKey,
    SentenceGroup,
    SystemCounts,
    group_rows,
    phrase_pairs,
)

__all__ = [
    "SCORES",
    "Aligned",
    "Counted",
    "GroupResampling",
    "ParaMetric",
    "ParametricResult",
    "Paraphraser",
    "PhraseRules",
    "ScoreKey",
    "SentenceGroup",
    "Statistic",
    "SystemCounts",
    "annotator_agreement",
    "estimates",
    "group_rows",
    "parametric",
    "phrase_pairs",
    "read_alignments",
    "read_paraphrases",
]
