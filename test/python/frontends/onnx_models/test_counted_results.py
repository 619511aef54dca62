"""Values whose extent depends on other values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper
from onnx_models import F32, I64, expected, model

import ttmlir
from ttmlir.errors import CompileError, InputError


def test_chosen_elements() -> None:
    nodes = [
        helper.make_node("NonZero", ["x"], ["places"]),
        helper.make_node("Transpose", ["places"], ["rows"]),
        helper.make_node("Compress", ["x", "c"], ["chosen"], axis=0),
        helper.make_node("Compress", ["x", "c"], ["flat"]),
    ]
    inputs = {"x": (F32, [3, 4]), "c": (TensorProto.BOOL, [2])}
    outputs = ["places", "rows", "chosen", "flat"]
    exe = ttmlir.compile(model(nodes, inputs, outputs, kinds=[I64, I64, F32, F32]))
    x = np.maximum(np.random.default_rng(0).standard_normal((3, 4)), 0).astype(np.float32)
    for c in ([True, False], [False, True], [False, False], [True, True]):
        places = np.stack(np.nonzero(x))
        wanted = places, places.T, np.compress(c, x, 0), np.compress(c, x)
        for found, want in zip(exe(x, np.array(c)), wanted, strict=True):
            assert found.dtype == want.dtype
            assert np.array_equal(found, want)


def test_operands() -> None:
    weights = {
        "zero": np.array([0], np.int64),
        "one": np.array([1], np.int64),
        "both": np.array([0, 1], np.int64),
        "table": np.arange(8, dtype=np.float32).reshape(4, 2),
        "zeros": np.zeros((3, 4), np.float32),
        "base": np.zeros(3, np.float32),
    }
    nodes = [
        helper.make_node("NonZero", ["x"], ["places"]),
        helper.make_node("Transpose", ["places"], ["rows"]),
        helper.make_node("GatherND", ["x", "rows"], ["values"]),
        helper.make_node("ScatterND", ["zeros", "rows", "values"], ["same"]),
        helper.make_node("Slice", ["places", "zero", "one", "zero"], ["first"]),
        helper.make_node("Squeeze", ["first", "zero"], ["line"]),
        helper.make_node("Unsqueeze", ["line", "one"], ["column"]),
        helper.make_node("ScatterND", ["base", "column", "values"], ["added"], reduction="add"),
        helper.make_node("Gather", ["table", "line"], ["taken"]),
        helper.make_node("Cast", ["line"], ["floats"], to=F32),
        helper.make_node("ReduceSum", ["taken", "zero"], ["sum"]),
        helper.make_node("ReduceMean", ["floats", "zero"], ["mean"]),
        helper.make_node("Shape", ["rows"], ["shape"]),
        helper.make_node("Expand", ["one", "shape"], ["ones"]),
    ]
    outputs = ["values", "same", "added", "taken", "floats", "sum", "mean", "shape", "ones"]
    kinds = [F32] * 7 + [I64] * 2
    source = model(nodes, {"x": (F32, [3, 4])}, outputs, weights, kinds=kinds)
    exe = ttmlir.compile(source)
    for seed in range(3):
        x = np.maximum(np.random.default_rng(seed).standard_normal((3, 4)), 0).astype(np.float32)
        for found, want in zip(exe(x), expected(source, {"x": x}), strict=True):
            assert found.shape == want.shape
            assert found.dtype == want.dtype
            assert np.allclose(found, want, atol=1e-5)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_slices(backend: ttmlir.compiler.Backend) -> None:
    numbers = {"zero": 0, "one": 1, "two": 2, "four": 4, "last": -1, "third": -3, "end": 2**63 - 1}
    nodes = [
        helper.make_node("NonZero", ["x"], ["places"]),
        helper.make_node("Transpose", ["places"], ["rows"]),
        helper.make_node("GatherND", ["x", "rows"], ["values"]),
        helper.make_node("Slice", ["values", "zero", "two", "zero"], ["first"]),
        helper.make_node("Slice", ["values", "one", "end"], ["rest"]),
        helper.make_node("Slice", ["rest", "zero", "four", "zero", "two"], ["steps"]),
        helper.make_node("Slice", ["values", "third", "end"], ["last3"]),
        helper.make_node("Slice", ["rows", "zero", "last"], ["most"]),
        helper.make_node("ReduceSum", ["steps", "zero"], ["sum"]),
        helper.make_node("ReduceMean", ["last3", "zero"], ["mean"]),
        helper.make_node("Shape", ["steps"], ["shape"]),
        helper.make_node("Slice", ["places", "zero", "two", "one"], ["pairs"]),
    ]
    outputs = ["first", "steps", "last3", "most", "sum", "mean", "shape", "pairs"]
    kinds = [F32, F32, F32, I64, F32, F32, I64, I64]
    weights = {name: np.array([n], np.int64) for name, n in numbers.items()}
    source = model(nodes, {"x": (F32, [3, 4])}, outputs, weights, kinds=kinds)
    exe = ttmlir.compile(source, backend=backend)
    for count in (0, 1, 2, 3, 5, 12):
        x = np.zeros(12, np.float32)
        x[np.random.default_rng(count).permutation(12)[:count]] = np.arange(1, count + 1)
        x = x.reshape(3, 4)
        for found, want in zip(exe(x), expected(source, {"x": x}), strict=True):
            assert found.shape == want.shape
            assert np.allclose(found, want, atol=1e-5, equal_nan=True)


def test_numbers_of_elements() -> None:
    nodes = [
        helper.make_node("NonZero", ["x"], ["places"]),
        helper.make_node("Transpose", ["places"], ["rows"]),
        helper.make_node("GatherND", ["x", "rows"], ["values"]),
        helper.make_node("TopK", ["values", "two"], ["top", "index"]),
        helper.make_node("ArgMax", ["values"], ["most"]),
        helper.make_node("Neg", ["values"], ["negative"]),
        helper.make_node("ArgMin", ["negative"], ["least"]),
    ]
    outputs = ["top", "index", "most", "least"]
    source = model(
        nodes, {"x": (F32, [3, 4])}, outputs, {"two": np.array([2])}, kinds=[F32, I64, I64, I64]
    )
    exe = ttmlir.compile(source)
    x = np.array([[0, -3, 0, -7], [0, -1, -2, 0], [0, 0, 0, -9]], np.float32)
    for found, want in zip(exe(x), expected(source, {"x": x}), strict=True):
        assert np.array_equal(found, want)
    with pytest.raises(InputError, match=r"'TopK:top': expected at least 2 along 'NonZero:p.*', f"):
        exe(np.eye(4, dtype=np.float32)[:1].repeat(3, 0) * np.float32([[1], [0], [0]]))


def test_extents_of_one_bound() -> None:
    nodes = [
        helper.make_node("Compress", ["x", "c"], ["a"]),
        helper.make_node("Compress", ["x", "d"], ["b"]),
        helper.make_node("Unsqueeze", ["a", "one"], ["column"]),
        helper.make_node("Mul", ["column", "b"], ["products"]),
        helper.make_node("ReduceMax", ["a"], ["most"]),
    ]
    kind = TensorProto.BOOL
    inputs = {"x": (F32, [12]), "c": (kind, [12]), "d": (kind, [12])}
    weights = {"one": np.array([1])}
    source = model(nodes, inputs, ["a", "b", "products", "most"], weights)
    exe = ttmlir.compile(source)
    rng = np.random.default_rng(0)
    for first, second in ((0.5, 0.5), (0.3, 1.0), (1.0, 0.0)):
        x = rng.standard_normal(12).astype(np.float32)
        given = {"x": x, "c": rng.random(12) < first, "d": rng.random(12) < second}
        for found, want in zip(exe(**given), expected(source, given), strict=True):
            assert found.shape == want.shape
            assert np.allclose(found, want, atol=1e-5)
    both = helper.make_node("Add", ["a", "b"], ["y"], name="both")
    with pytest.raises(CompileError, match="with extents that depend on values") as error:
        ttmlir.compile(model([*nodes[:2], both], inputs, ["y"]))
    [diagnostic] = error.value.diagnostics
    assert (diagnostic.location, diagnostic.severity) == ("both", "error")
    assert "'Add': its operands fit together only if extents that" in diagnostic.message


def test_loops() -> None:
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["going"], ["on"]),
            helper.make_node("ReduceMean", ["y"], ["mean"], keepdims=1),
            helper.make_node("Add", ["y", "mean"], ["next"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("i", I64, []),
            helper.make_tensor_value_info("going", TensorProto.BOOL, []),
            helper.make_tensor_value_info("y", F32, None),
        ],
        [
            helper.make_tensor_value_info("on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("next", F32, None),
        ],
    )
    nodes = [
        helper.make_node("Compress", ["x", "c"], ["chosen"]),
        helper.make_node("Loop", ["n", "go", "chosen"], ["found"], body=body),
    ]
    inputs = {"x": (F32, [3, 4]), "c": (TensorProto.BOOL, [12]), "n": (I64, [])}
    source = model(nodes, inputs, ["found"], {"go": np.array(True)})
    exe = ttmlir.compile(source)
    x = np.random.default_rng(0).standard_normal((3, 4), np.float32)
    for seed in range(3):
        c = np.random.default_rng(seed).random(12) < 0.4
        given = {"x": x, "c": c, "n": np.array(3)}
        [want] = expected(source, given)
        assert np.allclose(exe(**given), want, atol=1e-5)


def test_refused_operands() -> None:
    nodes = [
        helper.make_node("NonZero", ["x"], ["places"]),
        helper.make_node("Slice", ["places", "end", "begin", "one", "step"], ["y"], name="turned"),
    ]
    weights = {"begin": 0, "end": -1, "one": 1, "step": -1}
    numbers = {name: np.array([n]) for name, n in weights.items()}
    with pytest.raises(CompileError, match="with extents that depend on values") as error:
        ttmlir.compile(model(nodes, {"x": (F32, [30, 40])}, ["y"], numbers, kinds=[I64]))
    [diagnostic] = error.value.diagnostics
    assert diagnostic.location == "turned"
    assert "'ttir.reverse' 'turned': it changes the order along 'NonZero:p" in diagnostic.message
    # With the values of a small input, the program is compiled for them.
    x = np.eye(4, dtype=np.float32)
    source = model(nodes, {"x": (F32, [4, 4])}, ["y"], numbers, kinds=[I64])
    exe = ttmlir.compile(source, example_inputs=[x])
    assert exe(x).tolist() == expected(source, {"x": x})[0].tolist()


@pytest.mark.parametrize("attributes", [{}, {"sorted": 0}, {"axis": 0}, {"axis": -1}])
def test_unique(attributes: dict[str, int]) -> None:
    node = helper.make_node("Unique", ["x"], ["y", "first", "inverse", "counts"], **attributes)
    kinds = [F32, I64, I64, I64]
    source = model([node], {"x": (F32, [30, 4])}, list(node.output), kinds=kinds)
    exe = ttmlir.compile(source)
    for seed in range(2):
        x = np.random.default_rng(seed).integers(0, 2, (30, 4)).astype(np.float32)
        x[0, :2] = np.nan
        options: Any = {"return_index": True, "return_inverse": True, "return_counts": True}
        wanted = list(np.unique(x, axis=attributes.get("axis"), **options))
        if not attributes.get("sorted", 1):
            order = np.argsort(wanted[1])
            wanted = [
                wanted[0][order],
                wanted[1][order],
                np.argsort(order)[wanted[2]],
                wanted[3][order],
            ]
        for found, want in zip(exe(x), wanted, strict=True):
            assert np.array_equal(found, want.reshape(found.shape), equal_nan=True)


@pytest.mark.parametrize("center", [0, 1])
def test_non_max_suppression(center: int) -> None:
    node = helper.make_node(
        "NonMaxSuppression", ["x", "s", "most", "overlap", "least"], ["y"], center_point_box=center
    )
    limits = {"most": np.array([4]), "overlap": np.float32([0.3]), "least": np.float32([0.25])}
    inputs = {"x": (F32, [2, 20, 4]), "s": (F32, [2, 3, 20])}
    source = model([node], inputs, ["y"], limits, kinds=[I64])
    exe = ttmlir.compile(source)
    for seed in range(2):
        rng = np.random.default_rng(seed)
        x, s = rng.random((2, 20, 4)), rng.random((2, 3, 20)).round(1)
        given = {"x": x.astype(np.float32), "s": s.astype(np.float32)}
        [wanted] = expected(source, given)
        assert np.array_equal(exe(**given), wanted)
