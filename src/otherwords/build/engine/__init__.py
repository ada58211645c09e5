"""Engines for relational work: plain SQL over Parquet, run by DuckDB or Spark."""

from otherwords.errors import optional_imports

with optional_imports():
    from otherwords.build.engine.base import Engine, Kernel
    from otherwords.build.engine.duck import DuckEngine
    from otherwords.build.engine.parquet import (
        Columns,
        check_values,
        metadata_of,
        open_parquet,
        read_batches,
        row_count,
        write_parquet,
    )

__all__ = [
    "Columns",
    "DuckEngine",
    "Engine",
    "Kernel",
    "check_values",
    "metadata_of",
    "open_parquet",
    "read_batches",
    "row_count",
    "write_parquet",
]
