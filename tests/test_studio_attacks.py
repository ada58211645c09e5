"""The studio as a process: attacks on its doors, slow clients, and kills while judges work."""

from __future__ import annotations

import json
import random
import socket
import time
from contextlib import ExitStack, suppress
from http.client import HTTPException
from pathlib import Path

import pytest

from otherwords.cli import main
from otherwords.study.studio.log import read_log
from tests.studio_visitor import Studio, Visitor

NASTY = "<img src=x onerror=alert(1)></script><script>alert(1)</script>&\"'`${1}\u2028\u202e"
ROWS = [
    {"id": f"{NASTY}{k}", "system": NASTY, "item": f"{k}{NASTY}", "source": f"{NASTY} original {k}",
     "hypothesis": f"{NASTY} text {k}", "references": [NASTY], "doc": NASTY}
    for k in range(40)
]  # fmt: skip
JUDGE = ("--judge", "Ann", "--criteria", "adequacy", "--control-kinds", "none")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("studio")
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return folder


@pytest.fixture(scope="module")
def studio(files):
    rows = files / "rows.jsonl"
    with Studio("judge", "--log", files / "judge.log", "--rows", rows, *JUDGE) as opened:
        yield opened


@pytest.fixture
def visitor(studio):
    with Visitor(studio, "judge") as found:
        yield found


SCORE = {"place": 0, "criterion": "adequacy", "score": 3}


def test_a_visitor_is_let_in(visitor):
    answer, body = visitor.get("/api/judge/state")
    assert (answer.status, json.loads(body)["judge"]) == (200, "Ann")


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1.evil.example:80", "[::1]"]
)
def test_hosts(visitor, host):
    for path in ("/", "/judge", "/api/judge/state", "/static/judge.js"):
        assert visitor.get(path, Host=host)[0].status == 421
    assert visitor.post("/api/judge/score", SCORE, Host=host)[0] == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://"])
def test_origins(visitor, origin):
    assert visitor.post("/api/judge/score", SCORE, origin=origin)[0] == 403


def test_strangers(studio, visitor):
    """Without what a login gives, or with a guess, nothing is written."""
    own = visitor.headers
    for headers in ({}, dict.fromkeys(own, "guess"), {name: own[name][:-1] for name in own}):
        visitor.headers = headers
        assert visitor.post("/api/judge/score", SCORE)[0] in (401, 403)
    visitor.headers = own
    assert visitor.post("/api/judge/score", SCORE, content_type="text/plain")[0] == 415


PATHS = """
/static/../server.py /static/%2e%2e/server.py /static/..%2fserver.py /static//etc/passwd /static/%00
/static/judge.js%00.html /api/judge/../../static //etc/passwd /.. /% /static/\\..\\server.py
/judge.log /api/judge/state/x /api/other/state
"""


@pytest.mark.parametrize("path", PATHS.split())
def test_paths(visitor, path):
    answer, body = visitor.get(path)
    assert answer.status in (400, 404)
    assert b"import " not in body
    assert b"root:" not in body


VALUES = {
    "place": [-1, 10**9, 0.5, "0", None, [0], True],
    "criterion": ["other", ["adequacy"], {}, None],
    "score": [0, 6, 3.0, True, None, "3"],
    "step": [-1, "x", 10**9, [1]],
}


@pytest.mark.parametrize(
    "given", [{name: value} for name, values in VALUES.items() for value in values]
)
def test_values(visitor, given):
    status, said = visitor.post("/api/judge/score", {**SCORE, **given})
    assert status in (400, 409)
    assert said["error"]


def test_bodies(visitor):
    whole = json.dumps(SCORE).encode()
    for body in (b"", b"{", b"[]", b"\xff", b"[" * 100_000, b'{"a":' * 50_000, whole[:-1], b"NaN"):
        answer, said = visitor.request(
            "POST", "/api/judge/score", body, content_type="application/json"
        )
        assert answer.status == 400
        assert json.loads(said)["error"]
    large = b'{"place": "' + b"a" * (1 << 21) + b'"}'
    answer, _ = visitor.request("POST", "/api/judge/score", large, content_type="application/json")
    assert answer.status == 413


