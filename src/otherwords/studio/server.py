"""The server behind the pages: for this machine alone, and for our own pages alone.

It listens on 127.0.0.1. A request must name this machine as its host, so that a foreign name that
is made to point here (DNS rebinding) finds nothing. A write must carry the token that our pages
were given, be JSON, and come from our own origin. The pages may load nothing from elsewhere.
"""

from __future__ import annotations

import json
import secrets
import socket
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from otherwords.errors import InputError, OtherwordsError
from otherwords.studio.page import ConflictError, Handler, Page

__all__ = ["app", "listen", "serve", "server"]

HOST = "127.0.0.1"
LARGEST_BODY = 1 << 20
TOKEN_HEADER = "x-studio-token"

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


def app(pages: Sequence[Page], *, token: str | None = None) -> ASGIApp:
    """The application that serves the pages; `/` is the first of them."""
    secret = token or secrets.token_urlsafe(32)
    routes = [Route("/", _redirect(f"/{pages[0].name}"))]
    for path in sorted(_PAGES.iterdir()):
        if path.suffix in _KINDS:
            routes.append(Route(f"/static/{path.name}", _file(path.read_bytes(), path.suffix)))
    for page in pages:
        html = (_PAGES / page.html).read_text(encoding="utf-8").replace("{{token}}", secret)
        routes.append(Route(f"/{page.name}", _file(html.encode(), ".html")))
        routes.append(Route(f"/{page.name}.css", _file(page.styles.encode(), ".css")))
        for key, handler in page.reads.items():
            routes.append(Route(f"/api/{page.name}/{key}", _read(handler)))
        for key, handler in page.writes.items():
            route = Route(f"/api/{page.name}/{key}", _write(handler, secret), methods=["POST"])
            routes.append(route)
    handlers = {HTTPException: _refused, OtherwordsError: _told, Exception: _broken}
    return _Guard(Starlette(routes=routes, exception_handlers=handlers))


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


def serve(
    pages: Sequence[Page], port: int = 0, ready: Callable[[str], None] = lambda address: None
) -> None:
    """Serve the pages until interrupted; `ready` gets the address when it can be opened."""
    with listen(port) as bound:
        ready(f"http://{HOST}:{bound.getsockname()[1]}/")
        server(app(pages)).run(sockets=[bound])


def server(application: ASGIApp) -> Any:
    """The uvicorn server of an application, quiet."""
    import uvicorn

    config = uvicorn.Config(
        application, log_level="error", access_log=False, lifespan="off", ws="none", loop="asyncio"
    )
    return uvicorn.Server(config)


class _Guard:
    """Refuses other hosts, and puts the headers of safety on every answer."""

    def __init__(self, inner: ASGIApp) -> None:
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        if scope["type"] == "http" and not _is_ours(scope):
            refusal = JSONResponse({"error": "this address serves this machine alone"}, 421)
            await refusal(scope, receive, guarded)
            return
        await self._inner(scope, receive, guarded)


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


def _write(handler: Handler, token: str) -> Callable[[Request], Any]:
    async def answer(request: Request) -> Response:
        _check_sender(request, token)
        return JSONResponse(handler(_parsed(await _body(request))))

    return answer


def _check_sender(request: Request, token: str) -> None:
    headers = request.headers
    if headers.get("origin", f"http://{headers['host']}") != f"http://{headers['host']}":
        raise HTTPException(403, "writes from other pages are refused")
    if not secrets.compare_digest(headers.get(TOKEN_HEADER, "").encode(), token.encode()):
        raise HTTPException(403, "the token of the page is missing or old; load the page again")
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


async def _told(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 409 if isinstance(error, ConflictError) else 400)


async def _broken(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "the studio has a fault; see where it was started"}, 500)
