"""Files, compression, encodings, atomic output; checks of arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.io.arguments import check_flag as check_flag
    from otherwords.io.arguments import check_number as check_number
    from otherwords.io.arguments import check_whole as check_whole
    from otherwords.io.files import atomic_write as atomic_write
    from otherwords.io.files import open_bytes as open_bytes
    from otherwords.io.files import packed_write as packed_write
    from otherwords.io.files import read_bytes as read_bytes
    from otherwords.io.files import read_lines as read_lines
    from otherwords.io.files import starts_with as starts_with

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.io.arguments": "check_flag check_number check_whole",
        "otherwords.io.files": (
            "atomic_write open_bytes packed_write read_bytes read_lines starts_with"
        ),
    },
)