def test_nasty_fields_are_text(visitor):
    """Rows come as JSON and are never part of a page; no page runs scripts of its own."""
    for path in ("/judge", "/judge.css", "/static/judge.js", "/"):
        answer, body = visitor.get(path)
        assert b"onerror" not in body
        policy = answer.getheader("content-security-policy", "default-src 'self'")
        assert "unsafe" not in policy
    answer, body = visitor.get("/api/judge/pair?place=0")
    assert answer.getheader("content-type").startswith("application/json")
    assert answer.getheader("x-content-type-options") == "nosniff"
    assert json.loads(body)["text"].startswith(NASTY)


def test_a_stale_tab(visitor):
    step = json.loads(visitor.get("/api/judge/state")[1])["step"]
    assert visitor.post("/api/judge/score", {**SCORE, "place": 1, "step": step})[0] == 200
    other = {**SCORE, "place": 2, "step": step}
    assert visitor.post("/api/judge/score", other)[0] == 409
    again = {**SCORE, "place": 1, "step": step}  # the same once more: its answer was lost
    status, said = visitor.post("/api/judge/score", again)
    assert (status, said["step"]) == (200, step + 1)


def test_slow_clients_hold_nobody_up(studio, visitor):
    """A hundred that have said half of a request, and one that works."""
    slow = [socket.create_connection(("127.0.0.1", studio.port)) for _ in range(100)]
    half = b"POST /api/judge/score HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n"
    for connection in slow:
        connection.sendall(half)
    for _ in range(20):
        assert visitor.get("/api/judge/state")[0].status == 200
    for connection in slow:
        connection.close()
    assert visitor.get("/api/judge/state")[0].status == 200


def test_half_open_connections_are_closed(files, tmp_path):
    """More than the process has descriptors for; it answers, and prints nothing."""
    rows = files / "rows.jsonl"
    with Studio("judge", "--log", tmp_path / "judge.log", "--rows", rows, *JUDGE) as studio:
        with Visitor(studio, "judge"):
            pass
        with ExitStack() as held:
            for _ in range(600):
                one = held.enter_context(socket.create_connection(("127.0.0.1", studio.port)))
                with suppress(ConnectionError):
                    one.sendall(b"GET / HTTP/1.1\r\n")
            with Visitor(studio, "judge") as visitor:
                assert visitor.get("/api/judge/state")[0].status == 200
            assert _count_descriptors(studio) < 300
            studio.process.terminate()
            assert studio.process.wait(10) == 0
            assert studio.process.stderr.read() == b""


def _count_descriptors(studio):
    return len(list(Path(f"/proc/{studio.process.pid}/fd").iterdir()))


def test_half_of_a_body_does_not_hold_up_the_end(files, tmp_path):
    rows = files / "rows.jsonl"
    with (
        Studio("judge", "--log", tmp_path / "judge.log", "--rows", rows, *JUDGE) as studio,
        Visitor(studio, "judge") as visitor,
        socket.create_connection(("127.0.0.1", studio.port)) as half,
    ):
        half.sendall(
            b"POST /api/judge/score HTTP/1.1\r\ncontent-type: application/json\r\n"
            + f"host: 127.0.0.1:{studio.port}\r\ncookie: {visitor.headers['cookie']}\r\n".encode()
            + b"content-length: 100\r\n\r\n{"
        )
        assert visitor.get("/api/judge/state")[0].status == 200
        studio.process.terminate()
        assert studio.process.wait(5) == 0


def test_nasty_names_and_instructions(files, tmp_path):
    """What a lead or a judge types is text as well, in pages, answers and the lead's report."""
    log, words, page = (tmp_path / name for name in ("judge.log", "words.txt", "lead.html"))
    words.write_text(NASTY)
    judge = "<script>alert(1)</script>\"'&"
    arguments = ["--log", log, "--rows", files / "rows.jsonl", "--judge", judge]
    arguments += ["--criteria", "adequacy", "--instructions", words]
    with Studio("judge", *arguments) as studio, Visitor(studio, "judge") as visitor:
        for path in ("/judge", "/"):
            assert b"alert(1)" not in visitor.get(path)[1]
        state = json.loads(visitor.get("/api/judge/state")[1])
        assert state["judge"] == judge
        assert NASTY in json.dumps(state, ensure_ascii=False).replace('\\"', '"')
        for place in range(state["total"]):
            given = {**SCORE, "place": place, "step": place}
            assert visitor.post("/api/judge/score", given)[0] == 200
    assert main(["studio", "judges", str(log), "--html", str(page)]) == 0
    shown = page.read_text()
    assert "&lt;script&gt;alert(1)" in shown
    assert "<script>alert" not in shown
    assert "<img" not in shown


