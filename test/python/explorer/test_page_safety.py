"""Who may ask the served page, and for what."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from explorer.page_client import Client

import ttmlir


@pytest.fixture(scope="module")
def page() -> Iterator[Client]:
    b = ttmlir.Builder()
    b.output(b.relu(b.input("x", (32, 32)), name="clip"))
    with ttmlir.explorer.serve(b) as server:
        yield Client(server.url)


def test_it_listens_on_the_loopback_address_only(page: Client) -> None:
    assert page.host.startswith("127.0.0.1:")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "", None])
def test_names_of_others_for_this_host(page: Client, host: str | None) -> None:
    """As after DNS rebinding."""
    status, answer = page.get("api/state", Host=host)
    assert status == 403
    assert "expected Host 127.0.0.1:" in answer["error"]


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", ""])
def test_pages_of_others(page: Client, origin: str) -> None:
    status, answer = page.get("api/state", Origin=origin)
    assert status == 403
    assert "expected no foreign Origin" in answer["error"]


def test_without_the_token(page: Client) -> None:
    for path in (
        "/",
        "*",
        "http://[/",
        "/api/state",
        "/x/api/state",
        "//api/state",
        page.root[:-2] + "/api/state",
    ):
        status, _, content = page.ask("GET", path)
        assert status == 403, path
        assert b"expected the whole address" in content


@pytest.mark.parametrize(
    "path",
    [
        "../settings.py",
        "..%2fsettings.py",
        "%2e%2e/settings.py",
        "web/page.html",
        "/etc/passwd",
        "page.html",
        "api/",
        "api/state/../program",
    ],
)
def test_other_files(page: Client, path: str) -> None:
    status, answer = page.get(path)
    assert status == 404
    assert "no such page" in answer["error"]


def test_what_the_page_may_do(page: Client) -> None:
    for path, kind in (("", "html"), ("explorer.js", "javascript"), ("page.css", "css")):
        status, headers, content = page.ask("GET", page.root + path)
        assert status == 200
        assert content
        assert kind in headers["Content-Type"]
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("body", "headers", "status", "message"),
    [
        (b"{}", {"Content_Type": "text/plain"}, 415, "expected application/json"),
        (b"{}", {"Content_Type": None}, 415, "expected application/json"),
        (b"", {"Content_Length": "1048577"}, 413, "expected at most 1048576 bytes"),
        (b"", {"Content_Length": "99999999999999"}, 413, "expected at most"),
        (b"", {"Content_Length": "-1"}, 411, "expected a Content-Length"),
        (b"", {"Content_Length": None}, 411, "expected a Content-Length"),
        (b"{", {}, 400, "expected a JSON object"),
        (b"[" * 200000, {}, 400, "expected a JSON object"),
        (b"\xff", {}, 400, "expected a JSON object"),
        (b"[]", {}, 400, "expected a JSON object"),
        (b"{}", {}, 409, "another user"),
        (b'{"id": "0"}', {}, 409, "another user"),
    ],
)
def test_bodies(
    page: Client, body: bytes, headers: dict[str, str | None], status: int, message: str
) -> None:
    found, _, content = page.ask("POST", page.root + "api/try", body, **headers)
    assert found == status
    assert message in content.decode()


@pytest.mark.parametrize("query", ["result?id=x", "result?id=7", "export?id=1e3", "state?since=x"])
def test_queries(page: Client, query: str) -> None:
    status, answer = page.get(f"api/{query}")
    assert status == 400
    assert answer["error"]


def test_other_methods(page: Client) -> None:
    assert page.ask("PUT", page.root + "api/try", b"{}")[0] == 501
    assert page.ask("GET", page.root + "api/state")[0] == 200
