"""The studio's server: for this machine and our own pages alone."""

from __future__ import annotations

import asyncio
import socket

import pytest
from starlette.testclient import TestClient

from otherwords.cli import studio as studio_cli
from otherwords.errors import InputError, UsageError
from otherwords.study.studio.page import ConflictError, Page
from otherwords.study.studio.server import (
    LARGEST_BODY,
    Access,
    app,
    cookie_name,
    listen,
    listen_again,
)
from tests.browser import KEY, let_in

BASE = "http://127.0.0.1:8123"


def echo(given):
    if "conflict" in given:
        raise ConflictError("another window was faster")
    if "fault" in given:
        raise ZeroDivisionError
    if given.get("row", 0) == "x":
        raise InputError("row must be a number")
    return {"given": dict(given)}


PAGE = Page("test", "test.html", {"read": echo}, {"write": echo})


@pytest.fixture
def client(monkeypatch, tmp_path):
    from otherwords.study.studio import server

    for name, text in {
        "test.html": "<p>a page</p>",
        "test.css": "p {}",
        "secret.txt": "no",
    }.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(server, "_PAGES", tmp_path)
    access = Access(KEY, ticket="once")
    with TestClient(app([PAGE], access=access), BASE, raise_server_exceptions=False) as client:
        let_in(client)
        yield client


def test_pages_and_their_headers(client):
    page = client.get("/")
    assert page.url.path == "/test"
    assert page.text == "<p>a page</p>"
    for address in (
        "/test",
        "/static/test.css",
        "/static/style.css",
        "/static/page.js",
        "/api/test/read",
        "/nothing",
    ):
        headers = client.get(address).headers
        assert headers["content-security-policy"].startswith("default-src 'self';")
        assert "unsafe" not in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers
    assert client.get("/static/style.css").headers["content-type"] == "text/css; charset=utf-8"


def test_reads_and_writes(client):
    assert client.get("/api/test/read?row=3").json() == {"given": {"row": "3"}}
    written = client.post("/api/test/write", json={"row": 3})
    assert (written.status_code, written.json()) == (200, {"given": {"row": 3}})


def test_files_outside_are_not_served(client):
    for address in ("/static/secret.txt", "/static/../server.py", "/static/%2e%2e/server.py", "/x"):
        answer = client.get(address)
        assert (answer.status_code, answer.json()) == (404, {"error": "Not Found"})


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "localhost:80", "127.0.0.1:8124", "evil.example:8123", ""]
)
def test_other_hosts_are_refused(client, host):
    for answer in (
        client.get("/", headers={"host": host}),
        client.post("/api/test/write", json={}, headers={"host": host}),
    ):
        assert answer.status_code == 421
        assert KEY not in answer.text


def test_localhost_is_this_machine(client):
    sent = {"host": "localhost:8123", "origin": "http://localhost:8123"}
    assert client.post("/api/test/write", json={}, headers=sent).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:8123", "http://127.0.0.1:9", ""]
)
def test_writes_from_other_pages_are_refused(client, origin):
    answer = client.post("/api/test/write", json={}, headers={"origin": origin})
    assert answer.status_code == 403
    assert "other pages" in answer.json()["error"]


def test_the_printed_address_lets_in_one_browser(client):
    client.cookies.clear()
    for address in ("/", "/test", "/static/style.css", "/api/test/read", "/?ticket=guess", "/x"):
        answer = client.get(address)
        assert (answer.status_code, "that the studio printed" in answer.text) == (403, True)
        kind = (
            "text/html" if address in ("/", "/test", "/?ticket=guess", "/x") else "application/json"
        )
        assert answer.headers["content-type"].startswith(kind)
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert KEY not in answer.text
    assert client.post("/api/test/write", json={}).status_code == 403
    client.cookies.set(cookie_name(8123), "guess")
    assert client.get("/test").status_code == 403
    client.cookies.clear()
    # Only the first page takes a ticket, and takes it off the address.
    assert client.get("/test?ticket=once").status_code == 403
    opened = client.get("/?ticket=once")
    assert (opened.status_code, str(opened.url)) == (200, f"{BASE}/test")
    cookie = opened.history[0].headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert client.post("/api/test/write", json={}).status_code == 200
    assert client.get("/?ticket=once").status_code == 200  # it is let in already
    client.cookies.clear()
    assert client.get("/?ticket=once").status_code == 403


