"""Talks to a served page as a browser does."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

Answer = tuple[int, Any]


def read(content: bytes) -> Any:
    """Answers of the explorer are JSON; refusals of the server are text."""
    try:
        return json.loads(content)
    except ValueError:
        return {"error": content.decode()}


class Client:
    """Requests below the address of the page, with headers that can be wrong."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.host, self.root = parts.netloc, parts.path
        self.origin = f"http://{self.host}"

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str | None
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        own = {"Host": self.host, "Content-Type": "application/json"}
        given = own | {name.replace("_", "-"): text for name, text in headers.items()}
        connection = http.client.HTTPConnection(self.host, timeout=60)
        try:
            connection.putrequest(method, path, skip_host=True)
            if body is not None and "Content_Length" not in headers:
                given["Content-Length"] = str(len(body))
            for name, text in given.items():
                if text is not None:
                    connection.putheader(name, text)
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def get(self, path: str, **headers: str | None) -> Answer:
        status, _, content = self.ask("GET", self.root + path, **headers)
        return status, read(content)

    def post(self, path: str, _body: bytes | None = None, **values: Any) -> Answer:
        body = json.dumps(values).encode() if _body is None else _body
        status, _, content = self.ask("POST", self.root + path, body, Origin=self.origin)
        return status, read(content)

    def state(self) -> Any:
        return self.get("api/state")[1]

    def until(self, test: Callable[[Any], bool]) -> Any:
        """The first state that passes the test."""
        for _ in range(1200):
            state = self.state()
            if test(state):
                return state
            time.sleep(0.05)
        raise AssertionError(f"still {state}")

    def settled(self) -> Any:
        """The state when nothing waits or runs."""
        ends = ("done", "failed", "cancelled")
        return self.until(lambda state: all(t["status"] in ends for t in state["tries"]))

    def attempt(self, **values: Any) -> Any:
        """The summary of a try when it has ended."""
        version = self.settled()["version"]
        status, answer = self.post("api/try", version=version, **values)
        assert status == 200, answer
        return next(t for t in self.settled()["tries"] if t["id"] == answer["id"])
