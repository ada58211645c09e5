"""Phrase pairs of aligned bitexts, phrase tables, and paraphrases by pivoting.

>>> from otherwords import phrases
>>> phrases.phrase_spans([(0, 0), (1, 2)], 2, 3, minimal=True).tolist()  # begin, end, begin, end
[[0, 0, 0, 0], [1, 1, 2, 2]]
"""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
