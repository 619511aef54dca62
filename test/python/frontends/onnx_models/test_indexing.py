"""Gathers, scatters and orders."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from nodes import assert_close, check, model_of, node_model, random, reference, run

from ttmlir.errors import CompileError
from ttmlir.onnx import backend


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_gather(axis: int) -> None:
    indices = np.array([[0, -1], [2, 1], [-3, 0]], np.int64)
    check("Gather", {"x": random(5, 4, 3), "i": indices}, axis=axis)


@pytest.mark.parametrize("indices", [1, -1, [0, 2], [-3, -2, -1], [2, 0], [[1, 1]]])
def test_gather_known(indices: object) -> None:
    known = {"i": np.array(indices, np.int64)}
    check("Gather", {"x": random(4, 5, 2)}, known=known, axis=1)


def test_gather_of_a_table() -> None:
    words = np.array([[3, 0, 99], [7, 7, 1]], np.int64)
    check("Gather", {"i": words}, known={"table": random(100, 64)}, order=["table", "i"])


def test_gather_elements() -> None:
    indices = np.array([[0, -1], [-4, 2]], np.int32)
    check("GatherElements", {"x": random(2, 4), "i": indices}, axis=1)
    x = random(4, 3, dtype=np.int64)
    expected = np.take_along_axis(x[:, :2], indices, 0)
    check("GatherElements", {"x": x, "i": indices}, axis=-2, expected=[expected])


@pytest.mark.parametrize("batch", [0, 1])
def test_gather_nd(batch: int) -> None:
    indices = np.array([[[1], [-1]], [[0], [2]]], np.int64)
    check("GatherND", {"x": random(2, 3, 4), "i": indices - (batch == 0)}, batch_dims=batch)


def test_gather_nd_of_whole_depth() -> None:
    indices = np.array([[0, -1, 3], [1, 2, -4]], np.int64)
    check("GatherND", {"x": random(2, 3, 4, dtype=np.bool_), "i": indices})


@pytest.mark.parametrize("reduction", ["none", "add", "mul", "max", "min"])
def test_scatters(reduction: str) -> None:
    x, updates = random(4, 5), random(2, 3, seed=1)
    where = np.array([[0, -1, 2], [3, 0, 1]], np.int64)
    inputs = {"x": x, "i": where, "u": updates}
    check("ScatterElements", inputs, axis=1, reduction=reduction)
    rows = np.array([[1], [-2] if reduction == "none" else [1]], np.int64)
    check("ScatterND", {"x": x, "i": rows, "u": random(2, 5, seed=2)}, reduction=reduction)


def test_scatters_of_truths() -> None:
    x, updates = random(3, 4, dtype=np.bool_), random(1, 4, dtype=np.bool_, seed=1)
    where = np.array([[0, 2, -1, 1]], np.int64)
    check("ScatterElements", {"x": x, "i": where, "u": updates})


@pytest.mark.parametrize("mode", ["linear", "circular"])
@pytest.mark.parametrize("batch", [1, 3])
def test_tensor_scatter(mode: str, batch: int) -> None:
    starts = np.array([3, 0, 1], np.int64)[:batch] + 2 * (mode == "circular")
    inputs = {"x": random(batch, 2, 6, 4), "u": random(batch, 2, 3, 4, seed=1), "s": starts}
    check("TensorScatter", inputs, mode=mode)


@pytest.mark.parametrize("largest", [0, 1])
@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_topk(largest: int, dtype: type) -> None:
    x = random(3, 50, dtype=dtype)
    x[:, 7] = x[:, 3]
    known = {"k": np.array([9], np.int64)}
    check("TopK", {"x": x}, known=known, outputs=2, largest=largest)


def test_topk_of_old_opsets() -> None:
    x = random(5, 3)
    order = np.argsort(-x, 0, kind="stable")[:2]
    expected = [np.take_along_axis(x, order, 0), order]
    check("TopK", {"x": x}, outputs=2, opset=7, k=2, axis=0, expected=expected)


def test_topk_beyond_the_extent() -> None:
    model = node_model("TopK", {"x": random(3)}, known={"k": np.array([4])}, outputs=2)
    with pytest.raises(CompileError, match=r"expected k in \[1, 3\], found 4"):
        run(model, {"x": random(3)})


@pytest.mark.parametrize("op_type", ["ArgMax", "ArgMin"])
@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("keepdims", [0, 1])
def test_places_of_extrema(op_type: str, last: int, keepdims: int) -> None:
    x = random(4, 6, dtype=np.int32) // 40
    check(op_type, {"x": x}, axis=1, select_last_index=last, keepdims=keepdims)
    check(op_type, {"x": x.astype(np.float32)}, axis=-2, select_last_index=last, keepdims=keepdims)


def test_compress() -> None:
    chosen = {"c": np.array([False, True, True, False])}
    check("Compress", {"x": random(3, 4)}, known=chosen, axis=1)
    check("Compress", {"x": random(3, 4)}, known=chosen)


@pytest.mark.parametrize("op_type", ["NonZero", "Unique"])
def test_number_of_elements_by_small_inputs(op_type: str) -> None:
    x = random(3, 4, dtype=np.int64) // 50
    model = node_model(op_type, {"x": x})
    prepared = backend.prepare(model)
    for sign in (1, -1):
        assert_close(list(prepared.run({"x": sign * x})), reference(model, {"x": sign * x}))


def test_number_of_elements_by_values() -> None:
    nodes = [
        onnx.helper.make_node("Abs", ["x"], ["a"]),
        onnx.helper.make_node("NonZero", ["a"], ["n"], "places"),
        onnx.helper.make_node("Neg", ["n"], ["y"], "negative"),
    ]
    x = np.maximum(random(300), 0)
    [found] = run(model_of(nodes, {"x": x}, ["y"]), {"x": x})
    assert np.array_equal(found, -np.stack(np.nonzero(x)))
