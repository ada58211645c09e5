"""The server behind the pages, for this machine and our own pages only.

It listens on 127.0.0.1. A request must name this machine as its host (against DNS rebinding), and
carry the cookie of a browser that was let in. The printed address has a ticket that works once and
is exchanged for the cookie. The cookie derives from a key that only this user can read, so that it
stays valid when the studio is started again. A write must also be JSON and come from our own
origin. The pages may load nothing from elsewhere.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any
from zlib import crc32

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from otherwords.errors import InputError, OtherwordsError
from otherwords.study.report.style import script, stylesheet
from otherwords.study.studio.page import ConflictError, Handler, Page

HOST = "127.0.0.1"
LARGEST_BODY = 1 << 20
FIRST_PORT, PORTS = 49152, 16000  # logs get their ports from the dynamic range
_PAGES = Path(__file__).with_name("pages")
_KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_HEADERS = {
    "content-security-policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
COOKIE = "otherwords-studio"


def app(pages: Sequence[Page], *, access: Access | None = None) -> ASGIApp:
    """The application that serves the pages; `/` is the first of them."""
    routes = [Route("/", _redirect(f"/{pages[0].name}"))]
    shared = {"page.js": script(), "style.css": stylesheet() + _read_page("style.css")}
    for name, text in shared.items():
        routes.append(Route(f"/static/{name}", _file(text.encode(), Path(name).suffix)))
    for path in sorted(_PAGES.iterdir()):
        if path.suffix in _KINDS:
            routes.append(Route(f"/static/{path.name}", _file(path.read_bytes(), path.suffix)))
    for page in pages:
        routes.append(Route(f"/{page.name}", _file(_read_page(page.html).encode(), ".html")))
        for key, handler in page.reads.items():
            routes.append(Route(f"/api/{page.name}/{key}", _read(handler)))
        for key, handler in page.writes.items():
            routes.append(Route(f"/api/{page.name}/{key}", _write(handler), methods=["POST"]))
    handlers = {HTTPException: _refuse, OtherwordsError: _refuse_input, Exception: _report_fault}
    inner = Starlette(routes=routes, exception_handlers=handlers)
    return _Guard(inner, access or Access(user_key()))


def _read_page(name: str) -> str:
    path = _PAGES / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def listen(port: int = 0) -> socket.socket:
    """Open a socket on this machine; port 0 takes any free port."""
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((HOST, port))
        bound.listen(64)
    except OSError as error:
        bound.close()
        message = f"port {port} cannot be used: {error.strerror or error}; 0 takes a free one"
        raise InputError(message) from error
    return bound


def listen_again(log: str) -> socket.socket:
    """Open a socket at the port of a log, so that open tabs find it again, or at a free one."""
    with suppress(InputError):
        return listen(FIRST_PORT + crc32(os.fsencode(os.path.realpath(log))) % PORTS)
    return listen()


def serve(
    pages: Sequence[Page], port: int = 0, ready: Callable[[str], None] = lambda address: None
) -> None:
    """Serve the pages until interrupted; `ready` is called with the address to open."""
    access = Access(user_key())
    log = pages[0].log
    with listen_again(log) if log and not port else listen(port) as bound:
        ready(f"http://{HOST}:{bound.getsockname()[1]}/?ticket={access.ticket}")
        server(app(pages, access=access)).run(sockets=[bound])


def server(application: ASGIApp) -> Any:
    """A uvicorn server without access log."""
    import uvicorn

    config = uvicorn.Config(
        application, log_level="error", access_log=False, lifespan="off", ws="none", loop="asyncio"
    )
    return uvicorn.Server(config)


class _Guard:
    """Refuses other hosts and browsers, and adds the security headers to every answer."""

    def __init__(self, inner: ASGIApp, access: Access) -> None:
        self._inner = inner
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        answer: ASGIApp = self._inner
        if scope["type"] == "http" and not _is_ours(scope):
            answer = JSONResponse({"error": "this address serves this machine alone"}, 421)
        elif scope["type"] == "http":
            request = Request(scope)
            if not self._access.admits(request.cookies.get(COOKIE)):
                answer = self._let_in(request)
        await answer(scope, receive, guarded)

    def _let_in(self, request: Request) -> Response:
        """Exchange the ticket in the address for the cookie."""
        if request.url.path != "/" or not self._access.takes(request.query_params.get("ticket")):
            message = "open the address that the studio printed; it lets in one browser"
            return JSONResponse({"error": message}, 403)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(COOKIE, self._access.cookie, httponly=True, samesite="strict")
        return answer


def _is_ours(scope: Scope) -> bool:
    """Whether the host is this machine, by its number or as localhost, at our port."""
    port = scope["server"][1]
    return Headers(scope=scope).getlist("host") in ([f"{HOST}:{port}"], [f"localhost:{port}"])


def _redirect(address: str) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        return RedirectResponse(address)

    return answer


def _file(content: bytes, suffix: str) -> Callable[[Request], Any]:
    kind = _KINDS.get(suffix, "text/html")

    async def answer(request: Request) -> Response:
        return Response(content, media_type=f"{kind}; charset=utf-8")

    return answer


def _read(handler: Handler) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        return JSONResponse(handler(request.query_params))

    return answer


def _write(handler: Handler) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        _check_sender(request)
        try:
            body = await _body(request)
        except ClientDisconnect:  # nobody is there to be answered
            return Response(status_code=499)
        return JSONResponse(handler(_parse(body)))

    return answer


def _check_sender(request: Request) -> None:
    headers = request.headers
    if headers.get("origin", f"http://{headers['host']}") != f"http://{headers['host']}":
        raise HTTPException(403, "writes from other pages are refused")
    if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(415, "application/json is needed")


async def _body(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise HTTPException(413, f"more than {LARGEST_BODY} bytes")
    return body


def _parse(body: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_no_number)
        json.dumps(value, ensure_ascii=False).encode("utf-8")  # fails on half a surrogate pair
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, f"this is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise HTTPException(400, "a JSON object is needed")
    return value


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, headers=error.headers)


async def _refuse_input(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 409 if isinstance(error, ConflictError) else 400)


async def _report_fault(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "the studio has a fault; see where it was started"}, 500)


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
        """Whether this is the ticket, which works once."""
        if self._is_used or ticket is None:
            return False
        self._is_used = hmac.compare_digest(ticket.encode(), self.ticket.encode())
        return self._is_used


def user_key() -> bytes:
    """The key of this user, created if there is none; if it cannot be stored, it is temporary."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    path = Path(home) / "otherwords" / "studio.key"
    key = secrets.token_bytes(32)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(key)
    except FileExistsError:
        stored = path.read_bytes() if path.stat().st_uid == os.getuid() else b""
        return stored if len(stored) == len(key) else key
    except OSError:
        pass
    return key
