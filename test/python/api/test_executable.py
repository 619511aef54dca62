"""Executables: calls, inputs of every kind, files and reports."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ttmlir
from ttmlir import runtime

RNG = np.random.default_rng(7)
X = RNG.standard_normal((64, 128)).astype(np.float32)
Y = RNG.standard_normal((64, 128)).astype(np.float32)


def to_bfloat16(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """float32 as the packer rounds it: to nearest, half away from zero."""
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x8000) >> 16).astype(np.uint16).view(ml_dtypes.bfloat16)


class OnlyDLPack:
    """An array that has nothing but the DLPack protocol."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def __dlpack__(self, **arguments: Any) -> Any:
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


def test_numpy_in_numpy_out(add: ttmlir.Executable) -> None:
    result = add(X, Y)
    assert type(result) is np.ndarray
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, X + Y)


def test_inputs_keep_their_values(add: ttmlir.Executable) -> None:
    before = X.copy()
    add(X, Y)
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(lambda a: OnlyDLPack(a), id="dlpack"),
        pytest.param(lambda a: np.asfortranarray(a), id="strided"),
        pytest.param(lambda a: a.tolist(), id="list"),
        pytest.param(lambda a: np.repeat(a, 2, axis=1)[:, ::2], id="sliced"),
        pytest.param(lambda a: a.astype(">f4"), id="big_endian"),
    ],
)
def test_other_arrays(add: ttmlir.Executable, other: Any) -> None:
    np.testing.assert_array_equal(add(other(X), other(Y)), X + Y)


@pytest.mark.torch
@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_torch(dtype: str) -> None:
    torch = pytest.importorskip("torch")
    b = ttmlir.Builder()
    b.output(b.add(b.input("x", (64, 128), dtype), b.input("y", (64, 128), dtype)))
    kind = {"f32": torch.float32, "bf16": torch.bfloat16}[dtype]
    x, y = torch.from_numpy(X).to(kind), torch.from_numpy(Y).to(kind)
    expected = (x.to(torch.float32) + y.to(torch.float32)).numpy()
    if dtype == "bf16":
        expected = to_bfloat16(expected)
    np.testing.assert_array_equal(ttmlir.compile(b)(x, y), expected)


def test_bfloat16() -> None:
    b = ttmlir.Builder()
    b.output(b.add(b.input("x", (64, 128), "bf16"), b.input("y", (64, 128), "bf16")))
    x, y = X.astype(ml_dtypes.bfloat16), Y.astype(ml_dtypes.bfloat16)
    result = ttmlir.compile(b)(x, y)
    assert result.dtype == ml_dtypes.bfloat16
    expected = to_bfloat16(x.astype(np.float32) + y.astype(np.float32))
    np.testing.assert_array_equal(result, expected)


def test_block_float_weights() -> None:
    b = ttmlir.Builder()
    x, w = b.input("x", (64, 128), "bf16"), b.input("w", (128, 96), "bfp8_b")
    b.output(b.matmul(x, w))
    exe = ttmlir.compile(b)
    assert "BFP_BFloat8" in str(exe.inputs[1])
    weights = RNG.standard_normal((128, 96)).astype(np.float32)
    for given in (weights, weights.astype(ml_dtypes.bfloat16)):
        result = exe(X.astype(ml_dtypes.bfloat16), given).astype(np.float32)
        assert np.corrcoef(result.ravel(), (X @ weights).ravel())[0, 1] > 0.999


