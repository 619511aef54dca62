"""HTTP server of the explorer page: its files, queries and changes."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from importlib.resources import files
from typing import Any

from ttmlir import _http_server
from ttmlir._http_server import Response
from ttmlir.errors import Error, InputError
from ttmlir.explorer.session import Busy, Session, Stale

_LONGEST_WAIT = 20.0  # seconds until a long poll is answered
#: Package, file and type by path. No other file is served.
_FILES = {
    "/": ("ttmlir.explorer", "web/page.html", "text/html"),
    "/page.css": ("ttmlir.pages", "page.css", "text/css"),
    "/explorer.css": ("ttmlir.explorer", "web/explorer.css", "text/css"),
    "/explorer.js": ("ttmlir.explorer", "web/explorer.js", "text/javascript"),
    "/graph.js": ("ttmlir.explorer", "web/graph.js", "text/javascript"),
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Server:
    """Serves a page from its own threads until it is closed. A context manager; returned by
    ``serve``."""

    url: str
    """The address of the page, with a secret token."""

    def __init__(self, session: Session, port: int = 0) -> None:
        self._session = session
        try:
            self._server = _http_server.Server(
                {path: partial(_file, *where) for path, where in _FILES.items()} | _asked(session),
                port,
                posts=_changes(session),
                secret=True,
            )
        except Error:
            session.close()
            raise
        self.url = self._server.url
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Returns when the server is closed, or raises the exception of a signal."""
        while self._thread.is_alive():
            self._thread.join(0.2)

    def close(self) -> None:
        """Stops the server and the running job."""
        self._server.shutdown()
        self._server.server_close()
        self._session.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _file(package: str, name: str, kind: str, _: dict[str, str]) -> Response:
    text = (files(package) / name).read_text(encoding="utf-8")
    return Response(text, f"{kind}; charset=utf-8", policy=_POLICY)


def _asked(session: Session) -> dict[str, Callable[[dict[str, str]], Response]]:
    return {
        "/api/state": _answers(
            lambda q: session.state(_number(q, "since"), _LONGEST_WAIT if "since" in q else 0.0)
        ),
        "/api/program": _answers(lambda _: session.program()),
        "/api/result": _answers(lambda q: session.result(_number(q, "id"))),
        "/api/export": _answers(lambda q: session.export(_number(q, "id"))),
    }


def _changes(session: Session) -> dict[str, Callable[[dict[str, Any]], Response]]:
    return {
        "/api/try": _answers(
            lambda body: session.submit(
                body.get("version"),
                body.get("overrides", {}),
                body.get("options", {}),
                body.get("each_op", False),
                body.get("numerics", "exact"),
            )
        ),
        "/api/select": _answers(lambda body: session.select(body.get("version"), body.get("id"))),
        "/api/cancel": _answers(lambda body: session.cancel(body.get("id"))),
        "/api/reload": _answers(lambda body: session.reload(body.get("version"))),
    }


def _answers(ask: Callable[[Any], object]) -> Callable[[Any], Response]:
    """Wraps a handler to return its result or its error as JSON."""

    def answer(asked: Any) -> Response:
        status = HTTPStatus.OK
        try:
            content = ask(asked)
        except Error as error:
            content = {"error": str(error)}
            status = HTTPStatus.BAD_REQUEST
            if isinstance(error, Stale):
                status = HTTPStatus.CONFLICT
            elif isinstance(error, Busy):
                status = HTTPStatus.TOO_MANY_REQUESTS
        return Response(json.dumps(content, allow_nan=False), "application/json", status)

    return answer


def _number(query: dict[str, str], name: str) -> int:
    text = query.get(name, "-1")
    if not text.removeprefix("-").isdecimal() or len(text) > 18:
        raise InputError(f"{name}: expected a number, found '{text}'")
    return int(text)
