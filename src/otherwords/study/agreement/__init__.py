"""Agreement of metrics with human scores, over segments and systems; the tables of the papers.

>>> from otherwords.study.agreement import agreement
>>> from otherwords.corpus.rows import Row
>>> texts = ["it rains", "it rained", "it snows"]
>>> rows = [Row(text, ("it rains",), human={"overall": score})
...         for text, score in zip(texts, (5.0, 4.0, 2.0))]
>>> type(agreement(rows, ["chrf"], level="segment")).__name__
'AgreementResult'
"""

from otherwords.study.agreement.comparison import Difference
from otherwords.study.agreement.evaluation import agreement
from otherwords.study.agreement.human_scores import Scale, read_judged, read_system_scores
from otherwords.study.agreement.recognition import RecognitionResult, recognition
from otherwords.study.agreement.result import AgreementResult, MetricAgreement, Panel

__all__ = [
    "AgreementResult",
    "Difference",
    "MetricAgreement",
    "Panel",
    "RecognitionResult",
    "Scale",
    "agreement",
    "read_judged",
    "read_system_scores",
    "recognition",
]