ALIGN = [
    {"id": f"{NASTY}{k}", "domain": NASTY, "source": ["<b>", NASTY, "x"], "target": [NASTY, "y"]}
    for k in range(3)
]  # fmt: skip


def test_the_page_of_alignments(tmp_path):
    """The same doors: strangers, other origins, wrong values, a stale tab."""
    gold, log = tmp_path / "gold.jsonl", tmp_path / "align.log"
    gold.write_text("".join(json.dumps({**row, "sure": []}) + "\n" for row in ALIGN))
    with (
        Studio("align", "--jsonl", gold, "--log", log, "--annotator", NASTY[:28]) as studio,
        Visitor(studio, "align") as visitor,
    ):
        for path in ("/align", "/"):
            assert b"onerror" not in visitor.get(path)[1]
        answer, body = visitor.get("/api/align/row?row=0")
        assert answer.getheader("content-type").startswith("application/json")
        assert json.loads(body)["source"] == ALIGN[0]["source"]
        given = {"row": 0, "step": 0, "cells": [[0, 0, "sure"]]}
        assert visitor.post("/api/align/set", given, origin="http://evil.example")[0] == 403
        assert visitor.post("/api/align/set", given, Host="evil.example")[0] == 421
        own, visitor.headers = visitor.headers, {}
        assert visitor.post("/api/align/set", given)[0] in (401, 403)
        visitor.headers = own
        for wrong in ({"row": 9}, {"row": "0"}, {"cells": [[0, 9, "sure"]]}, {"cells": NASTY}):
            status, said = visitor.post("/api/align/set", {**given, **wrong})
            assert (status, bool(said["error"])) == (400, True)
        assert visitor.post("/api/align/set", given)[0] == 200
        assert visitor.post("/api/align/set", given)[0] == 200  # again: its answer was lost
        stale = {**given, "cells": [[1, 1, "possible"]]}
        assert visitor.post("/api/align/set", stale)[0] == 409
        assert visitor.post("/api/align/set", {**stale, "step": 1})[0] == 200
    assert [event["kind"] for event in read_log(log)] == ["log", *["row"] * 3, "set", "set"]


@pytest.mark.long
def test_kills_lose_nothing_that_was_acknowledged(tmp_path):
    """5,000 writes, ten kills: every acknowledged score is in the log at the place of its step."""
    rows, log = tmp_path / "rows.jsonl", tmp_path / "judge.log"
    rows.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    rng = random.Random(26)
    kills = sorted(rng.sample(range(100, 4900), 10))
    acknowledged: dict[int, dict] = {}
    number = 0
    while number < 5000:
        with (
            Studio("judge", "--log", log, "--rows", rows, *JUDGE) as studio,
            Visitor(studio, "judge") as visitor,
        ):
            state = json.loads(visitor.get("/api/judge/state")[1])
            step, total = state["step"], state["total"]
            assert step >= len(acknowledged)
            while number < 5000:
                number += 1
                given = {**SCORE, "place": rng.randrange(total), "score": rng.randint(1, 5)}
                if kills and number == kills[0]:
                    del kills[0]
                    _kill_while_writing(studio, visitor, {**given, "step": step}, rng)
                    break
                status, said = visitor.post("/api/judge/score", {**given, "step": step})
                assert status == 200
                assert said["step"] == step + 1
                acknowledged[step] = {"place": given["place"], "score": given["score"]}
                step += 1
    order = [event for event in read_log(log) if event["kind"] == "score"]
    assert len(order) >= len(acknowledged) == 4990
    places = {}
    for step, wanted in acknowledged.items():
        event = order[step]
        assert event["score"] == wanted["score"]
        assert places.setdefault(wanted["place"], event["pair"]) == event["pair"]


def _kill_while_writing(studio, visitor, given, rng):
    """Send a write, and kill the studio before its answer is read."""
    body = json.dumps(given).encode()
    headers = {**visitor.headers, "content-type": "application/json"}
    visitor.connection.request("POST", "/api/judge/score", body, headers)
    time.sleep(rng.random() / 100)
    studio.kill()
    with suppress(HTTPException, ConnectionError):  # unless the answer was faster
        visitor.connection.getresponse().read()
