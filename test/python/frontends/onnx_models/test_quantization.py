"""Quantized tensors: exact integers, and numbers rounded as ONNX says."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import onnx
import pytest
from nodes import assert_close, check, model_of, node_model, random, run

import ttmlir
from ttmlir.errors import CompileError

MICROSOFT = "com.microsoft"
Array = np.ndarray[Any, Any]


def quantize(x: Array, scale: Any, zero: Any, dtype: type = np.uint8) -> Array:
    limits = np.iinfo(dtype)
    return np.clip(np.rint(x / np.float32(scale)) + zero, limits.min, limits.max).astype(dtype)


def dequantize(x: Array, scale: Any, zero: Any) -> Array:
    found: Array = (x.astype(np.float32) - zero) * np.float32(scale)
    return found


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16])
def test_per_tensor(dtype: type) -> None:
    x = 40 * random(5, 7)
    zero = np.array(3, dtype)
    known = {"s": np.array(0.25, np.float32), "z": zero}
    check("QuantizeLinear", {"x": x}, known=known, atol=0)
    check("DequantizeLinear", {"x": random(5, 7, dtype=dtype)}, known=known)


def test_halves_go_to_the_even_number() -> None:
    x = np.arange(-6, 7, dtype=np.float32) / 2
    known = {"s": np.array(1, np.float32), "z": np.array(1, np.int8)}
    check("QuantizeLinear", {"x": x}, known=known, atol=0)


def test_halves_of_blocks_go_to_the_even_number() -> None:
    """Before the zero point, here an odd one, is added."""
    x = np.arange(-6, 6, dtype=np.float32) / 2
    known = {"s": np.ones(3, np.float32), "z": np.array([1, 2, 3], np.int8)}
    expected = [quantize(x, 1, known["z"].repeat(4), np.int8)]
    named: dict[str, Any] = {"axis": 0, "block_size": 4, "expected": expected}
    check("QuantizeLinear", {"x": x}, known=known, atol=0, **named)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_per_axis(axis: int) -> None:
    x = 20 * random(3, 4, 5)
    count = x.shape[axis]
    numbers = {
        "s": np.abs(random(count, seed=1)) + np.float32(0.1),
        "z": random(count, dtype=np.int8, seed=2),
    }
    check("QuantizeLinear", {"x": x, **numbers}, axis=axis, atol=0)
    given = {"x": random(3, 4, 5, dtype=np.int8), **numbers}
    check("DequantizeLinear", given, axis=axis)


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("known", [True, False])
def test_per_block(size: int, known: bool) -> None:
    numbers = {
        "s": np.abs(random(4, 6 // size, seed=1)) + np.float32(0.1),
        "z": random(4, 6 // size, dtype=np.uint8, seed=2),
    }
    for op_type, x in (
        ("QuantizeLinear", 20 * random(4, 6)),
        ("DequantizeLinear", random(4, 6, dtype=np.uint8)),
    ):
        given = {"x": x} if known else {"x": x, **numbers}
        stored = numbers if known else {}
        check(op_type, given, known=stored, axis=1, block_size=size, atol=1e-5 * known)


def test_output_type_without_zero_point() -> None:
    x, scale = 300 * random(6), np.array(0.5, np.float32)
    expected = [quantize(x, scale, 0, np.int16)]
    kind = onnx.TensorProto.INT16
    check("QuantizeLinear", {"x": x, "s": scale}, output_dtype=kind, expected=expected)


def test_type_that_there_is_not() -> None:
    x, scale = random(6), np.array(0.5, np.float32)
    kind = onnx.TensorProto.STRING
    model = node_model("QuantizeLinear", {"x": x, "s": scale}, output_dtype=kind)
    with pytest.raises(CompileError, match="strings are not supported"):
        run(model, {"x": x, "s": scale})


@pytest.mark.parametrize("zeros", ["none", "one", "many"])
def test_matmul_integer(zeros: str) -> None:
    x, y = random(4, 300, dtype=np.uint8), random(300, 5, dtype=np.int8, seed=1)
    known: dict[str, Array] = {}
    x_zero: Any = 0
    y_zero: Any = 0
    if zeros != "none":
        x_zero = np.array(7, np.uint8) if zeros == "one" else random(4, dtype=np.uint8, seed=2)
        y_zero = np.array(-3, np.int8) if zeros == "one" else random(5, dtype=np.int8, seed=3)
        known = {"xz": x_zero, "yz": y_zero}
    left = x.astype(np.int32) - np.reshape(x_zero, (-1, 1))
    right = y.astype(np.int32) - np.asarray(y_zero, np.int32)
    expected = (left @ right).astype(np.int32)
    check("MatMulInteger", {"x": x, "y": y}, known=known, expected=[expected], atol=0)


def test_conv_integer() -> None:
    x, w = random(1, 3, 6, 7, dtype=np.uint8), random(4, 3, 3, 3, dtype=np.uint8, seed=1)
    known = {"w": w, "xz": np.array(11, np.uint8), "wz": np.array(5, np.uint8)}
    check("ConvInteger", {"x": x}, known=known, pads=[1, 1, 1, 1], strides=[2, 1], atol=0)


@pytest.mark.parametrize("known", [True, False])
def test_qlinear_matmul(known: bool) -> None:
    x, y = random(2, 4, 64, dtype=np.uint8), random(64, 5, dtype=np.int8, seed=1)
    numbers = {
        "xs": np.array(0.02, np.float32),
        "xz": np.array(113, np.uint8),
        "y": y,
        "ys": np.abs(random(5, seed=2)) / 10,
        "yz": random(5, dtype=np.int8, seed=3),
        "s": np.array(0.3, np.float32),
        "z": np.array(118, np.uint8),
    }
    left = x.astype(np.int32) - 113
    sums = left @ (y.astype(np.int32) - numbers["yz"])
    factor = numbers["xs"] * numbers["ys"] / numbers["s"]
    expected = quantize(sums.astype(np.float32) * factor, 1, 118)
    inputs = {"x": x} if known else {"x": x, **numbers}
    stored = numbers if known else {}
    model = node_model("QLinearMatMul", inputs, known=stored)
    (found,) = run(model, inputs)
    assert found.dtype == np.uint8
    # Scales divided at run time may round a half to the other side.
    assert np.abs(found.astype(int) - expected).max() <= (0 if known else 1)


def test_qlinear_conv() -> None:
    x, w = random(1, 2, 5, 5, dtype=np.uint8), random(3, 2, 3, 3, dtype=np.int8, seed=1)
    bias = random(3, dtype=np.int32, seed=2)
    scales = np.array([0.02, 0.03, 0.05], np.float32)
    known = {
        "xs": np.array(0.1, np.float32),
        "xz": np.array(40, np.uint8),
        "w": w,
        "ws": scales,
        "wz": np.zeros(3, np.int8),
        "s": np.array(0.7, np.float32),
        "z": np.array(100, np.uint8),
        "b": bias,
    }
    padded = np.pad(x.astype(np.int32) - 40, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
    sums = np.einsum("nchwij,ocij->nohw", windows, w.astype(np.int32)) + bias[:, None, None]
    factor = (known["xs"] * scales / known["s"])[:, None, None]
    expected = quantize(sums.astype(np.float32) * factor, 1, 100)
    check("QLinearConv", {"x": x}, known=known, pads=[1] * 4, expected=[expected], atol=0)


def test_dynamic_quantization() -> None:
    x = random(6, 9) + 1
    check("DynamicQuantizeLinear", {"x": x}, outputs=3)
    y = random(9, 4, dtype=np.int8, seed=1)
    known = {"y": y, "ys": np.array(0.1, np.float32)}
    low, high = min(x.min(), 0), max(x.max(), 0)
    scale = np.float32((high - low) / 255)
    zero = np.rint(-low / scale)
    numbers = quantize(x, scale, zero)
    expected = dequantize(numbers, scale, zero) @ dequantize(y, 0.1, 0)
    named = {"known": known, "domain": MICROSOFT, "expected": [expected]}
    check("DynamicQuantizeMatMul", {"x": x}, rtol=1e-4, atol=1e-4, **named)


@pytest.mark.parametrize("op_type", ["QLinearAdd", "QLinearMul"])
def test_binary_ops_of_runtime(op_type: str) -> None:
    x, y = random(4, 5, dtype=np.uint8), random(5, dtype=np.uint8, seed=1)
    known = {
        "xs": np.array(0.1, np.float32),
        "xz": np.array(50, np.uint8),
        "ys": np.array(0.2, np.float32),
        "yz": np.array(60, np.uint8),
        "s": np.array(0.4, np.float32),
        "z": np.array(70, np.uint8),
    }
    left, right = dequantize(x, 0.1, 50), dequantize(y, 0.2, 60)
    real = left + right if op_type == "QLinearAdd" else left * right
    order = ["x", "xs", "xz", "y", "ys", "yz", "s", "z"]
    named = {"known": known, "order": order, "domain": MICROSOFT}
    (found,) = run(node_model(op_type, {"x": x, "y": y}, **named), {"x": x, "y": y})
    assert np.abs(found.astype(int) - quantize(real, 0.4, 70)).max() <= 1


def test_unary_ops_of_runtime() -> None:
    x = random(2, 3, 4, 4, dtype=np.uint8)
    known = {
        "xs": np.array(0.1, np.float32),
        "xz": np.array(50, np.uint8),
        "s": np.array(0.01, np.float32),
        "z": np.array(5, np.uint8),
    }
    real = dequantize(x, 0.1, 50)
    for op_type, expected in (
        ("QLinearSigmoid", 1 / (1 + np.exp(-real))),
        ("QLinearLeakyRelu", np.where(real < 0, real * 0.01, real)),
        ("QLinearGlobalAveragePool", real.mean((2, 3), keepdims=True)),
    ):
        (found,) = run(node_model(op_type, {"x": x}, known=known, domain=MICROSOFT), {"x": x})
        assert np.abs(found.astype(int) - quantize(expected, 0.01, 5)).max() <= 1, op_type


def test_weights_of_few_bits() -> None:
    columns, rows, size = 5, 48, 32
    numbers = np.random.default_rng(0).integers(0, 16, (columns, 64)).astype(np.uint8)
    packed = (numbers[:, ::2] | numbers[:, 1::2] << 4).reshape(columns, 2, size // 2)
    scales = np.abs(random(columns * 2, seed=1))
    real = (numbers.reshape(columns, 2, size).astype(np.float32) - 8) * scales.reshape(
        columns, 2, 1
    )
    x = random(3, rows, seed=2)
    expected = x @ real.reshape(columns, 64)[:, :rows].T
    check(
        "MatMulNBits",
        {"x": x},
        known={"w": packed, "s": scales},
        domain=MICROSOFT,
        K=rows,
        N=columns,
        bits=4,
        block_size=size,
        expected=[expected],
        atol=1e-4,
    )


def test_qgemm() -> None:
    x, y = random(4, 16, dtype=np.uint8), random(5, 16, dtype=np.int8, seed=1)
    known = {
        "xs": np.array(0.1, np.float32),
        "xz": np.array(50, np.uint8),
        "y": y,
        "ys": np.array(0.2, np.float32),
        "yz": np.array(3, np.int8),
        "c": random(5, dtype=np.int32, seed=2),
    }
    sums = (x.astype(np.int32) - 50) @ (y.astype(np.int32) - 3).T + known["c"]
    model = node_model("QGemm", {"x": x}, known=known, domain=MICROSOFT, transB=1)
    assert_close(run(model, {"x": x}), [sums.astype(np.float32) * np.float32(0.02)])


FLOAT8 = [
    ml_dtypes.float8_e4m3fn,
    ml_dtypes.float8_e5m2,
    ml_dtypes.float8_e4m3fnuz,
    ml_dtypes.float8_e5m2fnuz,
]


def saturated(x: Array, dtype: Any) -> Array:
    most = float(ml_dtypes.finfo(dtype).max)
    return np.where(np.isnan(x), x, np.clip(x, -most, most)).astype(dtype)


@pytest.mark.parametrize("dtype", FLOAT8)
@pytest.mark.parametrize("saturates", [0, 1])
def test_cast_to_float8(dtype: Any, saturates: int) -> None:
    numbers = [1e-4, 0.3, 500.0, -1e6, np.inf, -np.inf, np.nan, 0.0]
    x = np.array([*numbers, *(30 * random(200))], np.float32)
    kind = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    with np.errstate(all="ignore"):
        expected = saturated(x, dtype) if saturates else x.astype(dtype)
    model = node_model("Cast", {"x": x}, to=kind, saturate=saturates)
    (found,) = run(model, {"x": x})
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found.astype(np.float32), expected.astype(np.float32))


@pytest.mark.parametrize("dtype", FLOAT8)
def test_float8(dtype: Any) -> None:
    x, scale = 90 * random(3, 5), np.array([0.5, 0.1, 2.0], np.float32)
    known = {"s": scale, "z": np.zeros(3, dtype)}
    expected = saturated(x / scale[:, None], dtype)
    model = node_model("QuantizeLinear", {"x": x}, known=known, axis=0)
    (found,) = run(model, {"x": x})
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found.astype(np.float32), expected.astype(np.float32))
    back = node_model("DequantizeLinear", {"x": found}, known=known, axis=0)
    (wide,) = run(back, {"x": found})
    np.testing.assert_array_equal(wide, found.astype(np.float32) * scale[:, None])


@pytest.mark.parametrize("dtype", [ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.int2])
def test_small_integers(dtype: Any) -> None:
    limits = ml_dtypes.iinfo(dtype)
    x = 9 * random(4, 6)
    zero = np.array([0, 1, limits.max, 1]).astype(dtype)
    known = {"s": np.array([0.5, 1, 2, 3], np.float32), "z": zero}
    wide = np.rint(x / known["s"][:, None]) + zero.astype(np.float32)[:, None]
    expected = np.clip(wide, limits.min, limits.max)
    (found,) = run(node_model("QuantizeLinear", {"x": x}, known=known, axis=0), {"x": x})
    assert found.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(found.astype(np.float32), expected)
    (back,) = run(node_model("DequantizeLinear", {"x": found}, known=known, axis=0), {"x": found})
    real = (expected - zero.astype(np.float32)[:, None]) * known["s"][:, None]
    np.testing.assert_array_equal(back, real)


def test_qdq_products_are_of_integers() -> None:
    """Between QuantizeLinear and DequantizeLinear."""
    x, w = random(5, 64), random(64, 7, dtype=np.int8, seed=1)
    known = {
        "xs": np.array(0.02, np.float32),
        "xz": np.array(120, np.uint8),
        "w": w,
        "ws": np.abs(random(7, seed=2)) / 99,
        "wz": np.zeros(7, np.int8),
        "s": np.array(0.1, np.float32),
        "z": np.array(-4, np.int8),
    }
    nodes = [
        onnx.helper.make_node("QuantizeLinear", ["x", "xs", "xz"], ["a"]),
        onnx.helper.make_node("DequantizeLinear", ["a", "xs", "xz"], ["b"]),
        onnx.helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["c"], axis=1),
        onnx.helper.make_node("MatMul", ["b", "c"], ["d"]),
        onnx.helper.make_node("QuantizeLinear", ["d", "s", "z"], ["y"]),
    ]
    model = model_of(nodes, {"x": x}, ["y"], known=known)
    exe = ttmlir.compile(model, remarks="ttir-integer-products")
    assert [r.decision for r in exe.remarks] == ["Integers"]
    sums = (quantize(x, 0.02, 120).astype(np.int64) - 120) @ w.astype(np.int64)
    real = sums.astype(np.float32) * (known["xs"] * known["ws"])
    np.testing.assert_array_equal(exe(x), quantize(real, 0.1, -4, np.int8))
