"""Serves pages to a browser on the same machine only."""

from __future__ import annotations

import errno
import hmac
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

from ttmlir.errors import Error

_HOST = "127.0.0.1"
_MOST_BYTES = 1 << 20  # of a request
_TEXT = "text/plain; charset=utf-8"
#: Headers that restrict what a browser may do with any answer.
_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True)
class Response:
    """A response of the server; ``policy`` restricts what the browser may do with a page."""

    text: str
    kind: str = "text/html; charset=utf-8"
    status: HTTPStatus = HTTPStatus.OK
    policy: str = "frame-ancestors 'none'"


#: Answers a GET request, given the fields of its query.
Route = Callable[[dict[str, str]], Response]
#: Answers a POST request, given its JSON object.
Post = Callable[[dict[str, Any]], Response]


class _Refused(Exception):
    """The reason why a request is refused."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class Server(ThreadingHTTPServer):
    """Answers GET requests for the paths of ``routes``, and POST requests for those of ``posts``.
    ``serve_forever`` and ``shutdown`` are inherited.

    Listens on the loopback address only. Requests from pages of other sites are refused: a browser
    names such a site in ``Origin`` or ``Sec-Fetch-Site``, or in ``Host`` after DNS rebinding. With
    ``secret``, paths begin with a random token, so that programs of other users on this machine
    cannot guess the address.

    Raises:
        Error: the port is in use, or not permitted for this user.
    """

    daemon_threads = True

    def __init__(
        self,
        routes: Mapping[str, Route],
        port: int = 0,
        *,
        posts: Mapping[str, Post] | None = None,
        secret: bool = False,
    ) -> None:
        self.routes, self.posts = routes, posts or {}
        self._root = f"/{secrets.token_urlsafe(24)}" if secret else ""
        try:
            super().__init__((_HOST, port), _Handler)
        except (OSError, OverflowError) as error:
            reason = error.strerror if isinstance(error, OSError) else "no such port"
            hint = "; another one is free: port 0" if _in_use(error) else ""
            raise Error(f"cannot listen on {_HOST} port {port}: {reason}{hint}") from None

    @property
    def url(self) -> str:
        """The address of the pages."""
        return f"http://{_HOST}:{self.server_address[1]}{self._root}/"

    def inside(self, path: str) -> str:
        """Returns the path after the secret; empty if it does not have the secret."""
        root, rest = path[: len(self._root)], path[len(self._root) :]
        return rest if hmac.compare_digest(root.encode(), self._root.encode()) else ""

    def refusal(self, headers: Any) -> str:
        """Returns the reason to refuse a request with these headers; empty if there is none."""
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
    timeout = 60  # Idle connections are closed.

    def do_GET(self) -> None:
        self._respond(self._get)

    def do_POST(self) -> None:
        if not self.server.posts:
            return self.send_error(HTTPStatus.NOT_IMPLEMENTED)
        self._respond(self._post)

    def _respond(self, answer: Callable[[str], Response]) -> None:
        try:
            if refused := self.server.refusal(self.headers):
                raise _Refused(HTTPStatus.FORBIDDEN, refused)
            path = self.server.inside(self.path.partition("?")[0])
            if not path:
                raise _Refused(HTTPStatus.FORBIDDEN, "expected the whole address of the page")
            self._send(answer(path))
        except _Refused as error:
            self._send(Response(str(error), _TEXT, error.status))
        except OSError:
            # The browser has closed the connection.
            self.close_connection = True

    def _get(self, path: str) -> Response:
        route = self.server.routes.get(path)
        if route is None:
            raise _Refused(HTTPStatus.NOT_FOUND, "no such page")
        fields = parse_qs(self.path.partition("?")[2])
        return route({name: values[-1] for name, values in fields.items()})

    def _post(self, path: str) -> Response:
        post = self.server.posts.get(path)
        if post is None:
            raise _Refused(HTTPStatus.NOT_FOUND, "no such page")
        # A form of another site cannot send this type without permission.
        if self.headers.get_content_type() != "application/json":
            raise _Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "expected application/json")
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit():
            raise _Refused(HTTPStatus.LENGTH_REQUIRED, "expected a Content-Length")
        if int(length) > _MOST_BYTES:
            message = f"expected at most {_MOST_BYTES} bytes, found {length}"
            raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
        try:
            body = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            body = None
        if not isinstance(body, dict):
            raise _Refused(HTTPStatus.BAD_REQUEST, "expected a JSON object")
        return post(body)

    def _send(self, answer: Response) -> None:
        content = answer.text.encode()
        self.send_response(answer.status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Security-Policy", answer.policy)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Suppresses the log line for each request."""
