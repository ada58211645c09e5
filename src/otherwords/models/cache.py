"""The user's cache folder: files that can be made again at any time.

It holds at most `LIMIT` bytes; the least recently used files are removed first.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

LIMIT = 2 << 30  # bytes


def cached_path(source: Path, version: str, ending: str = ".owm") -> Path | None:
    """The path of the cache for `source`; None for a pipe, or if the folder cannot be made.

    The name depends on the path, size, modification and status times of the source, and on
    `version`. The folder is `otherwords` in `$XDG_CACHE_HOME`, or in `~/.cache`.
    """
    if not os.path.isfile(source):
        return None
    try:
        resolved = source.resolve()
        status = resolved.stat()
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # no home folder, or no permission
        return None
    # A file's modification time can be set back, its status time cannot.
    times = f"{status.st_mtime_ns}\0{status.st_ctime_ns}"
    known = f"{resolved}\0{status.st_size}\0{times}\0{version}"
    digest = hashlib.sha256(os.fsencode(known)).hexdigest()
    return folder / f"{digest[:32]}{ending}"


def trim(keep: Path, limit: int = LIMIT) -> None:
    """Remove the least recently used files until `limit` bytes are left; never `keep`."""
    with suppress(OSError):
        files = [(path.stat(), path) for path in keep.parent.glob("*.owm")]
        size = sum(status.st_size for status, _ in files)
        files.sort(key=lambda file: max(file[0].st_atime, file[0].st_mtime))
        for status, path in files:
            if size <= limit:
                return
            if path != keep:
                path.unlink(missing_ok=True)
                size -= status.st_size


def _folder() -> Path:
    folder = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG Base Directory Specification says to ignore a relative path.
    base = Path(folder) if os.path.isabs(folder) else Path.home() / ".cache"
    return base / "otherwords"
