"""The examples of the tensor layout specification, made with ttmlir.dialects.tt.ir."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttmlir import ir
from ttmlir.dialects import tt

Intervals = list[tuple[int, int]]
COLLAPSE_ROWS: Intervals = [(0, -1)]


@pytest.fixture(autouse=True)
def context() -> Iterator[ir.Context]:
    with ir.Context() as context, ir.Location.unknown():
        yield context


def layout(
    shape: Sequence[int],
    grid: Sequence[int],
    intervals: Intervals = COLLAPSE_ROWS,
    space: tt.MemorySpace = tt.MemorySpace.DeviceL1,
    oob: tt.OOBVal = tt.OOBVal.Undef,
    memory_layout: tt.TensorMemoryLayout = tt.TensorMemoryLayout.None_,
) -> tt.ir.LayoutAttr:
    context = ir.Context.current
    tensor = ir.RankedTensorType.get(shape, ir.F32Type.get())
    cores = tt.ir.GridAttr.get(context, list(grid))
    # Positional, as scripts for the reference have it.
    return tt.ir.LayoutAttr.get(context, tensor, space, cores, intervals, oob, memory_layout)


def tilize(
    attr: tt.ir.LayoutAttr, data_type: tt.DataType = tt.DataType.BFP_BFloat8
) -> tt.ir.LayoutAttr:
    tile = tt.ir.TileType.get(ir.Context.current, 32, 32, data_type)
    return tt.ir.LayoutAttr.with_element_type_(ir.Context.current, attr, tile)


def test_walkthrough() -> None:
    attr = layout((2, 3, 64, 128), (1, 1))
    assert str(attr.linear) == "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)"
    assert str(attr.memref) == "memref<384x128xf32, #tt.memory_space<l1>>"
    tensor = ir.RankedTensorType.get([2, 3, 64, 128], ir.F32Type.get(), attr)
    assert tt.ir.LayoutAttr.getLayout(tensor) == attr
    assert str(tensor) == (
        "tensor<2x3x64x128xf32, #tt.layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), "
        "undef, <1x1>, memref<384x128xf32, #tt.memory_space<l1>>>>"
    )


# Shape, grid, intervals, what the map's right side says, shard.
EXAMPLES = [
    ((2, 3, 64, 128), (2, 4), [(0, -1)], "(d0 * 192 + d1 * 64 + d2, d3)", (192, 32)),
    ((8, 300), (1, 2), [(0, -1)], "(d0, d1)", (8, 150)),
    ((8, 96, 32), (2, 1), [(0, -1)], "(d0 * 96 + d1, d2)", (384, 32)),
    ((64,), (1, 1), [(0, -1)], "(0, d0)", (1, 64)),
    ((1, 32, 32), (1, 1), [(0, -1)], "(d0 * 32 + d1, d2)", (32, 32)),
    ((4, 5, 6, 7), (1, 1, 1), [(1, -1)], "(d0, d1 * 6 + d2, d3)", (4, 30, 7)),
    ((4, 5, 6, 7), (1, 1, 1), [(0, 2)], "(d0 * 5 + d1, d2, d3)", (20, 6, 7)),
    (
        (5, 3, 2, 2, 7, 32, 32),
        (3, 2, 2, 2),
        [(0, 3), (-3, -1)],
        "(d0 * 6 + d1 * 2 + d2, d3, d4 * 32 + d5, d6)",
        (10, 1, 112, 16),
    ),
    ((64, 256, 1024), (2, 4, 16), [], "(d0, d1, d2)", (32, 64, 64)),
    ((53, 63), (3, 2), [(0, -1)], "(d0, d1)", (18, 32)),
]


@pytest.mark.parametrize(("shape", "grid", "intervals", "right", "shard"), EXAMPLES)
def test_collapse_and_divide(
    shape: tuple[int, ...],
    grid: tuple[int, ...],
    intervals: Intervals,
    right: str,
    shard: tuple[int, ...],
) -> None:
    attr = layout(shape, grid, intervals)
    assert str(attr.linear).partition(" -> ")[2] == right
    assert tuple(attr.shard_shape) == shard
    assert tuple(attr.memref.shape) == shard
    assert tuple(attr.grid_attr.shape) == grid


# Shape, grid, intervals, tiles of a shard.
TILED = [
    ((3, 64, 128), (3, 2), [(0, -1)], (2, 2)),
    ((53, 63), (3, 2), [(0, -1)], (1, 1)),
    ((2, 3, 64, 128), (2, 2, 4), [(1, -1)], (1, 3, 1)),
    ((16, 3, 64, 128), (2, 2, 4), [(1, -1)], (8, 3, 1)),
    ((256, 1024), (4, 16), [(0, -1)], (2, 2)),
    ((64, 256, 1024), (2, 4, 16), [], (32, 2, 2)),
]


@pytest.mark.parametrize(("shape", "grid", "intervals", "tiles"), TILED)
def test_tilize(
    shape: tuple[int, ...], grid: tuple[int, ...], intervals: Intervals, tiles: tuple[int, ...]
) -> None:
    scalar = layout(shape, grid, intervals)
    tiled = tilize(scalar)
    assert tiled.is_tiled
    assert tuple(tiled.memref.shape) == tiles
    assert str(tiled.memref.element_type) == "!tt.tile<32x32, bfp_bf8>"
    # The grid divides before the tiles do; the logical side stays.
    assert (tiled.linear, tiled.grid_attr) == (scalar.linear, scalar.grid_attr)
    assert tuple(tiled.shard_shape) == (*tiles[:-2], tiles[-2] * 32, tiles[-1] * 32)


def test_parallelize() -> None:
    one = layout((2, 3, 64, 128), (1, 1), oob=tt.OOBVal.Zero)
    context = ir.Context.current
    for grid, shard in (((2, 4), [192, 32]), ((8, 8), [48, 16]), ((1, 64), [384, 2])):
        cores = tt.ir.GridAttr.get(context, list(grid))
        many = tt.ir.LayoutAttr.with_grid_(context, one, [2, 3, 64, 128], cores, COLLAPSE_ROWS)
        assert many.shard_shape == shard
        assert many.oobval is tt.OOBVal.Zero
        assert many == layout((2, 3, 64, 128), grid, oob=tt.OOBVal.Zero)
    tiled = tilize(one)
    again = tt.ir.LayoutAttr.with_grid(
        context, tiled, [2, 3, 64, 128], tt.ir.GridAttr.get(context, [2, 4])
    )
    assert again.memref.shape == [6, 1]


def test_memory() -> None:
    for space in tt.MemorySpace:
        assert layout((4, 16), (2, 2), space=space).memory_space is space
    for kept in tt.TensorMemoryLayout:
        attr = layout((4, 16), (2, 2), memory_layout=kept)
        assert attr.memory_layout is kept
        # `none` is not printed.
        assert str(attr).endswith(">>>" if int(kept) == 0 else f">>, {kept}>")


def test_strides_in_gaps() -> None:
    """The batches of the specification that a greater stride keeps in tiles of their own."""
    packed = layout((2, 8, 32), (1, 2))
    assert packed.stride([2, 8, 32]) == [256, 32, 1]
    assert tilize(packed).memref.shape == [1, 1]
    spread = ir.Attribute.parse(
        "#tt.layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <1x2>, "
        "memref<40x16xf32, #tt.memory_space<l1>>>"
    )
    assert spread.stride([2, 8, 32]) == [1024, 32, 1]
    assert tilize(spread).memref.shape == [2, 1]


@given(
    shape=st.lists(st.integers(1, 70), min_size=1, max_size=5),
    rows=st.integers(1, 8),
    columns=st.integers(1, 8),
)
def test_sweep(shape: list[int], rows: int, columns: int) -> None:
    """Grids, tiles and padding against plain arithmetic."""
    with ir.Context(), ir.Location.unknown():
        attr = layout(shape, (rows, columns))
        physical = (int(np.prod(shape[:-1])), shape[-1])
        shard = [-(-physical[0] // rows), -(-physical[1] // columns)]
        assert attr.shard_shape == shard
        assert tilize(attr).memref.shape == [-(-extent // 32) for extent in shard]
        strides = np.empty(shape, np.uint8).strides
        assert attr.stride(shape) == list(strides)
