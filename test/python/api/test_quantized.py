"""Quantized tensors: what quantize and its relatives do, and products of their integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ttmlir

BACKENDS = ("ttnn", "ttmetal")
RNG = np.random.default_rng(5)
A = "!quant.uniform<i8:f32, 0.5:3>"
B = "!quant.uniform<u8:f32, 0.25:128>"
ROWS = "!quant.uniform<i8:f32:0, {0.5, 0.25, 0.125}>"
ANY = "#tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>"


def run(backend: str, op: str, operands: list[tuple[Any, str]], result: str, more: str = "") -> Any:
    """One op on arrays, each with its type."""
    types = [kind for _, kind in operands]
    arguments = ", ".join(f"%{i}: {kind}" for i, kind in enumerate(types))
    constraints = ", ".join([ANY] * (len(types) + 1))
    names = ", ".join([*(f"%{i}" for i in range(len(types))), "%out"])
    text = f"""
func.func @main({arguments}) -> {result} {{
  %out = tensor.empty() : {result}
  %r = "ttir.{op}"({names}) <{{{more}operand_constraints = [{constraints}]}}>
    : ({", ".join([*types, result])}) -> {result}
  return %r : {result}
}}"""
    return ttmlir.compile(text, backend=backend)(*(array for array, _ in operands))


def quantized(x: Any, scale: Any, zero: Any, dtype: Any) -> Any:
    limits = np.iinfo(dtype)
    ratio = x.astype(np.float32) / np.float32(scale)
    return np.clip(np.rint(ratio) + zero, limits.min, limits.max).astype(dtype)


@pytest.mark.parametrize("backend", BACKENDS)
def test_quantize(backend: str) -> None:
    x = np.concatenate([np.arange(-80, 80) / 4, [1e9, -1e9, 0.2]]).astype(np.float32)
    found = run(backend, "quantize", [(x, "tensor<163xf32>")], f"tensor<163x{A}>")
    np.testing.assert_array_equal(found, quantized(x, 0.5, 3, np.int8))
    assert found.dtype == np.int8
    found = run(backend, "quantize", [(x, "tensor<163xf32>")], f"tensor<163x{B}>")
    np.testing.assert_array_equal(found, quantized(x, 0.25, 128, np.uint8))


@pytest.mark.parametrize("backend", BACKENDS)
def test_along_an_axis(backend: str) -> None:
    x = RNG.uniform(-9, 9, (3, 40)).astype(np.float32)
    scales = np.array([[0.5], [0.25], [0.125]])
    stored = run(backend, "quantize", [(x, "tensor<3x40xf32>")], f"tensor<3x40x{ROWS}>")
    np.testing.assert_array_equal(stored, quantized(x, scales, 0, np.int8))
    found = run(backend, "dequantize", [(stored, f"tensor<3x40x{ROWS}>")], "tensor<3x40xf32>")
    np.testing.assert_array_equal(found, stored * scales.astype(np.float32))


@pytest.mark.parametrize("backend", BACKENDS)
def test_requantize(backend: str) -> None:
    x = np.arange(-128, 128).astype(np.int8)
    found = run(backend, "requantize", [(x, f"tensor<256x{A}>")], f"tensor<256x{B}>")
    wanted = quantized((x.astype(np.float32) - 3) * np.float32(0.5), 0.25, 128, np.uint8)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("backend", BACKENDS)
def test_requantize_keeps_halves(backend: str) -> None:
    x = np.arange(-100, 101).astype(np.int32)
    of = "tensor<201x!quant.uniform<i32:f32, {}>>"
    found = run(backend, "requantize", [(x, of.format(0.1))], of.format(0.2))
    np.testing.assert_array_equal(found, np.rint(x * 0.5))
    numbers = [
        (np.array([n], dtype), f"tensor<1x{element}>")
        for scale in (0.1, 0.2)
        for n, dtype, element in ((scale, np.float32, "f32"), (0, np.int32, "si32"))
    ]
    operands = [(x, "tensor<201xsi32>"), *numbers]
    found = run(backend, "requantize_unrolled", operands, "tensor<201xsi32>")
    np.testing.assert_array_equal(found, np.rint(x * 0.5))


@pytest.mark.parametrize("backend", BACKENDS)
def test_requantize_across_axes(backend: str) -> None:
    x = RNG.integers(-128, 128, (3, 2)).astype(np.int8)
    columns = "!quant.uniform<i8:f32:1, {1.0:2, 4.0:-1}>"
    operands = [(x, f"tensor<3x2x{ROWS}>")]
    found = run(backend, "requantize", operands, f"tensor<3x2x{columns}>")
    real = x * np.array([[0.5], [0.25], [0.125]])
    np.testing.assert_array_equal(found, quantized(real, [1, 4], [2, -1], np.int8))


@pytest.mark.parametrize("backend", BACKENDS)
def test_unrolled(backend: str) -> None:
    x = RNG.uniform(-9, 9, (3, 40)).astype(np.float32)
    scale, zero = np.array([0.5, 0.25, 0.125], np.float32), np.array([1, -2, 0], np.int32)
    numbers = [(scale, "tensor<3xf32>"), (zero, "tensor<3xsi32>")]
    wanted = quantized(x, scale[:, None], zero[:, None], np.int8)
    axis = "axis = 0 : i32, "
    found = run(
        backend,
        "quantize_unrolled",
        [(x, "tensor<3x40xf32>"), *numbers],
        "tensor<3x40xsi8>",
        axis,
    )
    np.testing.assert_array_equal(found, wanted)
    back = run(
        backend,
        "dequantize_unrolled",
        [(found, "tensor<3x40xsi8>"), *numbers],
        "tensor<3x40xf32>",
        axis,
    )
    np.testing.assert_array_equal(
        back, (wanted.astype(np.float32) - zero[:, None]) * scale[:, None]
    )
    one = [
        (np.array([0.5], np.float32), "tensor<1xf32>"),
        (np.array([3], np.int32), "tensor<1xsi32>"),
    ]
    found = run(
        backend,
        "requantize_unrolled",
        [(wanted, "tensor<3x40xsi8>"), *one, *one],
        "tensor<3x40xsi8>",
    )
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("backend", BACKENDS)
def test_products(backend: str) -> None:
    x = RNG.integers(-128, 128, (40, 70)).astype(np.int8)
    w = RNG.integers(0, 256, (70, 50)).astype(np.uint8)
    operands = [(x, f"tensor<40x70x{A}>"), (w, f"tensor<70x50x{B}>")]
    exact = (x.astype(np.int64) - 3) @ (w.astype(np.int64) - 128)
    found = run(backend, "matmul", operands, "tensor<40x50xsi32>")
    np.testing.assert_array_equal(found, exact)
    wide = "!quant.uniform<i8:f32, 32.0:-5>"
    found = run(backend, "matmul", operands, f"tensor<40x50x{wide}>")
    wanted = quantized(exact.astype(np.float32) * np.float32(0.125), 32.0, -5, np.int8)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("backend", BACKENDS)
def test_convolution(backend: str) -> None:
    x = RNG.integers(-128, 128, (1, 5, 6, 4)).astype(np.int8)
    w = RNG.integers(-128, 128, (3, 4, 1, 1)).astype(np.int8)
    names = [
        f"{what}_{side} = {n} : si32, "
        for what, n in (("dilation", 1), ("stride", 1))
        for side in ("height", "width")
    ]
    names += [f"padding_{side} = 0 : si32, " for side in ("top", "bottom", "left", "right")]
    out = "!quant.uniform<i8:f32:3, {32.0, 16.0, 8.0}>"
    found = run(
        backend,
        "conv2d",
        [(x, f"tensor<1x5x6x4x{A}>"), (w, f"tensor<3x4x1x1x{ROWS}>")],
        f"tensor<1x5x6x3x{out}>",
        "groups = 1 : si32, " + "".join(names),
    )
    sums = (x.astype(np.int64) - 3) @ w[:, :, 0, 0].astype(np.int64).T
    real = sums.astype(np.float32) * np.float32([0.25, 0.125, 0.0625])
    np.testing.assert_array_equal(found, quantized(real, [32.0, 16.0, 8.0], 0, np.int8))


def test_moved() -> None:
    x = RNG.integers(-128, 128, (3, 40)).astype(np.int8)
    found = run(
        "ttnn",
        "transpose",
        [(x, f"tensor<3x40x{A}>")],
        f"tensor<40x3x{A}>",
        "dim0 = 0 : si32, dim1 = 1 : si32, ",
    )
    np.testing.assert_array_equal(found, x.T)
    found = run(
        "ttnn",
        "pad",
        [(x, f"tensor<3x40x{A}>")],
        f"tensor<4x40x{A}>",
        "padding = array<i32: 1, 0, 0, 0>, value = 1.0 : f32, ",
    )
    np.testing.assert_array_equal(found, np.pad(x, ((1, 0), (0, 0)), constant_values=5))
