"""Measures how well a text says the same thing in other words.

>>> import otherwords
>>> result = otherwords.score("maxsim", ["He left early."], references=["He went away early."])
>>> 0 < result.corpus < 1
True

`score` (one metric or several), `compare` (two systems, with a significance test), `rank`
(candidates, best first) and `gate` (rules that a system must keep) are the ways in; `metrics()`
lists the metrics and `metric(name)` makes one. The packages `bitext`, `corpus`, `diagnostics`,
`grammar`, `lm`, `meta`, `metrics`, `phrases`, `report`, `scoring`, `stats`, `tables`, `text` and
`training` have the parts.
"""

from otherwords._lazy import attach

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = attach(__name__, __file__, "metrics")
__all__ += ["__version__"]
