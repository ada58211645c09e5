"""The server behind the pages, for our own pages only.

By default it listens on 127.0.0.1. A request must name our host (against DNS rebinding), and carry
the cookie of a browser that was let in. The printed address has a ticket that is exchanged for the
cookie, whose name has the port: browsers send a cookie to every port of a machine. On this machine
the ticket works once, and the cookie is new at every start. Judges on other machines have a link
each, which works until its file is deleted. A write must also be JSON and come from our own origin.
The pages may load nothing from elsewhere. `connections` limits how many connections are open, and
for how long without a whole request.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import socket
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zlib import crc32

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from otherwords.errors import InputError, OtherwordsError, UsageError
from otherwords.io.values import load_json
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
_ENDING = 2  # seconds for requests that run when the studio is stopped
_STYLE = (
    "body{font:1.1rem/1.6 system-ui,sans-serif;max-width:36rem;margin:12vh auto;padding:0 1.2rem}"
    ":root{color-scheme:light dark}h1{font-size:1.4rem}"
)
_STYLE_HASH = b64encode(sha256(_STYLE.encode()).digest()).decode()
_REFUSAL = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>otherwords studio</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>
<body><main><h1>%s</h1><p>%s</p></main></body></html>
"""
_CLOSED = (
    "This browser was not let in",
    "Open the address that the studio printed. On this machine it lets in one browser, once: go on "
    "in that browser, or stop the studio with Ctrl-C and start it again for a new address. "
    "Everything that was saved is kept. A judge with a personal link opens that link again.",
)
_ELSEWHERE = (
    "The studio is not served at this address",
    "Open the address that the studio printed, with its host and port.",
)


@dataclass(frozen=True)
class Site:
    """Where the server listens, and the address that browsers see if a proxy stands between."""

    bind: str = HOST
    address: str | None = None

    def __post_init__(self) -> None:
        parts = urlsplit(self.address or "")
        if self.address is not None and (parts.scheme not in ("http", "https") or not parts.netloc):
            message = f"`address` is like https://judges.example.org, not '{self.address}'"
            raise UsageError(message)
        if self.address is None and self.bind in ("0.0.0.0", "::"):
            message = f"`bind` {self.bind} is every address of this machine; name the one that "
            raise UsageError(f"{message}judges open with `address`")

    @property
    def is_local(self) -> bool:
        return (self.bind, self.address) == (HOST, None)

    @property
    def scheme(self) -> str:
        return urlsplit(self.address or "").scheme or "http"

    def hosts(self, port: int) -> list[str]:
        """The hosts that a request may name; the first is for the printed address."""
        if self.address is not None:
            return [urlsplit(self.address).netloc]
        names = [self.bind, "localhost"] if self.is_local else [self.bind]
        return [f"{name}:{port}" for name in names]


Doors = Sequence[tuple["Access", ASGIApp]]


def app(pages: Sequence[Page], *, access: Access | None = None) -> ASGIApp:
    """The application that serves the pages on this machine; `/` is the first of them."""
    return _Guard([(access or Access(), _make_routes(pages))], Site())


def _make_routes(pages: Sequence[Page]) -> ASGIApp:
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
    return Starlette(routes=routes, exception_handlers=handlers)


