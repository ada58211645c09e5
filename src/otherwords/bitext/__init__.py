"""Bitexts: reading and cleaning pairs, aligning their words, comparing with gold links.

>>> from otherwords import bitext
>>> bitext.encode(["The cat sat."], "penn").sentence(0)
['the', 'cat', 'sat', '.']
"""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
