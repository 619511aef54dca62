"""The page of a report in a browser: what a person does with it, and that nothing else happens."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from models import blocks
from page_examples import HOSTILE, example

import ttmlir
from ttmlir.report import MemoryRequest, Report, TimeParts

Opener = Callable[[str], Any]
Show = Callable[[Report], Any]
ROWS = "#ops tbody tr"
FIRST = ".core[data-y='0'][data-x='0']"


def column(page: Any, number: int) -> list[str]:
    return page.locator(f"{ROWS} td:nth-child({number})").all_text_contents()


def middle(page: Any, target: str, x: float = 0.5, y: float = 0.5) -> tuple[float, float]:
    """A point of a canvas in shares of its size."""
    page.locator(target).scroll_into_view_if_needed()
    box = page.locator(target).bounding_box()
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def timeline(page: Any, cycle: float, row: int) -> tuple[float, float]:
    """Where a cycle of 3000 is in a row of the timeline."""
    left, top = middle(page, "#timeline", 0, 0)
    width = page.locator("#timeline").bounding_box()["width"] - 130
    return left + 130 + width * cycle / 3000, top + 18 + 18 * row + 9


def test_what_the_head_says(show: Show) -> None:
    page = show(example())
    assert page.title().startswith("main on wormhole_b0")
    facts = page.locator("#facts").inner_text()
    assert "3 us" in facts
    assert "64 KiB a core" in facts
    assert "host to device" in facts
    assert "run: 2 operations, 2 us (66.7 %)" in page.locator("#total").inner_text()
    assert page.locator("#failure").is_hidden()


def test_table_sorts_and_filters(show: Show) -> None:
    page = show(example())
    assert column(page, 2) == ["first", "second", "third"]
    page.get_by_role("button", name="DRAM", exact=True).click()
    assert column(page, 2) == ["third", "second", "first"]
    assert page.locator("#ops th[aria-sort]").get_attribute("aria-sort") == "descending"
    page.get_by_role("button", name="DRAM", exact=True).click()
    assert column(page, 2) == ["first", "second", "third"]
    page.get_by_label("Filter").fill("MODEL.PY:11 noc")
    assert column(page, 2) == ["second"]
    assert page.locator("#ops caption").inner_text() == "1 of 3 operations"
    page.get_by_label("Filter").fill("nowhere")
    assert column(page, 2) == []


def test_screen_readers_have_the_table(show: Show) -> None:
    page = show(example())
    tree = page.locator("#ops").aria_snapshot()
    assert 'columnheader "bound by"' in tree
    assert 'img "compute 700 cycles (70.0 %), dram 200 cycles (20.0 %), dispatch 100' in tree
    assert page.get_by_role("region", name="Operations").count() == 2  # the section and its table
    assert page.get_by_role("img", name="Operations and kernels over time").count() == 1


def test_an_op_is_chosen_everywhere(show: Show) -> None:
    page = show(example())
    page.locator(ROWS).nth(0).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert page.locator("#ops tr.chosen").count() == 1
    detail = page.locator("#detail").inner_text()
    assert "64x128 bf16 tile, dram interleaved on 12" in detail
    assert "reader first" in detail
    assert page.get_by_label("Show", exact=True).input_value() == "0"
    # 500 of the 900 cycles without dispatch, in the mean of the chip's core 0,0.
    assert page.locator(f"{FIRST} text").all_text_contents() == ["0,0", "56%"]
    page.get_by_label("Show", exact=True).select_option("1")
    assert "second" in page.locator("#ops tr.chosen").inner_text()
    page.locator(ROWS).nth(1).click()
    assert page.locator("#ops tr.chosen").count() == 0


def test_timeline_hovers_zooms_and_pans(show: Show) -> None:
    page = show(example())
    tip = page.locator("#tip")
    page.mouse.move(*timeline(page, 1500, 0))
    assert "second (eltwise.add)" in tip.inner_text()
    assert "noc: 900 (90.0 %)" in tip.inner_text()
    page.mouse.move(*timeline(page, 200, 1))
    assert "reader first of first, 2 cores" in tip.inner_text()
    page.mouse.click(*timeline(page, 1500, 0))
    assert "second" in page.locator("#ops tr.chosen").inner_text()
    page.mouse.dblclick(*timeline(page, 2500, 0))
    page.mouse.move(*timeline(page, 1500, 0))
    assert "third" in tip.inner_text()
    # From 1.95 to 3 us; a step back shows what was before.
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
    page.mouse.move(*timeline(page, 1500, 0))
    assert "second" in tip.inner_text()
    page.get_by_role("button", name="All").first.click()
    page.mouse.move(*timeline(page, 500, 0))
    assert "first" in tip.inner_text()


def test_cores_of_a_chip(show: Show) -> None:
    page = show(example())
    core = page.locator('.core[data-y="1"][data-x="1"]')
    core.hover()
    text = page.locator("#tip").inner_text()
    assert "core 1,1, at 2,2 of the die" in text
    assert "math 400" in text
    before = page.locator("#timeline").bounding_box()["height"]
    core.click()
    assert core.get_attribute("aria-pressed") == "true"
    assert page.locator("#timeline").bounding_box()["height"] == before + 18
    # By keys: from the first core to the right, and its threads too.
    page.locator('.core[data-y="0"][data-x="0"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.locator('.core[data-y="0"][data-x="1"]').get_attribute("aria-pressed") == "true"
    page.locator(".link").first.hover()
    assert "noc0: from 1,1 to 2,1 of the die\n4 KiB" in page.locator("#tip").inner_text()
    page.get_by_label("Network", exact=True).select_option("noc1")
    assert page.locator(".link").count() == 1
    assert "D3" in page.locator(".channel").nth(3).text_content()
    page.get_by_label("Chip", exact=True).select_option("1")
    assert page.locator('.core[data-y="0"][data-x="0"] text').nth(1).text_content() == "17%"
    assert page.get_by_text("chip 0 to 1, link 5").count() == 1


@pytest.mark.parametrize(
    ("block", "target", "backend"),
    [
        ("llama", "n150", "ttmetal"),
        ("transformer", "t3000", "ttnn"),
        ("resnet", "t3000", "ttmetal"),
    ],
)
def test_blocks_of_networks(show: Show, block: str, target: str, backend: str) -> None:
    # Of kernels on eight chips a trace has more slices than it writes.
    report = blocks.compiled(block, target, backend).report(trace=True)
    page = show(report)
    assert page.locator("#ops caption").inner_text().endswith(f"of {len(report.ops)} operations")
    if target == "t3000":
        page.get_by_label("Chip", exact=True).select_option("7")
        assert page.locator("#heat .core").count() == 64
    if backend == "ttmetal":
        # The threads of the busiest core, or how long the ops kept it.
        rows = 5 if target == "n150" else 1
        assert page.locator("#timeline").bounding_box()["height"] > (1 + rows) * 18
        assert page.get_by_text("expected at most 1000000").is_visible() == (target == "t3000")
    page.locator(ROWS).nth(5).click()
    assert page.locator("#detail h3").count() == 1


class Written:
    """A timeline as the runtime gives it."""

    def __init__(self, content: dict[str, Any]) -> None:
        self.content = content

    def write(self, sink: Callable[[bytes], None], kind: str) -> None:
        assert kind == "json"
        sink(json.dumps(self.content).encode())


def test_threads_of_chosen_cores(show: Show) -> None:
    """What a trace says of a core is a row for each thread, in the place of the time of its ops."""

    def event(phase: str, tid: int, name: str, **values: Any) -> dict[str, Any]:
        return {"ph": phase, "pid": 1, "tid": tid, "name": name, **values}

    events = [
        event("M", 0, "process_name", args={"name": "device 0 (wormhole_b0)"}),
        event("M", 0, "process_sort_index", args={"sort_index": 1}),
        event("M", 1, "thread_name", args={"name": "core 0,0 noc0"}),
        event("M", 2, "thread_name", args={"name": "core 0,0 math"}),
        event("M", 3, "thread_name", args={"name": "link 5"}),
        event("X", 1, "noc_async_read", ts=0.1, dur=0.4),
        event("X", 2, "kernel", ts=0.5, dur=2.0),
        event("X", 2, "matmul_tiles", ts=0.5, dur=1.5),
        event("X", 3, "page", ts=0.5, dur=1.5),
    ]
    page = show(replace(example(), trace=cast("Any", Written({"traceEvents": events}))))
    # The busiest core is chosen at first: rows of ops, two of kernels, two of the core.
    page.mouse.move(*timeline(page, 300, 3))
    assert "noc_async_read\n400 cycles from 100" in page.locator("#tip").inner_text()
    page.mouse.move(*timeline(page, 1000, 4))
    assert "kernel" in page.locator("#tip").inner_text()
    page.mouse.move(*timeline(page, 1000, 5))
    assert "matmul_tiles" in page.locator("#tip").inner_text()
    page.locator(FIRST).click()
    page.mouse.move(*timeline(page, 300, 3))
    assert page.locator("#tip").is_hidden()


def test_memory_over_time(show: Show) -> None:
    page = show(example())
    page.mouse.move(*middle(page, "#memory", 0.9, 0.2))
    assert "result: 2 KiB of each channel\nat 5,120 to 7,168" in page.locator("#tip").inner_text()
    assert "Most in use: 6 KiB of a channel" in page.locator("#memory-table").inner_text()
    page.get_by_label("Memory", exact=True).select_option("l1/0")
    assert "Most in use: 64 KiB of a core" in page.locator("#memory-table").inner_text()
    page.mouse.move(*middle(page, "#memory", 0.2, 0.99))
    assert "shards: 64 KiB of cores 0,0 to 7,7" in page.locator("#tip").inner_text()


def test_what_there_was_no_room_for(show: Show) -> None:
    request = MemoryRequest(0, "l1", 1 << 20, "scores", 1 << 19, 1 << 18)
    page = show(example(failed=request))
    assert page.locator("#failure").inner_text() == (
        "Out of memory: scores needs 1,048,576 bytes of the L1 of each core; 524,288 are free, "
        "262,144 in one piece"
    )
    assert page.get_by_label("Memory", exact=True).input_value() == "l1/0"
    table = page.locator("#memory-table")
    cells = table.locator("tr.failed td").all_text_contents()
    assert cells == ["scores", "1 MiB", "", "no room", "512 KiB free", "256 KiB in one piece"]
    assert table.locator("tbody tr").nth(1).locator("td").all_text_contents()[:3] == [
        *("shards", "64 KiB", "0,0 to 7,7"),
    ]


@pytest.mark.parametrize(
    ("change", "memory"), [({}, "DRAM"), ({"dram_read_bytes": 0, "dram_write_bytes": 0}, "NoC")]
)
def test_roofline(show: Show, change: dict[str, Any], memory: str) -> None:
    report = example()
    page = show(replace(report, ops=(replace(report.ops[0], **change), *report.ops[1:])))
    page.locator("#roofline").scroll_into_view_if_needed()
    # The one product; its place follows from the axes, so it is looked for.
    box = page.locator("#roofline").bounding_box()
    found = ""
    for x in range(80, int(box["width"]), 12):
        for y in range(10, int(box["height"]), 12):
            page.mouse.move(box["x"] + x, box["y"] + y)
            found = page.locator("#tip").text_content() if page.locator("#tip").is_visible() else ""
            if found:
                break
        if found:
            break
    assert found.startswith("first\n2 TFLOP/s")
    assert f"FLOP a byte of {memory}" in found
    assert "at the peak of its cores 35.0 % of the time" in found


def test_names_are_only_text(show: Show) -> None:
    page = show(example(HOSTILE))
    page.locator(ROWS).nth(0).click()
    assert column(page, 2)[0] == HOSTILE
    assert HOSTILE in page.locator("#remarks").text_content()
    assert page.locator("main img").count() == 0
    page.mouse.move(*timeline(page, 500, 0))
    assert HOSTILE in page.locator("#tip").text_content()
    assert page.evaluate("window.hacked") is None


def test_light_and_dark(show: Show) -> None:
    page = show(example())
    for scheme, back in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(24, 24, 27)")):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == back


def test_a_report_without_ops(show: Show) -> None:
    empty = replace(example(), ops=(), memory=(), remarks=(), cycles=0.0, seconds=0.0)
    page = show(replace(empty, arch="of tomorrow"))
    assert page.locator("#ops caption").inner_text() == "0 of 0 operations"
    assert page.get_by_text("No buffer was allocated.").is_visible()
    assert page.get_by_text("The place of cores is not known.").is_visible()
    assert page.locator("#remarks-section").is_hidden()


def test_thousands_of_ops(show: Show) -> None:
    """Rows come in portions, and what ops of one shape used is in the page once."""
    one = example().ops[0]
    ops = tuple(replace(one, start=1000.0 * i) for i in range(12_000))
    report = replace(example(), ops=ops, cycles=12e6, seconds=12e-3)
    page = show(report)
    assert page.locator(ROWS).count() == 200
    page.get_by_role("button", name="Show more of 11800").click()
    assert page.locator(ROWS).count() == 1200
    assert page.evaluate("data.uses === undefined")  # Nothing of the page is global.
    page.locator("#timeline").focus()
    for _ in range(8):
        page.keyboard.press("+")
    page.mouse.move(*middle(page, "#timeline", 0.6, 0.2))
    assert "first" in page.locator("#tip").inner_text()


def test_frame_of_a_notebook(visit: Opener, tmp_path: Path) -> None:
    """Apart from the notebook: its scripts do not reach the page around it."""
    around = tmp_path / "notebook.html"
    around.write_text(f"<!doctype html><title>notebook</title>{example()._repr_html_()}")
    page = visit(around.as_uri())
    frame = page.frame_locator("iframe")
    frame.get_by_label("Filter").fill("second")
    assert frame.locator("#ops caption").inner_text() == "1 of 3 operations"
    assert page.title() == "notebook"


@pytest.mark.parametrize(
    ("path", "error", "message"),
    [
        (
            "report.pdf",
            ttmlir.errors.InputError,
            "expected a suffix of .html or .htm, found .pdf",
        ),
        ("report", ttmlir.errors.InputError, "expected a suffix of .html or .htm, found none"),
        ("nowhere/report.html", ttmlir.errors.FileError, "cannot be written: No such file"),
        ("folder.html", ttmlir.errors.FileError, "cannot be written: Is a directory"),
    ],
)
def test_where_a_page_cannot_go(
    tmp_path: Path, path: str, error: type[Exception], message: str
) -> None:
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(error, match=message):
        example().save(tmp_path / path)
    assert [p.name for p in tmp_path.iterdir()] == ["folder.html"]


def test_parts_of_the_example_add_up() -> None:
    assert all(op.parts.total == op.cycles for op in example().ops)
    assert example().parts() == TimeParts(750, 900, 200, 1000, 0, 100, 50)