def test_several_results_and_programs() -> None:
    b = ttmlir.Builder("both")
    x, y = b.input("x", (32, 32)), b.input("y", (32, 32))
    b.output(b.add(x, y), b.subtract(x, y))
    b.function("second")
    z = b.input("z", (32, 64))
    b.output(b.relu(z))
    exe = ttmlir.compile(b)
    assert [p.name for p in exe.programs] == ["both", "second"]
    p, q = X[:32, :32].copy(), Y[:32, :32].copy()
    total, difference = exe(p, q)
    np.testing.assert_array_equal(total, p + q)
    np.testing.assert_array_equal(difference, p - q)
    r = X[:32, :64].copy()
    for which in (1, "second"):
        np.testing.assert_array_equal(exe(r, program=which), np.maximum(r, 0))
    with pytest.raises(ttmlir.InputError, match=r"no program 'third', expected one of 0 \(both\)"):
        exe(r, program="third")


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
@pytest.mark.parametrize("optimizer", [True, False])
def test_chained_on_the_device(dtype: str, optimizer: bool) -> None:
    b = ttmlir.Builder("add")
    b.output(b.add(b.input("x", (64, 128), dtype), b.input("y", (64, 128), dtype)))
    add = ttmlir.compile(b, results_on_device=True, enable_optimizer=optimizer)
    b = ttmlir.Builder("square")
    x = b.input("x", (64, 128), dtype, memory_space="dram", tiled=True)
    b.output(b.multiply(x, x))
    square = ttmlir.compile(b)

    # Small integers: exact in both formats.
    x = np.rint(X * 2).astype(runtime.host_dtype(add.inputs[0].data_type))
    kept = add(x, x, keep_on_device=True)
    assert isinstance(kept, runtime.Tensor)
    assert kept.is_on_device
    doubled = 2 * x.astype(np.float32)
    np.testing.assert_array_equal(square(kept).astype(np.float32), doubled**2)
    np.testing.assert_array_equal(runtime.to_numpy(kept).astype(np.float32), doubled)
    np.testing.assert_array_equal(add(x, x).astype(np.float32), doubled)


@pytest.mark.parametrize("dtype", ["i32", "u32", "u16", "u8"])
def test_integer_results_stay_on_the_device(dtype: str) -> None:
    b = ttmlir.Builder("integers")
    x, y = b.input("x", (40, 70), dtype), b.input("y", (40, 70), dtype)
    b.output(b.maximum(x, y), b.lt(x, y))
    exe = ttmlir.compile(b, results_on_device=True)
    rng = np.random.default_rng(4)
    low = -1000 if dtype == "i32" else 0
    host = runtime.host_dtype(exe.inputs[0].data_type)
    p, q = rng.integers(low, 200, (2, 40, 70)).astype(host)
    largest, is_less = exe(p, q, keep_on_device=True)
    assert largest.is_on_device
    assert is_less.is_on_device
    np.testing.assert_array_equal(runtime.to_numpy(largest), np.maximum(p, q))
    np.testing.assert_array_equal(runtime.to_numpy(is_less) != 0, p < q)


def test_host_result_is_taken_too(add: ttmlir.Executable) -> None:
    np.testing.assert_array_equal(add(add(X, Y, keep_on_device=True), Y), (X + Y) + Y)


def test_results_on_device_leaves_arguments_alone() -> None:
    b = ttmlir.Builder("both")
    x = b.input("x", (64, 128))
    b.output(x, b.relu(x))
    same, positive = ttmlir.compile(b, results_on_device=True)(X)
    np.testing.assert_array_equal(same, X)
    np.testing.assert_array_equal(positive, np.maximum(X, 0))


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ((X,), r"add: expected 2 inputs \(64x128 float32, 64x128 float32\), found 1"),
        ((X, Y, Y), "expected 2 inputs .* found 3"),
        ((X, Y[:, :64]), "input 1: expected 64x128 float32, found 64x64 float32"),
        (
            (X.astype(np.float64), Y),
            "input 0: expected 64x128 float32: dtype float64 has no",
        ),
        ((X.astype(np.float16), Y), "input 0: expected 64x128 float32, found 64x128 float16"),
        ((X.astype(np.int32), Y), "input 0: expected 64x128 float32, found 64x128 int32"),
        ((X, "text"), "input 1: "),
        ((X, None), "input 1: "),
    ],
)
def test_wrong_inputs(add: ttmlir.Executable, inputs: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ttmlir.InputError, match=message):
        add(*inputs)


def test_nan_and_infinity_go_through(add: ttmlir.Executable) -> None:
    x = np.full((64, 128), np.nan, np.float32)
    x[0], x[1] = np.inf, -np.inf
    np.testing.assert_array_equal(add(x, Y), x + Y)


def test_save_and_load(add: ttmlir.Executable, tmp_path: Path) -> None:
    file = tmp_path / "add.ttnn"
    add.save(file)
    loaded = ttmlir.load(file)
    assert loaded.programs == add.programs
    np.testing.assert_array_equal(loaded(X, Y), X + Y)
    np.testing.assert_array_equal(ttmlir.Executable.load(file)(X, Y), X + Y)
    assert [p.name for p in tmp_path.iterdir()] == ["add.ttnn"]


