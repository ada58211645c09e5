"""Where relational work runs: plain SQL over Parquet, on DuckDB here."""

from otherwords._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
