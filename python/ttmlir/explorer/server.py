"""The page over HTTP, for browsers on this machine alone.

Who may ask: requests must come with the token that is in the address of the page, name this host as
theirs, and come from no page of another origin. Nothing but the files beside this one is ever read
for an answer, and nothing is written.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs

from ttmlir.errors import Error, InputError
from ttmlir.explorer.session import Busy, Session, Stale

HOST = "127.0.0.1"
_MOST_BYTES = 1 << 20  # of a request
_LONGEST_WAIT = 20.0  # seconds until a page that waits for news is answered
_PAGES = {"": "page.html", "page.css": "page.css", "page.js": "page.js", "graph.js": "graph.js"}
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class _Refused(Exception):
    """An answer that is not 200."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


class Server:
    """Serves a page from its own threads until it is closed. What ``serve`` returns; a context
    manager."""

    url: str
    """The address of the page, which nobody can guess."""

    def __init__(self, session: Session, port: int = 0) -> None:
        self._session = session
        try:
            self._server = _HTTPServer(session, port)
        except (OSError, OverflowError) as error:
            session.close()
            reason = error.strerror if isinstance(error, OSError) else "expected 0 to 65535"
            raise Error(f"port {port} of {HOST} cannot be used: {reason}") from None
        self.url = f"http://{HOST}:{self._server.server_port}/{self._server.token}/"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Returns when the server is closed, or with the exception of a signal."""
        while self._thread.is_alive():
            self._thread.join(0.2)

    def close(self) -> None:
        """Ends the server and the job that runs."""
        self._server.shutdown()
        self._server.server_close()
        self._session.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _HTTPServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, session: Session, port: int) -> None:
        super().__init__((HOST, port), _Handler)
        self.session = session
        self.token = secrets.token_urlsafe(24)


class _Handler(BaseHTTPRequestHandler):
    server: _HTTPServer
    protocol_version = "HTTP/1.1"
    server_version = "ttmlir"
    sys_version = ""
    timeout = 60  # seconds for a request to arrive

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the address has the token."""

    def _answer(self, respond: Callable[[str], tuple[str, bytes]]) -> None:
        try:
            kind, body = respond(self._path())
            status = HTTPStatus.OK
        except _Refused as error:
            status, kind, body = error.status, *_json({"error": str(error)})
        except Stale as error:
            status, kind, body = HTTPStatus.CONFLICT, *_json({"error": str(error)})
        except Busy as error:
            status, kind, body = HTTPStatus.TOO_MANY_REQUESTS, *_json({"error": str(error)})
        except Error as error:
            status, kind, body = HTTPStatus.BAD_REQUEST, *_json({"error": str(error)})
        if status != HTTPStatus.OK:
            # What is left of the request would be read as the next one.
            self.close_connection = True
        try:
            self.send_response(status)
            for name, value in _HEADERS.items():
                self.send_header(name, value)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            # The page was closed.
            self.close_connection = True

    def _path(self) -> str:
        """What is asked for, behind the token."""
        port = self.server.server_port
        hosts = (f"{HOST}:{port}", f"localhost:{port}")
        host = self.headers.get("Host", "")
        if host not in hosts:
            raise _Refused(HTTPStatus.FORBIDDEN, f"host: expected {hosts[0]}, found '{host}'")
        origin = self.headers.get("Origin")
        if origin is not None and origin not in {f"http://{name}" for name in hosts}:
            raise _Refused(HTTPStatus.FORBIDDEN, f"origin: expected this page, found '{origin}'")
        _, token, path = (*self.path.partition("?")[0].split("/", 2), "", "")[:3]
        if not hmac.compare_digest(token.encode(), self.server.token.encode()):
            raise _Refused(
                HTTPStatus.FORBIDDEN, "expected the whole address that was printed at the start"
            )
        return path

    def _get(self, path: str) -> tuple[str, bytes]:
        if path in _PAGES:
            page = files("ttmlir.explorer") / "web" / _PAGES[path]
            return _TYPES["." + _PAGES[path].rpartition(".")[2]], page.read_bytes()
        fields = parse_qs(self.path.partition("?")[2])
        query = {name: values[-1] for name, values in fields.items()}
        session = self.server.session
        if path == "api/state":
            since = _number(query, "since", -1)
            return _json(session.state(since, _LONGEST_WAIT if "since" in query else 0.0))
        if path == "api/program":
            return _json(session.program())
        if path == "api/result":
            return _json(session.result(_number(query, "id", -1)))
        if path == "api/export":
            return _json(session.export(_number(query, "id", -1)))
        raise _Refused(HTTPStatus.NOT_FOUND, f"there is no page '{path}'")

    def _post(self, path: str) -> tuple[str, bytes]:
        body, session = self._body(), self.server.session
        version = body.get("version")
        if path == "api/try":
            overrides, options = body.get("overrides", {}), body.get("options", {})
            each_op, numerics = body.get("each_op", False), body.get("numerics", "exact")
            return _json(session.submit(version, overrides, options, each_op, numerics))
        if path == "api/select":
            return _json(session.select(version, body.get("id")))
        if path == "api/cancel":
            return _json(session.cancel(body.get("id")))
        if path == "api/reload":
            return _json(session.reload(version))
        raise _Refused(HTTPStatus.NOT_FOUND, f"there is no page '{path}'")

    def _body(self) -> dict[str, Any]:
        # A form of another page cannot send this type unasked.
        if self.headers.get_content_type() != "application/json":
            raise _Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "expected application/json")
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit():
            raise _Refused(HTTPStatus.LENGTH_REQUIRED, "expected a Content-Length")
        if int(length) > _MOST_BYTES:
            raise _Refused(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"expected at most {_MOST_BYTES} bytes, found {length}",
            )
        try:
            body = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError, OSError):
            raise InputError("expected JSON") from None
        if not isinstance(body, dict):
            raise InputError("expected a JSON object")
        return body


def _number(query: dict[str, str], name: str, default: int) -> int:
    text = query.get(name, str(default))
    if not text.removeprefix("-").isdecimal() or len(text) > 18:
        raise InputError(f"{name}: expected a number, found '{text}'")
    return int(text)


def _json(value: object) -> tuple[str, bytes]:
    return "application/json", json.dumps(value, allow_nan=False).encode()