def _read_page(name: str) -> str:
    path = _PAGES / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def listen(port: int = 0, bind: str = HOST) -> socket.socket:
    """Open a socket; port 0 takes any free port."""
    bound = socket.socket(socket.AF_INET6 if ":" in bind else socket.AF_INET, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((bind, port))
        bound.listen(64)
    except OSError as error:
        bound.close()
        where = f"port {port}" if bind == HOST else f"{bind}, port {port}"
        message = f"{where} cannot be used: {error.strerror or error}; port 0 takes a free one"
        raise InputError(message) from error
    return bound


def listen_again(log: str, bind: str = HOST) -> socket.socket:
    """Open a socket at the port of a log, so that open tabs find it again, or at a free one."""
    with suppress(InputError):
        return listen(FIRST_PORT + crc32(os.fsencode(os.path.realpath(log))) % PORTS, bind)
    return listen(bind=bind)


def serve(
    pages: Mapping[str, Page],
    port: int = 0,
    ready: Callable[[Mapping[str, str]], None] = lambda addresses: None,
    site: Site = Site(),
) -> None:
    """Serve a page to each of these people until interrupted.

    `ready` is called with the address that each of them opens.
    """
    log = next(iter(pages.values())).log
    accesses = [Access() for _ in pages]
    if len(pages) > 1 or not site.is_local:
        accesses = [Access(key, key, once=False) for key in keep_keys(log, pages).values()]
    with listen_again(log, site.bind) if log and not port else listen(port, site.bind) as bound:
        start = f"{site.scheme}://{site.hosts(bound.getsockname()[1])[0]}/?ticket="
        ready({name: start + a.ticket for name, a in zip(pages, accesses, strict=True)})
        doors = [(a, _make_routes([p])) for a, p in zip(accesses, pages.values(), strict=True)]
        server(_Guard(doors, site)).run(sockets=[bound])


def keep_keys(log: str, names: Sequence[str] | Mapping[str, Page]) -> dict[str, str]:
    """One key per name, kept in a file beside the log, so that links work after a restart."""
    path = Path(f"{log}.links")
    try:
        known = load_json(path.read_bytes()) if path.exists() else {}
        keys = {name: str(known.get(name) or secrets.token_urlsafe(24)) for name in names}
        with open(path, "w", encoding="utf-8", opener=_open_private) as file:
            json.dump({**known, **keys}, file, ensure_ascii=False, indent=1)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        message = f"the links of the judges cannot be kept: {error}"
        raise InputError(message, path=path) from error
    return keys


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def server(application: ASGIApp) -> Any:
    """A uvicorn server without access log."""
    import uvicorn

    from otherwords.study.studio.connections import Connection

    config = uvicorn.Config(
        application,
        log_level="error",
        access_log=False,
        lifespan="off",
        http=Connection,
        ws="none",
        loop="asyncio",
        timeout_graceful_shutdown=_ENDING,
    )
    return uvicorn.Server(config)


class _Guard:
    """Refuses other hosts and browsers, and adds the security headers to every answer.

    Each browser sees what is behind the door that its cookie opens.
    """

    def __init__(self, doors: Doors, site: Site) -> None:
        self._doors = doors
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._doors[0][1] if scope["type"] != "http" else self._answer(Request(scope))
        await answer(scope, receive, guarded)

    def _answer(self, request: Request) -> ASGIApp:
        port = request.scope["server"][1]
        hosts = Headers(scope=request.scope).getlist("host")
        if len(hosts) != 1 or hosts[0] not in self._site.hosts(port):
            return _refuse_visitor(request, 421, *_ELSEWHERE)
        if entered := self._let_in(request, cookie_name(port)):
            return entered
        cookie = request.cookies.get(cookie_name(port))
        for access, inner in self._doors:
            if access.admits(cookie):
                origin = f"{self._site.scheme}://{hosts[0]}"
                if request.method == "POST" and request.headers.get("origin", origin) != origin:
                    return JSONResponse({"error": "writes from other pages are refused"}, 403)
                return inner
        return _refuse_visitor(request, 403, *_CLOSED)

    def _let_in(self, request: Request, name: str) -> Response | None:
        """Exchange the ticket in the address for the cookie; only a GET uses it up."""
        if (request.method, request.url.path) != ("GET", "/"):
            return None
        ticket = request.query_params.get("ticket")
        for access, _ in self._doors:
            if access.takes(ticket):
                answer = RedirectResponse("/", 303)
                is_secure = self._site.scheme == "https"
                answer.set_cookie(
                    name, access.cookie, httponly=True, samesite="strict", secure=is_secure
                )
                return answer
        return None


def _refuse_visitor(request: Request, status: int, title: str, text: str) -> Response:
    """A page for a person, JSON for a program."""
    if request.method != "GET" or request.url.path.startswith(("/api/", "/static/")):
        return JSONResponse({"error": f"{title}. {text}"}, status)
    policy = f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; frame-ancestors 'none'"
    headers = {"content-security-policy": policy}
    return HTMLResponse(_REFUSAL % (escape(title), escape(text)), status, headers)


def cookie_name(port: int) -> str:
    """The name of the cookie of the studio at this port."""
    return f"otherwords-studio-{port}"


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
        _check_kind(request)
        try:
            body = await _body(request)
        except ClientDisconnect:  # nobody is there to be answered
            return Response(status_code=499)
        return JSONResponse(handler(_parse(body)))

    return answer


def _check_kind(request: Request) -> None:
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
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
    """A ticket, and the cookie that it is exchanged for; by default random, and taken once."""

    def __init__(
        self, cookie: str | None = None, ticket: str | None = None, *, once: bool = True
    ) -> None:
        self.cookie = cookie or secrets.token_urlsafe(32)
        self.ticket = ticket or secrets.token_urlsafe(24)
        self._once = once
        self._is_used = False

    def admits(self, cookie: str | None) -> bool:
        """Whether a request with this cookie is from a browser that was let in."""
        return cookie is not None and hmac.compare_digest(cookie.encode(), self.cookie.encode())

    def takes(self, ticket: str | None) -> bool:
        """Whether this is the ticket, which may work once only."""
        if ticket is None or (self._once and self._is_used):
            return False
        is_mine = hmac.compare_digest(ticket.encode(), self.ticket.encode())
        self._is_used = self._is_used or is_mine
        return is_mine
