"""Models with named extents."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import helper
from onnx_models import F32, expected, model, perceptron

import ttmlir
from ttmlir.errors import Error, InputError


def _x(rows: int) -> np.ndarray:
    return np.random.default_rng(rows).standard_normal((rows, 64)).astype(np.float32)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_named_extents(backend: ttmlir.compiler.Backend) -> None:
    source = perceptron()
    exe = ttmlir.compile(source, backend=backend)
    for rows in (3, 40, 3):
        want = expected(perceptron(rows), {"x": _x(rows)})[0]
        for found in (exe(_x(rows)), exe(x=_x(rows)), exe({"x": _x(rows)})):
            np.testing.assert_allclose(found, want, rtol=1e-4, atol=1e-4)
    assert exe.specializations == ({"batch": 40}, {"batch": 3})


def test_unnamed_extents() -> None:
    exe = ttmlir.compile(perceptron(None))
    assert exe.extents == ("x.0",)
    assert exe(_x(5)).shape == (5, 64)


def test_buckets() -> None:
    exe = ttmlir.compile(_encoder(), buckets={"tokens": [16, 64]})
    for tokens in (1, 7, 16, 33, 64):
        rng = np.random.default_rng(tokens)
        x = rng.standard_normal((2, tokens, 32)).astype(np.float32)
        [want] = expected(_encoder(), {"x": x})
        np.testing.assert_allclose(exe(x), want, rtol=1e-4, atol=1e-5)
    assert exe.compilations == 2


def test_buckets_of_recurrent_models() -> None:
    rng = np.random.default_rng(0)
    shapes = {"w": (1, 24, 4), "r": (1, 24, 6)}
    weights = {n: 0.3 * rng.standard_normal(s).astype(np.float32) for n, s in shapes.items()}
    node = helper.make_node("LSTM", ["x", "w", "r"], ["y", "h"], hidden_size=6)
    source = model([node], {"x": (F32, [7, "n", 4])}, ["y", "h"], weights)
    exe = ttmlir.compile(source, buckets={"n": [8, 16]})
    for n in (1, 8, 11):
        x = rng.standard_normal((7, n, 4)).astype(np.float32)
        for found, want in zip(exe(x), expected(source, {"x": x}), strict=True):
            np.testing.assert_allclose(found, want, atol=1e-5)
    assert exe.compilations == 2


def _encoder() -> onnx.ModelProto:
    """Attention of one head, and the mean of the tokens, whose shapes are computed."""
    rng = np.random.default_rng(0)
    weights = {n: rng.standard_normal((32, 32)).astype(np.float32) / 6 for n in ("q", "k", "v")}
    weights |= {"depth": np.array([32]), "scale": np.array(32**-0.5, np.float32)}
    nodes = [
        *(helper.make_node("MatMul", ["x", n], [n + "x"]) for n in "qkv"),
        helper.make_node("Transpose", ["kx"], ["kt"], perm=[0, 2, 1]),
        helper.make_node("MatMul", ["qx", "kt"], ["products"]),
        helper.make_node("Mul", ["products", "scale"], ["scores"]),
        helper.make_node("Softmax", ["scores"], ["chances"], axis=-1),
        helper.make_node("MatMul", ["chances", "vx"], ["mixed"]),
        helper.make_node("Shape", ["mixed"], ["size"], end=2),
        helper.make_node("Concat", ["size", "depth"], ["shape"], axis=0),
        helper.make_node("Reshape", ["mixed", "shape"], ["same"]),
        helper.make_node("ReduceMean", ["same"], ["mean"], axes=[1], keepdims=1),
        helper.make_node("Sub", ["same", "mean"], ["y"]),
    ]
    return model(nodes, {"x": (F32, ["batch", "tokens", 32])}, ["y"], weights, opset=17)


def test_wrong_inputs() -> None:
    exe = ttmlir.compile(perceptron())
    with pytest.raises(InputError, match=r"input 'x' \(batch, 64\): found the shape \(3, 65\)"):
        exe(np.zeros((3, 65), np.float32))
    with pytest.raises(InputError, match=r"expected 1 inputs, 'x' \(batch, 64\) missing"):
        exe()
    with pytest.raises(InputError, match="no input 'y'"):
        exe(y=_x(2))
    with pytest.raises(Error, match=r"no extent 'tokens' varies, expected one of 'x.0', 'batch'"):
        ttmlir.compile(perceptron(), buckets={"tokens": [4]})
