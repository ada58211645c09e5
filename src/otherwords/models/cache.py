"""Where files are kept that can be made again at any time.

The cache holds at most `LIMIT` bytes: what was not used for longest is removed first.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

__all__ = ["LIMIT", "cached_path", "trim"]

LIMIT = 2 << 30  # bytes


def cached_path(source: Path, version: str, ending: str = ".owm") -> Path | None:
    """The cached file that is made from `source`; none if that is not a file or has no place.

    Another path, size, time of change (of content or status) or `version` is another file. The
    folder is `otherwords` in `$XDG_CACHE_HOME`, or in `~/.cache`, and is made if need be.
    """
    if not os.path.isfile(source):
        return None  # a pipe, whose content no name stands for
    try:
        found = source.resolve()
        status = found.stat()
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # there may be no home, or no right to write there
        return None
    # A file can be given an old time of change, but not an old time of its status.
    times = f"{status.st_mtime_ns}\0{status.st_ctime_ns}"
    known = f"{found}\0{status.st_size}\0{times}\0{version}"
    digest = hashlib.sha256(os.fsencode(known)).hexdigest()
    return folder / f"{digest[:32]}{ending}"


def trim(kept: Path, limit: int = LIMIT) -> None:
    """Remove the files used least recently until the rest has `limit` bytes; never `kept`."""
    with suppress(OSError):
        found = [(path.stat(), path) for path in kept.parent.glob("*.owm")]
        size = sum(status.st_size for status, _ in found)
        for status, path in sorted(found, key=lambda one: max(one[0].st_atime, one[0].st_mtime)):
            if size <= limit:
                return
            if path != kept:
                path.unlink(missing_ok=True)
                size -= status.st_size


def _folder() -> Path:
    given = os.environ.get("XDG_CACHE_HOME", "")
    # A relative path is to be ignored (XDG Base Directory Specification).
    base = Path(given) if os.path.isabs(given) else Path.home() / ".cache"
    return base / "otherwords"
