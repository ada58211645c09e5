"""File locks that the system releases when their process ends."""

from __future__ import annotations

from otherwords.errors import UsageError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

__all__ = ["lock"]


def lock(descriptor: int) -> None:
    """Lock an open file for this process alone; `OSError` if another process holds it."""
    if fcntl is None:
        raise UsageError("this needs POSIX file locks; on Windows run it in WSL")
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
