"""Products of matrices whose tiles do not divide over cores, blocks or L1."""

from __future__ import annotations

from itertools import product

import ml_dtypes
import numpy as np
import pytest
from op_formats import Array

import ttmlir

Product = tuple[int, int, int]

#: Products of real models whose tiles do not divide over the cores, as (rows, depth, columns);
#: `make soak` has larger ones.
REAL: tuple[Product, ...] = (
    (128, 512, 5632),
    (128, 512, 5888),
    (5888, 512, 128),
    (128, 2304, 9216),
    (197, 768, 768),
)
#: Rows and columns of tiles, the shortest ones that go over a line of cores in blocks whose last
#: one is not full.
TILES = (1, 5, 17, 22, 64)
GRIDS = ((1, 1), (1, 3), (3, 1), (2, 5), (3, 3))


def matmul(sizes: Product, dtype: str = "f32") -> ttmlir.Builder:
    rows, depth, columns = sizes
    b = ttmlir.Builder()
    b.output(b.matmul(b.input("x", (rows, depth), dtype), b.input("w", (depth, columns), dtype)))
    return b


def small_integers(sizes: Product) -> tuple[Array, Array]:
    """Operands whose products and sums are exact."""
    rows, depth, columns = sizes
    rng = np.random.default_rng(rows + columns)
    x, w = (rng.integers(-3, 4, shape) for shape in ((rows, depth), (depth, columns)))
    return x.astype(np.float32), w.astype(np.float32)


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: "x".join(map(str, grid)))
def test_grids(grid: tuple[int, int]) -> None:
    for rows, columns in product(TILES, TILES):
        if rows * columns > 400:
            continue
        # Without the last row, so that there is padding as well.
        sizes = (32 * rows - 1, 40, 32 * columns)
        x, w = small_integers(sizes)
        exe = ttmlir.compile(matmul(sizes), backend="ttmetal", grid=grid)
        np.testing.assert_array_equal(exe(x, w), x @ w, err_msg=f"{rows}x{columns} tiles")


@pytest.mark.parametrize("sizes", REAL, ids=lambda sizes: "x".join(map(str, sizes)))
def test_real_sizes(sizes: Product) -> None:
    rows, depth, columns = sizes
    rng = np.random.default_rng(0)
    x = rng.standard_normal((rows, depth)).astype(ml_dtypes.bfloat16)
    w = (rng.standard_normal((depth, columns)) * depth**-0.5).astype(ml_dtypes.bfloat16)
    found = ttmlir.compile(matmul(sizes, "bf16"), backend="ttmetal")(x, w).astype(np.float32)
    left, right = x.astype(np.float32), w.astype(np.float32)
    expected = left @ right
    # A rounding to bf16, and those of sums of f32.
    slack = 2.0**-8 * np.abs(expected) + depth * 2.0**-24 * (np.abs(left) @ np.abs(right))
    assert (np.abs(found - expected) <= slack).all()


def beside_l1(tiles: int, grid: tuple[int, int]) -> ttmlir.Executable:
    """A product of tensors in DRAM beside one of so many tiles of 4 KB in L1."""
    b = ttmlir.Builder()
    product = b.matmul(b.input("x", (256, 512)), b.input("w", (512, 320)))
    kept = b.to_layout(
        b.input("kept", (32 * tiles, 32)),
        memory_space="l1",
        grid=(1, 1),
        memory_layout="block_sharded",
    )
    b.output(product, b.add(kept, kept))
    return ttmlir.compile(b, backend="ttmetal", grid=grid)


@pytest.mark.parametrize("grid", [(1, 1), (2, 2)])
@pytest.mark.parametrize("tiles", [16, 256, 304, 336, 350, 359])
def test_blocks_shrink_to_the_l1_that_is_free(tiles: int, grid: tuple[int, int]) -> None:
    x, w = small_integers((256, 512, 320))
    product, _ = beside_l1(tiles, grid)(x, w, np.ones((32 * tiles, 32), np.float32))
    np.testing.assert_array_equal(product, x @ w)


def test_no_room_for_the_smallest_blocks() -> None:
    message = (
        r"'ttir.matmul' op needs 24576 bytes of circular buffers in L1, "
        r"found \d+ bytes behind the tensors in L1"
    )
    with pytest.raises(ttmlir.CompileError, match=message):
        beside_l1(364, (1, 1))


@pytest.mark.parametrize(
    ("a", "w"),
    [((40, 1, 64), (1, 64, 96)), ((3, 5, 2, 33), (1, 1, 33, 40)), ((6, 7, 32), (1, 32, 65))],
    ids=lambda shape: "x".join(map(str, shape)),
)
@pytest.mark.parametrize("transposed", [False, True], ids=["", "transposed"])
def test_few_rows(a: tuple[int, ...], w: tuple[int, ...], transposed: bool) -> None:
    """Matrices of few rows are multiplied as one."""
    shape = (*w[:-2], w[-1], w[-2]) if transposed else w
    rng = np.random.default_rng(len(a))
    x, y, z = (rng.integers(-3, 4, s).astype(np.float32) for s in (a, shape, (w[-1],)))
    b = ttmlir.Builder()
    product = b.linear(
        b.input("x", a), b.input("w", shape), b.input("z", z.shape), transpose_b=transposed
    )
    b.output(b.relu(product))
    exe = ttmlir.compile(b, backend="ttmetal")
    wanted = np.maximum(x @ (np.swapaxes(y, -1, -2) if transposed else y) + z, 0)
    np.testing.assert_array_equal(exe(x, y, z), wanted)
