"""What does not fit a mesh: one error that names the op and the mesh, in the builder, the compiler,
the calls, the runtime and ``ttrt``."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import runtime
from ttmlir.builder import Tensor

Mesh = tuple[int, ...]
Use = Callable[[ttmlir.Builder, Tensor], Any]


def program(use: Use, mesh: Mesh = (2, 4), shape: Mesh = (64, 64)) -> ttmlir.Builder:
    """`use` of the block of each chip, whose result is joined like the input was cut."""
    b = ttmlir.Builder(mesh_shape=mesh)
    x = b.mesh_shard(b.input("x", shape), (0, 1))
    b.output(b.mesh_gather(use(b, x), (0, 1)))
    return b


def gathered(mesh: Mesh = (1, 2)) -> ttmlir.Builder:
    return program(lambda b, x: b.all_gather(x, 1, 1), mesh)


@pytest.mark.parametrize(
    ("mesh", "message"),
    [
        ("2x4", "found '2x4'"),
        ((0, 2), "found (0, 2)"),
        ((-1,), "found (-1,)"),
        ((1.5, 2), "found (1.5, 2)"),
        (2, "found 2"),
    ],
)
def test_no_mesh(mesh: Any, message: str) -> None:
    with pytest.raises(ValueError, match="mesh_shape") as built:
        ttmlir.Builder(mesh_shape=mesh)
    with pytest.raises(ttmlir.Error) as compiled:
        ttmlir.compile(str(gathered()), target="n300", mesh_shape=mesh)
    for error in (built, compiled):
        assert str(error.value) == (
            f"mesh_shape: expected positive extents, such as (2, 4), {message}"
        )


PAIR = [[0, 1]]


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda b, x: b.mesh_shard(x, (0,)), "mesh_shard: expected a dimension or None"),
        (lambda b, x: b.mesh_shard(x, (0, -1)), "mesh_shard: expected a dimension from 0 to 1"),
        (lambda b, x: b.mesh_gather(x, (0, 2)), "mesh_gather: expected a dimension from 0 to 1"),
        (lambda b, x: b.all_gather(x, 1, 2), "all_gather: expected a cluster axis below 2"),
        (
            lambda b, x: b.reduce_scatter(b.full((6, 6), 0.0), 1, 1),
            "reduce_scatter: the chips of a group must get equal parts: expected an extent that 4",
        ),
        (
            lambda b, x: b.mesh_partition(b.full((4, 4), 0.0), 1),
            "mesh_partition: the chips of a group must get equal parts: expected an extent that 8",
        ),
        (
            lambda b, x: b.collective_permute(x, [(0, 8)]),
            "collective_permute: source_target_pairs must have positions of chips in the mesh 2x4",
        ),
        (
            lambda b, x: b.all_to_all(x, 0, 1, PAIR),
            "all_to_all: replica_groups must have every chip of the mesh 2x4",
        ),
    ],
)
def test_what_the_builder_refuses(use: Use, message: str) -> None:
    with pytest.raises(ValueError, match="mesh 2x4") as error:
        program(use)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (
            lambda b, x: b.mesh_shard(b.full((3, 4), 0.0), (0, None)),
            "mesh_shard: shards must be of equal size: expected an extent that 2 shards divide",
        ),
        (
            lambda b, x: b.all_gather(x, 2, 1),
            "all_gather: all_gather_dim must be a dimension of the input: expected one in [-2, 2)",
        ),
        (lambda b, x: b.all_gather(x, "1", 1), "all_gather: expected an integer, found '1'"),
        (lambda b, x: b.all_gather(x, 1, None), "all_gather: cluster_axis: expected an integer"),
        (lambda b, x: b.all_reduce(x, -1), "all_reduce: cluster_axis: expected an integer of ui32"),
        (lambda b, x: b.reduce_scatter(x, 1, 1.0), "reduce_scatter: cluster_axis: expected an"),
        (
            lambda b, x: b.collective_permute(x, [(0, 1), (0, 2)]),
            "collective_permute: source_target_pairs must have each source once: found position 0",
        ),
        (
            lambda b, x: b.collective_permute(x, [(1, 0), (2, 0)]),
            "collective_permute: source_target_pairs must have each target once: found position 0",
        ),
        (
            lambda b, x: b.all_to_all(x, 0, 1, [[0, 1], [2]]),
            "all_to_all: replica_groups: expected rows of 2 positions in the mesh, found (2,)",
        ),
        (
            lambda b, x: b.collective_broadcast(x, [[0, 0]]),
            "collective_broadcast: replica_groups must have each chip once: found position 0 twice",
        ),
        (lambda b, x: b.all_gather([], 1, 1), "all_gather: expected at least one tensor"),
        (lambda b, x: b.all_reduce(x, 1, "std"), "all_reduce: expected reduce to be one of sum"),
        (
            lambda b, x: b.all_to_all(x, 0, 1, []),
            "all_to_all: replica_groups must be a tensor of groups x chips",
        ),
        (lambda b, x: b.all_to_all(x, 0, 1, [0, 1]), "all_to_all: replica_groups: expected rows"),
        (
            lambda b, x: b.collective_permute(x, [0, 1]),
            "collective_permute: source_target_pairs: expected rows",
        ),
    ],
)
def test_what_is_wrong_on_any_mesh(use: Use, message: str) -> None:
    with pytest.raises((TypeError, ValueError)) as error:
        program(use)
    assert str(error.value).startswith(message)


def test_a_builder_without_a_mesh() -> None:
    b = ttmlir.Builder()
    x = b.input("x", (64, 64))
    uses: list[Use] = [lambda b, x: b.mesh_shard(x, (0, 1)), lambda b, x: b.all_reduce(x, 0)]
    for use in uses:
        with pytest.raises(
            ValueError, match=r"expected a mesh, ttmlir.Builder\(mesh_shape=\.\.\.\)"
        ):
            use(b, x)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "'ttir.mesh_shard' op shard_shape must be the chips of the mesh 1x1"),
        ({"mesh_shape": (1, 2), "target": "n150"}, "found 1x2"),
        ({"mesh_shape": (2, 2)}, "found 2x2"),
        (
            {"mesh_shape": (2, 1)},
            "'ttir.mesh_shard' op shard_shape must be the chips of the mesh 2x1",
        ),
        (
            {"mesh_shape": (1, 2, 1)},
            "'ttir.mesh_shard' op shard_dims must have an entry for each axis of the mesh 1x2x1",
        ),
        ({"mesh_shape": (1, 2), "chip_ids": (0, 0)}, "expected every chip once in mesh 1x2"),
        ({"mesh_shape": (1, 2), "chip_ids": (0, 2)}, "chips of the system, for mesh 1x2, found 2"),
        (
            {"mesh_shape": (1, 2), "chip_ids": (0,)},
            "expected 2 chip ids, one for every point of mesh 1x2",
        ),
        (
            {"mesh_shape": (1, 2), "chip_ids": (0, 5), "target": "t3000"},
            "'ttir.all_gather' op expected an Ethernet link between chips 0 and 5 (positions 0 and "
            "1 of mesh 1x2), found none in the system",
        ),
    ],
)
@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_what_the_compiler_refuses(options: dict[str, Any], message: str, backend: str) -> None:
    """In a text, which knows no mesh."""
    with pytest.raises(ttmlir.CompileError) as error:
        ttmlir.compile(str(gathered()), **{"target": "n300", "backend": backend} | options)
    (found,) = (d for d in error.value.diagnostics if d.severity == "error")
    assert message in found.message


def test_a_mesh_of_another_builder() -> None:
    with pytest.raises(ttmlir.Error, match=r"expected \(1, 2\), which the program was built for"):
        ttmlir.compile(gathered(), target="n300", mesh_shape=(2, 1))
    with pytest.raises(ttmlir.Error, match="chip_ids: expected chips of the system, such as"):
        ttmlir.compile(gathered(), target="n300", chip_ids="01")  # type: ignore[arg-type]


def shards(mesh: Mesh, *arrays: np.ndarray) -> runtime.Tensor:
    return runtime.create_multi_device_host_tensor([*map(runtime.from_numpy, arrays)], mesh)


X = np.ones((64, 64), np.float32)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (lambda: X[:, :32], "input 0: expected 64x64 float32, found 64x32 float32"),
        (lambda: [X[:, :32], X[:, 32:]], "input 0: expected 64x64 float32, found 2x64x32 float32"),
        (lambda: shards((1, 2), X[:, :32].copy(), X[:, 32:].copy()), "expected 64x64 float32"),
        (lambda: shards((1, 2), X, 2 * X), "expected one tensor of 64x64"),
        (lambda: shards((2, 1), X, X), None),
        (
            lambda: shards((1, 1), X),
            "expected a tensor of mesh 1x2, found one of mesh 1x1",
        ),
    ],
)
def test_inputs(value: Callable[[], Any], message: str | None) -> None:
    exe = ttmlir.compile(gathered(), target="n300")
    if message is None:
        # The same on all chips is one tensor.
        np.testing.assert_array_equal(exe(value()), np.ones((64, 128)))
        return
    with pytest.raises(ttmlir.Error) as error:
        exe(value())
    assert message in str(error.value)


def test_a_device_without_the_chips() -> None:
    exe = ttmlir.compile(gathered(), target="n300")
    n300 = runtime.get_default_system_desc("n300")
    small = runtime.open_mesh_device([1, 1], system_desc=n300)
    with pytest.raises(ttmlir.Error, match="mesh 1x2: expected a chip among the opened devices"):
        exe(X, device=small)
    runtime.close_device(small)
    with pytest.raises(ttmlir.Error, match="expected an open device, found one that was closed"):
        exe(X, device=small)


@pytest.mark.parametrize(
    ("mesh", "ids", "message"),
    [
        ([3, 3], [], "mesh 3x3: expected at most 8 chips, which the system has, found 9"),
        ([0, 2], [], "expected a mesh of positive extents and at most 1024 chips, found 0x2"),
        ([-1, 2], [], "mesh_shape: expected numbers from 0 to 4294967295, found -1"),
        ([1, 2], [0], "mesh 1x2: expected 2 device ids, found 1"),
        ([1, 2], [0, 0], "mesh 1x2: expected each device id once, found 0 more than once"),
        ([1, 2], [0, 8], "mesh 1x2: expected a device id from 0 to 7, found 8"),
    ],
)
def test_what_the_runtime_does_not_open(mesh: list[int], ids: list[int], message: str) -> None:
    with pytest.raises(runtime.ArgumentError) as error:
        runtime.open_mesh_device(mesh, ids, runtime.get_default_system_desc("t3000"))
    assert str(error.value) == message


def test_shards_of_one_tensor() -> None:
    with pytest.raises(runtime.ArgumentError, match="expected a tensor of a mesh, found 64x64"):
        runtime.aggregate_tensor(runtime.from_numpy(X), [1, 2], [-1, 1])


def test_ttrt_names_the_system(tmp_path: Path) -> None:
    ttmlir.compile(gathered(), target="n300").save(tmp_path / "mesh.ttnn")

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "ttrt", "run", "mesh.ttnn", *options]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    for options in ((), ("--target", "t3000")):
        done = run(*options)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "mesh.ttnn (compiled for n300: expected --target n300)" in done.stderr
    assert run("--target", "n300").returncode == 0
    done = run("--target", "n400")
    assert done.returncode == 1
    assert "no target 'n400', expected one of n150, n300" in done.stderr
