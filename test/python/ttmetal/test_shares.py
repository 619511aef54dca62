"""Kernels of every kind with work that does not divide over the cores: no unit is left out, none is
done beyond the last one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from op_formats import Array

import ttmlir
from ttmlir.builder import Builder, Tensor

GRIDS = ((1, 1), (1, 7), (2, 5), (8, 8))
#: Rows; each has 2 tiles of columns. More or less tiles, rows and blocks of them than cores.
ROWS = (1, 31, 97, 320, 1100)
WIDTH = 40


def padded(x: Array) -> Array:
    return np.pad(x, ((1, 2), (3, 0)), constant_values=7)


Unary = Callable[[Builder, Tensor], Tensor]
#: Exact on small integers. The kernels take tiles, rows of tiles, rows, or pieces of rows.
OPS: dict[str, tuple[Unary, Callable[[Array], Array]]] = {
    "elementwise": (lambda b, x: b.add(x, b.neg(x)), lambda x: x * 0),
    "row broadcast": (lambda b, x: b.add(x, b.max(x, 0, True)), lambda x: x + x.max(0)),
    "column broadcast": (
        lambda b, x: b.add(x, b.max(x, 1, True)),
        lambda x: x + x.max(1, keepdims=True),
    ),
    "sum of rows": (lambda b, x: b.sum(x, 0, True), lambda x: x.sum(0, keepdims=True)),
    "sum of columns": (lambda b, x: b.sum(x, 1, True), lambda x: x.sum(1, keepdims=True)),
    "transpose": (lambda b, x: b.transpose(x), lambda x: x.T),
    "slice": (
        lambda b, x: b.slice(x, (0, 3), (x.shape[0], 30), (1, 2)),
        lambda x: x[:, 3:30:2],
    ),
    "pad": (lambda b, x: b.pad(x, ((1, 2), (3, 0)), 7.0), padded),
    "concat": (lambda b, x: b.concat([x, b.neg(x)], 0), lambda x: np.concatenate([x, -x])),
    "reshape": (lambda b, x: b.reshape(x, (WIDTH, x.shape[0])), lambda x: x.reshape(WIDTH, -1)),
    "permute": (
        lambda b, x: b.permute(b.reshape(x, (x.shape[0], 8, 5)), (1, 0, 2)),
        lambda x: x.reshape(-1, 8, 5).transpose(1, 0, 2),
    ),
    "repeat": (lambda b, x: b.repeat(x, (2, 3)), lambda x: np.tile(x, (2, 3))),
    "embedding": (
        lambda b, x: b.embedding(b.constant(np.arange(x.shape[0], dtype=np.uint32)[::-1]), x),
        lambda x: x[::-1],
    ),
    "full": (lambda b, x: b.full(x.shape, 3.0), lambda x: np.full_like(x, 3)),
}


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: "x".join(map(str, grid)))
def test_every_unit_is_done(grid: tuple[int, int], rows: int) -> None:
    b = Builder()
    x = b.input("x", (rows, WIDTH))
    b.output(*(build(b, x) for build, _ in OPS.values()))
    value = np.random.default_rng(rows).integers(-50, 50, (rows, WIDTH)).astype(np.float32)
    results = ttmlir.compile(b, backend="ttmetal", grid=grid)(value)
    for (name, (_, expected)), found in zip(OPS.items(), results, strict=True):
        np.testing.assert_array_equal(found, expected(value), err_msg=name)


def test_rows_of_more_than_half_of_l1() -> None:
    width = 128256
    b = Builder()
    x = b.input("x", (3, width))
    b.output(b.slice(x, (0, 1), (3, width), (1, 1)), b.repeat(x, (2, 1)))
    value = np.arange(3 * width, dtype=np.float32).reshape(3, width)
    cut, repeated = ttmlir.compile(b, backend="ttmetal", grid=(1, 2))(value)
    np.testing.assert_array_equal(cut, value[:, 1:])
    np.testing.assert_array_equal(repeated, np.tile(value, (2, 1)))
