"""Types and shapes that only the host has: 64 bits, bool, scalars, arrays without elements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ttmlir

BACKENDS = ("ttnn", "ttmetal")
SHAPES = [(), (1,), (5,), (3, 40), (2, 3, 33), (2, 1, 3, 4), (1, 2, 3, 2, 5), (2, 1, 2, 3, 1, 4)]
NUMBERS = (
    *("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "bfloat16", "float32", "float64"),
)
RNG = np.random.default_rng(3)


def binary(
    op: str, shape: tuple[int, ...], dtype: str, other: tuple[int, ...] | None = None
) -> Any:
    b = ttmlir.Builder()
    x, y = b.input("x", shape, dtype), b.input("y", shape if other is None else other, dtype)
    b.output(getattr(b, op)(x, y))
    return b


def drawn(shape: tuple[int, ...], dtype: str) -> Any:
    values = RNG.integers(0, 100, shape)
    if dtype == "bool":
        return np.asarray(values % 2 == 0)
    return np.asarray(values).astype(dtype)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_every_rank(backend: str, shape: tuple[int, ...], dtype: str) -> None:
    exe = ttmlir.compile(binary("add", shape, dtype), backend=backend)
    x, y = drawn(shape, dtype), drawn(shape, dtype)
    result = exe(x, y)
    assert result.dtype == x.dtype
    assert result.shape == shape
    np.testing.assert_array_equal(result, x + y)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", NUMBERS)
def test_every_type(backend: str, dtype: str, tmp_path: Path) -> None:
    exe = ttmlir.compile(binary("subtract", (3, 40), dtype), backend=backend)
    assert exe.inputs[0].dtype == exe.outputs[0].dtype == dtype
    kind = np.dtype(ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    x = np.maximum(drawn((3, 40), "int64"), 50).astype(kind)
    y = (drawn((3, 40), "int64") // 2).astype(kind)
    path = tmp_path / "file"
    exe.save(path)
    for program in (exe, ttmlir.load(path)):
        result = program(x, y)
        assert result.dtype == kind
        np.testing.assert_array_equal(result, x - y)


@pytest.mark.parametrize("backend", BACKENDS)
def test_signed_bytes_wrap_and_compare(backend: str) -> None:
    b = ttmlir.Builder()
    x, y = b.input("x", (2, 64), "int8"), b.input("y", (2, 64), "int8")
    b.output(b.add(x, y), b.lt(x, y), b.maximum(x, y), b.typecast(x, "f32"), b.neg(x))
    x_, y_ = RNG.integers(-128, 128, (2, 2, 64)).astype(np.int8)
    found = ttmlir.compile(b, backend=backend)(x_, y_)
    wanted = (x_ + y_, x_ < y_, np.maximum(x_, y_), x_.astype(np.float32), -x_)
    for got, want in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("backend", BACKENDS)
def test_bool(backend: str) -> None:
    b = ttmlir.Builder()
    x, y = b.input("x", (4, 5), bool), b.input("y", (4, 5), bool)
    count = b.sum(b.typecast(x, "i32"), dim=1)
    results = (b.add(x, y), b.multiply(x, y), b.bitwise_not(x), b.max(x, dim=1), count)
    b.output(*results, b.typecast(b.input("z", (4, 5), "f32"), bool))
    x_, y_ = drawn((4, 5), "bool"), drawn((4, 5), "bool")
    z = np.where(drawn((4, 5), "bool"), np.float32(0.25), np.float32(0))
    found = ttmlir.compile(b, backend=backend)(x_, y_, z)
    wanted = (x_ | y_, x_ & y_, ~x_, x_.any(axis=1), x_.sum(axis=1), z != 0)
    for got, want in zip(found, wanted, strict=True):
        assert got.dtype == (np.int32 if want.dtype == np.int64 else want.dtype)
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("number", [np.float32(3), 3, 3.0, np.array(3, np.float32)], ids=repr)
def test_scalars(backend: str, number: Any) -> None:
    b = ttmlir.Builder()
    x, factor = b.input("x", (2, 3), "f32"), b.input("factor", (), "f32")
    b.output(b.multiply(x, factor), b.multiply(factor, factor))
    scaled, squared = ttmlir.compile(b, backend=backend)(np.ones((2, 3), np.float32), number)
    np.testing.assert_array_equal(scaled, np.full((2, 3), 3, np.float32))
    assert squared.shape == ()
    assert squared == 9


def test_bool_and_torch() -> None:
    torch = pytest.importorskip("torch")
    b = ttmlir.Builder()
    c, x, y = b.input("c", (), bool), b.input("x", (3,), "i64"), b.input("y", (3,), "f64")
    b.output(b.where(c, x, b.typecast(y, "i64")))
    exe = ttmlir.compile(b)
    x_, y_ = torch.tensor([1, 2, 3]), torch.tensor([-4.0, 5.0, 6.0], dtype=torch.float64)
    assert exe(True, x_, y_).tolist() == [1, 2, 3]
    assert exe(torch.tensor(False), x_, y_).tolist() == [-4, 5, 6]
    assert exe(np.False_, x_.numpy(), y_.numpy()).tolist() == [-4, 5, 6]


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_elements(backend: str, tmp_path: Path) -> None:
    b = ttmlir.Builder()
    x, y = b.input("x", (0, 3), "f32"), b.input("y", (2, 3), "f32")
    b.output(b.exp(x), b.concat([y, x], 0), b.sum(x, dim=0), b.add(y, b.constant(1.0)))
    exe = ttmlir.compile(b, backend=backend)
    x_, y_ = np.zeros((0, 3), np.float32), np.ones((2, 3), np.float32)
    path = tmp_path / "file"
    exe.save(path)
    for program in (exe, ttmlir.load(path)):
        nothing, joined, total, more = program(x_, y_)
        assert nothing.shape == (0, 3)
        assert nothing.dtype == np.float32
        np.testing.assert_array_equal(joined, y_)
        np.testing.assert_array_equal(total, np.zeros(3))
        np.testing.assert_array_equal(more, y_ + 1)


@pytest.mark.parametrize(
    ("dtype", "value", "message"),
    [
        ("int64", [[1, 2], [3, -(2**31) - 1]], r"element \[1, 1\] is -2147483649, expected -2147"),
        ("int64", [[1, 2**31], [3, 4]], r"element \[0, 1\] is 2147483648"),
        ("uint64", [[1, 2], [2**32, 4]], r"element \[1, 0\] is 4294967296, expected 0 to 42949"),
    ],
)
def test_what_does_not_fit(dtype: str, value: Any, message: str) -> None:
    exe = ttmlir.compile(binary("add", (2, 2), dtype))
    fits = np.ones((2, 2), dtype)
    with pytest.raises(
        ttmlir.InputError, match=f"forward: input 1: expected 2x2 {dtype}: {message}"
    ):
        exe(fits, np.array(value, dtype))
    np.testing.assert_array_equal(exe(fits, fits), fits + fits)


def test_floats_round() -> None:
    exe = ttmlir.compile(binary("add", (2,), "f64"))
    x = np.array([0.1, 1e300])
    np.testing.assert_array_equal(exe(x, np.zeros(2)), [np.float64(np.float32(0.1)), np.inf])


def test_other_types_are_wrong() -> None:
    exe = ttmlir.compile(binary("add", (2,), "i64"))
    for wrong in (np.ones(2), np.ones(3, np.int64), np.ones((), np.int64), 2**70):
        with pytest.raises(ttmlir.InputError, match="forward: input 0: expected 2 int64"):
            exe(wrong, np.ones(2, np.int64))


def test_report_and_description() -> None:
    exe = ttmlir.compile(binary("add", (), "i64"))
    assert str(exe) == "<ttmlir.Executable forward(scalar int64, scalar int64) -> scalar int64>"
    assert exe.inputs[0].device_shape == (1,)
    assert exe.report().cycles > 0


PRODUCT = """
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @main(%a: tensor<40x70x{a}>, %b: tensor<70x50x{b}>) -> tensor<40x50xsi32> {{
  %0 = tensor.empty() : tensor<40x50xsi32>
  %1 = "ttir.matmul"(%a, %b, %0) <{{operand_constraints = [#any, #any, #any]}}>
    : (tensor<40x70x{a}>, tensor<70x50x{b}>, tensor<40x50xsi32>) -> tensor<40x50xsi32>
  return %1 : tensor<40x50xsi32>
}}
"""

CONVOLUTION = """
#any = #tt.operand_constraint<dram|l1|scalar|tile|any_layout|any_device|any_device_tile>
func.func @main(%x: tensor<1x9x8x6x{a}>, %w: tensor<5x6x3x3x{b}>) -> tensor<1x9x8x5xsi32> {{
  %0 = tensor.empty() : tensor<1x9x8x5xsi32>
  %1 = "ttir.conv2d"(%x, %w, %0) <{{dilation_height = 1 : si32, dilation_width = 1 : si32,
    groups = 1 : si32, operand_constraints = [#any, #any, #any], padding_bottom = 1 : si32,
    padding_left = 1 : si32, padding_right = 1 : si32, padding_top = 1 : si32,
    stride_height = 1 : si32, stride_width = 1 : si32}}>
    : (tensor<1x9x8x6x{a}>, tensor<5x6x3x3x{b}>, tensor<1x9x8x5xsi32>) -> tensor<1x9x8x5xsi32>
  return %1 : tensor<1x9x8x5xsi32>
}}
"""
LIMITS = {"si8": np.int8, "i8": np.uint8}


def extremes(shape: tuple[int, ...], element: str) -> Any:
    limits = np.iinfo(LIMITS[element])
    return RNG.integers(limits.min, limits.max, shape, endpoint=True).astype(LIMITS[element])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("a", "b"), [("si8", "si8"), ("i8", "si8"), ("si8", "i8"), ("i8", "i8")])
def test_products_of_bytes_are_exact(backend: str, a: str, b: str) -> None:
    x, y = extremes((40, 70), a), extremes((70, 50), b)
    found = ttmlir.compile(PRODUCT.format(a=a, b=b), backend=backend)(x, y)
    np.testing.assert_array_equal(found, x.astype(np.int32) @ y.astype(np.int32))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("a", "b"), [("si8", "si8"), ("i8", "si8")])
def test_convolutions_of_bytes_are_exact(backend: str, a: str, b: str) -> None:
    x, w = extremes((1, 9, 8, 6), a), extremes((5, 6, 3, 3), b)
    found = ttmlir.compile(CONVOLUTION.format(a=a, b=b), backend=backend)(x, w)
    padded = np.pad(x.astype(np.int64), ((0, 0), (1, 1), (1, 1), (0, 0)))
    wanted = sum(
        padded[:, i : i + 9, j : j + 8] @ w[:, :, i, j].astype(np.int64).T
        for i in range(3)
        for j in range(3)
    )
    np.testing.assert_array_equal(found, wanted)


def test_doubles_are_said_once() -> None:
    b = ttmlir.Builder()
    x, y = b.input("x", (3,), "float64"), b.input("y", (3,), "float32")
    b.output(b.add(b.typecast(x, "float32"), y))
    message = "float64 is computed in float32, with 24 bits .* and values up to 3.4e38: input x$"
    with pytest.warns(UserWarning, match=message) as found:
        ttmlir.compile(b)
    assert len(found) == 1


@pytest.mark.filterwarnings("error")
def test_integers_of_64_bits_are_no_warning() -> None:
    assert ttmlir.compile(binary("multiply", (2,), "int64"))(
        np.array([2**30, -5]), np.array([2**30, 7])
    ).tolist() == [2**60, -35]
