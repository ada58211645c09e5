"""Access to the studio: only the browser that opened the printed address.

The address carries a ticket that works once; it is exchanged for a cookie. The cookie is made from
a key that only this user can read, so that it holds when the studio is started again.
"""

from __future__ import annotations

import hmac
import os
import secrets
from hashlib import sha256
from pathlib import Path

__all__ = ["Access", "user_key"]

COOKIE = "otherwords-studio"


class Access:
    """A ticket for one browser, and the cookie that it is exchanged for."""

    def __init__(self, key: bytes, ticket: str | None = None) -> None:
        self.cookie = hmac.new(key, b"studio", sha256).hexdigest()
        self.ticket = ticket or secrets.token_urlsafe(24)
        self._is_used = False

    def admits(self, cookie: str | None) -> bool:
        """Whether a request with this cookie is from a browser that was let in."""
        return cookie is not None and hmac.compare_digest(cookie.encode(), self.cookie.encode())

    def takes(self, ticket: str | None) -> bool:
        """Whether this is the ticket; it is used up then."""
        if self._is_used or ticket is None:
            return False
        self._is_used = hmac.compare_digest(ticket.encode(), self.ticket.encode())
        return self._is_used


def user_key() -> bytes:
    """The key of this user, made when there is none; one of this process if it cannot be kept."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    path = Path(home) / "otherwords" / "studio.key"
    key = secrets.token_bytes(32)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(key)
    except FileExistsError:
        kept = path.read_bytes() if path.stat().st_uid == os.getuid() else b""
        return kept if len(kept) == len(key) else key
    except OSError:
        pass
    return key
