"""Whole programs on a mesh, through ``ttmlir.compile``, ``ttmlir.Executable`` and ``ttrt``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ttmlir
from ttmlir import runtime

Mesh = tuple[int, int]
TARGETS: dict[Mesh, str] = {(1, 2): "n300", (2, 4): "t3000", (1, 8): "t3000", (8, 1): "t3000"}
CHIPS = {(1, 2): (0, 1), (2, 4): tuple(range(8))}
RNG = np.random.default_rng(3)


def random(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


def compiled(b: ttmlir.Builder) -> ttmlir.Executable:
    return ttmlir.compile(b, target=TARGETS[b.mesh_shape])


@pytest.mark.parametrize("mesh", TARGETS)
def test_every_chip_computes_on_its_block(mesh: Mesh) -> None:
    b = ttmlir.Builder(mesh_shape=mesh)
    x = b.mesh_shard(b.input("x", (40 * mesh[0], 64 * mesh[1])), (0, 1))
    w = b.input("w", (64, 32))
    b.output(b.mesh_gather(b.relu(b.matmul(x, w)), (0, 1)))
    exe = compiled(b)
    assert exe.programs[0].mesh_shape == mesh
    assert exe.programs[0].chip_ids == CHIPS.get(mesh, (0, 1, 2, 3, 7, 6, 5, 4))
    array, weight = random(40 * mesh[0], 64 * mesh[1]), random(64, 32)
    blocks = [np.split(row, mesh[1], 1) for row in np.split(array, mesh[0])]
    expected = np.block([[np.maximum(block @ weight, 0) for block in row] for row in blocks])
    np.testing.assert_allclose(exe(array, weight), expected, rtol=1e-4, atol=1e-4)
    assert "relu" in str(exe.report())


def test_a_product_cut_along_both_axes() -> None:
    """Rows along axis 0; the inner dimension along axis 1, which the sums go over."""
    b = ttmlir.Builder(mesh_shape=(2, 4))
    x = b.mesh_shard(b.input("x", (96, 256)), (0, 1))
    w = b.mesh_shard(b.input("w", (256, 72)), (None, 0))
    parts = b.reduce_scatter(b.matmul(x, w), 1, cluster_axis=1)
    b.output(b.mesh_gather(parts, (0, 1)), b.mesh_gather(b.all_gather(parts, 1, 1), (0, None)))
    array, weight = random(96, 256), random(256, 72)
    for found in compiled(b)(array, weight):
        np.testing.assert_allclose(found, array @ weight, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("name", ["product", "sum"])
@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_block_floats_where_an_override_wants_them(name: str, dtype: str) -> None:
    """Tiles travel in the format that the input, or else the result, was given."""
    b = ttmlir.Builder(mesh_shape=(1, 2))
    x = b.mesh_shard(b.input("x", (64, 128), dtype), (None, 1))
    w = b.mesh_shard(b.input("w", (128, 128), dtype), (None, 0))
    parts = b.matmul(x, w, name="product")
    y = b.relu(b.all_gather(b.reduce_scatter(parts, 1, 1, name="sum"), 1, 1))
    b.output(b.mesh_gather(y, (None, None)))
    exe = ttmlir.compile(
        b, target="n300", override_output_layout={name: "dram:interleaved:tile:bfp_bf8"}
    )
    ethernet = sum(use.bytes for use in exe.report().ethernet_use)
    tiles = {"reduce_scatter": 2 * 4, "all_gather": 2 * 4}
    assert ethernet == 1088 * sum(tiles.values())
    array, weight = random(64, 128), random(128, 128)
    host = ml_dtypes.bfloat16 if dtype == "bf16" else np.float32
    found = exe(array.astype(host), weight.astype(host)).astype(np.float64)
    exact = np.maximum(array @ weight, 0)
    np.testing.assert_allclose(found, exact, rtol=0, atol=2.0**-5 * np.abs(exact).max())


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cut", "'ttir.mesh_shard' op cannot be overridden: its tensors are in system memory"),
        ("both", "'ttir.all_gather' op cannot be overridden: expected one result, found 2"),
    ],
)
def test_what_no_override_changes(name: str, message: str) -> None:
    b = ttmlir.Builder(mesh_shape=(1, 2))
    x = b.mesh_shard(b.input("x", (64, 64)), (0, 1), name="cut")
    b.output(*(b.mesh_gather(y, (0, 1)) for y in b.all_gather((x, x), 1, 1, name="both")))
    with pytest.raises(ttmlir.CompileError) as error:
        ttmlir.compile(b, target="n300", override_output_layout={name: "dram"})
    assert message in str(error.value)


def test_shards_in_l1() -> None:
    """A chain of ops in the cores' L1, with collectives at both ends."""
    b = ttmlir.Builder(mesh_shape=(1, 2))
    x = b.all_gather(b.mesh_shard(b.input("x", (256, 256)), (0, 1)), 1, 1)
    y = b.relu(b.multiply(b.add(x, x), x))
    b.output(b.mesh_gather(b.reduce_scatter(y, 1, 1), (0, 1)))
    exe = ttmlir.compile(b, target="n300", sharding_pass_enabled=True)
    assert "block_sharded" in exe.mlir
    array = random(256, 256)
    expected = 2 * np.maximum(2 * array * array, 0)
    np.testing.assert_allclose(exe(array), expected, rtol=1e-5)


