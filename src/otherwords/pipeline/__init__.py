"""`build`: a bitext to a paraphrase model, in stages that are cached and resumed."""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
