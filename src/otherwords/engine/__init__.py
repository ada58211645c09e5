"""Where relational work runs: plain SQL over Parquet, on DuckDB here."""

from otherwords.engine.duck import Engine
from otherwords.engine.parquet import Columns, metadata_of, open_parquet, write_parquet

__all__ = ["Columns", "Engine", "metadata_of", "open_parquet", "write_parquet"]