def test_goldens_of_every_collective(tmp_path: Path) -> None:
    """`ttrt run` compares what a file of each collective returns with what it should."""
    given = random(40, 144)
    left, right = np.split(given, 2, 1)
    both = np.concatenate([left, right], 1)
    whole = {
        "all_gather": np.concatenate([both, both], 1),
        "all_reduce": np.concatenate([left + right] * 2, 1),
        "reduce_scatter": left + right,
        "mesh_partition": np.concatenate([left[:, :36], right[:, 36:]], 1),
        "collective_permute": np.concatenate([right, left], 1),
        "collective_broadcast": np.concatenate([right, right], 1),
        "all_to_all": np.concatenate([left[:20], right[:20], left[20:], right[20:]], 1),
    }
    arguments = {
        "all_gather": (1, 1),
        "all_reduce": (1,),
        "reduce_scatter": (1, 1),
        "mesh_partition": (1, 1),
        "collective_permute": ([(0, 1), (1, 0)],),
        "collective_broadcast": ([[1, 0]],),
        "all_to_all": (0, 1, [[0, 1]]),
    }

    def save(name: str, expected: np.ndarray, folder: str) -> None:
        b = ttmlir.Builder(mesh_shape=(1, 2))
        x = b.mesh_shard(b.input("x", given.shape), (None, 1))
        b.output(b.mesh_gather(getattr(b, name)(x, *arguments[name]), (None, 1)))
        goldens = {"input_0": given, "output_0": expected}
        (tmp_path / folder).mkdir(exist_ok=True)
        exe = ttmlir.compile(b, target="n300", goldens=goldens)
        exe.save(tmp_path / folder / f"{name}.ttnn")

    def run(folder: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "ttrt", "run", folder, "--target", "n300"]
        command += ["--rtol", "1e-4", "--atol", "1e-4"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    for name, expected in whole.items():
        save(name, expected, "right")
    done = run("right")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("golden matches output 0") == len(whole)
    save("all_reduce", -whole["all_reduce"], "wrong")
    done = run("wrong")
    assert done.returncode == 1
    assert "golden and output do not match" in done.stderr


def test_results_that_nobody_joined() -> None:
    """Parts of a tensor are not one tensor; the message says what to do."""
    b = ttmlir.Builder(mesh_shape=(1, 2))
    b.output(b.exp(b.mesh_shard(b.input("x", (32, 64)), (None, 1))))
    exe = compiled(b)
    given = random(32, 64)
    with pytest.raises(ttmlir.Error, match="aggregate the shards, with mesh_shard"):
        exe(given)
    shards = runtime.get_shards(exe(given, keep_on_device=True))
    found = np.concatenate([runtime.to_numpy(shard) for shard in shards], 1)
    np.testing.assert_allclose(found, np.exp(given), rtol=1e-5)


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_programs_without_a_use_of_the_device(backend: str) -> None:
    """They run on their chips, too, when inputs and results are there."""
    options: dict[str, Any] = {
        "target": "t3000",
        "backend": backend,
        "inputs_on_device": True,
        "results_on_device": True,
    }
    b = ttmlir.Builder(mesh_shape=(1, 2))
    b.output(b.all_reduce(b.input("x", (32, 32)), cluster_axis=1))
    exe = ttmlir.compile(b, chip_ids=[4, 5], **options)
    assert exe.programs[0].chip_ids == (4, 5)
    arrays = [random(32, 32), random(32, 32) * 2]
    shards = [exe.place(0, array, position=p) for p, array in enumerate(arrays)]
    [result] = exe.run_placed([runtime.combine_device_tensors(shards, [1, 2])])
    for shard in runtime.get_shards(result):
        np.testing.assert_allclose(runtime.to_numpy(shard), arrays[0] + arrays[1], rtol=1e-6)
    b = ttmlir.Builder()
    x = b.input("x", (32, 32))
    b.output(b.add(x, x))
    exe = ttmlir.compile(b, chip_ids=[3], **options)
    assert exe.programs[0].chip_ids == (3,)
    np.testing.assert_array_equal(exe(arrays[0]), arrays[0] * 2)


def test_placement_is_that_of_the_runtime() -> None:
    """Compiler and runtime choose the same chips for a mesh."""
    for shape in [(1, 2), (1, 3), (1, 4), (2, 2), (2, 3), (4, 2), (1, 8), (8, 1), (2, 2, 2), (6,)]:
        device = runtime.open_mesh_device(
            list(shape), system_desc=runtime.get_default_system_desc("t3000")
        )
        text = "func.func @main(%x: tensor<32x32xf32>) -> tensor<32x32xf32> "
        text += "{ return %x : tensor<32x32xf32> }"
        module = ttmlir.compile(text, target="t3000", mesh_shape=shape).mlir
        assert f"chipIds = {device.ids}" in module
        runtime.close_device(device)


def test_an_axis_of_one_chip() -> None:
    b = ttmlir.Builder(mesh_shape=(1, 2))
    x = b.mesh_shard(b.input("x", (32, 64)), (0, 1))
    b.output(b.mesh_gather(b.all_reduce(x, 0), (0, 1)))
    message = "'ttir.all_reduce' is of groups of one chip on the mesh 1x2 and changes nothing"
    with pytest.warns(UserWarning, match=message):
        exe = compiled(b)
    assert "all_reduce" not in exe.mlir
    array = random(32, 64)
    np.testing.assert_array_equal(exe(array), array)


@pytest.mark.parametrize("dtype", ["i32", "u32", "u16", "u8"])
@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_integers(backend: str, dtype: str) -> None:
    b = ttmlir.Builder(mesh_shape=(1, 2))
    x = b.mesh_shard(b.input("x", (40, 80), dtype), (None, 1))
    results = [
        *(b.all_gather(x, 0, 1), b.all_reduce(x, 1), b.all_reduce(x, 1, "max")),
        *(b.reduce_scatter(x, 0, 1, "min"), b.all_to_all(x, 0, 0, [[1, 0]])),
    ]
    b.output(*(b.mesh_gather(y, (None, 1)) for y in results))
    exe = ttmlir.compile(b, target="n300", backend=backend)
    dtypes = exe.inputs[0].dtype
    low = np.iinfo(dtypes).min // 2
    array = RNG.integers(low, np.iinfo(dtypes).max // 2, (40, 80)).astype(dtypes)
    left, right = np.split(array, 2, 1)
    expected = [
        np.tile(np.concatenate([left, right]), 2),
        np.tile(left + right, 2),
        np.tile(np.maximum(left, right), 2),
        np.concatenate([np.minimum(left, right)[:20], np.minimum(left, right)[20:]], 1),
        np.concatenate(
            [np.concatenate([right[20:], left[20:]]), np.concatenate([right[:20], left[:20]])], 1
        ),
    ]
    for found, want in zip(exe(array), expected, strict=True):
        np.testing.assert_array_equal(found, want)


@pytest.mark.parametrize("constraint", ["any_layout", "tile", "interleaved"])
@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_collectives_where_constraints_name_no_memory(backend: str, constraint: str) -> None:
    b = ttmlir.Builder(mesh_shape=(1, 2), constraint=constraint)
    x = b.relu(b.mesh_shard(b.input("x", (40, 64)), (None, 1)))
    results = [b.all_gather(x, 1, 1), b.all_reduce(x, 1), b.reduce_scatter(x, 1, 1)]
    b.output(*(b.mesh_gather(y, (None, 1)) for y in results))
    array = RNG.integers(-4, 5, (40, 64)).astype(np.float32)
    left, right = np.split(np.maximum(array, 0), 2, 1)
    whole, total = np.concatenate([left, right], 1), left + right
    found = ttmlir.compile(b, target="n300", backend=backend)(array)
    for one, expected in zip(found, [np.tile(whole, 2), np.tile(total, 2), total], strict=True):
        np.testing.assert_array_equal(one, expected)
