"""The user's cache folder: files that can be made again at any time.

It holds at most `LIMIT` bytes; what was used least recently is removed first.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

LIMIT = 2 << 30  # bytes


def cached_path(source: Path, version: str, ending: str = ".owm") -> Path | None:
    """The cached file made from `source`; None if that is a pipe or the folder cannot be made.

    The name depends on the path of the source, its size, the times of change of its content and
    status, and `version`. The folder is `otherwords` in `$XDG_CACHE_HOME`, or in `~/.cache`.
    """
    if not os.path.isfile(source):
        return None
    try:
        resolved = source.resolve()
        status = resolved.stat()
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # there may be no home, or no right to write there
        return None
    # A file can be given an old time of change, but not an old time of its status.
    times = f"{status.st_mtime_ns}\0{status.st_ctime_ns}"
    known = f"{resolved}\0{status.st_size}\0{times}\0{version}"
    digest = hashlib.sha256(os.fsencode(known)).hexdigest()
    return folder / f"{digest[:32]}{ending}"


def trim(kept: Path, limit: int = LIMIT) -> None:
    """Remove the files used least recently until the rest has `limit` bytes; never `kept`."""
    with suppress(OSError):
        files = [(path.stat(), path) for path in kept.parent.glob("*.owm")]
        size = sum(status.st_size for status, _ in files)
        files.sort(key=lambda file: max(file[0].st_atime, file[0].st_mtime))
        for status, path in files:
            if size <= limit:
                return
            if path != kept:
                path.unlink(missing_ok=True)
                size -= status.st_size


def _folder() -> Path:
    folder = os.environ.get("XDG_CACHE_HOME", "")
    # A relative path is to be ignored (XDG Base Directory Specification).
    base = Path(folder) if os.path.isabs(folder) else Path.home() / ".cache"
    return base / "otherwords"
