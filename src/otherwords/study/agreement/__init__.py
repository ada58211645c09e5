"""Agreement of metrics with human scores, over segments and systems.

>>> from otherwords.corpus.rows import Row
>>> from otherwords.study.agreement import Coefficients, agreement
>>> texts = ["it rains", "it rained", "it snows"]
>>> rows = [Row(text, ("it rains",), human={"overall": score})
...         for text, score in zip(texts, (5.0, 4.0, 2.0))]
>>> result = agreement(rows, ["chrf"], coefficients=Coefficients(level="segment"))
>>> round(result.metric("chrf").estimates["segment", "pearson"].value, 2)
1.0
"""

from otherwords.study.agreement.arrays import Scoring
from otherwords.study.agreement.coefficients import Difference
from otherwords.study.agreement.evaluation import Coefficients, Comparisons, agreement
from otherwords.study.agreement.human_scores import Scale, Scales, read_judged, read_system_scores
from otherwords.study.agreement.judge import Disagreement, JudgedItem, JudgeResult, measure_judge
from otherwords.study.agreement.recognition import measure_recognition
from otherwords.study.agreement.references import score_references
from otherwords.study.agreement.result import AgreementResult, LineTables, MetricAgreement, Panel
from otherwords.study.agreement.spans import SpanAgreement, measure_spans

__all__ = [
    "AgreementResult",
    "Coefficients",
    "Comparisons",
    "Difference",
    "Disagreement",
    "JudgeResult",
    "JudgedItem",
    "LineTables",
    "MetricAgreement",
    "Panel",
    "Scale",
    "Scales",
    "Scoring",
    "SpanAgreement",
    "agreement",
    "measure_judge",
    "measure_recognition",
    "measure_spans",
    "read_judged",
    "read_system_scores",
    "score_references",
]
