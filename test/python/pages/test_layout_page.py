"""The page of a layout: its numbers against the maps of the device, and what a browser shows."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from tensor_layout import evaluate

import ttmlir
from ttmlir import _runtime as native
from ttmlir import ir
from ttmlir.dialects import tt
from ttmlir.pages import TensorLayout, save_layout_page
from ttmlir.pages._layout import tile_order
from ttmlir.pages._serve import layout_server, parse

Opener = Callable[[str], Any]
WALKTHROUGH = TensorLayout((2, 3, 64, 128), grid=(2, 4))


def element(data: dict[str, Any], index: tuple[int, ...]) -> tuple[int, int, list[int]]:
    """Row and column of the picture, and the place of the page there."""

    def at(axis: dict[str, Any]) -> int:
        shape = [data["shape"][d] for d in axis["dims"]]
        flat = int(np.ravel_multi_index([index[d] for d in axis["dims"]], shape)) if shape else 0
        return int(axis["at"][flat])

    row, column, page = at(data["rows"]), at(data["columns"]), data["page"]
    number = row // page["height"] * page["columns"] + column // page["width"]
    return row, column, list(data["places"][number])


def test_the_example_of_the_documents() -> None:
    """[1, 1, 6, 100] of 2x3x64x128 is at (262, 100)."""
    data = TensorLayout((2, 3, 64, 128)).data()
    assert element(data, (1, 1, 6, 100))[:2] == (262, 100)
    assert data["stride"] == [24576, 8192, 128, 1]
    assert WALKTHROUGH.data()["shard"] == [192, 32]


@pytest.mark.parametrize("tile", [(32, 32), (16, 32), None])
@pytest.mark.parametrize(
    ("shape", "grid", "intervals"),
    [
        ((2, 3, 64, 128), (2, 4), ((0, -1),)),
        ((53, 63), (3, 2), ((0, -1),)),
        ((8, 300), (1, 2), ((0, -1),)),
        ((5, 7, 40), (4, 3), ((1, 3),)),
        ((64,), (1, 1), ((0, -1),)),
    ],
)
def test_shards_are_where_the_map_of_the_device_says(
    shape: tuple[int, ...],
    grid: tuple[int, ...],
    intervals: tuple[tuple[int, int], ...],
    tile: tuple[int, int] | None,
) -> None:
    layout = TensorLayout(shape, "bf16", grid, intervals, tile)
    data = layout.data()
    with ir.Context() as context, ir.Location.unknown():
        device = tt.ir.DeviceAttr.from_system_desc(
            context, tt.ir.SystemDescAttr.from_name(context, "n150"), []
        )
        attr: Any = ir.RankedTensorType(ir.Type.parse(data["type"])).encoding
        for index in itertools.product(*(range(0, extent, 7) for extent in shape)):
            physical = evaluate(attr.linear, index)
            row, column, (y, x, offset) = element(data, index)
            unit = [p // e for p, e in zip(physical, tile or (1, 1), strict=True)]
            chip, *core, at = evaluate(device.l1_map, unit, attr.memref.shape)
            assert (chip, core) == (0, [y, x])
            if tile:
                assert offset == at * data["page"]["aligned"]
                assert (row % tile[0], column % tile[1]) == (
                    physical[0] % tile[0],
                    physical[1] % tile[1],
                )
            else:
                assert offset + column % data["page"]["width"] * 2 == at * 2


@pytest.mark.parametrize("dtype", ["f32", "bf16", "bfp8_b"])
def test_pages_take_turns_over_the_channels(dtype: str) -> None:
    data = TensorLayout((256, 96), dtype, memory_space="dram").data()
    assert [place[:2] for place in data["places"]] == [[0, i % 12] for i in range(24)]
    assert {place[2] for place in data["places"][12:]} == {data["page"]["aligned"]}


def test_a_column_of_more_cores_than_the_chip_has_rows() -> None:
    data = TensorLayout((64 * 32, 32), "bf16", (64, 1), memory_layout="height_sharded").data()
    assert [place[:2] for place in data["places"]] == [list(divmod(i, 8)) for i in range(64)]
    assert {place[2] for place in data["places"]} == {0}


def test_order_of_a_tile_is_that_of_the_runtime() -> None:
    numbers = np.arange(1024, dtype=np.float32).reshape(32, 32)
    packed = np.frombuffer(native.pack_tiles(numbers, ttmlir.runtime.DataType.Float32), np.float32)
    assert [packed[at] for at in tile_order(32, 32)] == list(range(1024))


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        (TensorLayout(()), "positive extents"),
        (TensorLayout((0, 5)), "positive extents"),
        (TensorLayout((64, 64), "f99"), "f99"),
        (TensorLayout((64, 64), "bfp8_b", tile=None), "tile: expected one"),
        (TensorLayout((64, 64), tile=(31, 32)), "tile: expected one of 4x16, 16x16"),
        (TensorLayout((64, 64), memory_space="host"), "memory_space: expected one of dram, l1"),
        (TensorLayout((64, 64), memory_layout="heap"), "memory_layout: expected one of none"),
        (TensorLayout((64, 64), grid=(9, 1)), "grid: expected one inside the 8x8 cores"),
        (TensorLayout((64, 64), grid=(1,)), "grid"),
        (TensorLayout((2, 64, 64), collapse_intervals=((2, 9),)), "collapse intervals"),
        (TensorLayout((1 << 20, 1 << 10)), "to draw"),
        (TensorLayout((64, 64), target="n149"), "no target 'n149'"),
    ],
)
def test_layouts_that_cannot_be(layout: TensorLayout, message: str) -> None:
    with pytest.raises(ttmlir.Error, match=message):
        layout.data()


def test_hovering_says_core_and_address(visit: Opener, tmp_path: Path) -> None:
    save_layout_page(WALKTHROUGH, tmp_path / "layout.html")
    page = visit((tmp_path / "layout.html").as_uri())
    said = page.locator("#element")
    assert said.inner_text().startswith("element [0, 0, 0, 0]: core 0,0, address 1024")
    page.get_by_label("Index").fill("1, 1, 6, 100")
    page.keyboard.press("Enter")
    # Row 262 is in the second shard, 70 rows down: tile 2 of one column, face 0, row 6.
    assert "core 1,3, address" in said.inner_text()
    assert f"address {1024 + 2 * 4096 + (6 * 16 + 4) * 4} " in said.inner_text()
    assert "row 262, column 100, shard 1,3" in said.inner_text()
    box = page.locator("#physical").bounding_box()
    scale = min(box["width"] / 128, box["height"] / 384)
    page.mouse.move(box["x"] + 40.5 * scale, box["y"] + 200.5 * scale)
    assert "element [1, 0, 8, 40]: core 1,1" in page.locator("#tip").inner_text()
    assert page.locator('#banks g[aria-pressed="true"]').text_content() == "1,16 p"
    page.get_by_label("d0").fill("1")
    box = page.locator("#logical").bounding_box()
    page.mouse.move(box["x"] + 2, box["y"] + 2)
    assert "element [1, 0, 0, 0]: core 1,0" in page.locator("#tip").inner_text()
    page.get_by_label("Index").fill("9")
    page.get_by_role("button", name="Show").click()
    assert said.inner_text() == "Expected 4 indices below 2, 3, 64, 128."


def test_padding_and_channels(visit: Opener, tmp_path: Path) -> None:
    layout = TensorLayout((40, 40), "bfp4_b", memory_space="dram", address=4096)
    save_layout_page(layout, tmp_path / "layout.html")
    page = visit((tmp_path / "layout.html").as_uri())
    box = page.locator("#physical").bounding_box()
    scale = min(box["width"], box["height"]) / 64
    page.mouse.move(box["x"] + 50.5 * scale, box["y"] + 0.5 * scale)
    # Behind 64 bytes of exponents and the first face of 256 half bytes, two elements on.
    assert page.locator("#tip").inner_text().startswith("padding: DRAM channel 1, address 4289")
    page.locator("#banks g").nth(3).click()
    assert (
        "element [32, 32]: DRAM channel 3, address 4160 (0x1040) bit 0"
        in page.locator("#element").inner_text()
    )


@pytest.fixture
def url() -> Iterator[str]:
    server = layout_server(WALKTHROUGH)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.url
    server.shutdown()
    thread.join()
    server.server_close()


def test_fields_of_the_served_page(visit: Opener, url: str) -> None:
    page = visit(url)
    page.locator("[name=grid]").fill("1x2")
    page.locator("[name=grid]").press("Enter")
    page.locator("#facts", has_text="384x64").wait_for()
    page.locator("[name=memory_space]").select_option("dram")
    page.get_by_role("heading", name="DRAM channels").wait_for()
    assert "DRAM channel 0" in page.locator("#element").inner_text()


def test_a_wrong_field_leaves_the_page_as_it_is(browser: Any, url: str) -> None:
    page = browser.new_page()
    page.goto(url)
    page.locator("[name=grid]").fill("99x99")
    page.locator("[name=grid]").press("Enter")
    page.get_by_role("alert").wait_for()
    assert "grid: expected one inside the 8x8 cores" in page.get_by_role("alert").inner_text()
    assert "192x32" in page.locator("#facts").inner_text()
    page.close()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "expected a shape"),
        ({"shape": "64xx64"}, "shape: expected extents such as 64x128, found '64xx64'"),
        ({"shape": "64x64", "tile": "32"}, "tile: expected two extents"),
        ({"shape": "64x64", "collapse_intervals": "0;-1"}, "collapse_intervals: expected pairs"),
        ({"shape": "64x64", "address": "here"}, "address: expected a number"),
        ({"shape": "1x" * 200}, "at most 200 characters"),
        ({"shape": "64x64", "colour": "red"}, "unknown field 'colour'"),
    ],
)
def test_wrong_fields(fields: dict[str, str], message: str) -> None:
    with pytest.raises(ttmlir.errors.InputError, match=message):
        parse(fields)


def test_fields_as_people_write_them() -> None:
    fields = {
        "shape": "2x3x64x128",
        "collapse_intervals": "[(0, 2), (-2,-1)]",
        "tile": "",
        "address": "0x400",
    }
    assert parse(fields) == TensorLayout(
        (2, 3, 64, 128), collapse_intervals=((0, 2), (-2, -1)), tile=None, address=1024
    )


def test_command(tmp_path: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "ttmlir", "layout", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    made = run("64x64", "--dtype=bf16", "--grid=2x2", "-o", "layout.html")
    assert (made.returncode, made.stderr) == (0, "")
    assert "tensor&lt;" not in (tmp_path / "layout.html").read_text()
    for wrong, message in (
        (("64x64", "-o", "layout.pdf"), "expected a suffix of .html or .htm"),
        (("64x64", "--grid=64x64"), "grid: expected one inside"),
        (("64x64", "--port=99999"), "cannot listen on 127.0.0.1 port 99999"),
    ):
        failed = run(*wrong)
        assert failed.returncode == 1
        assert failed.stderr.startswith("error: ")
        assert message in failed.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["layout.html"]