def test_only_a_get_uses_up_the_ticket(client):
    """Mail and chat programs look at addresses with HEAD."""
    client.cookies.clear()
    assert client.head("/?ticket=once").status_code == 403
    assert client.get("/?ticket=once").status_code == 200


def test_a_cookie_is_of_one_start_and_one_port(client):
    assert Access().cookie != Access().cookie
    client.cookies.clear()
    client.cookies.set(cookie_name(8124), KEY)  # of a studio at another port
    assert client.get("/test").status_code == 403


def test_a_log_has_its_port(tmp_path):
    log = str(tmp_path / "work.log")
    with listen_again(log) as bound:
        port = bound.getsockname()[1]
        with listen_again(log) as other:  # another one while it is taken
            assert other.getsockname()[1] != port
    with listen_again(log) as again:
        assert again.getsockname()[1] == port


def test_a_client_that_leaves_is_no_fault():
    """A body that ends in the middle is not written, and nothing is raised."""
    written, sent = [], []
    page = Page("test", "judge.html", {}, {"write": written.append})
    application = app([page], access=Access(KEY))
    headers = {
        "host": "127.0.0.1:8123",
        "content-type": "application/json",
        "cookie": f"{cookie_name(8123)}={KEY}",
    }
    scope = {
        "type": "http", "method": "POST", "path": "/api/test/write", "query_string": b"",
        "server": ("127.0.0.1", 8123), "scheme": "http", "http_version": "1.1", "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    messages = iter(
        [
            {"type": "http.request", "body": b'{"row"', "more_body": True},
            {"type": "http.disconnect"},
        ]
    )

    async def receive():
        return next(messages)

    async def send(message):
        sent.append(message)

    asyncio.run(application(scope, receive, send))
    assert written == []
    assert sent[0]["status"] == 499


def test_a_form_of_another_page_cannot_write(client):
    # What a form of another page can send.
    plain = client.post("/api/test/write", content="{}", headers={"content-type": "text/plain"})
    assert plain.status_code == 415


def test_a_read_cannot_be_written_nor_a_write_read(client):
    assert client.get("/api/test/write").status_code == 405
    assert client.post("/api/test/read", json={}).status_code == 405


@pytest.mark.parametrize(
    ("body", "reported"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[1]", "object is needed"),
        (b"\xff{}", "not JSON"),
        (b'{"a": NaN}', "NaN is not JSON"),
        (b'{"a": "\\ud800"}', "not JSON"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_bad_bodies_are_reported(client, body, reported):
    headers = {"content-type": "application/json"}
    answer = client.post("/api/test/write", content=body, headers=headers)
    assert answer.status_code == 400
    assert reported in answer.json()["error"]


def test_large_bodies_are_refused(client):
    headers = {"content-type": "application/json"}
    body = b'"' + b"a" * LARGEST_BODY + b'"'
    answer = client.post("/api/test/write", content=body, headers=headers)
    assert answer.status_code == 413
    chunks = (body[start : start + 9000] for start in range(0, len(body), 9000))
    assert client.post("/api/test/write", content=chunks, headers=headers).status_code == 413


def test_errors_are_reported_as_json(client):
    wrong = client.post("/api/test/write", json={"row": "x"})
    assert (wrong.status_code, wrong.json()["error"]) == (400, "row must be a number")
    assert client.get("/api/test/read?conflict=1").status_code == 409
    fault = client.get("/api/test/read?fault=1")
    assert (fault.status_code, "fault" in fault.json()["error"]) == (500, True)
    assert "content-security-policy" in fault.headers


def test_the_socket_is_of_this_machine_alone():
    with listen() as bound:
        host, port = bound.getsockname()
        assert (host, port > 0) == ("127.0.0.1", True)
        with pytest.raises(InputError, match=f"port {port} cannot be used"):
            listen(port)
        with socket.create_connection((host, port), 5):
            pass


def test_without_the_extra(monkeypatch):
    monkeypatch.setattr(studio_cli, "_NEEDED", ("starlette", "no_such_package"))
    with pytest.raises(UsageError, match=r"no_such_package: pip install 'otherwords\[studio\]'"):
        studio_cli._check_installed()
