"""A browser without a screen. Modules beside this file are shared."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ttmlir.report import Report

Opener = Callable[[str], Any]


@pytest.fixture
def visit(browser: Any) -> Iterator[Opener]:
    """Opens an address in a new page. At the end there must have been no message on its console and
    no request but those of the address itself and, of a served page, below it."""
    wrong: list[str] = []
    pages = []

    def visit(url: str) -> Any:
        page = browser.new_page(viewport={"width": 1300, "height": 900})
        page.set_default_timeout(60_000)  # for machines with much to do
        pages.append(page)
        page.on("console", lambda message: wrong.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: None if request.url.startswith(url) else wrong.append(request.url),
        )
        page.goto(url)
        return page

    yield visit
    for page in pages:
        page.close()
    assert wrong == []


@pytest.fixture
def show(visit: Opener, tmp_path: Path) -> Callable[[Report], Any]:
    """Saves a report and opens the file."""

    def show(report: Report) -> Any:
        report.save(tmp_path / "report.html")
        return visit((tmp_path / "report.html").as_uri())

    return show
