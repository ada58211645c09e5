"""Connections of the studio: how many may be open, and how long one may take to send a request."""

from __future__ import annotations

import asyncio
from typing import cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST = 256  # open connections; a browser has six
PATIENCE = 10.0  # seconds from the start of a connection, or the last answer, to a whole request


class Connection(H11Protocol):
    """A connection that is closed if its client does not send a whole request in time.

    Beyond `MOST` connections, the one that has waited longest for its client is closed; those
    without any answered request go first.
    """

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()
        others = [cast(Connection, one) for one in self.connections]
        others = [one for one in others if not one.transport.is_closing()]
        if len(others) > MOST:
            waiting = [one for one in others if one.waits_for_client]
            min(waiting, key=lambda one: (one.cycle is not None, one.since)).transport.abort()

    def on_response_complete(self) -> None:
        self._wait()
        super().on_response_complete()

    def shutdown(self) -> None:
        if self.waits_for_client:
            self.transport.abort()
        else:
            super().shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    @property
    def waits_for_client(self) -> bool:
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _wait(self) -> None:
        """Start to wait for the next request."""
        self.since = self.loop.time()
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(PATIENCE, self._give_up)

    def _give_up(self) -> None:
        if self.waits_for_client:
            self.transport.abort()
