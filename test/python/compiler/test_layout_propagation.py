"""Programs whose author places tensors compute what they compute without, and what NumPy does."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ttmlir
from ttmlir import passes

N = 128
SCORES = {"memory_space": "l1", "grid": (2, 4), "memory_layout": "block_sharded"}
STATE = {"memory_space": "l1", "grid": (4, 1), "memory_layout": "height_sharded"}
DTYPES = {"f32": np.dtype(np.float32), "bf16": np.dtype(ml_dtypes.bfloat16)}
Array = np.ndarray[Any, np.dtype[Any]]


def attention(dtype: str, *, anchored: bool) -> ttmlir.Builder:
    """Attention over two blocks of keys, with a running maximum.

    One constant is what the scores are added to, the first maximum and the first sum of values.
    """
    b = ttmlir.Builder("attention")
    q = b.input("q", (N, N), dtype)
    blocks = [[b.input(f"{name}{i}", (N, N), dtype) for name in "kv"] for i in range(2)]

    def place(x: ttmlir.builder.Tensor, where: dict[str, Any]) -> ttmlir.builder.Tensor:
        return b.to_layout(x, **where) if anchored else x

    zero = b.constant(0.0, shape=(N, N), dtype=dtype)
    values, total, highest = place(zero, STATE), None, None
    for k, v in blocks:
        scores = place(b.matmul(q, k, transpose_b=True), SCORES) + zero
        bounded = b.maximum(place(scores, STATE), place(zero, STATE))
        found = b.max(bounded, 1, keep_dim=True)
        if highest is not None:
            found = b.maximum(found, highest)
            scale = b.exp(highest - found)
            values, total = values * scale, total * scale
        weights = b.exp(scores - found)
        row = b.sum(weights, 1, keep_dim=True)
        total = row if total is None else total + row
        values = b.matmul(place(weights, STATE), v) + values
        highest = found
    b.output(values / total)
    return b


def expected(q: Array, *blocks: Array) -> Array:
    q, *blocks = (x.astype(np.float64) for x in (q, *blocks))
    scores = q @ np.concatenate(blocks[::2]).T
    weights = np.exp(scores - scores.max(1, keepdims=True))
    result: Array = weights / weights.sum(1, keepdims=True) @ np.concatenate(blocks[1::2])
    return result


def arguments(dtype: str) -> list[Array]:
    rng = np.random.default_rng(5)
    return [
        (rng.standard_normal((N, N)) * scale).astype(DTYPES[dtype])
        for scale in (0.2, 0.4, 1, 0.4, 1)
    ]


def layout_changes_of_constants(module: Any) -> int:
    """How many ops that change a layout read a constant."""
    count = 0

    def visit(op: Any) -> Any:
        nonlocal count
        if op.name in ("ttnn.to_layout", "ttnn.to_device", "ttir.to_layout"):
            owner = op.operands[0].owner
            count += getattr(owner, "name", "") in ("ttnn.full", "ttnn.constant", "ttir.constant")
        return passes.WalkResult.ADVANCE if hasattr(passes, "WalkResult") else None

    module.operation.walk(visit)
    return count


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_attention_is_the_same_where_its_author_places_it(backend: str, dtype: str) -> None:
    inputs = arguments(dtype)
    placed, plain = (
        ttmlir.compile(attention(dtype, anchored=anchored), backend=backend)(*inputs)
        for anchored in (True, False)
    )
    # Every op gives the same bits wherever its tensors lie. Kernels of chains of ops round at the
    # end of a chain, and what is placed in between ends one.
    if backend == "ttnn":
        np.testing.assert_array_equal(placed, plain)
    epsilon = ml_dtypes.finfo(DTYPES[dtype]).eps
    reference = expected(*inputs)
    scale = np.abs(reference).max()
    for found in (placed, plain):
        assert np.abs(found - reference).max() <= 4 * epsilon * scale
