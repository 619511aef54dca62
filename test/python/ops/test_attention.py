"""Attention as one kernel: its numbers on several cores and at real sizes, what it saves, and its
recognition in pieces."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from op_formats import Array

import ttmlir

HOST = {"f32": np.dtype(np.float32), "bf16": np.dtype(ml_dtypes.bfloat16)}


def expected(q: Array, k: Array, v: Array, causal: bool, mask: Array | None = None) -> Array:
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    group = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, group, axis=1), np.repeat(v, group, axis=1)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + mask.astype(np.float64)
    if causal:
        visible = np.arange(k.shape[2])[None] <= np.arange(q.shape[2])[:, None]
        scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    result: Array = weights / weights.sum(axis=-1, keepdims=True) @ v
    return result


def inputs(
    heads: int, shared: int, places: int, keys: int, width: int, dtype: str, batch: int = 1
) -> list[Array]:
    rng = np.random.default_rng(places + keys)
    shapes = [
        (batch, heads, places, width),
        (batch, shared, keys, width),
        (batch, shared, keys, width),
    ]
    return [rng.standard_normal(shape).astype(HOST[dtype]) for shape in shapes]


def program(arrays: list[Array], dtype: str, causal: bool, masked: bool = False) -> ttmlir.Builder:
    b = ttmlir.Builder()
    q, k, v, *mask = (
        b.input(name, array.shape, dtype)
        for name, array in zip(("q", "k", "v", "mask")[: len(arrays)], arrays, strict=True)
    )
    options = {"attention_mask": mask[0]} if masked else {}
    b.output(b.scaled_dot_product_attention(q, k, v, is_causal=causal, **options))
    return b


CASES = {
    "one tile": (1, 1, 32, 32, 32, "f32", False),
    "parts of tiles": (2, 1, 45, 77, 40, "f32", False),
    "causal": (4, 2, 130, 130, 64, "bf16", True),
    "more queries than keys": (2, 2, 100, 50, 64, "f32", True),
    "more keys than queries": (2, 2, 50, 300, 64, "f32", True),
    "wide": (2, 1, 64, 200, 128, "f32", True),
    "a block of keys in part": (1, 1, 33, 330, 32, "bf16", False),
    "S = 2048, D = 64": (1, 1, 2048, 2048, 64, "bf16", True),
    "S = 2048, D = 128": (1, 1, 2048, 2048, 128, "bf16", False),
}


@pytest.mark.parametrize("case", CASES)
def test_numbers(case: str) -> None:
    *shape, dtype, causal = CASES[case]
    arrays = inputs(*shape, dtype)
    exe = ttmlir.compile(program(arrays, dtype, causal), backend="ttmetal")
    assert "softmax" not in exe.mlir
    found = np.asarray(exe(*arrays)).astype(np.float64)
    limit = 2e-5 if dtype == "f32" else 2e-2
    np.testing.assert_allclose(found, expected(*arrays, causal), rtol=0, atol=limit)


@pytest.mark.parametrize("grid", [(1, 1), (2, 3), (8, 8)])
def test_cores_give_the_same_bits_of_a_row(grid: tuple[int, int]) -> None:
    arrays = inputs(3, 1, 200, 200, 64, "f32", batch=2)
    exe = ttmlir.compile(program(arrays, "f32", True), backend="ttmetal", grid=grid)
    np.testing.assert_allclose(exe(*arrays), expected(*arrays, True), rtol=0, atol=2e-5)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
@pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan])
def test_hidden_scores_have_no_effect(backend: str, number: float) -> None:
    arrays = inputs(2, 1, 100, 150, 64, "f32")
    want = expected(*arrays, True)
    arrays[1][0, 0, 70:] = number
    exe = ttmlir.compile(program(arrays, "f32", True), backend=backend)
    found = np.asarray(exe(*arrays))
    np.testing.assert_allclose(found[:, :, :70], want[:, :, :70], rtol=0, atol=2e-5)


@pytest.mark.parametrize("shape", [(1, 1, 1, 90), (2, 4, 70, 90), (2, 1, 70, 90), (1, 4, 1, 90)])
def test_masks(shape: tuple[int, ...]) -> None:
    arrays = inputs(4, 2, 70, 90, 32, "f32", batch=2)
    rng = np.random.default_rng(0)
    mask = np.where(rng.random(shape) < 0.3, -np.inf, rng.uniform(-1, 1, shape))
    mask[..., 0] = 0
    arrays.append(mask.astype(np.float32))
    exe = ttmlir.compile(program(arrays, "f32", False, masked=True), backend="ttmetal")
    want = expected(*arrays[:3], False, arrays[3])
    np.testing.assert_allclose(exe(*arrays), want, rtol=0, atol=2e-5)


def in_pieces(arrays: list[Array], dtype: str) -> ttmlir.Builder:
    b = ttmlir.Builder()
    q, k, v = (b.input(name, array.shape, dtype) for name, array in zip("qkv", arrays, strict=True))
    scores = b.matmul(q, b.permute(k, (0, 1, 3, 2)))
    scores = b.multiply(scores, b.full((1,), arrays[0].shape[-1] ** -0.5, dtype))
    b.output(b.matmul(b.softmax(scores), v))
    return b


def test_one_kernel_takes_less_time_than_its_pieces() -> None:
    arrays = inputs(8, 8, 512, 512, 64, "bf16")
    cycles = {
        enabled: ttmlir.compile(
            in_pieces(arrays, "bf16"), backend="ttmetal", enable_recognition=enabled
        )
        .report()
        .cycles
        for enabled in (True, False)
    }
    assert cycles[True] < 0.8 * cycles[False], cycles


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_pieces_are_recognized(backend: str) -> None:
    arrays = inputs(2, 2, 64, 96, 32, "f32")
    b = in_pieces(arrays, "f32")
    results = [
        ttmlir.compile(b, backend=backend, enable_recognition=enabled)(*arrays)
        for enabled in (True, False)
    ]
    for result in results:
        np.testing.assert_allclose(result, expected(*arrays, False), rtol=0, atol=2e-5)


@pytest.mark.parametrize("dtype", sorted(HOST))
@pytest.mark.parametrize("places", [1, 5, 40])
def test_positions_give_the_bits_of_their_mask(dtype: str, places: int) -> None:
    batch, heads, shared, keys, width = 2, 8, 2, 200, 64
    b = ttmlir.Builder()
    q = b.input("q", (batch, heads, places, width), dtype)
    k, v = (b.input(name, (batch, shared, keys, width), dtype) for name in "kv")
    positions = b.input("positions", (batch, 1, places, 1), "i32")
    numbers = b.constant(np.arange(keys, dtype=np.int32).reshape(1, 1, 1, keys))
    zero, hidden = (b.constant(np.full((1, 1, 1, 1), x, HOST[dtype])) for x in (0, -np.inf))
    mask = b.where(b.le(numbers, positions), zero, hidden)
    b.output(b.scaled_dot_product_attention(q, k, v, attention_mask=mask, is_causal=False))
    arrays = inputs(heads, shared, places, keys, width, dtype, batch)
    at = np.random.default_rng(places).integers(0, keys, (batch, 1, places, 1), dtype=np.int32)
    plain, one = (ttmlir.compile(b, optimization_level=level) for level in (0, 1))
    assert "is_causal = true" in one.mlir
    assert "ttnn.where" not in one.mlir
    found, other = (np.asarray(exe(*arrays, at)) for exe in (one, plain))
    assert found.tobytes() == other.tobytes()


def test_conditions_over_queries_and_batches_are_no_positions() -> None:
    # As many queries, and users, as keys: only the place of a dimension tells them apart.
    size, width = 8, 32
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal((size, 2, size, width)).astype(np.float32) for _ in range(3)]
    limits = np.array([2], np.int32)
    numbers = np.arange(size, dtype=np.int32)

    def seen(
        b: ttmlir.Builder, shape: tuple[int, ...], limit: ttmlir.builder.Tensor
    ) -> ttmlir.builder.Tensor:
        return b.reshape(b.lt(b.constant(numbers), limit), shape)

    for shapes in (
        [(1, 1, size, 1)],
        [(size, 1, 1, 1)],
        [(1, 1, size, 1), (1, 1, 1, size)],
        [(size, 1, 1, 1), (1, 1, 1, size)],
    ):
        b = ttmlir.Builder()
        q, k, v = (b.input(name, (size, 2, size, width), "f32") for name in "qkv")
        limit = b.input("limit", (1,), "i32")
        condition = seen(b, shapes[0], limit)
        for shape in shapes[1:]:
            condition = b.logical_and(condition, seen(b, shape, limit))
        zero, hidden = (b.constant(np.full((1, 1, 1, 1), x, np.float32)) for x in (0, -np.inf))
        mask = b.where(condition, zero, hidden)
        if mask.shape[-1] == 1:
            mask = b.broadcast(mask, (*mask.shape[:3], size))
        found = b.scaled_dot_product_attention(q, k, v, attention_mask=mask, is_causal=False)
        nothing = b.eq(b.max(mask, -1, True), hidden)
        b.output(b.where(nothing, zero, found))
        plain, one = (
            np.asarray(ttmlir.compile(b, optimization_level=level)(*arrays, limits))
            for level in (0, 1)
        )
        np.testing.assert_array_equal(one, plain)


@pytest.mark.parametrize("heads", [1, 2, 8])
def test_few_queries_share_their_keys_among_cores(heads: int) -> None:
    arrays = inputs(heads, heads, 1, 4096, 128, "bf16")
    report = ttmlir.compile(program(arrays, "bf16", False), target="n150").estimate()
    op = next(op for op in report.ops if op.name == "scaled_dot_product_attention")
    # Blocks of 128 keys, each on a core of its own.
    assert op.cores == min(64, heads * 4096 // 128)
