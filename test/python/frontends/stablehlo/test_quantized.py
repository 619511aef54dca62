"""Quantized types of StableHLO, and floats and integers of few bits, against their definitions."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import ttmlir

BACKENDS = ("ttnn", "ttmetal")
Array = np.ndarray[Any, Any]
I8 = "!quant.uniform<i8:f32, 0.05:3>"
U8 = "!quant.uniform<u8:f32, 0.1:128>"
COLUMNS = "!quant.uniform<i8:f32:1, {0.1, 0.02:5, 0.3:-9}>"
NARROW = "!quant.uniform<i8<-127:127>:f32, 0.05>"
I4 = "!quant.uniform<i4:f32, 0.5>"


def quantize(x: Any, scale: Any, zero: Any = 0, dtype: Any = np.int8, low: Any = None) -> Array:
    limits = ml_dtypes.iinfo(dtype)
    ratio = np.asarray(x, np.float32) / np.asarray(scale, np.float32)
    least = limits.min if low is None else low
    found: Array = np.clip(np.rint(ratio) + zero, least, limits.max).astype(dtype)
    return found


def dequantize(x: Any, scale: Any, zero: Any = 0) -> Array:
    found: Array = (x.astype(np.float32) - np.float32(zero)) * np.asarray(scale, np.float32)
    return found


def run(body: str, *args: Array, backend: Any = "ttnn", result: str = "", types: Any = ()) -> Any:
    names = ", ".join(f"%arg{i}: {kind}" for i, kind in enumerate(types))
    text = f"func.func @main({names}) -> {result} {{\n{body}\n  return %r : {result}\n}}"
    return ttmlir.compile(text, backend=backend)(*args)


def real(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).uniform(-6, 6, shape).astype(np.float32)


def stored(*shape: int, dtype: Any = np.int8, seed: int = 1) -> Array:
    limits = np.iinfo(dtype)
    return np.random.default_rng(seed).integers(limits.min, limits.max, shape, dtype)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("kind", "numbers"),
    [
        (I8, {"scale": 0.05, "zero": 3}),
        (U8, {"scale": 0.1, "zero": 128, "dtype": np.uint8}),
        (COLUMNS, {"scale": [0.1, 0.02, 0.3], "zero": np.array([0, 5, -9])}),
        (NARROW, {"scale": 0.05, "low": -127}),
        (I4, {"scale": 0.5, "dtype": ml_dtypes.int4}),
    ],
)
def test_quantize(kind: str, numbers: Any, backend: Any) -> None:
    x, plain, own = real(20, 3), "tensor<20x3xf32>", f"tensor<20x3x{kind}>"
    body = f"  %r = stablehlo.uniform_quantize %arg0 : ({plain}) -> {own}"
    found = run(body, x, backend=backend, result=own, types=[plain])
    expected = quantize(x, **numbers)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)
    back = f"  %r = stablehlo.uniform_dequantize %arg0 : ({own}) -> {plain}"
    again = run(back, found, backend=backend, result=plain, types=[own])
    scale, zero = numbers["scale"], numbers.get("zero", 0)
    np.testing.assert_array_equal(again, dequantize(expected, scale, zero))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("op", ["add", "subtract", "multiply", "maximum"])
def test_elementwise(op: str, backend: Any) -> None:
    x, y = stored(9, 8), stored(9, 8, seed=2)
    own, other = f"tensor<9x8x{I8}>", f"tensor<9x8x{U8}>"
    body = f'  %r = "stablehlo.{op}"(%arg0, %arg1) : ({own}, {own}) -> {other}'
    found = run(body, x, y, backend=backend, result=other, types=[own, own])
    function: Any = getattr(np, op)
    expected = function(dequantize(x, 0.05, 3), dequantize(y, 0.05, 3))
    np.testing.assert_array_equal(found, quantize(expected, 0.1, 128, np.uint8))


@pytest.mark.parametrize("backend", BACKENDS)
def test_dot_general(backend: Any) -> None:
    x, w = stored(4, 64), stored(64, 3, seed=2)
    types = [f"tensor<4x64x{I8}>", f"tensor<64x3x{COLUMNS}>"]
    result = "tensor<4x3x!quant.uniform<i8:f32, 4.0:-1>>"
    body = (
        "  %r = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : "
        f"({types[0]}, {types[1]}) -> {result}"
    )
    found = run(body, x, w, backend=backend, result=result, types=types)
    sums = (x.astype(np.int64) - 3) @ (w.astype(np.int64) - [0, 5, -9])
    factors = np.float32(0.05) * np.array([0.1, 0.02, 0.3], np.float32)
    np.testing.assert_array_equal(found, quantize(sums.astype(np.float32) * factors, 4.0, -1))


@pytest.mark.parametrize("backend", BACKENDS)
def test_convolution(backend: Any) -> None:
    x, w = stored(1, 6, 6, 4), stored(3, 3, 4, 5, seed=2)
    kernel = "!quant.uniform<i8:f32, 0.02>"
    types = [f"tensor<1x6x6x4x{I8}>", f"tensor<3x3x4x5x{kernel}>"]
    result = "tensor<1x6x6x5x!quant.uniform<i32:f32, 0.001>>"
    body = (
        "  %r = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->"
        "[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, "
        f"feature_group_count = 1 : i64}} : ({types[0]}, {types[1]}) -> {result}"
    )
    found = run(body, x, w, backend=backend, result=result, types=types)
    image = np.pad(x.astype(np.int64) - 3, [(0, 0), (1, 1), (1, 1), (0, 0)])
    windows = np.lib.stride_tricks.sliding_window_view(image, (3, 3), (1, 2))
    sums = np.einsum("byxcij,ijco->byxo", windows, w.astype(np.int64))
    np.testing.assert_array_equal(found, sums)


def test_movement_keeps_integers() -> None:
    x, own, turned = stored(3, 8), f"tensor<3x8x{I8}>", f"tensor<8x3x{I8}>"
    body = f"  %r = stablehlo.transpose %arg0, dims = [1, 0] : ({own}) -> {turned}"
    np.testing.assert_array_equal(run(body, x, result=turned, types=[own]), x.T)


def test_constant_and_alias() -> None:
    text = """
