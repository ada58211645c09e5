"""A gate for continuous integration: scores and segments of a system against rules."""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
