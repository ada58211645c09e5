"""A studio in a separate process, and a visitor who logs in as a browser does."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from http.client import HTTPConnection, HTTPResponse
from typing import Any


class Studio:
    """`otherwords studio ...` until it is killed or left; `address` is what it printed."""

    def __init__(self, *arguments: object) -> None:
        command = [sys.executable, "-m", "otherwords", "studio", *map(str, arguments)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert self.process.stdout is not None
        said = self.process.stdout.readline().decode()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\S*", said)
        if found is None:
            raise AssertionError(f"no address: {said!r} {self.process.stderr.read()!r}")  # type: ignore[union-attr]
        self.address, self.port = found[0], int(found[1])
        self.cookie = ""  # of the first visitor: the address lets in one browser

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.communicate()


class Visitor:
    """Requests with what a login gave: the only place that knows how the studio lets one in."""

    def __init__(self, studio: Studio, page: str) -> None:
        self.studio = studio
        self.connection = HTTPConnection("127.0.0.1", studio.port, timeout=60)
        self.headers: dict[str, str] = {}
        if not studio.cookie:
            self._log_in(page)
        self.headers["cookie"] = studio.cookie

    def __enter__(self) -> Visitor:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def _log_in(self, page: str) -> None:
        """Open the address that was printed, and keep the cookie for all who come after."""
        path = self.studio.address.partition(f":{self.studio.port}")[2]
        answer, _ = self.get(path)
        self.studio.cookie = answer.getheader("set-cookie", "").partition(";")[0]

    def request(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[HTTPResponse, bytes]:
        sent = {**self.headers, **{name.replace("_", "-"): text for name, text in headers.items()}}
        self.connection.request(method, path, body, sent)
        answer = self.connection.getresponse()
        return answer, answer.read()

    def get(self, path: str, **headers: str) -> tuple[HTTPResponse, bytes]:
        return self.request("GET", path, **headers)

    def post(self, path: str, given: Any, **headers: str) -> tuple[int, Any]:
        headers = {"content_type": "application/json", **headers}
        answer, body = self.request("POST", path, json.dumps(given).encode(), **headers)
        return answer.status, json.loads(body)
