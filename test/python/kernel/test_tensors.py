"""Tensors of programs of kernels: every format and layout, in DRAM and in L1, page by page."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from mistakes import drop

from ttmlir import kernel

FORMATS = {
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i32": np.int32,
    "u32": np.uint32,
    "u16": np.uint16,
    "u8": np.uint8,
    "bfp8_b": np.float32,
    "bfp4_b": np.float32,
    "bfp8": np.float32,
}


def copy_of(
    values: np.ndarray[Any, np.dtype[Any]], dtype: str, source: dict[str, Any], target: Any
) -> np.ndarray[Any, np.dtype[Any]]:
    """`values` through a tensor of `source` and, copied by a kernel, one of `target`."""

    @kernel.data_movement(noc=1)
    def copy(x: kernel.Tensor, y: kernel.Tensor, page: kernel.CircularBuffer) -> None:
        from_x, to_y = kernel.tensor_accessor(x), kernel.tensor_accessor(y)
        for i in kernel.range(x.pages):
            kernel.cb_reserve_back(page, 1)
            address = kernel.get_write_ptr(page)
            kernel.noc_async_read_page(i, from_x, address)
            kernel.noc_async_read_barrier()
            kernel.noc_async_write_page(i, to_y, address)
            kernel.noc_async_write_barrier()
            drop(page)

    program = kernel.Program("copy")
    x = program.input("x", values.shape, dtype, **source)
    y = program.output("y", values.shape, dtype, **target)
    assert (x.pages, x.page_size) == (y.pages, y.page_size)
    size = None if x.tiled else -(-x.page_size // 16) * 16
    page = program.circular_buffer("in0", dtype, pages=1, page_size=size)
    program.add(copy, x, y, page)
    return program.run(x=values)["y"]


# Block floats are in tiles.
@pytest.mark.parametrize(
    ("dtype", "layout"),
    [
        (d, kind)
        for d in FORMATS
        for kind in ("tile", "row_major")[: 1 if d.startswith("bfp") else 2]
    ],
)
@pytest.mark.parametrize("shape", [(70, 40), (3, 32, 64), (48,), (2, 1, 64, 32)])
def test_in_dram(dtype: str, layout: str, shape: tuple[int, ...]) -> None:
    values = (np.arange(np.prod(shape)) // 16 % 5).reshape(shape).astype(FORMATS[dtype])
    found = copy_of(values, dtype, {"layout": layout}, {"layout": layout})
    assert (found == values).all()


def test_pages_of_a_core() -> None:
    """A circular buffer over a tensor in L1 has as many."""
    program = kernel.Program(cores=(2, 4))
    x = program.input("x", (128, 512), memory="l1", grid=(2, 4))
    assert (x.page_rows, x.page_columns, x.shard) == (4, 16, (2, 4))
    assert program.circular_buffer("in0", tensor=x).pages == 8


@pytest.mark.parametrize(("dtype", "bits"), [("bfp8_b", 7), ("bfp8", 7), ("bfp4_b", 3)])
def test_halves_of_block_floats_go_to_the_even_number(dtype: str, bits: int) -> None:
    """Between numbers with the exponent of the greatest element of a block."""
    step = 2.0 ** (1 - bits)
    block = (np.arange(16) % 2 ** (bits - 1) + 0.5) * step
    block[0] = 1
    values = np.tile([*block, *-block], (32, 1)).astype(np.float32)
    found = copy_of(values, dtype, {}, {})
    np.testing.assert_array_equal(found, np.rint(values / step) * step)


@pytest.mark.parametrize("dtype", ["f32", "bf16", "u16"])
# Pages of row-major shards are rows of the shards.
@pytest.mark.parametrize(
    ("layout", "grid"),
    [("tile", (2, 2)), ("tile", (1, 4)), ("tile", (4, 1)), ("row_major", (4, 1))],
)
def test_shards_in_l1(dtype: str, layout: str, grid: tuple[int, int]) -> None:
    values = np.arange(128 * 256).reshape(128, 256).astype(FORMATS[dtype])
    l1 = {"layout": layout, "memory": "l1", "grid": grid}
    dram = {"layout": layout}
    assert (copy_of(values, dtype, dram, l1) == values).all()
    assert (copy_of(values, dtype, l1, dram) == values).all()
    assert (copy_of(values, dtype, l1, {**l1, "grid": (2, 1)}) == values).all()
