"""Files, compression, encodings, atomic output; checks of arguments."""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
