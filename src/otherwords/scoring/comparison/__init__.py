"""Systems side by side, without human scores: where they differ, and whether it is chance."""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
