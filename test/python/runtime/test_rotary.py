"""Heads rotated by the angles of their positions, in one call: numbers, layouts and time."""

from __future__ import annotations

from typing import Any

import ml_dtypes  # noqa: F401  (bfloat16)
import numpy as np
import pytest
from machine import L1, ROW_MAJOR, close, one_op, sharded

import ttmlir
from ttmlir import runtime

TABLE = "RotaryEmbeddingOp"


def expected(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> np.ndarray:
    x, cos, sin = (array.astype(np.float32) for array in (x, cos, sin))
    half = x.shape[-1] // 2
    return x * cos + np.concatenate([-x[..., half:], x[..., :half]], -1) * sin


def draw(shape: tuple[int, ...], table: tuple[int, ...], dtype: Any) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    angles = rng.uniform(0, 2 * np.pi, table)
    x = rng.standard_normal(shape)
    arrays = {"in": x, "cos_cache": np.cos(angles), "sin_cache": np.sin(angles)}
    return {name: array.astype(dtype) for name, array in arrays.items()}


def check(found: np.ndarray, exact: np.ndarray) -> None:
    """The result is rounded once: it is off by half a unit in the last place at most."""
    half = {"float32": 2.0**-22, "bfloat16": 2.0**-8}[found.dtype.name]
    assert found.shape == exact.shape
    assert (np.abs(found.astype("f8") - exact) <= half * np.abs(exact) + 1e-6).all()


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize(("heads", "width"), [(1, 64), (3, 128), (32, 256), (2, 6)])
@pytest.mark.parametrize(("batch", "places"), [(1, 37), (3, 1), (2, 33)])
@pytest.mark.parametrize("layout", [{}, ROW_MAJOR, L1], ids=["tile", "rows", "l1"])
def test_numbers(
    layout: dict[str, Any], batch: int, places: int, heads: int, width: int, dtype: str
) -> None:
    shape = (batch, heads, places, width)
    for rows in {(batch, places), (1, places), (batch, 1), (1, 1)}:
        operands = draw(shape, (rows[0], 1, rows[1], width), dtype)
        layouts = dict.fromkeys(operands, layout)
        found = one_op(TABLE, operands, shape, layouts=layouts, out_layout=layout)
        check(found, expected(*operands.values()))


def test_block_floats_and_shards() -> None:
    operands = draw((2, 4, 64, 64), (1, 1, 64, 64), "float32")
    dtypes = dict.fromkeys(operands, "BFloat16") | {"in": "BFP_BFloat8"}
    rows = {name: array.astype("bfloat16") for name, array in operands.items()}
    # Block floats have all bits of these.
    rows["in"] = np.round(operands["in"] * 8).clip(-32, 32).astype("f4") / 8
    layouts = {"in": sharded((8, 1))}
    found = one_op(
        TABLE,
        rows,
        (2, 4, 64, 64),
        dtypes=dtypes,
        dtype="BFP_BFloat8",
        layouts=layouts,
        out_layout=sharded((4, 1)),
    )
    wide = {name: array.astype("f8") for name, array in rows.items()}
    close(found, expected(*wide.values()), "BFP_BFloat8")


@pytest.mark.parametrize(
    ("shape", "table", "message"),
    [
        ((4, 37, 8), (1, 1, 37, 8), "of rank 4 with an even number of columns in field in"),
        ((2, 4, 37, 7), (1, 1, 37, 7), "found 2x4x37x7"),
        ((2, 4, 37, 8), (2, 4, 37, 8), "a row for each position of 2x4x37x8 in field cos_cache"),
        ((2, 4, 37, 8), (3, 1, 37, 8), "found 3x1x37x8"),
        ((2, 4, 37, 8), (1, 1, 36, 8), "found 1x1x36x8"),
        ((2, 4, 37, 8), (1, 37, 8), "found 1x37x8"),
    ],
)
def test_malformed(shape: tuple[int, ...], table: tuple[int, ...], message: str) -> None:
    with pytest.raises(runtime.RuntimeError, match=message):
        one_op(TABLE, draw(shape, table, "float32"), shape)


def test_malformed_sines_and_result() -> None:
    operands = draw((2, 4, 37, 8), (2, 1, 37, 8), "float32")
    with pytest.raises(runtime.RuntimeError, match="out"):
        one_op(TABLE, operands, (2, 4, 37, 4))
    operands["sin_cache"] = operands["sin_cache"][:1]
    with pytest.raises(runtime.RuntimeError, match="sin_cache"):
        one_op(TABLE, operands, (2, 4, 37, 8))


def program(shape: tuple[int, ...], table: tuple[int, ...], dtype: str = "bf16") -> ttmlir.Builder:
    """As transformers writes it."""
    b = ttmlir.Builder()
    x = b.relu(b.input("x", shape, dtype))
    cos, sin = (b.input(name, table, dtype) for name in ("cos", "sin"))
    half, end = shape[3] // 2, (*shape[:3], shape[3])
    first = b.slice(x, (0, 0, 0, 0), (*shape[:3], half))
    second = b.slice(x, (0, 0, 0, half), end)
    turned = b.concat([b.neg(second), first], 3)
    b.output(b.add(b.multiply(x, cos), b.multiply(turned, sin)))
    return b


@pytest.mark.parametrize(
    ("shape", "table"),
    [
        ((32, 32, 1, 128), (32, 1, 1, 128)),
        ((32, 8, 1, 128), (32, 1, 1, 128)),
        ((1, 32, 1, 64), (1, 1, 1, 64)),
        ((1, 8, 200, 128), (1, 1, 200, 128)),
        ((2, 3, 64, 256), (2, 1, 64, 256)),
    ],
)
@pytest.mark.parametrize("target", ["n150", "p150"])
def test_one_call_is_faster(target: str, shape: tuple[int, ...], table: tuple[int, ...]) -> None:
    exes = [
        ttmlir.compile(program(shape, table), target=target, enable_recognition=enabled)
        for enabled in (True, False)
    ]
    reports = [exe.estimate() for exe in exes]
    names = [op.name for op in reports[0].ops if op.phase == "run" and op.kernels]
    assert names == ["eltwise.relu", "rotary_embedding"]
    one, many = (sum(op.cycles for op in report.ops if op.phase == "run") for report in reports)
    assert one < many
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(info.shape).astype("bfloat16") for info in exes[0].inputs]
    found, others = (np.asarray(exe(*arrays)) for exe in exes)
    x, cos, sin = (array.astype("f4") for array in arrays)
    x = np.maximum(x, 0)
    exact = expected(x, cos, sin)
    check(found, exact)
    # Two products and a sum, each rounded.
    half = shape[3] // 2
    products = x * np.abs(cos) + np.roll(x, half, -1) * np.abs(sin)
    assert (np.abs(others.astype("f4") - exact) <= 2**-7 * products).all()
