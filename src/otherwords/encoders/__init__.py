"""Words and sentences as vectors: a table that is looked up, and a neural encoder as an extra."""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
