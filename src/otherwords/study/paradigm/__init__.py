"""PARADIGM (Weese, Ganitkevitch & Callison-Burch 2014): paraphrase grammars against gold grammars
and sentential paraphrases.
"""

from otherwords.study.paradigm.coverage import CoverageResult, Folds, paradigm_coverage
from otherwords.study.paradigm.overlap import (
    OverlapResult,
    OverlapRules,
    Sweep,
    paradigm_overlap,
)
from otherwords.study.paradigm.pairs import PairsFile
from otherwords.study.paradigm.stages import Parsing, Resources

__all__ = [
    "CoverageResult",
    "Folds",
    "OverlapResult",
    "OverlapRules",
    "PairsFile",
    "Parsing",
    "Resources",
    "Sweep",
    "paradigm_coverage",
    "paradigm_overlap",
]
