"""tensor_layout.py, the examples of the tensor layout specification, and sweeps beyond them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest
import tensor_layout
from hypothesis import given
from hypothesis import strategies as st
from tensor_layout import EXAMPLES, check, encoded, evaluate, layout, parallelize, tilize

from ttmlir import ir
from ttmlir.dialects import tt


@pytest.fixture(autouse=True)
def context() -> Iterator[ir.Context]:
    with ir.Context() as context, ir.Location.unknown():
        yield context


def test_walkthrough() -> None:
    attr = layout((2, 3, 64, 128), (1, 1))
    assert str(attr.linear) == "(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)"
    assert str(attr.memref) == "memref<384x128xf32, #tt.memory_space<l1>>"
    assert evaluate(attr.linear, (1, 1, 6, 100)) == (262, 100)
    tensor = encoded((2, 3, 64, 128), attr)
    assert str(tensor) == (
        "tensor<2x3x64x128xf32, #tt.layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), "
        "undef, <1x1>, memref<384x128xf32, #tt.memory_space<l1>>>>"
    )


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    check(EXAMPLES[name])


def test_script() -> None:
    command = [sys.executable, tensor_layout.__file__]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.count("tensor<") > len(EXAMPLES)


def test_parallelize() -> None:
    one = layout((2, 3, 64, 128), (1, 1), oob=tt.OOBVal.Zero)
    context = ir.Context.current
    for grid, shard in (((2, 4), [192, 32]), ((8, 8), [48, 16]), ((1, 64), [384, 2])):
        many = parallelize(one, (2, 3, 64, 128), grid)
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
