"""Every metric: a class on one contract (`Metric`) and a function that scores one segment.

Called, the package lists the metrics with their traits.

>>> from otherwords import metrics
>>> metrics.maxsim("A boy bought a car.", "A boy purchased an automobile.")
1.0
>>> metrics.MaxSim(alpha=0.5).statistics(["a cat"], [["a cat", "the cat"]]).shape
(1, 5)
>>> metrics()["pem"].range
(1.0, 5.0)
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.metrics.base import Explanation as Explanation
    from otherwords.metrics.base import Metric as Metric
    from otherwords.metrics.base import Span as Span
    from otherwords.metrics.base import Traits as Traits
    from otherwords.metrics.combine import Combine as Combine
    from otherwords.metrics.combine import OtherwordsMt as OtherwordsMt
    from otherwords.metrics.combine import combine as combine
    from otherwords.metrics.combine import otherwords_mt as otherwords_mt
    from otherwords.metrics.facts import Facts as Facts
    from otherwords.metrics.facts import Finding as Finding
    from otherwords.metrics.facts import facts as facts
    from otherwords.metrics.facts import findings as findings
    from otherwords.metrics.ibleu import IBleu as IBleu
    from otherwords.metrics.ibleu import ibleu as ibleu
    from otherwords.metrics.incremental import BpBleu as BpBleu
    from otherwords.metrics.incremental import Gm as Gm
    from otherwords.metrics.incremental import Mup as Mup
    from otherwords.metrics.incremental import bp_bleu as bp_bleu
    from otherwords.metrics.incremental import gm as gm
    from otherwords.metrics.incremental import mup as mup
    from otherwords.metrics.maxsim import MaxSim as MaxSim
    from otherwords.metrics.maxsim import maxsim as maxsim
    from otherwords.metrics.paraeval import ParaEval as ParaEval
    from otherwords.metrics.paraeval import ParaEvalPrecision as ParaEvalPrecision
    from otherwords.metrics.paraeval import ParaEvalRecall as ParaEvalRecall
    from otherwords.metrics.paraeval import ParaEvalSummary as ParaEvalSummary
    from otherwords.metrics.paraeval import ParaEvalWeighted as ParaEvalWeighted
    from otherwords.metrics.paraeval import paraeval as paraeval
    from otherwords.metrics.paraeval import paraeval_precision as paraeval_precision
    from otherwords.metrics.paraeval import paraeval_recall as paraeval_recall
    from otherwords.metrics.paraeval import paraeval_summary as paraeval_summary
    from otherwords.metrics.paraeval import paraeval_weighted as paraeval_weighted
    from otherwords.metrics.pem import Pem as Pem
    from otherwords.metrics.pem import PemAdequacy as PemAdequacy
    from otherwords.metrics.pem import PemDissimilarity as PemDissimilarity
    from otherwords.metrics.pem import PemFluency as PemFluency
    from otherwords.metrics.pem import pem as pem
    from otherwords.metrics.pem import pem_adequacy as pem_adequacy
    from otherwords.metrics.pem import pem_dissimilarity as pem_dissimilarity
    from otherwords.metrics.pem import pem_fluency as pem_fluency
    from otherwords.metrics.pinc import Pinc as Pinc
    from otherwords.metrics.pinc import pinc as pinc
    from otherwords.metrics.precis import Precis as Precis
    from otherwords.metrics.precis import precis as precis
    from otherwords.metrics.registry import register as register
    from otherwords.metrics.sacre import Bleu as Bleu
    from otherwords.metrics.sacre import ChrF as ChrF
    from otherwords.metrics.sacre import ChrFPlusPlus as ChrFPlusPlus
    from otherwords.metrics.sacre import Ter as Ter
    from otherwords.metrics.sacre import bleu as bleu
    from otherwords.metrics.sacre import chrf as chrf
    from otherwords.metrics.sacre import chrf_plus_plus as chrf_plus_plus
    from otherwords.metrics.sacre import ter as ter
    from otherwords.metrics.vectors import Vectors as Vectors
    from otherwords.metrics.vectors import VectorsF1 as VectorsF1
    from otherwords.metrics.vectors import vectors as vectors
    from otherwords.metrics.vectors import vectors_f1 as vectors_f1

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.metrics.base": "Explanation Metric Span Traits",
        "otherwords.metrics.combine": "Combine OtherwordsMt combine otherwords_mt",
        "otherwords.metrics.facts": "Facts Finding facts findings",
        "otherwords.metrics.ibleu": "IBleu ibleu",
        "otherwords.metrics.incremental": "BpBleu Gm Mup bp_bleu gm mup",
        "otherwords.metrics.maxsim": "MaxSim maxsim",
        "otherwords.metrics.paraeval": (
            "ParaEval ParaEvalPrecision ParaEvalRecall ParaEvalSummary ParaEvalWeighted "
            "paraeval paraeval_precision paraeval_recall paraeval_summary paraeval_weighted"
        ),
        "otherwords.metrics.pem": (
            "Pem PemAdequacy PemDissimilarity PemFluency "
            "pem pem_adequacy pem_dissimilarity pem_fluency"
        ),
        "otherwords.metrics.pinc": "Pinc pinc",
        "otherwords.metrics.precis": "Precis precis",
        "otherwords.metrics.registry": "register",
        "otherwords.metrics.sacre": "Bleu ChrF ChrFPlusPlus Ter bleu chrf chrf_plus_plus ter",
        "otherwords.metrics.vectors": "Vectors VectorsF1 vectors vectors_f1",
    },
)


class _Metrics(ModuleType):
    """The package as a function: `otherwords.metrics()` of the public interface."""

    def __call__(self) -> dict[str, Traits]:
        """The traits of every registered metric by name."""
        from otherwords.metrics.registry import registered

        return {name: metric.traits for name, metric in registered().items()}

    def __setattr__(self, name: str, value: Any) -> None:
        # Importing metrics/pem.py would put the module in the place of the function `pem`.
        if not (isinstance(value, ModuleType) and name in __all__):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Metrics
