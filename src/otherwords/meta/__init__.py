"""Agreement of metrics with human scores, over segments and systems; the tables of the papers.

>>> from otherwords import meta
>>> from otherwords.corpus import Row
>>> texts = ["it rains", "it rained", "it snows"]
>>> rows = [Row(text, ("it rains",), human={"overall": score})
...         for text, score in zip(texts, (5.0, 4.0, 2.0))]
>>> type(meta.agreement(rows, ["chrf"], level="segment")).__name__
'AgreementResult'
"""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
