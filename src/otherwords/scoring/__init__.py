"""Score, compare, rank and gate: streams of rows through metrics."""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
