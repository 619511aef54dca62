"""Floats of up to 8 bits and integers of 2 and 4: casts against ml_dtypes, bit by bit, and how they
go in and out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ttmlir
from ttmlir.builder._dtypes import SMALL_FLOATS, SMALL_INTEGERS, array_dtype

BACKENDS = ("ttnn", "ttmetal")
SMALL = [*SMALL_FLOATS, *SMALL_INTEGERS]


def cast_program(shape: tuple[int, ...], source: str, target: str) -> ttmlir.Builder:
    b = ttmlir.Builder()
    b.output(b.typecast(b.input("x", shape, source), target))
    return b


def numbers() -> np.ndarray[Any, Any]:
    """All bf16, and f32 of all magnitudes, many of them near the formats' ranges."""
    rng = np.random.default_rng(7)
    every = (np.arange(1 << 16, dtype=np.uint32) << 16).view(np.float32)
    drawn = rng.integers(0, 1 << 32, 1 << 14, dtype=np.uint32).view(np.float32)
    near = rng.standard_normal(1 << 15) * np.exp2(rng.integers(-20, 20, 1 << 15))
    halves = np.arange(-512, 512, dtype=np.float32) / 16
    found = np.concatenate([every, drawn, near.astype(np.float32), halves])
    return np.resize(found, (-(-found.size // 1024), 1024))


def assert_same_bits(found: Any, expected: Any) -> None:
    """The same bits, but for those of NaN, whose signs a chip does not keep."""
    assert found.dtype == expected.dtype
    with np.errstate(invalid="ignore"):
        nan = np.isnan(expected.astype(np.float32))
        np.testing.assert_array_equal(np.isnan(found.astype(np.float32)), nan)
    np.testing.assert_array_equal(found.view(np.uint8)[~nan], expected.view(np.uint8)[~nan])


@pytest.mark.sampled(8)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", SMALL_FLOATS)
def test_casts_to_floats(name: str, backend: Any) -> None:
    x = numbers()
    found = ttmlir.compile(cast_program(x.shape, "f32", name), backend=backend)(x)
    with np.errstate(all="ignore"):
        assert_same_bits(found, x.astype(array_dtype(name)))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", SMALL_INTEGERS)
def test_casts_to_integers(name: str, backend: Any) -> None:
    x = np.arange(-300, 300, dtype=np.int32)
    found = ttmlir.compile(cast_program(x.shape, "i32", name), backend=backend)(x)
    bits = int(name[1:])
    low = x & ((1 << bits) - 1)
    wrapped = low - ((low >> (bits - 1)) << bits if name[0] == "i" else 0)
    assert found.dtype == array_dtype(name)
    np.testing.assert_array_equal(found.astype(np.int32), wrapped)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", SMALL)
def test_all_numbers_go_in_and_out(name: str, backend: Any) -> None:
    dtype = array_dtype(name)
    bits = int(name[1:].partition("_")[0])
    codes = np.arange(1 << bits, dtype=np.uint8)
    x = codes.view(dtype) if name in SMALL_FLOATS else codes.astype(np.int8).astype(dtype)
    b = ttmlir.Builder()
    given = b.input("x", x.shape, name)
    b.output(b.reverse(given, [0]), b.typecast(given, "f32"), b.constant(x))
    exe = ttmlir.compile(b, backend=backend)
    assert exe.inputs[0].dtype == dtype.name
    turned, wide, constant = exe(x)
    assert_same_bits(turned, x[::-1].copy())
    assert_same_bits(constant, x)
    np.testing.assert_array_equal(wide, x.astype(np.float32))


def test_file(tmp_path: Path) -> None:
    x = np.array([[1, 2, 448], [-0.0, 2**-9, np.nan]], ml_dtypes.float8_e4m3fn)
    b = ttmlir.Builder()
    given = b.input("x", x.shape, "float8_e4m3fn")
    b.output(b.transpose(given, 0, 1))
    ttmlir.compile(b).save(tmp_path / "turned.ttnn")
    assert_same_bits(ttmlir.load(tmp_path / "turned.ttnn")(x), x.T.copy())


def test_only_stored() -> None:
    b = ttmlir.Builder()
    x = b.input("x", (4,), "f8_e5m2")
    b.output(b.exp(x, name="growth"))
    with pytest.raises(ttmlir.CompileError, match=r"'ttir.exp' op computes 'tensor<4xf8E5M2>'"):
        ttmlir.compile(b)


def test_wrong_type() -> None:
    b = ttmlir.Builder()
    b.output(b.typecast(b.input("x", (4,), "i4"), "i8"))
    with pytest.raises(ttmlir.InputError, match="int4"):
        ttmlir.compile(b)(np.zeros(4, np.int8))


@pytest.mark.parametrize(
    ("value", "dtype", "message"),
    [
        ([1, 9], "i4", r"element \[1\] is 9, expected -8 to 7 of i4"),
        ([-1, 0], "u2", r"element \[0\] is -1, expected 0 to 3 of u2"),
        ([1.0, 500.0], "f8_e4m3fn", r"element \[1\] is 500, expected -448 to 448 of f8_e4m3fn"),
    ],
)
def test_constants_that_do_not_fit(value: Any, dtype: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ttmlir.Builder().constant(np.array(value), dtype=dtype)


def test_mixed_types() -> None:
    b = ttmlir.Builder()
    with pytest.raises(ValueError, match=r"add: expected one dtype, found f8_e4m3fn, f8_e5m2"):
        b.add(b.input("x", (4,), "f8_e4m3fn"), b.input("y", (4,), "f8_e5m2"))
