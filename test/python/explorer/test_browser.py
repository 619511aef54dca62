"""The served page in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from explorer.page_client import Client

import ttmlir

SLOW = 60_000  # milliseconds


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page that must end without an error on its console."""
    found: list[str] = []
    page = browser.new_page()
    page.set_default_timeout(SLOW)

    def listen(message: Any) -> None:
        # The browser's own word for a change that came too late.
        if message.type == "error" and "status of 409" not in message.text:
            found.append(message.text)

    page.on("console", listen)
    page.on("pageerror", lambda error: found.append(str(error)))
    yield page
    page.close()
    assert found == []


@pytest.fixture
def server(program: ttmlir.Builder) -> Iterator[Any]:
    with ttmlir.explorer.serve(program) as server:
        yield server


def cell(page: Any, name: str, column: int) -> str:
    text: str = page.locator(f'#ops tr[data-name="{name}"] td').nth(column).inner_text()
    return text


def settle(page: Any, status: str = "done", number: int = 0) -> None:
    page.wait_for_selector(f'#history tr[data-id="{number}"].{status}', timeout=SLOW)
    # The export is asked for last.
    page.locator("#export-command", has_text=re.compile(".")).wait_for(state="attached")


def test_change_recompile_compare_and_export(page: Any, server: Any) -> None:
    page.goto(server.url)
    settle(page)
    page.wait_for_selector('#ops tr[data-name="grow"]')
    assert cell(page, "grow", 1) == "8x8:l1:block_sharded:tile:bf16"

    box = page.locator('#graph .node.choosable[data-name="grow"]')
    box.hover()
    title = box.locator("title").text_content()
    assert "256x256 bf16" in title
    assert "8x8:l1:block_sharded:tile:bf16" in title
    box.click()
    assert page.inner_text("#selected") == "grow"

    page.fill("#settings [name=grid]", "1x1")
    page.select_option("#settings [name=memory]", "l1")
    page.select_option("#settings [name=dtype]", "f32")
    assert page.locator('#graph .node.set[data-name="grow"]').count() == 1
    page.check("#each-op")
    page.click("#run")
    settle(page, number=1)
    page.wait_for_selector('#ops tr[data-name="grow"] td:text("1x1:l1")')
    old, new = cell(page, "grow", 2), cell(page, "grow", 3)
    assert old != new
    assert "%" in cell(page, "grow", 4)
    assert "PCC" in cell(page, "grow", 6)
    assert "PCC" in page.inner_text("#totals")
    assert "override-output-layout=grow=1x1:l1:f32" in page.inner_text("#export-command")
    assert "override_output_layout={'grow': '1x1:l1:f32'}" in page.inner_text("#export-python")
    assert page.locator("#export-named").is_visible()

    page.click('#history tr[data-id="0"] button')
    page.wait_for_selector('#history tr[data-id="0"].selected')
    assert page.input_value("#settings [name=grid]") == ""


def test_a_choice_that_cannot_be_met(page: Any, server: Any) -> None:
    page.goto(server.url)
    settle(page)
    page.click('#ops tr[data-name="grow"]')
    page.fill("#settings [name=grid]", "99x99")
    page.select_option("#settings [name=memory]", "l1")
    page.click("#run")
    settle(page, "failed", 1)
    assert "expected one inside" in page.inner_text("#notice")
    page.click("#clear")
    page.click("#run")
    settle(page, number=2)
    assert page.locator("#notice").is_hidden()


def test_two_people_at_one_page(page: Any, server: Any) -> None:
    """What one of them does, the other sees; a change that comes too late says so."""
    page.goto(server.url)
    settle(page)
    page.click('#ops tr[data-name="grow"]')
    page.select_option("#settings [name=memory]", "l1")
    found = Client(server.url).attempt(overrides={"grow": {"grid": "4x4"}})
    settle(page, number=found["id"])
    # What was chosen here is still there.
    assert page.input_value("#settings [name=memory]") == "l1"
    assert page.input_value("#settings [name=grid]") == ""
    # The page of somebody whose news come late.
    page.evaluate("state.version -= 1")
    page.click("#run")
    page.wait_for_selector("#notice:not([hidden])")
    assert "another user changed the page" in page.inner_text("#notice")
    assert page.evaluate("state.tries.length") == 2