!q = !quant.uniform<i8:f32, 0.5:1>
func.func @main(%arg0: tensor<3x!q>) -> tensor<3x!q> {
  %c = stablehlo.constant() <{value = dense<[1, 3, 5]> : tensor<3xi8>}> : () -> tensor<3x!q>
  %r = stablehlo.add %arg0, %c : tensor<3x!q>
  return %r : tensor<3x!q>
}"""
    found = ttmlir.compile(text)(np.array([1, 2, 127], np.int8))
    # (q - 1) / 2 of both, added.
    np.testing.assert_array_equal(found, np.array([1, 4, 127], np.int8))


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("!quant.uniform<i8:f32, 0.5:128>", "the zero point 128 is not in -128 to 127"),
        ("!quant.uniform<u4:f32, 0.5:16>", "the zero point 16 is not in 0 to 15"),
        ("!quant.uniform<i8:f32, -0.5>", "expected positive scales"),
        ("!quant.uniform<i8<-200:127>:f32, 0.5>", "the range -200 to 127 is not one of i8"),
        ("!quant.uniform<i64:f32, 0.5>", "a storage of i64 is not supported"),
    ],
)
def test_wrong_types(kind: str, message: str) -> None:
    own = f"tensor<4x{kind}>"
    body = f"  %r = stablehlo.add %arg0, %arg0 : {own}"
    with pytest.raises(ttmlir.CompileError, match=message):
        run(body, result=own, types=[own])


FLOATS = [
    jnp.float8_e4m3fn,
    jnp.float8_e5m2,
    jnp.float8_e4m3fnuz,
    jnp.float8_e5m2fnuz,
    jnp.float8_e4m3b11fnuz,
    jnp.float8_e3m4,
    jnp.float4_e2m1fn,
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_arithmetic_of_small_floats(dtype: Any, backend: Any) -> None:
    """Each op is rounded once."""

    def program(x: Any, y: Any) -> Any:
        return x + y, x * y, jnp.maximum(x, y), x > y, jnp.exp(x), x.sum(0)

    x, y = (real(8, 16, seed=n).astype(dtype) / 2 for n in (3, 4))
    exe = ttmlir.compile(jax.jit(program), x, y, backend=backend)
    found = exe(x, y)
    wide = [np.asarray(n).astype(np.float32) for n in (x, y)]
    a, b = wide
    expected = [a + b, a * b, np.maximum(a, b), a > b, np.exp(a), a.sum(0)]
    for ours, theirs in zip(found, expected, strict=True):
        want = theirs if theirs.dtype == bool else theirs.astype(dtype)
        assert ours.dtype == want.dtype
        np.testing.assert_array_equal(ours.astype(np.float32), want.astype(np.float32))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [jnp.int4, jnp.uint4, jnp.int2, jnp.uint2])
def test_small_integers(dtype: Any, backend: Any) -> None:
    def program(x: Any, y: Any) -> Any:
        return x.T, x.astype(jnp.int32) @ y.astype(jnp.int32).T, y[::-1].astype(jnp.float32), x + y

    limits = ml_dtypes.iinfo(dtype)
    rng = np.random.default_rng(0)
    x, y = (rng.integers(limits.min, limits.max + 1, (5, 8)).astype(dtype) for _ in range(2))
    exe = ttmlir.compile(jax.jit(program), x, y, backend=backend)
    turned, product, wide, total = exe(x, y)
    a, b = x.astype(np.int32), y.astype(np.int32)
    assert turned.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(turned.astype(np.int32), a.T)
    np.testing.assert_array_equal(product, a @ b.T)
    np.testing.assert_array_equal(wide, b[::-1])
    count = limits.max - limits.min + 1
    np.testing.assert_array_equal(total.astype(np.int32), (a + b - limits.min) % count + limits.min)
