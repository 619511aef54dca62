"""Rows that L1 has no room for: kernels that move elements put them together in windows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ttmlir
from ttmlir import Builder
from ttmlir.builder import Tensor

Array = np.ndarray[Any, Any]

#: Elements of 4 bytes, of which L1 has room for less than 400,000; no multiple of what aligns.
WIDE = 480_011

Build = Callable[[Builder, Tensor], Tensor]
CASES: dict[str, tuple[tuple[int, ...], Build, Callable[[Array], Array]]] = {
    "concat of columns": (
        (2, 240_007),
        lambda b, x: b.concat([x, x, x], 1),
        lambda x: np.concatenate([x, x, x], 1),
    ),
    "concat of rows": (
        (2, WIDE),
        lambda b, x: b.concat([x, x], 0),
        lambda x: np.concatenate([x, x]),
    ),
    "slice": (
        (2, WIDE),
        lambda b, x: b.slice(x, (0, 7), (2, 450_000)),
        lambda x: x[:, 7:450_000],
    ),
    "slice with a step": (
        (2, 2 * WIDE),
        lambda b, x: b.slice(x, (0, 5), (2, 2 * WIDE), (1, 3)),
        lambda x: x[:, 5::3],
    ),
    "pad": (
        (2, WIDE),
        lambda b, x: b.pad(x, ((1, 0), (400_013, 3)), 2.5),
        lambda x: np.pad(x, ((1, 0), (400_013, 3)), constant_values=2.5),
    ),
    "reshape to wider rows": (
        (12, 40_001),
        lambda b, x: b.reshape(x, (480_012,)),
        lambda x: x.reshape(480_012),
    ),
    "reshape of wide rows": (
        (3, 480_012),
        lambda b, x: b.reshape(x, (2, 720_018)),
        lambda x: x.reshape(2, 720_018),
    ),
    "repeat along rows": (
        (2, 160_007),
        lambda b, x: b.repeat(x, (1, 3)),
        lambda x: np.tile(x, (1, 3)),
    ),
    "repeat of rows": (
        (1, WIDE),
        lambda b, x: b.repeat(x, (3, 1)),
        lambda x: np.tile(x, (3, 1)),
    ),
    "broadcast of an element": (
        (2, 1),
        lambda b, x: b.broadcast(x, (2, WIDE)),
        lambda x: np.broadcast_to(x, (2, WIDE)),
    ),
    "broadcast of a row": (
        (1, WIDE),
        lambda b, x: b.broadcast(x, (2, WIDE)),
        lambda x: np.broadcast_to(x, (2, WIDE)),
    ),
    "permute of rows": (
        (2, 3, WIDE),
        lambda b, x: b.permute(x, (1, 0, 2)),
        lambda x: x.transpose(1, 0, 2),
    ),
    "permute to wide rows": (
        (2, 400_003, 2),
        lambda b, x: b.permute(x, (2, 0, 1)),
        lambda x: x.transpose(2, 0, 1),
    ),
    "cumulative sum": ((2, WIDE), lambda b, x: b.cumsum(x, 0), lambda x: x.cumsum(0)),
}


@pytest.mark.parametrize("case", CASES)
def test_wide_rows(case: str) -> None:
    shape, build, reference = CASES[case]
    b = Builder("wide")
    b.output(build(b, b.input("x", shape, "f32")))
    x = np.random.default_rng(7).standard_normal(shape).astype(np.float32)
    found = ttmlir.compile(b, backend="ttmetal")(x)
    np.testing.assert_array_equal(found, reference(x))


@pytest.mark.parametrize(
    ("dtype", "width"),
    [(ml_dtypes.bfloat16, 800_003), (np.uint8, 1_600_001), (np.int32, 400_003)],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_wide_rows_of_other_types(dtype: Any, width: int) -> None:
    b = Builder("wide")
    x = b.input("x", (2, width), dtype)
    b.output(b.slice(b.concat([x, x], 1), (0, 3), (2, 2 * width - 1)))
    values = np.random.default_rng(8).integers(0, 100, (2, width)).astype(dtype)
    found = ttmlir.compile(b, backend="ttmetal")(values)
    np.testing.assert_array_equal(found, np.concatenate([values, values], 1)[:, 3:-1])


def test_wide_embedding() -> None:
    b = Builder("wide")
    indices, table = b.input("indices", (3,), "i32"), b.input("table", (4, WIDE), "f32")
    b.output(b.embedding(indices, table))
    values = np.random.default_rng(9).standard_normal((4, WIDE)).astype(np.float32)
    found = ttmlir.compile(b, backend="ttmetal")(np.array([3, 0, 2], np.int32), values)
    np.testing.assert_array_equal(found, values[[3, 0, 2]])


def test_wide_copy() -> None:
    """From bank to bank, by way of an L1 that has no room for a row."""
    b = Builder("wide")
    x = b.input("x", (3, WIDE + 1), "f32", memory_space="dram")
    there = b.to_layout(x, memory_space="l1", memory_layout="interleaved")
    b.output(b.to_layout(there, memory_space="dram"))
    values = np.random.default_rng(10).standard_normal((3, WIDE + 1)).astype(np.float32)
    found = ttmlir.compile(b, backend="ttmetal")(values)
    np.testing.assert_array_equal(found, values)


def test_a_result_that_stays_in_dram_is_not_copied() -> None:
    """Its place would be L1, which has no room for it."""
    b = Builder("wide")
    b.output(b.reshape(b.input("x", (7, WIDE // 7), "u16"), (WIDE // 7 * 7,)))
    exe = ttmlir.compile(b, backend="ttmetal", default_memory_space="l1")
    values = np.arange(WIDE // 7 * 7, dtype=np.uint16).reshape(7, -1)
    np.testing.assert_array_equal(exe(values), values.ravel())
    assert exe.mlir.count('"ttmetal.dispatch"') == 1
