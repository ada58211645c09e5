"""What readers look at: tables, plots, drawn explanations, and pages that stand alone."""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
