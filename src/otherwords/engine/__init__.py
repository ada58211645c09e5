"""Where relational work runs: plain SQL over Parquet, on DuckDB here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.engine.duck import Engine as Engine
    from otherwords.engine.parquet import Columns as Columns
    from otherwords.engine.parquet import check_values as check_values
    from otherwords.engine.parquet import metadata_of as metadata_of
    from otherwords.engine.parquet import open_parquet as open_parquet
    from otherwords.engine.parquet import read_batches as read_batches
    from otherwords.engine.parquet import write_parquet as write_parquet

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.engine.duck": "Engine",
        "otherwords.engine.parquet": (
            "Columns check_values metadata_of open_parquet read_batches write_parquet"
        ),
    },
)
