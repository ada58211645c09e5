"""Engines for relational work: plain SQL over Parquet, run by DuckDB or Spark."""

from otherwords.errors import optional_imports

with optional_imports():
    from otherwords.build.engine.base import Engine
    from otherwords.build.engine.duck import DuckEngine

__all__ = ["DuckEngine", "Engine"]
