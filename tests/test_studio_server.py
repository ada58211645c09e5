"""The studio's server: for this machine and our own pages alone."""

from __future__ import annotations

import socket

import pytest
from starlette.testclient import TestClient

from otherwords.cli import studio_server
from otherwords.errors import InputError, UsageError
from otherwords.studio.page import ConflictError, Page
from otherwords.studio.server import LARGEST_BODY, app, listen

BASE = "http://127.0.0.1:8123"
TOKEN = "secret"
SENT = {"x-studio-token": TOKEN}


def echo(given):
    if "conflict" in given:
        raise ConflictError("another window was faster")
    if "fault" in given:
        raise ZeroDivisionError
    if given.get("row", 0) == "x":
        raise InputError("row must be a number")
    return {"given": dict(given)}


PAGE = Page("test", "test.html", {"read": echo}, {"write": echo}, styles="b { color: red }")


@pytest.fixture
def client(monkeypatch, tmp_path):
    from otherwords.studio import server

    for name, text in {
        "test.html": '<meta name="token" content="{{token}}">',
        "test.css": "p {}",
        "secret.txt": "no",
    }.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(server, "_PAGES", tmp_path)
    with TestClient(app([PAGE], token=TOKEN), BASE, raise_server_exceptions=False) as client:
        yield client


def test_pages_and_their_headers(client):
    page = client.get("/")
    assert page.url.path == "/test"
    assert page.text == f'<meta name="token" content="{TOKEN}">'
    for address in ("/test", "/static/test.css", "/test.css", "/api/test/read", "/nothing"):
        headers = client.get(address).headers
        assert headers["content-security-policy"].startswith("default-src 'self';")
        assert "unsafe" not in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers
    assert client.get("/test.css").headers["content-type"] == "text/css; charset=utf-8"


def test_reads_and_writes(client):
    assert client.get("/api/test/read?row=3").json() == {"given": {"row": "3"}}
    written = client.post("/api/test/write", json={"row": 3}, headers=SENT)
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
        client.post("/api/test/write", json={}, headers={**SENT, "host": host}),
    ):
        assert answer.status_code == 421
        assert TOKEN not in answer.text


def test_localhost_is_this_machine(client):
    sent = {**SENT, "host": "localhost:8123", "origin": "http://localhost:8123"}
    assert client.post("/api/test/write", json={}, headers=sent).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:8123", "http://127.0.0.1:9", ""]
)
def test_writes_from_other_pages_are_refused(client, origin):
    answer = client.post("/api/test/write", json={}, headers={**SENT, "origin": origin})
    assert answer.status_code == 403
    assert "other pages" in answer.json()["error"]


def test_writes_without_the_token_are_refused(client):
    for headers in ({}, {"x-studio-token": "guess"}, {"x-studio-token": "\u00e9".encode()}):
        answer = client.post("/api/test/write", json={}, headers=headers)
        assert (answer.status_code, "token" in answer.json()["error"]) == (403, True)
    # What a form of another page can send.
    plain = client.post(
        "/api/test/write", content="{}", headers={**SENT, "content-type": "text/plain"}
    )
    assert plain.status_code == 415


def test_a_read_cannot_be_written_nor_a_write_read(client):
    assert client.get("/api/test/write").status_code == 405
    assert client.post("/api/test/read", json={}, headers=SENT).status_code == 405


@pytest.mark.parametrize(
    ("body", "told"),
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
def test_bad_bodies_are_told(client, body, told):
    headers = {**SENT, "content-type": "application/json"}
    answer = client.post("/api/test/write", content=body, headers=headers)
    assert answer.status_code == 400
    assert told in answer.json()["error"]


def test_large_bodies_are_refused(client):
    headers = {**SENT, "content-type": "application/json"}
    body = b'"' + b"a" * LARGEST_BODY + b'"'
    answer = client.post("/api/test/write", content=body, headers=headers)
    assert answer.status_code == 413
    chunks = (body[start : start + 9000] for start in range(0, len(body), 9000))
    assert client.post("/api/test/write", content=chunks, headers=headers).status_code == 413


def test_errors_are_told_as_json(client):
    wrong = client.post("/api/test/write", json={"row": "x"}, headers=SENT)
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
    monkeypatch.setattr(studio_server, "NEEDED", ("starlette", "no_such_package"))
    with pytest.raises(UsageError, match=r"no_such_package: pip install 'otherwords\[studio\]'"):
        studio_server.check_installed()
