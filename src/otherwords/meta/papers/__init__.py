"""The tables of the papers on any judged set: PEM (2010) and ParaEval (2006)."""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
