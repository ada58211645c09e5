"""The footer of Parquet files: it has no checksum, but Arrow describes the columns in it twice."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

__all__ = ["KEY", "check_footer"]

KEY = b"otherwords"  # of our metadata
_COPY = b"ARROW:schema"


def check_footer(file: pq.ParquetFile) -> None:
    """Raise ValueError if the two descriptions of columns, or of our metadata, differ."""
    import pyarrow as pa
    import pyarrow.ipc

    known = file.metadata.metadata or {}
    if _COPY not in known:
        return
    try:
        data = pa.py_buffer(base64.b64decode(known[_COPY], validate=True))
        copy = pyarrow.ipc.read_schema(data)
    except (ValueError, OSError, pa.ArrowException) as error:
        raise ValueError("its footer is damaged") from error
    found = file.schema_arrow
    if copy.names != found.names or (copy.metadata or {}).get(KEY) != known.get(KEY):
        raise ValueError("its footer is damaged")
    for one, other in zip(copy.types, found.types, strict=True):
        if None not in (_kind(one), _kind(other)) and _kind(one) != _kind(other):
            raise ValueError("its footer is damaged")


def _kind(found: pa.DataType) -> str | None:
    """What a value of the type is; none for types that we do not read."""
    import pyarrow.types as types

    tests = {
        "number": types.is_integer,
        "fraction": types.is_floating,
        "truth": types.is_boolean,
        "text": lambda one: types.is_string(one) or types.is_large_string(one),
        "list": lambda one: types.is_list(one) or types.is_large_list(one),
    }
    return next((name for name, test in tests.items() if test(found)), None)
