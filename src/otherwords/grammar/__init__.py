"""Synchronous grammars: rules, files, extraction from aligned bitexts, parsing of pairs.

>>> from otherwords import grammar
>>> rule = grammar.parse_rule("[NP] ||| the car ||| the automobile ||| p=0.5")
>>> rule.lhs, rule.source
('NP', ('the', 'car'))
"""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
