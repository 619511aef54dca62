"""Where ops end: indices out of range, numbers at the limits of f32, types that meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from op_formats import FORMATS, Array, random
from op_program import Case, dense, f32, si32

import ttmlir

INF, NAN = float("inf"), float("nan")


def embedding(indices: Array) -> Case:
    table = np.arange(10 * 33, dtype=np.float32).reshape(10, 33)
    shape = (*indices.shape, 33)
    return Case("embedding", [(indices, "u32"), (table, "f32")], shape, "f32", lambda i, w: w[i])


def embedding_backward(indices: Array) -> Case:
    inputs = [
        (indices, "u32"),
        (np.zeros((10, 33), np.float32), "f32"),
        (np.ones((*indices.shape, 33), np.float32), "f32"),
    ]
    return Case("embedding_backward", inputs, (10, 33), "f32", lambda *_: None)


def gather(indices: Array) -> Case:
    table = np.arange(10 * 33, dtype=np.float32).reshape(10, 33)
    attributes = {
        "offset_dims": dense([1]),
        "collapsed_slice_dims": dense([0]),
        "operand_batching_dims": dense([]),
        "start_indices_batching_dims": dense([]),
        "start_index_map": dense([0]),
        "index_vector_dim": "1 : si64",
        "slice_sizes": dense([1, 33]),
    }
    inputs = [(table, "f32"), (indices.reshape(-1, 1), "u32")]
    return Case("gather", inputs, (indices.size, 33), "f32", lambda x, i: x[i[:, 0]], attributes)


@pytest.mark.parametrize("build", [embedding, embedding_backward, gather])
def test_an_index_out_of_range_is_an_error(build: Callable[[Array], Case]) -> None:
    build(np.array([0, 9, 3], np.uint32)).run()
    for index in (10, 2**31, 2**32 - 1):
        with pytest.raises(ttmlir.Error, match=rf"{index}\b"):
            build(np.array([0, index, 3], np.uint32)).run()


def one(values: Any, op: str, reference: Callable[..., Any], **options: Any) -> Case:
    array = np.asarray(values, np.float32)
    return Case(op, [(array, "f32")], array.shape, "f32", reference, **options)


def softmax(values: Any) -> Case:
    return one(
        values,
        "softmax",
        lambda x: jax.nn.softmax(x, axis=-1),
        attributes={"dimension": si32(-1)},
        ulps=120,
    )


@pytest.mark.parametrize(
    "row",
    [
        [3e38, 3e38, -3e38],
        [1e30, 2e30, 0],
        [-1e30, -2e30, -3e30],
        [-INF, 0, 1],
        [88.0, 89.0, 1000.0],
        [5.0] * 100,
    ],
)
def test_softmax_of_large_numbers(row: list[float]) -> None:
    softmax([row]).check()


@pytest.mark.parametrize("row", [[INF, 0, 1], [NAN, 0, 1], [-INF, -INF, -INF]])
def test_softmax_of_what_has_none(row: list[float]) -> None:
    assert np.isnan(softmax([row, [1, 2, 3]]).run()[0]).all()
    np.testing.assert_allclose(softmax([row, [1, 2, 3]]).run()[1].sum(), 1, rtol=1e-6)


def norm(op: str, values: Any, epsilon: float = 1e-5) -> Case:
    def reference(x: Any) -> Any:
        centred = x - x.mean(axis=-1, keepdims=True) if op == "layer_norm" else x
        variance = (centred * centred).mean(axis=-1, keepdims=True)
        return centred / jnp.sqrt(variance + np.float64(np.float32(epsilon)))

    array = np.asarray(values, np.float32)
    attributes = {"normalized_shape": dense(array.shape[-1:]), "epsilon": f32(epsilon)}
    return one(array, op, reference, attributes=attributes, ulps=16, segments=(1, 0, 0, 1))


@pytest.mark.parametrize("op", ["layer_norm", "rms_norm"])
@pytest.mark.parametrize("scale", [1e30, 1e20, 1.0, 1e-3, 1e-30])
def test_norms_at_every_magnitude(op: str, scale: float) -> None:
    norm(op, np.array([[1, -2, 4, 3, -5, 1.5, 7]]) * scale).check()


@pytest.mark.parametrize("op", ["layer_norm", "rms_norm"])
def test_norms_of_equal_elements(op: str) -> None:
    norm(op, np.full((2, 33), 3.0)).check()
    norm(op, np.zeros((2, 33))).check()


def test_product_with_infinities() -> None:
    a = np.array([[1, INF], [NAN, 1], [0, 1]], np.float32)
    b = np.array([[1, 0, -1], [2, 0, INF]], np.float32)
    Case("matmul", [(a, "f32"), (b, "f32")], (3, 3), "f32", jnp.matmul, ulps=1).check()


@pytest.mark.parametrize("result", ["u8", "u16", "u32", "si8", "si16", "si32", "bf16", "f32"])
@pytest.mark.parametrize("op", ["eq", "lt", "logical_and"])
def test_truth_in_every_type(op: str, result: str) -> None:
    rng = np.random.default_rng(3)
    a, b = (random(rng, (3, 40), "f32", -2, 2).round() for _ in range(2))
    function = {"eq": jnp.equal, "lt": jnp.less, "logical_and": jnp.logical_and}[op]
    Case(
        op,
        [(a, "f32"), (b, "f32")],
        (3, 40),
        result,
        lambda x, y: jnp.where(function(x, y), 1, 0),
        segments=(2, 1),
    ).check()


@pytest.mark.parametrize("condition", ["u8", "si8", "si32", "bf16"])
def test_where_takes_a_condition_of_any_type(condition: str) -> None:
    rng = np.random.default_rng(3)
    inputs = [
        (random(rng, (3, 40), condition, 0, 2), condition),
        (random(rng, (3, 40), "f32"), "f32"),
        (random(rng, (40,), "f32"), "f32"),
    ]
    inputs[0] = (
        np.trunc(inputs[0][0].astype(np.float32)).astype(FORMATS[condition].host),
        condition,
    )
    Case(
        "where",
        inputs,
        (3, 40),
        "f32",
        lambda c, x, y: jnp.where(c != 0, x, y),
        segments=(3, 1),
    ).check()


@pytest.mark.parametrize("dtype", ["u32", "u16", "si32", "u8", "si16", "si8"])
def test_integers_wrap(dtype: str) -> None:
    host = FORMATS[dtype].host
    top = np.full((2, 33), np.iinfo(host).max, host)
    for op, function in (("add", np.add), ("multiply", np.multiply), ("subtract", np.subtract)):
        other = np.full((2, 33), 7, host)
        with np.errstate(over="ignore"):
            expected = function(np.zeros_like(top) if op == "subtract" else top, other)
        first = np.zeros_like(top) if op == "subtract" else top
        case = Case(
            op, [(first, dtype), (other, dtype)], (2, 33), dtype, lambda *_: 0, segments=(2, 1)
        )
        np.testing.assert_array_equal(case.run(), expected)


@pytest.mark.parametrize("dtype", ["u32", "si32"])
def test_division_of_integers(dtype: str) -> None:
    host = FORMATS[dtype].host
    a = np.array([[7, 2**31 - 1, 100, 5]], host)
    b = np.array([[2, 3, 7, 0]], host)
    if dtype == "si32":
        a, b = np.concatenate([a, -a]), np.concatenate([b, b])
    for op, function in (("div", np.trunc), ("remainder", None)):
        wide, divisor = a.astype(np.float64), np.where(b == 0, 1, b).astype(np.float64)
        exact = function(wide / divisor) if function else np.fmod(wide, divisor)
        case = Case(op, [(a, dtype), (b, dtype)], a.shape, dtype, lambda *_: 0, segments=(2, 1))
        np.testing.assert_array_equal(case.run(), np.where(b == 0, 0, exact).astype(host))


@pytest.mark.parametrize("value", [INF, -INF, NAN])
def test_a_block_with_an_infinity_holds_nothing_else(value: float) -> None:
    row = np.arange(1, 33, dtype=np.float32).reshape(1, 32)
    row[0, 3] = value
    expected = row.copy()
    expected[0, :16] = [value if i == 3 else 0 for i in range(16)]
    case = Case("neg", [(row, "bfp8_b")], row.shape, "bfp8_b", lambda *_: 0, segments=(1, 1))
    np.testing.assert_array_equal(case.run(), -expected)
