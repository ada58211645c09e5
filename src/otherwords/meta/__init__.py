"""Agreement of metrics with human scores, over segments and systems; the tables of the papers.

>>> from otherwords import meta
>>> from otherwords.corpus import Row
>>> texts = ["it rains", "it rained", "it snows"]
>>> rows = [Row(text, ("it rains",), human={"overall": score})
...         for text, score in zip(texts, (5.0, 4.0, 2.0))]
>>> type(meta.agreement(rows, ["chrf"], level="segment")).__name__
'AgreementResult'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.meta.agreement_result import AgreementResult as AgreementResult
    from otherwords.meta.agreement_result import MetricAgreement as MetricAgreement
    from otherwords.meta.comparison import Difference as Difference
    from otherwords.meta.evaluation import agreement as agreement
    from otherwords.meta.given import Given as Given
    from otherwords.meta.judged import Scale as Scale
    from otherwords.meta.panel import Panel as Panel
    from otherwords.meta.papers.maxsim import MaxSimTables as MaxSimTables
    from otherwords.meta.papers.maxsim import maxsim_tables as maxsim_tables
    from otherwords.meta.papers.paraeval import paraeval_tables as paraeval_tables
    from otherwords.meta.papers.paraeval_humans import HumanDistances as HumanDistances
    from otherwords.meta.papers.paraeval_humans import human_distance as human_distance
    from otherwords.meta.papers.paraeval_result import ParaEvalTables as ParaEvalTables
    from otherwords.meta.papers.paraeval_sources import RankedTables as RankedTables
    from otherwords.meta.papers.paraeval_sources import rank_tables as rank_tables
    from otherwords.meta.papers.pem import Restriction as Restriction
    from otherwords.meta.papers.pem import pem_tables as pem_tables
    from otherwords.meta.papers.pem_result import PemTables as PemTables
    from otherwords.meta.recognizing import RecognitionResult as RecognitionResult
    from otherwords.meta.recognizing import recognition as recognition
    from otherwords.meta.score_files import read_given as read_given
    from otherwords.meta.score_files import read_judged as read_judged
    from otherwords.meta.score_files import read_system_scores as read_system_scores

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.meta.agreement_result": "AgreementResult MetricAgreement",
        "otherwords.meta.comparison": "Difference",
        "otherwords.meta.evaluation": "agreement",
        "otherwords.meta.given": "Given",
        "otherwords.meta.judged": "Scale",
        "otherwords.meta.panel": "Panel",
        "otherwords.meta.papers.maxsim": "MaxSimTables maxsim_tables",
        "otherwords.meta.papers.paraeval": "paraeval_tables",
        "otherwords.meta.papers.paraeval_humans": "HumanDistances human_distance",
        "otherwords.meta.papers.paraeval_result": "ParaEvalTables",
        "otherwords.meta.papers.paraeval_sources": "RankedTables rank_tables",
        "otherwords.meta.papers.pem": "Restriction pem_tables",
        "otherwords.meta.papers.pem_result": "PemTables",
        "otherwords.meta.recognizing": "RecognitionResult recognition",
        "otherwords.meta.score_files": "read_given read_judged read_system_scores",
    },
)
