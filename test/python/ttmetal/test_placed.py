"""Tensors where their author places them: kernels under all checks give NumPy's numbers."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from places import PAGES, PLACES, Place, l1

import ttmlir

Op = Callable[[ttmlir.Builder, Any], Any]

NUMPY = {"f32": np.float32, "bf16": ml_dtypes.bfloat16, "u8": np.uint8, "i32": np.int32}

#: Rank 1; a shard without elements on most grids; parts of tiles; several matrices.
SHAPES = ((40,), (33, 2), (65, 70), (4, 10, 20), (2, 3, 5, 7))

OPS: dict[str, tuple[Op, Callable[[np.ndarray], np.ndarray]]] = {
    "moved": (lambda b, x: x, lambda v: v),
    "relu": (lambda b, x: b.relu(x), lambda v: np.maximum(v, 0)),
    "chain": (lambda b, x: b.relu(b.add(x, b.add(x, x))), lambda v: np.maximum(3 * v, 0)),
    "sum": (lambda b, x: b.sum(x, [-1], keep_dim=True), lambda v: v.sum(-1, keepdims=True)),
    "max": (lambda b, x: b.max(x, [0], keep_dim=True), lambda v: v.max(0, keepdims=True)),
    "broadcast": (
        lambda b, x: b.add(x, b.max(x, [-1], keep_dim=True)),
        lambda v: v + v.max(-1, keepdims=True),
    ),
    "concat": (lambda b, x: b.concat([x, x], -1), lambda v: np.concatenate([v, v], -1)),
    "flat": (lambda b, x: b.reshape(x, (prod(x.shape),)), lambda v: v.reshape(-1)),
}
MATRIX_OPS: dict[str, tuple[Op, Callable[[np.ndarray], np.ndarray]]] = {
    "transpose": (lambda b, x: b.transpose(x, -2, -1), lambda v: v.swapaxes(-1, -2)),
    "permute": (
        lambda b, x: b.permute(x, range(x.rank)[::-1]),
        lambda v: v.transpose(),
    ),
    "matmul": (
        lambda b, x: b.matmul(x, x, transpose_b=True),
        lambda v: v @ v.swapaxes(-1, -2),
    ),
    "softmax": (
        lambda b, x: b.softmax(x, -1),
        lambda v: np.exp(v) / np.exp(v).sum(-1, keepdims=True),
    ),
}


def check(
    op: Op,
    reference: Callable[[np.ndarray], np.ndarray],
    shape: tuple[int, ...],
    place: Place,
    dtype: str = "f32",
    **options: Any,
) -> None:
    low = 0 if dtype == "u8" else -4
    value = np.random.default_rng(0).integers(low, 5, shape).astype(NUMPY[dtype])
    b = ttmlir.Builder()
    b.output(op(b, b.to_layout(b.input("x", shape, dtype), **place)))
    found = ttmlir.compile(b, backend="ttmetal", **options)(value)
    expected = reference(value.astype(np.float64))
    assert found.shape == expected.shape
    # Small integers; softmax has exponentials and a quotient of 10 bits.
    np.testing.assert_allclose(found.astype(np.float64), expected, rtol=2**-8, atol=0)


@pytest.mark.sampled(20)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("place", PLACES)
def test_ops_on_placed_tensors(place: str, shape: tuple[int, ...]) -> None:
    for op, reference in (OPS if len(shape) == 1 else OPS | MATRIX_OPS).values():
        check(op, reference, shape, PLACES[place])


@pytest.mark.parametrize("place", PLACES)
def test_ops_write_where_their_result_is_placed(place: str) -> None:
    check(lambda b, x: b.to_layout(b.relu(x), **PLACES[place]), relu, (4, 10, 20), l1())


def relu(v: np.ndarray) -> np.ndarray:
    return np.maximum(v, 0)


@pytest.mark.parametrize("after", PLACES)
@pytest.mark.parametrize("before", PLACES)
def test_moves_between_places(before: str, after: str) -> None:
    check(lambda b, x: b.to_layout(x, **PLACES[after]), lambda v: v, (65, 70), PLACES[before])


@pytest.mark.parametrize("dtype", ["bf16", "u8", "i32"])
@pytest.mark.parametrize("place", PAGES)
def test_formats_in_pages(place: str, dtype: str) -> None:
    check(lambda b, x: b.add(x, x), lambda v: v + v, (65, 70), PAGES[place], dtype)


def test_pages_over_more_cores_than_work() -> None:
    """The banks are those of the chip, also where kernels use some of its cores."""
    check(*OPS["chain"], (300, 700), l1(), grid=(2, 2))


@pytest.mark.parametrize("place", ["interleaved", "blocks"])
def test_larger_tensors(place: str) -> None:
    for name in ("chain", "broadcast", "matmul", "transpose"):
        op, reference = (OPS | MATRIX_OPS)[name]
        check(op, reference, (384, 1024), PLACES[place])


@pytest.mark.parametrize("target", ["n150", "p150"])
@pytest.mark.parametrize("shape", [(4, 7), (31, 33), (3, 5, 96), (70, 1120)], ids=str)
def test_bytes_where_reads_are_aligned_to_more(shape: tuple[int, ...], target: str) -> None:
    """A row of a tile of u8 has 32 bytes; the DRAM of a p150 is read at multiples of 64."""
    value = np.random.default_rng(0).integers(0, 100, shape, np.uint8)
    b = ttmlir.Builder()
    x = b.input("x", shape, "u8")
    b.output(b.add(x, x))
    exe = ttmlir.compile(b, backend="ttmetal", target=target)
    np.testing.assert_array_equal(exe(value), 2 * value)


@pytest.mark.parametrize("target", ["n150", "p150"])
def test_a_small_shard_leaves_the_next_tensor_aligned(target: str) -> None:
    b = ttmlir.Builder()
    x, y = b.input("x", (16, 2), "bf16"), b.input("y", (65, 65))
    # 16 bytes on each core.
    small = b.to_layout(x, **l1("height_sharded", 4, 1, tiled=False))
    b.output(small, b.to_layout(b.sum(y, [0], keep_dim=True), **l1("width_sharded", 1, 3)))
    value = np.random.default_rng(0).integers(-4, 5, (65, 65)).astype(np.float32)
    kept, total = ttmlir.compile(b, backend="ttmetal", target=target)(
        np.ones((16, 2), ml_dtypes.bfloat16), value
    )
    assert (kept == 1).all()
    np.testing.assert_array_equal(total, value.sum(0, keepdims=True))


@pytest.mark.parametrize("tiled", [True, False])
@pytest.mark.parametrize(
    ("layout", "grid", "shape"),
    [
        ("height_sharded", (16, 1), (512, 64)),
        ("height_sharded", (9, 1), (512, 64)),
        ("width_sharded", (1, 64), (64, 2048)),
    ],
)
def test_lines_longer_than_a_row(
    layout: str, grid: tuple[int, int], shape: tuple[int, int], tiled: bool
) -> None:
    """The library wraps them around the grid; kernels have none of them."""
    place = l1(layout, *grid, tiled=tiled)
    b = ttmlir.Builder()
    x = b.to_layout(b.input("x", shape), **place)
    b.output(b.add(x, x))
    given = np.random.default_rng(0).integers(-9, 9, shape).astype(np.float32)
    np.testing.assert_array_equal(ttmlir.compile(b, target="n150")(given), 2 * given)
    message = (
        rf"places a tensor on #tt\.grid<{grid[0]}x{grid[1]}>, a line of cores that the library "
        r"takes and kernels do not: .*, expected a grid inside #tt\.grid<8x8>"
    )
    with pytest.raises(ttmlir.CompileError, match=message):
        ttmlir.compile(b, backend="ttmetal", target="n150")


@pytest.mark.parametrize("space", ["dram", "l1"])
@pytest.mark.parametrize("shape", [(63, 96), (64, 95), (33, 65), (64, 96)])
def test_rows_in_shards_that_are_not_full(shape: tuple[int, int], space: str) -> None:
    """Tiles are made of what a shard has: nobody has written the rows behind the tensor."""
    b = ttmlir.Builder("placed")
    x = b.input("x", shape, "bf16")
    placed = b.to_layout(
        b.relu(x), memory_space="l1", tiled=False, memory_layout="block_sharded", grid=(2, 3)
    )
    b.output(b.neg(placed))
    array = np.random.default_rng(3).integers(-9, 9, shape).astype(ml_dtypes.bfloat16)
    found = ttmlir.compile(b, backend="ttmetal", default_memory_space=space)(array)
    np.testing.assert_array_equal(found, -np.maximum(array, 0))
