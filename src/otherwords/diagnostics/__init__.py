"""Diagnostics of paraphrase resources: ParaMetric, PARADIGM, agreement of annotators."""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