def test_save_where_nothing_can_be(add: ttmlir.Executable, tmp_path: Path) -> None:
    with pytest.raises(ttmlir.Error, match="cannot be written"):
        add.save(tmp_path / "no" / "such" / "folder.ttnn")
    with pytest.raises(ttmlir.Error, match="cannot be written"):
        add.save(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_load_bad_files(add: ttmlir.Executable, tmp_path: Path) -> None:
    good = tmp_path / "good.ttnn"
    add.save(good)
    data = good.read_bytes()
    bad = tmp_path / "bad.ttnn"
    for content in (b"", b"x", data[:100], data[:-4], b"\0" * len(data), data[::-1]):
        bad.write_bytes(content)
        with pytest.raises(ttmlir.Error):
            ttmlir.load(bad)
    with pytest.raises(ttmlir.Error, match=r"missing\.ttnn"):
        ttmlir.load(tmp_path / "missing.ttnn")


def test_texts(add: ttmlir.Executable) -> None:
    assert '"ttnn.add"' in add.mlir
    assert isinstance(add.cpp, str)
    assert "add(64x128 float32, 64x128 float32) -> 64x128 float32" in repr(add)


def test_report(add: ttmlir.Executable) -> None:
    report = add.report()
    assert report.program == "add"
    assert report.seconds > 0
    assert report.cycles == pytest.approx(report.seconds * report.clock_hz)
    # 64x128 f32 is 32 KiB: two go to the chip and one comes back.
    assert sum(op.host_bytes for op in report.ops) >= 3 * 64 * 128 * 4
    text = str(report)
    assert re.search(r"add .*modelled", text)
    assert all(op.name in text for op in report.ops if op.cycles)
    assert "<iframe" in report._repr_html_()
    assert add.report() == report


def test_report_of_kernels() -> None:
    b = ttmlir.Builder("product")
    b.output(b.matmul(b.input("x", (128, 256)), b.input("y", (256, 64))))
    exe = ttmlir.compile(b, backend="ttmetal")
    report = exe.report()
    programs = [op for op in report.ops if op.core_use]
    # Both operands become tiles, their product, and that rows again.
    assert len(programs) >= 4
    for op in programs:
        last = max(core.end for core in op.core_use)
        assert op.cycles == pytest.approx(op.parts.dispatch + last)
        assert op.cores == len(op.core_use)
        assert all(max(c.unpack, c.math, c.pack, c.noc0, c.noc1) <= c.end for c in op.core_use)
        assert sum(c.read_bytes for c in op.channel_use) == op.dram_read_bytes
        assert sum(c.write_bytes for c in op.channel_use) == op.dram_write_bytes
        assert op.link_use
        assert all(0 < link.busy <= last for link in op.link_use)
    # 4x8x2 tile products of HiFi4, 16 cycles a phase at least.
    product = max(programs, key=lambda op: sum(c.math for c in op.core_use))
    assert sum(c.math for c in product.core_use) >= 4 * 8 * 2 * 64

    # The clock depends on nothing but the program.
    again = exe.report()
    assert [op.cycles for op in again.ops] == [op.cycles for op in report.ops]


def test_exact_numerics() -> None:
    """The matrix engine keeps 11 bits of f32 operands; small integers have no more."""
    b = ttmlir.Builder("product")
    b.output(b.matmul(b.input("x", (64, 96)), b.input("y", (96, 32))))
    exe = ttmlir.compile(b, backend="ttmetal")
    x, y = X[:, :96], Y[:32].T[:96].copy()
    whole = np.arange(96 * 32, dtype=np.float32).reshape(96, 32) % 8 - 4
    fast = exe(x, y)
    exact = exe(x, y, numerics="exact")
    integers = exe(whole.T.repeat(2, axis=0), whole, numerics="exact")
    np.testing.assert_allclose(fast, x @ y, rtol=1e-4, atol=1e-4)
    assert not np.array_equal(exact, fast)
    bound = np.abs(x) @ np.abs(y) * 2.0**-9
    assert np.all(np.abs(exact - x.astype(np.float64) @ y) <= bound)
    np.testing.assert_array_equal(integers, whole.T.repeat(2, axis=0) @ whole)


def test_device_memory_exhausted() -> None:
    # 16 GiB in the 12 GiB of an n150.
    b = ttmlir.Builder("huge")
    x = b.input("x", (32, 32))
    rows = b.broadcast(b.reshape(x, (1, 1024)), (4 * 1024 * 1024, 1024))
    b.output(b.sum(rows, dim=-1))
    with pytest.raises(ttmlir.Error, match=r"(?i)memory|DRAM"):
        ttmlir.compile(b)(np.zeros((32, 32), np.float32))
