"""Output for readers: tables, plots, drawn explanations, and self-contained pages."""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
