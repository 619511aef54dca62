"""Divided programs whose inputs and results stay on the chips as shards."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import edited_files
import ml_dtypes
import numpy as np
import pytest

import ttmlir
from ttmlir import runtime

RNG = np.random.default_rng(9)
BACKENDS = ("ttnn", "ttmetal")
CACHE, ROW = (2, 8, 64, 32), (2, 8, 1, 32)


def step() -> ttmlir.Builder:
    """A cache, of which the caller gives up the old one, and an attention of one token to it."""
    b = ttmlir.Builder("step")
    cache = b.input("cache", CACHE, "bf16", donated=True)
    row, at = b.input("row", ROW, "bf16"), b.input("at", (1,), "si32")
    cache = b.update_slice(cache, row, at, dims=[2])
    scores = b.softmax(b.matmul(row, cache, transpose_b=True), -1)
    b.output(b.matmul(scores, cache), cache)
    return b


def rows(count: int) -> list[np.ndarray]:
    return [RNG.normal(size=ROW).astype(ml_dtypes.bfloat16) for _ in range(count)]


def run(exe: ttmlir.Executable, given: list[np.ndarray]) -> tuple[list[np.ndarray], Any]:
    cache: Any = np.zeros(CACHE, ml_dtypes.bfloat16)
    found = []
    for i, row in enumerate(given):
        result, cache = exe(cache, row, np.array([i], np.int32), keep_on_device=True)
        found.append(runtime.to_numpy(result))
    return found, cache


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("mesh", "dims"), [((1, 8), (None, 1)), ((2, 4), (0, 1)), ((4, 2), (1, 0))]
)
def test_a_cache_stays_in_shards(backend: Any, mesh: Any, dims: Any) -> None:
    given = rows(3)
    expected, whole = run(ttmlir.compile(step(), backend=backend), given)
    exe = ttmlir.compile(
        step(), target="t3000", backend=backend, mesh_shape=mesh, parallel={"cache": dims}
    )
    info = exe.inputs[0]
    assert (info.shape, info.shard_dims) == (CACHE, dims)
    assert exe.outputs[1].shard_dims == dims
    assert exe.inputs[1].shard_dims is None
    assert exe.mlir.count('"ttnn.mesh_shard"(%arg0') == 0
    found, cache = run(exe, given)
    np.testing.assert_array_equal(found, expected)
    assert cache.is_on_device
    assert (cache.shape, cache.mesh_shape) == (list(CACHE), list(mesh))
    assert [t.shape for t in runtime.get_shards(cache)] == [list(info.shard_shape or ())] * 8
    np.testing.assert_array_equal(runtime.to_numpy(cache), runtime.to_numpy(whole))


@pytest.mark.parametrize("backend", BACKENDS)
def test_results_are_inputs(backend: Any) -> None:
    """Of programs that shard them alike, in another way, and of ones that take whole tensors."""
    b = ttmlir.Builder("layer")
    x, w = b.input("x", (16, 64)), b.input("w", (64, 64))
    b.output(b.tanh(b.matmul(x, w)))
    options: Any = {"target": "t3000", "parameters": ["w"], "backend": backend}
    kept: Any = {**options, "inputs_on_device": True, "results_on_device": True}
    x0, w0 = (RNG.normal(size=s).astype(np.float32) for s in ((16, 64), (64, 64)))
    one = ttmlir.compile(b, backend=backend)
    expected = [one(x0, w0)]
    expected.append(one(expected[0], w0))
    rows = ttmlir.compile(b, parallel="data", **kept)
    assert rows.inputs[0].shard_dims == rows.outputs[0].shard_dims == (None, 0)
    first = rows(x0, w0, keep_on_device=True)
    assert first.is_on_device
    np.testing.assert_array_equal(runtime.to_numpy(first), expected[0])
    others = [
        rows,
        ttmlir.compile(b, parallel={"x": (None, 1)}, mesh_shape=(1, 4), **kept),
        ttmlir.compile(b, parallel="data", **options),
        ttmlir.compile(b, mesh_shape=(1, 1), **options),
    ]
    for other in others:
        np.testing.assert_allclose(other(first, w0), expected[1], rtol=2e-6, atol=1e-6)


def test_stated_as_whole() -> None:
    """Whatever the program would like better."""
    parallel: Any = {"data": 2, "cache": (None, None)}
    exe = ttmlir.compile(step(), target="n300", parallel=parallel)
    assert exe.inputs[0].shard_dims is None
    given = rows(2)
    expected, _ = run(ttmlir.compile(step()), given)
    np.testing.assert_array_equal(run(exe, given)[0], expected)


def test_a_donor_that_nothing_reads() -> None:
    b = ttmlir.Builder("state")
    _, x = b.input("state", (4, 16), donated=True), b.input("x", (4, 16))
    b.output(b.exp(x), b.full((4, 16), 2.0))
    exe = ttmlir.compile(b, target="t3000", mesh_shape=(1, 8), parallel={"state": (None, 1)})
    zeros = np.zeros((4, 16), np.float32)
    results = exe(zeros, zeros)
    np.testing.assert_array_equal(results[0], zeros + 1)
    np.testing.assert_array_equal(results[1], zeros + 2)


def test_an_input_with_a_layout() -> None:
    b = ttmlir.Builder("add")
    cache = b.input("cache", (64, 128), "bfp8_b", donated=True)
    b.output(b.add(cache, cache))
    message = "argument 0: expected a tensor of static shape without a layout, found"
    with pytest.raises(ttmlir.CompileError, match=message):
        ttmlir.compile(b, target="t3000", mesh_shape=(2, 4), parallel={"cache": (0, 1)})


@pytest.mark.parametrize("backend", BACKENDS)
def test_integers_of_two_words(backend: Any) -> None:
    text = """
    func.func @twice(%x: tensor<8x4xi64> {tt.shard_dims = array<i64: -1, 0>}) -> tensor<8x4xi64> {
      %0 = "ttir.add"(%x, %x) : (tensor<8x4xi64>, tensor<8x4xi64>) -> tensor<8x4xi64>
      return %0 : tensor<8x4xi64>
    }
    """
    options: Any = {"inputs_on_device": True, "results_on_device": True, "backend": backend}
    exe = ttmlir.compile(text, target="t3000", mesh_shape=(1, 4), **options)
    x = np.arange(32, dtype=np.int64).reshape(8, 4) - 5
    np.testing.assert_array_equal(exe(x), 2 * x)


def test_shards_that_the_caller_put_together() -> None:
    exe = ttmlir.compile(step(), target="t3000", parallel={"cache": (None, 1)}, mesh_shape=(1, 8))
    [row] = rows(1)
    value = RNG.normal(size=CACHE).astype(ml_dtypes.bfloat16)
    at = np.array([5], np.int32)
    expected = exe(value, row, at)
    placed = [exe.place(0, value, position=p) for p in range(8)]
    assert [t.shape for t in placed] == [[2, 1, 64, 32]] * 8
    cache = runtime.combine_device_tensors(placed, [1, 8])
    np.testing.assert_array_equal(exe(cache, row, at)[0], expected[0])
    cache = runtime.shard_tensor(runtime.from_numpy(value), [1, 8], [1, 8, 1, 1], [-1, 1])
    np.testing.assert_array_equal(exe(cache, row, at)[0], expected[0])
    with pytest.raises(ttmlir.InputError, match="expected 2x8x64x32 bfloat16, found 2x4x64x32"):
        exe(value[:, :4], row, at)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.filterwarnings("ignore:float64 is computed")
def test_types_of_the_host(backend: Any) -> None:
    """The program has narrower ones."""
    text = """
    func.func @twice(%x: tensor<8x4xf64> {tt.shard_dims = array<i64: -1, 0>}) -> tensor<8x4xf64> {
      %0 = "ttir.add"(%x, %x) : (tensor<8x4xf64>, tensor<8x4xf64>) -> tensor<8x4xf64>
      return %0 : tensor<8x4xf64>
    }
    """
    exe = ttmlir.compile(
        text,
        target="t3000",
        mesh_shape=(1, 4),
        backend=backend,
        inputs_on_device=True,
        results_on_device=True,
    )
    x = np.arange(32, dtype=np.float64).reshape(8, 4)
    kept = exe(exe(x, keep_on_device=True), keep_on_device=True)
    np.testing.assert_array_equal(runtime.to_numpy(kept), 4 * x)
    found = exe(x)
    np.testing.assert_array_equal(found, 2 * x)
    assert found.dtype == exe.inputs[0].dtype == "float64"
    assert exe.inputs[0].shard_dims == (None, 0)


def test_a_file_has_the_shards(tmp_path: Path) -> None:
    exe = ttmlir.compile(step(), target="t3000", parallel={"cache": (None, 1)}, mesh_shape=(1, 8))
    exe.save(tmp_path / "step.ttnn")
    loaded = ttmlir.load(tmp_path / "step.ttnn")
    assert loaded.inputs == exe.inputs
    given = rows(2)
    for found, expected in zip(run(loaded, given)[0], run(exe, given)[0], strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("dims", "message"),
    [
        ([-1], "expected a dimension or -1 for each of 2 axes of the mesh, found 1"),
        ([-1, 4], "expected dimensions from -1 to 3, found 4 for axis 1 of the mesh"),
        ([-1, -2], "expected dimensions from -1 to 3, found -2 for axis 1 of the mesh"),
        ([-1, 2], "expected a shape that is stored as 2x1x512x32 in field input_hosts"),
    ],
)
def test_wrong_shards_in_a_file(dims: list[int], message: str, tmp_path: Path) -> None:
    exe = ttmlir.compile(step(), target="t3000", parallel={"cache": (None, 1)}, mesh_shape=(1, 8))
    document = edited_files.document(exe)
    document["programs"][0]["input_hosts"][0]["shard_dims"] = dims
    path = edited_files.write(document, "TTNN", tmp_path)
    with pytest.raises(runtime.RuntimeError, match=re.escape(message)):
        runtime.load_binary_from_bytes(path.read_bytes())


@pytest.mark.parametrize("backend", BACKENDS)
def test_ttrt_runs_whole_tensors(backend: Any, tmp_path: Path) -> None:
    exe = ttmlir.compile(
        step(), target="t3000", backend=backend, parallel={"cache": (None, 1)}, mesh_shape=(1, 8)
    )
    path = tmp_path / {"ttnn": "step.ttnn", "ttmetal": "step.ttm"}[backend]
    exe.save(path)
    options = ["--target", "t3000", "--loops", "2", "--non-zero"]
    command = [sys.executable, "-m", "ttrt", "run", str(path), *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_cpp_has_no_shards() -> None:
    exe = ttmlir.compile(step(), target="t3000", parallel={"cache": (None, 1)}, mesh_shape=(1, 8))
    assert exe.cpp == ""


def test_less_crosses_the_host() -> None:
    value = np.zeros(CACHE, ml_dtypes.bfloat16)
    [row] = rows(1)
    options: Any = {"target": "t3000", "parallel": {"cache": (None, 1)}, "mesh_shape": (1, 8)}
    exe = ttmlir.compile(step(), **options)
    at = np.array([0], np.int32)
    _, cache = exe(value, row, at, keep_on_device=True)
    report = exe.report(cache, row, at)
    # A row in tiles, not the cache.
    assert report.host_to_device_bytes <= 2 * 2 * 8 * 32 * 32 * 2
