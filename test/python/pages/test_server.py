"""Who gets an answer from a served page: this machine's browser, for the page itself."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from http.client import HTTPConnection
from threading import Thread

import pytest

import ttmlir
from ttmlir._http_server import Response, Server


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server(
        {"/": lambda _: Response("the page"), "/echo": lambda fields: Response(str(fields))}
    )
    thread = Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


def ask(server: Server, path: str, method: str = "GET", **headers: str) -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", server.server_address[1], timeout=10)
    connection.request(method, path, headers={k.replace("_", "-"): v for k, v in headers.items()})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_answers(server: Server) -> None:
    assert ask(server, "/") == (200, "the page")
    assert ask(server, "/echo?a=1&b=x%20y&a=2") == (200, "{'a': '2', 'b': 'x y'}")
    own = server.url.rstrip("/")
    assert ask(server, "/", Origin=own, Sec_Fetch_Site="same-origin")[0] == 200


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({"Host": "evil.example"}, "expected Host 127.0.0.1"),
        ({"Host": "127.0.0.1"}, "expected Host 127.0.0.1"),
        ({"Origin": "http://evil.example"}, "foreign Origin"),
        ({"Origin": "null"}, "foreign Origin"),
        ({"Sec_Fetch_Site": "cross-site"}, "request of this page"),
    ],
)
def test_foreign_pages_are_refused(server: Server, headers: dict[str, str], reason: str) -> None:
    status, text = ask(server, "/", **headers)
    assert status == 403
    assert reason in text


@pytest.mark.parametrize(
    "path", ["/../etc/passwd", "/etc/passwd", "//etc/passwd", "/%2e%2e/setup.py"]
)
def test_there_are_no_other_files(server: Server, path: str) -> None:
    assert ask(server, path)[0] == 404


def test_other_methods(server: Server) -> None:
    assert ask(server, "/", "POST")[0] == 501


def test_listens_on_the_loopback_address_only(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"
    with pytest.raises(ttmlir.Error, match="in use; another one is free: port 0"):
        Server({}, server.server_address[1])
    with pytest.raises(ttmlir.Error, match="no such port"):
        Server({}, 70_000)


def test_nonsense_leaves_the_server_alive(server: Server) -> None:
    for nonsense in (
        b"\0\xff\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    ):
        with socket.create_connection(server.server_address, timeout=10) as connection:
            connection.sendall(nonsense)
            connection.recv(100)
    assert ask(server, "/")[0] == 200
