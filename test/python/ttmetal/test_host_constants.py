"""Constants that also exist on the host: returned, placed and returned, given to a mesh."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ttmlir

SHAPE = (33, 40)
DATA_TYPES = {"f32": "Float32", "bf16": "BFloat16", "i32": "Int32"}
DENSE = np.arange(SHAPE[0] * SHAPE[1], dtype=np.float32).reshape(SHAPE)
LINE = np.broadcast_to(np.arange(SHAPE[1], dtype=np.float32), SHAPE)
SHARDS = {"memory_space": "l1", "grid": (2, 1), "memory_layout": "height_sharded"}

#: How a constant is made, and its numbers.
CONSTANTS: dict[str, tuple[Callable[[ttmlir.Builder], Any], np.ndarray]] = {
    "splat": (lambda b: b.constant(1.5, shape=SHAPE), np.full(SHAPE, 1.5, np.float32)),
    "dense": (lambda b: b.constant(DENSE), DENSE),
    "full": (lambda b: b.full(SHAPE, 2.0), np.full(SHAPE, 2, np.float32)),
    "fill": (lambda b: b.fill(DENSE), DENSE),
    "line": (lambda b: b.arange(SHAPE), LINE),
}


@pytest.fixture(params=CONSTANTS)
def constant(request: pytest.FixtureRequest) -> tuple[Callable[..., Any], np.ndarray]:
    return CONSTANTS[request.param]


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_placed_and_returned(constant: Any, backend: str) -> None:
    make, values = constant
    b = ttmlir.Builder()
    x, c = b.input("x", SHAPE), make(b)
    placed = b.to_layout(x, **SHARDS) + b.to_layout(c, **SHARDS)
    b.output(placed, b.maximum(x, c), c)
    given = np.random.default_rng(0).standard_normal(SHAPE).astype(np.float32)
    total, largest, returned = ttmlir.compile(b, backend=backend)(given)
    np.testing.assert_array_equal(total, given + values)
    np.testing.assert_array_equal(largest, np.maximum(given, values))
    np.testing.assert_array_equal(returned, values)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_moved_to_the_host(constant: Any, backend: str) -> None:
    make, values = constant
    b = ttmlir.Builder()
    b.output(b.to_layout(make(b), memory_space="system", tiled=False))
    np.testing.assert_array_equal(ttmlir.compile(b, backend=backend)(), values)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_cut_for_a_mesh(constant: Any, backend: str) -> None:
    make, values = constant
    b = ttmlir.Builder(mesh_shape=(1, 2))
    shard = b.mesh_shard(make(b), (None, 1))
    b.output(b.mesh_gather(b.neg(shard), (None, 1)))
    np.testing.assert_array_equal(ttmlir.compile(b, backend=backend, target="n300")(), -values)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_a_result_belongs_to_the_caller(backend: str) -> None:
    b = ttmlir.Builder()
    b.output(b.constant(DENSE))
    exe = ttmlir.compile(b, backend=backend)
    exe()[:] = -1
    np.testing.assert_array_equal(exe(), DENSE)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("dtype", ["f32", "bf16", "i32"])
def test_moved_from_the_host_to_the_host(backend: str, dtype: str) -> None:
    """A place that a tensor is in already, or another form there, which the device makes."""
    shape = (33, 70)
    b = ttmlir.Builder()
    x = b.input("x", shape, dtype)
    rows = b.to_layout(x, memory_space="system", tiled=False)
    tiles = b.to_layout(x, memory_space="system")
    again = b.to_layout(tiles, memory_space="system")
    back = b.to_layout(again, memory_space="system", tiled=False)
    b.output(rows, tiles, again, back, *(b.abs(y) for y in (rows, tiles, again, back)))
    given = np.random.default_rng(0).integers(-99, 99, shape)
    given = given.astype(ttmlir.runtime.host_dtype(DATA_TYPES[dtype]))
    results = ttmlir.compile(b, backend=backend)(given)
    for moved, computed in zip(results[:4], results[4:], strict=True):
        np.testing.assert_array_equal(moved, given)
        np.testing.assert_array_equal(computed, np.abs(given))


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_rounded_on_the_host(backend: str) -> None:
    b = ttmlir.Builder()
    b.output(b.to_layout(b.input("x", SHAPE, "bf16"), memory_space="system", format="bfp8_b"))
    given = DENSE.astype(ml_dtypes.bfloat16)
    result = ttmlir.compile(b, backend=backend)(given)
    # 16 numbers of a row share the exponent of the largest: 7 bits of it remain.
    np.testing.assert_allclose(result, given.astype(np.float32), rtol=0, atol=DENSE.max() / 128)
