"""The server behind the pages: for this machine alone, and for our own pages alone.

It listens on 127.0.0.1. A request must name this machine as its host, so that a foreign name that
is made to point here (DNS rebinding) finds nothing, and carry the cookie of a browser that was let
in. The printed address has a ticket that works once; it is exchanged for the cookie. The cookie is
made from a key that only this user can read, so that it holds when the studio is started again. A
write must also be JSON and come from our own origin. The pages may load nothing from elsewhere.
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
FIRST_PORT, PORTS = 49152, 16000  # the dynamic range, from which logs get their ports
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
    shared = {"page.js": script(), "style.css": stylesheet() + _own("style.css")}
    for name, text in shared.items():
        routes.append(Route(f"/static/{name}", _file(text.encode(), Path(name).suffix)))
    for path in sorted(_PAGES.iterdir()):
        if path.suffix in _KINDS:
            routes.append(Route(f"/static/{path.name}", _file(path.read_bytes(), path.suffix)))
    for page in pages:
        routes.append(Route(f"/{page.name}", _file(_own(page.html).encode(), ".html")))
        for key, handler in page.reads.items():
            routes.append(Route(f"/api/{page.name}/{key}", _read(handler)))
        for key, handler in page.writes.items():
            routes.append(Route(f"/api/{page.name}/{key}", _write(handler), methods=["POST"]))
    handlers = {HTTPException: _refused, OtherwordsError: _refused_input, Exception: _broken}
    inner = Starlette(routes=routes, exception_handlers=handlers)
    return _Guard(inner, access or Access(user_key()))


def _own(name: str) -> str:
    path = _PAGES / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def listen(port: int = 0) -> socket.socket:
    """A socket of this machine; port 0 is any that is free."""
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
    """A socket at the port of a log, so that open tabs find it again; another if it is taken."""
    with suppress(InputError):
        return listen(FIRST_PORT + crc32(os.fsencode(os.path.realpath(log))) % PORTS)
    return listen()


def serve(
    pages: Sequence[Page], port: int = 0, ready: Callable[[str], None] = lambda address: None
) -> None:
    """Serve the pages until interrupted; `ready` gets the address when it can be opened."""
    access = Access(user_key())
    log = pages[0].log
    with listen_again(log) if log and not port else listen(port) as bound:
        ready(f"http://{HOST}:{bound.getsockname()[1]}/?ticket={access.ticket}")
        server(app(pages, access=access)).run(sockets=[bound])


def server(application: ASGIApp) -> Any:
    """The uvicorn server of an application, quiet."""
    import uvicorn

    config = uvicorn.Config(
        application, log_level="error", access_log=False, lifespan="off", ws="none", loop="asyncio"
    )
    return uvicorn.Server(config)


class _Guard:
    """Refuses other hosts and browsers, and puts the headers of safety on every answer."""

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
        """Exchange a ticket for the cookie, and take it off the address."""
        if request.url.path != "/" or not self._access.takes(request.query_params.get("ticket")):
            message = "open the address that the studio printed; it lets in one browser"
            return JSONResponse({"error": message}, 403)
        found = RedirectResponse("/", 303)
        found.set_cookie(COOKIE, self._access.cookie, httponly=True, samesite="strict")
        return found


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
        return JSONResponse(handler(_parsed(body)))

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


def _parsed(body: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(body.decode("utf-8"), parse_constant=_no_number)
        json.dumps(found, ensure_ascii=False).encode("utf-8")  # half a surrogate pair
    except (ValueError, RecursionError) as error:
        raise HTTPException(400, f"this is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise HTTPException(400, "a JSON object is needed")
    return found


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, headers=error.headers)


async def _refused_input(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 409 if isinstance(error, ConflictError) else 400)


async def _broken(request: Request, error: Exception) -> Response:
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
