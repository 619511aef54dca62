"""Collectives against NumPy: every mesh, axis, reduction and format, extents that fill no tiles."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import machine
import ml_dtypes
import numpy as np
import numpy_mesh
import pytest
import ttnn_file
from machine import to_numpy, to_tensor
from numpy_mesh import REDUCTIONS, Blocks, Mesh, groups_along

from ttmlir import _runtime

MESHES = [(1, 2), (2, 4), (1, 8), (8, 1)]
AXES = [(mesh, axis) for mesh in MESHES for axis in (0, 1) if mesh[axis] > 1]
CHIPS = {8: [0, 1, 2, 3, 7, 6, 5, 4], 2: [0, 1]}
# What an operation's rounding changes, of the largest element of a block.
ROUNDING = {"Float32": 2.0**-23, "BFloat16": 2.0**-8, "BFP_BFloat8": 2.0**-6}
DTYPES = list(ROUNDING)


@pytest.fixture(scope="module")
def board() -> Iterator[_runtime.Device]:
    opened = _runtime.open_system(_runtime.get_default_system_desc("t3000"), list(range(8)))
    yield opened
    _runtime.close_device(opened)


def run(
    board: _runtime.Device, mesh: Mesh, blocks: Blocks, shape: tuple[int, ...], dtype: str, op: Any
) -> Blocks:
    """The result of a collective at each position, from the array at each position."""
    program = ttnn_file.Program()
    chips = list(range(8)) if mesh == (2, 4) else CHIPS[math.prod(mesh)]
    device = program.get_mesh(mesh, chips)
    x = program.input(program.tensor(blocks[0].shape))
    on_chip, out = program.dram(blocks[0].shape, dtype), program.dram(shape, dtype)
    program.op("ToLayoutOp", **{"in": x}, layout="Tile", device=device, out=on_chip)
    program.op("CollectiveOp", **{"in": on_chip}, out=out, **op)
    result = program.tensor(shape)
    program.op("ToLayoutOp", **{"in": out}, layout="RowMajor", out=result)
    program.outputs = [result]
    binary = machine.load(program, target="t3000")
    shards = _runtime.create_multi_device_host_tensor([to_tensor(b) for b in blocks], mesh)
    [found] = _runtime.run(board, binary, 0, [shards])
    return [np.array(to_numpy(shard)) for shard in _runtime.get_shards(found)]


def random_blocks(mesh: Mesh, shape: tuple[int, ...], dtype: str) -> Blocks:
    rng = np.random.default_rng(3)
    blocks = [rng.standard_normal(shape).astype(np.float32) for _ in range(math.prod(mesh))]
    if dtype == "BFloat16":
        blocks = [b.astype(ml_dtypes.bfloat16).astype(np.float32) for b in blocks]
    return blocks


def check(found: Blocks, expected: Blocks, dtype: str, terms: int = 0) -> None:
    """`terms`: roundings of a sum behind each element; without any, plain formats are exact."""
    assert len(found) == len(expected)
    for got, want in zip(found, expected, strict=True):
        assert got.shape == want.shape
        blocks = dtype.startswith("BFP")
        steps = terms + (2 if blocks else 0)
        limit = steps * ROUNDING[dtype] * 4 * max(1, terms)
        np.testing.assert_allclose(got, want, rtol=0, atol=limit)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("mesh", "axis"), AXES)
@pytest.mark.parametrize("dim", [0, 1, -1])
def test_all_gather(board: _runtime.Device, mesh: Mesh, axis: int, dim: int, dtype: str) -> None:
    blocks = random_blocks(mesh, (3, 20, 24), dtype)
    expected = numpy_mesh.all_gather(blocks, mesh, axis, dim)
    op = {"type": "AllGather", "dim": dim, "cluster_axis": axis}
    check(run(board, mesh, blocks, expected[0].shape, dtype, op), expected, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("mesh", "axis"), AXES)
@pytest.mark.parametrize("kind", REDUCTIONS)
def test_all_reduce(board: _runtime.Device, mesh: Mesh, axis: int, kind: str, dtype: str) -> None:
    blocks = random_blocks(mesh, (40, 72), dtype)
    expected = numpy_mesh.all_reduce(blocks, mesh, axis, kind)
    op = {"type": "AllReduce", "reduce_type": kind.title(), "cluster_axis": axis}
    found = run(board, mesh, blocks, (40, 72), dtype, op)
    check(found, expected, dtype, mesh[axis] if kind in ("sum", "mean") else 0)
    for group in groups_along(mesh, axis):
        for position in group:
            np.testing.assert_array_equal(found[position], found[group[0]])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("mesh", "axis"), AXES)
@pytest.mark.parametrize("kind", REDUCTIONS)
def test_reduce_scatter(
    board: _runtime.Device, mesh: Mesh, axis: int, kind: str, dtype: str
) -> None:
    blocks = random_blocks(mesh, (40, 72), dtype)
    for dim in (0, 1):
        expected = numpy_mesh.reduce_scatter(blocks, mesh, axis, dim, kind)
        op = {"type": "ReduceScatter", "reduce_type": kind.title(), "dim": dim}
        found = run(board, mesh, blocks, expected[0].shape, dtype, op | {"cluster_axis": axis})
        check(found, expected, dtype, mesh[axis] if kind in ("sum", "mean") else 0)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("mesh", MESHES)
def test_mesh_partition(board: _runtime.Device, mesh: Mesh, dtype: str) -> None:
    blocks = random_blocks(mesh, (40, 72), dtype)
    for axis in (0, 1, None):
        expected = numpy_mesh.mesh_partition(blocks, mesh, axis, 1)
        op: dict[str, Any] = {"type": "MeshPartition", "dim": 1}
        if axis is not None:
            op["cluster_axis"] = axis
        check(run(board, mesh, blocks, expected[0].shape, dtype, op), expected, dtype)


Case = tuple[Callable[..., Blocks], str, list[list[int]], dict[str, Any], tuple[int, ...]]


def moves(mesh: Mesh) -> Iterator[Case]:
    """Oracle, type, groups, fields of both and the shape of the result."""
    last = math.prod(mesh) - 1
    ring = [[p, (p + 1) % (last + 1)] for p in range(last + 1)]
    for pairs in (ring, [[0, last]], [[last, 0], [0, last]], [[0, 0]]):
        yield numpy_mesh.collective_permute, "CollectivePermute", pairs, {}, (40, 72)
    for groups in ([[last, 0]], groups_along(mesh, 1), [list(range(last, -1, -1))]):
        yield numpy_mesh.collective_broadcast, "CollectiveBroadcast", groups, {}, (40, 72)
    for groups in (groups_along(mesh, 0), groups_along(mesh, 1), [list(range(last, -1, -1))]):
        n = len(groups[0])
        yield (
            numpy_mesh.all_to_all,
            "AllToAll",
            groups,
            {"split": 0, "concat": 1},
            (40 // n, 72 * n),
        )
        yield numpy_mesh.all_to_all, "AllToAll", groups, {"split": 1, "concat": 1}, (40, 72)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("mesh", MESHES)
def test_moves(board: _runtime.Device, mesh: Mesh, dtype: str) -> None:
    blocks = random_blocks(mesh, (40, 72), dtype)
    for oracle, kind, groups, dims, shape in moves(mesh):
        op = {"type": kind, "groups": sum(groups, []), "group_size": len(groups[0])}
        if dims:
            op |= {"dim": dims["split"], "concat_dim": dims["concat"]}
            op["split_count"] = len(groups[0])
        expected = oracle(blocks, groups, **dims)
        check(run(board, mesh, blocks, shape, dtype, op), expected, dtype)


AXIS_2 = {"type": "AllGather", "dim": 0, "cluster_axis": 2}
PAIR = {"type": "CollectivePermute", "group_size": 2}
TO_ALL = {"type": "AllToAll", "dim": 0, "concat_dim": 1, "group_size": 2}


@pytest.mark.parametrize(
    ("op", "shape", "message"),
    [
        (AXIS_2, (40, 72), "cluster axis below 2 on mesh 1x2, found 2"),
        ({"type": "AllGather", "dim": 2, "cluster_axis": 1}, (40, 72), "dim"),
        (
            {"type": "AllGather", "cluster_axis": 1},
            (40, 72),
            "expected a dimension in field dim, found none",
        ),
        (
            {"type": "AllGather", "dim": 0, "cluster_axis": 1},
            (40, 72),
            "on mesh 1x2: expected a result of 80x72 in field out, found 40x72",
        ),
        (
            {"type": "ReduceScatter", "dim": 1, "cluster_axis": 1, "reduce_type": "Sum"},
            (40, 36),
            "equal shards for the 2 chips of a group on mesh 1x2, found extent 73 of dimension 1",
        ),
        (
            {"type": "AllReduce", "cluster_axis": 1},
            (40, 73),
            "expected a type in field reduce_type",
        ),
        (
            {"type": "AllReduce", "cluster_axis": 1, "reduce_type": "Std"},
            (40, 73),
            "expected reduce type Sum, Mean, Max or Min, found Std",
        ),
        (
            {"type": "AllReduce", "cluster_axis": 1, "reduce_type": "Sum", "num_links": 0},
            (40, 73),
            "expected at least one link in field num_links, found 0",
        ),
        (PAIR | {"groups": [0, 2]}, (40, 73), "positions from 0 to 1 of mesh 1x2 in field groups"),
        (PAIR | {"groups": [0, 1, 0, 0]}, (40, 73), "mesh 1x2 once as a source, found 0 twice"),
        (PAIR | {"groups": [0, 1, 1, 1]}, (40, 73), "mesh 1x2 once as a target, found 1 twice"),
        (PAIR | {"groups": [0, 1, 1]}, (40, 73), "elements in field groups, found 3 elements"),
        (TO_ALL | {"groups": [0, 0], "split_count": 2}, (20, 146), "once as a member of a group"),
        (
            TO_ALL | {"groups": [0, 1], "split_count": 4},
            (20, 146),
            "a split_count of 2, the chips of a group on mesh 1x2",
        ),
        (TO_ALL | {"groups": [], "split_count": 2}, (20, 146), "found 0 elements and group_size 2"),
    ],
)
def test_what_does_not_fit(op: dict[str, Any], shape: tuple[int, ...], message: str) -> None:
    program = ttnn_file.Program()
    program.get_mesh((1, 2), [0, 1])
    x = program.input(program.dram((40, 72 if shape == (40, 72) else 73)))
    program.op("CollectiveOp", **{"in": x}, out=program.dram(shape), **op)
    with pytest.raises(_runtime.RuntimeError) as error:
        machine.load(program, target="t3000")
    assert message in str(error.value)
    assert f"operation 1 ({names[op['type']]})" in str(error.value)


names = {
    "AllGather": "all_gather",
    "ReduceScatter": "reduce_scatter",
    "AllReduce": "all_reduce",
    "CollectivePermute": "collective_permute",
    "AllToAll": "all_to_all",
}


def test_a_link_that_is_missing(board: _runtime.Device) -> None:
    """Chips 3 and 4 of the board are not neighbours."""
    program = ttnn_file.Program()
    device = program.get_mesh((1, 2), [3, 4])
    x, out = program.dram((32, 32)), program.dram((32, 64))
    program.op("FullOp", device=device, fill_value=1.0, out=x)
    program.op("CollectiveOp", type="AllGather", **{"in": x}, out=out, dim=1, cluster_axis=1)
    binary = machine.load(program, target="t3000")
    with pytest.raises(_runtime.SystemMismatchError) as error:
        _runtime.run(board, binary, 0, [])
    assert "(all_gather)" in str(error.value)
    assert "mesh 1x2" in str(error.value)
    assert "3" in str(error.value) and "4" in str(error.value)


def test_links_in_the_report(board: _runtime.Device) -> None:
    """An all_gather of a 1x2 mesh sends the tensor of each chip once."""
    program = ttnn_file.Program()
    device = program.get_mesh((1, 2), [0, 1])
    x, out = program.dram((64, 64), "BFP_BFloat8"), program.dram((64, 128), "BFP_BFloat8")
    program.op("FullOp", device=device, fill_value=1.0, out=x)
    program.op("CollectiveOp", type="AllGather", **{"in": x}, out=out, dim=1, cluster_axis=1)
    _runtime.enable_report(board, True)
    try:
        _runtime.run(board, machine.load(program, target="t3000"), 0, [])
    finally:
        _runtime.enable_report(board, False)
    op = _runtime.get_report(board).ops[-1]
    assert op.name == "all_gather"
    assert op.ethernet_bytes == 2 * 4 * 1088
    sent = {(use.from_chip, use.to_chip): use.bytes for use in op.ethernet_use}
    assert sent == {(0, 1): 4 * 1088, (1, 0): 4 * 1088}
    assert op.cycles >= op.ethernet_cycles > 0
