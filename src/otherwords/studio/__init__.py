"""The studio: local web pages to align words, judge paraphrases and look at scores."""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
