"""PARADIGM (Weese, Ganitkevitch & Callison-Burch 2014): paraphrase grammars against gold grammars
and sentential paraphrases.
"""

from otherwords.study.paradigm.coverage import CoverageResult, paradigm_coverage
from otherwords.study.paradigm.overlap import OverlapResult, paradigm_overlap
from otherwords.study.paradigm.stages import Parsing, Resources

__all__ = [
    "CoverageResult",
    "OverlapResult",
    "Parsing",
    "Resources",
    "paradigm_coverage",
    "paradigm_overlap",
]
