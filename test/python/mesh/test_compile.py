"""Programs on a mesh from TTIR to the result, through ``ttmlir.compile``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy_mesh
import pytest
from mesh_text import Function, join, matrix, random_blocks, tensor
from numpy_mesh import Array, Mesh

import ttmlir
from ttmlir import runtime

MESHES = [(1, 2), (2, 4), (1, 8), (8, 1)]
CHIPS = {(1, 2): (0, 1), (2, 4): tuple(range(8))}


def compiled(function: Function, **options: Any) -> ttmlir.Executable:
    target = "n300" if function.mesh == (1, 2) else "t3000"
    return ttmlir.compile(str(function), target=target, mesh_shape=function.mesh, **options)


@pytest.mark.parametrize("mesh", MESHES)
def test_every_chip_computes_on_its_block(mesh: Mesh) -> None:
    f = Function(mesh)
    x, w = f.input((40, 64)), f.shared_input((64, 32))
    y = f.op("matmul", [(x, (40, 64)), (w, (64, 32))], (40, 32))
    z = f.op("relu", [(y, (40, 32))], (40, 32), operandSegmentSizes="array<i32: 1, 1>")
    f.output(z, (40, 32))
    exe = compiled(f)
    assert exe.programs[0].mesh_shape == mesh
    assert exe.programs[0].chip_ids == CHIPS.get(mesh, (0, 1, 2, 3, 7, 6, 5, 4))
    blocks = random_blocks(mesh, (40, 64))
    weight = random_blocks((1, 1), (64, 32), seed=1)[0]
    expected = join([np.maximum(b @ weight, 0) for b in blocks], mesh)
    np.testing.assert_allclose(exe(join(blocks, mesh), weight), expected, rtol=1e-4, atol=1e-4)
    assert "relu" in str(exe.report())


def collective(name: str, mesh: Mesh, axis: int) -> tuple[Function, list[Array]]:
    """A program of one collective over an axis, with its input and its result."""
    n, last = mesh[axis], mesh[0] * mesh[1] - 1
    block = (40, 72)
    blocks = random_blocks(mesh, block)
    f = Function(mesh)
    x = f.input(block)
    cluster = {"cluster_axis": f"{axis} : ui32"}
    groups = numpy_mesh.groups_along(mesh, axis)
    pairs = [[p, (p + 1) % (last + 1)] for p in range(last)]
    if name == "all_gather":
        out = numpy_mesh.all_gather(blocks, mesh, axis, 1)
        fields = cluster | {"all_gather_dim": "-1 : si32"}
    elif name == "reduce_scatter":
        out = numpy_mesh.reduce_scatter(blocks, mesh, axis, 1, "sum")
        fields = cluster | {"scatter_dim": "1 : si32", "reduce_type": "#tt.reduce_type<sum>"}
    elif name == "all_reduce":
        out = numpy_mesh.all_reduce(blocks, mesh, axis, "max")
        fields = cluster | {"reduce_type": "#tt.reduce_type<max>"}
    elif name == "mesh_partition":
        out = numpy_mesh.mesh_partition(blocks, mesh, axis, 0)
        fields = cluster | {"dim": "0 : si32"}
    elif name == "collective_permute":
        out = numpy_mesh.collective_permute(blocks, pairs)  # type: ignore[arg-type]
        fields = {"source_target_pairs": matrix(pairs)}
    elif name == "all_to_all":
        out = numpy_mesh.all_to_all(blocks, groups, 0, 1)
        fields = {"split_dim": "0 : si32", "concat_dim": "1 : si32"}
        fields |= {"split_count": f"{n} : si32", "replica_groups": matrix(groups)}
    else:
        out = numpy_mesh.collective_broadcast(blocks, groups)
        fields = {"replica_groups": matrix(groups)}
    f.output(f.collective(name, x, block, out[0].shape, **fields), out[0].shape)
    return f, [join(blocks, mesh), join(out, mesh)]


NAMES = [
    *("all_gather", "reduce_scatter", "all_reduce", "mesh_partition"),
    *("collective_permute", "all_to_all", "collective_broadcast"),
]


@pytest.mark.parametrize(("mesh", "axis"), [((1, 2), 1), ((2, 4), 0), ((2, 4), 1), ((8, 1), 0)])
@pytest.mark.parametrize("name", NAMES)
def test_collectives(name: str, mesh: Mesh, axis: int) -> None:
    f, (given, expected) = collective(name, mesh, axis)
    np.testing.assert_allclose(compiled(f)(given), expected, rtol=1e-5, atol=1e-5)


def test_goldens_of_every_collective(tmp_path: Path) -> None:
    """`ttrt run` compares what a file of each collective returns with what it should."""
    for name in NAMES:
        f, (given, expected) = collective(name, (1, 2), 1)
        goldens = {"input_0": given, "output_0": expected}
        compiled(f, goldens=goldens).save(tmp_path / f"{name}.ttnn")
    command = [sys.executable, "-m", "ttrt", "run", str(tmp_path), "--target", "n300"]
    done = subprocess.run(
        [*command, "--rtol", "1e-4", "--atol", "1e-4"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("golden matches output 0") == len(NAMES)
    f, (given, expected) = collective("all_reduce", (1, 2), 1)
    goldens = {"input_0": given, "output_0": -expected}
    compiled(f, goldens=goldens).save(tmp_path / "wrong.ttnn")
    command[4] = str(tmp_path / "wrong.ttnn")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "golden and output do not match" in done.stderr


def test_results_that_nobody_joined() -> None:
    """Parts of a tensor are not one tensor; the message says what to do."""
    f = Function((1, 2))
    x = f.input((32, 32))
    y = f.op("exp", [(x, (32, 32))], (32, 32), operandSegmentSizes="array<i32: 1, 1>")
    f.results.append((y, tensor((32, 32))))
    exe = compiled(f)
    given = join(random_blocks((1, 2), (32, 32)), (1, 2))
    with pytest.raises(ttmlir.Error, match="aggregate the shards, with mesh_shard"):
        exe(given)
    shards = runtime.get_shards(exe(given, keep_on_device=True))
    found = np.concatenate([runtime.to_numpy(shard) for shard in shards], 1)
    np.testing.assert_allclose(found, np.exp(given), rtol=1e-5)


def test_a_mesh_larger_than_the_system() -> None:
    f = Function((2, 4))
    f.output(f.input((32, 32)), (32, 32))
    with pytest.raises(ttmlir.CompileError, match="2x4"):
        ttmlir.compile(str(f), target="n300", mesh_shape=(2, 4))


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
