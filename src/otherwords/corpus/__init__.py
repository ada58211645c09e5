"""Rows as users have them: JSON, tables, parallel text, WMT files, CoNLL-U, frames.

>>> from otherwords import corpus
>>> row = corpus.Row("a cat sat", references=("the cat sat",), system="A")
>>> row.system, row.references
('A', ('the cat sat',))
"""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
