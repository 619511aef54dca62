"""Pages that this process serves to a browser on the same machine, and to nobody else."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ttmlir.errors import Error

_HOST = "127.0.0.1"
#: What a browser must not do with an answer, whatever it is.
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True)
class Answer:
    """What the server says to a request."""

    text: str
    kind: str = "text/html; charset=utf-8"
    status: HTTPStatus = HTTPStatus.OK


#: An answer for the fields of a request's query.
Route = Callable[[dict[str, str]], Answer]


class Server(ThreadingHTTPServer):
    """Answers GET requests for the paths of ``routes``; ``serve_forever`` and ``shutdown`` are
    those of its base.

    Listens on the loopback address only. Requests that a page of another site makes are refused:
    a browser names that site in ``Origin`` or ``Sec-Fetch-Site``, or the name by which it was led
    here in ``Host``.

    Raises:
        Error: the port is in use, or not for this user.
    """

    daemon_threads = True

    def __init__(self, routes: dict[str, Route], port: int = 0) -> None:
        self.routes = routes
        try:
            super().__init__((_HOST, port), _Handler)
        except (OSError, OverflowError) as error:
            reason = error.strerror if isinstance(error, OSError) else "no such port"
            hint = "; another one is free: port 0" if _in_use(error) else ""
            raise Error(f"cannot listen on {_HOST} port {port}: {reason}{hint}") from None

    @property
    def url(self) -> str:
        """Where the pages are."""
        return f"http://{_HOST}:{self.server_address[1]}/"

    def refusal(self, headers: Any) -> str:
        """Why a request with these headers is not answered; empty if it is."""
        hosts = {f"{name}:{self.server_address[1]}" for name in (_HOST, "localhost")}
        if headers.get("Host") not in hosts:
            return f"expected Host {min(hosts)}"
        if headers.get("Origin") not in {None, *(f"http://{host}" for host in hosts)}:
            return "expected no foreign Origin"
        if headers.get("Sec-Fetch-Site") not in {None, "none", "same-origin"}:
            return "expected a request of this page"
        return ""


def _in_use(error: Exception) -> bool:
    return isinstance(error, OSError) and error.errno == errno.EADDRINUSE


class _Handler(BaseHTTPRequestHandler):
    server: Server
    timeout = 60  # A connection that says nothing is closed.

    def do_GET(self) -> None:
        self._send(self._answer())

    def _answer(self) -> Answer:
        if refused := self.server.refusal(self.headers):
            return Answer(refused, "text/plain; charset=utf-8", HTTPStatus.FORBIDDEN)
        parts = urlsplit(self.path)
        route = self.server.routes.get(parts.path)
        if route is None:
            return Answer("no such page", "text/plain; charset=utf-8", HTTPStatus.NOT_FOUND)
        fields = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        return route(fields)

    def _send(self, answer: Answer) -> None:
        content = answer.text.encode()
        self.send_response(answer.status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not worth a line on the console."""
