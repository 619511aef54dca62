"""Programs of several chips: every chip runs the program on its shards."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import machine
import numpy as np
import pytest
import ttnn_file
from hypothesis import given, settings
from hypothesis import strategies as st
from machine import to_numpy, to_tensor

from ttmlir import _runtime, runtime

MESHES = [(1, 2), (2, 4), (1, 8), (8, 1), (2, 2, 2)]


@pytest.fixture(scope="module")
def board() -> Iterator[_runtime.Device]:
    """All chips of a t3000, opened one by one."""
    opened = _runtime.open_system(_runtime.get_default_system_desc("t3000"), list(range(8)))
    yield opened
    _runtime.close_device(opened)


def shards_of(array: np.ndarray, mesh: tuple[int, ...], dims: tuple[int, ...]) -> list[np.ndarray]:
    """What NumPy says each position has."""
    found = []
    for position in np.ndindex(*mesh):
        block = array
        for axis, dim in enumerate(dims):
            if dim >= 0:
                block = np.split(block, mesh[axis], dim)[position[axis]]
        found.append(block)
    return found


def counts(rank: int, mesh: tuple[int, ...], dims: tuple[int, ...]) -> list[int]:
    shape = [1] * rank
    for extent, dim in zip(mesh, dims, strict=True):
        if dim >= 0:
            shape[dim] *= extent
    return shape


def random(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


class MeshProgram(ttnn_file.Program):
    """A program on a mesh with ways to shard its inputs and join its results."""

    def __init__(self, mesh: tuple[int, ...], chips: list[int] | None = None) -> None:
        super().__init__("main")
        self.mesh = mesh
        self.device = self.get_mesh(mesh, chips or list(range(math.prod(mesh))))

    def shard(self, value: Any, dims: tuple[int, ...], direction: str, shape: Any) -> Any:
        """Shards of the host as `dims` say, or the whole tensor of `shape`."""
        full = value["desc"]["shape"] if direction == "FullToShard" else shape
        out = self.tensor(tuple(shape))
        self.op(
            "MeshShardOp",
            **{"in": value},
            out=out,
            shard_type="Devices",
            shard_direction=direction,
            shard_shape=counts(len(full), self.mesh, dims),
            shard_dims=list(dims),
        )
        return out

    def sharded_input(self, shape: tuple[int, ...], dims: tuple[int, ...], **layout: Any) -> Any:
        """An input of the host whose shards lie on the chips."""
        whole = self.input(self.tensor(shape))
        cut = counts(len(shape), self.mesh, dims)
        part = tuple(n // k for n, k in zip(shape, cut, strict=True))
        return self.to_device(self.shard(whole, dims, "FullToShard", part), **layout)

    def to_device(self, value: Any, **layout: Any) -> Any:
        out = self.dram(tuple(value["desc"]["shape"]), **layout)
        self.op("ToDeviceOp", **{"in": value}, device=self.device, out=out)
        return out

    def to_host(self, value: Any) -> Any:
        out = self.tensor(tuple(value["desc"]["shape"]))
        self.op("FromDeviceOp", **{"in": value}, out=out)
        return out

    def eltwise(self, kind: str, *ins: Any) -> Any:
        out = self.dram(tuple(ins[0]["desc"]["shape"]))
        self.op("EltwiseOp", type=kind, ins=list(ins), out=out)
        return out

    def result(self, value: Any, dims: tuple[int, ...], shape: tuple[int, ...]) -> None:
        self.outputs.append(self.shard(self.to_host(value), dims, "ShardToFull", shape))

    def load(self, target: str = "t3000") -> _runtime.Binary:
        return machine.load(self, target=target)


@st.composite
def shardings(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """A mesh, the dimension that each axis splits, and a shape that it fits."""
    mesh = draw(st.sampled_from(MESHES))
    rank = draw(st.integers(1, 4))
    dims = tuple(draw(st.integers(-1, rank - 1)) for _ in mesh)
    parts = [draw(st.integers(1, 7 if d < rank - 2 else 40)) for d in range(rank)]
    cut = counts(rank, mesh, dims)
    return mesh, dims, tuple(n * k for n, k in zip(parts, cut, strict=True))


@settings(max_examples=60, deadline=None)
@given(shardings())
def test_shards_and_back(case: Any) -> None:
    mesh, dims, shape = case
    array = random(shape)
    cut = counts(len(shape), mesh, dims)
    tensor = _runtime.shard_tensor(to_tensor(array), mesh, cut, dims)
    assert tuple(tensor.mesh_shape) == mesh
    expected = shards_of(array, mesh, dims)
    for shard, want in zip(_runtime.get_shards(tensor), expected, strict=True):
        np.testing.assert_array_equal(to_numpy(shard), want)
    np.testing.assert_array_equal(to_numpy(_runtime.aggregate_tensor(tensor, cut, dims)), array)
    made = _runtime.create_multi_device_host_tensor([to_tensor(x.copy()) for x in expected], mesh)
    np.testing.assert_array_equal(to_numpy(_runtime.aggregate_tensor(made, cut, dims)), array)
    whole = _runtime.replicate_tensor(to_tensor(array), mesh)
    np.testing.assert_array_equal(to_numpy(whole), array)


@settings(max_examples=15, deadline=None)
@given(shardings())
def test_round_trip_through_the_chips(board: _runtime.Device, case: Any) -> None:
    mesh, dims, shape = case
    program = MeshProgram(mesh)
    x = program.sharded_input(shape, dims)
    program.result(program.eltwise("Neg", x), dims, shape)
    array = random(shape)
    [found] = machine.run(program.load(), array, device=board)
    np.testing.assert_array_equal(found, -array)


@pytest.mark.parametrize("mesh", MESHES)
def test_each_chip_computes_on_its_own_shard(board: _runtime.Device, mesh: Any) -> None:
    """Rows of the left matrix over the last axis, and a weight that all chips share."""
    dims = (-1,) * (len(mesh) - 1) + (0,)
    rows = 40 * mesh[-1]
    program = MeshProgram(mesh)
    a = program.sharded_input((rows, 64), dims)
    b = program.to_device(program.input(program.tensor((64, 32))))
    product = program.dram((40, 32))
    program.op("MatmulOp", in0=a, in1=b, out=product)
    half = program.dram((40, 32))
    program.op("FullOp", device=program.device, fill_value=0.5, out=half)
    total = program.eltwise("Add", product, half)
    program.op("DeallocOp", **{"in": product})
    program.result(total, dims, (rows, 32))
    x, w = random((rows, 64)), random((64, 32), 1)
    [found] = machine.run(program.load(), x, w, device=board)
    single = ttnn_file.Program()
    p, q = (single.input(single.dram(s)) for s in ((40, 64), (64, 32)))
    out = single.dram((40, 32))
    single.op("MatmulOp", in0=p, in1=q, out=out)
    single.outputs = [out]
    alone = machine.load(single)
    blocks = [machine.run(alone, block, w)[0] + np.float32(0.5) for block in np.split(x, mesh[-1])]
    np.testing.assert_array_equal(found, np.concatenate(blocks))


def test_results_that_differ_are_refused_as_one_tensor(board: _runtime.Device) -> None:
    program = MeshProgram((1, 2))
    x = program.sharded_input((64, 32), (-1, 0))
    program.outputs.append(x)
    array = random((64, 32))
    [result] = _runtime.run(board, program.load(), 0, [to_tensor(array)])
    assert (result.mesh_shape, result.is_on_device) == ([1, 2], True)
    assert result.layout == "32x32 f32, dram interleaved tile, on each chip of mesh 1x2"
    for shard, want in zip(_runtime.get_shards(result), np.split(array, 2), strict=True):
        np.testing.assert_array_equal(to_numpy(shard), want)
    with pytest.raises(runtime.ArgumentError, match="different ones at positions 0 and 1"):
        to_numpy(result)
    joined = _runtime.aggregate_tensor(result, [2, 1], [-1, 0])
    np.testing.assert_array_equal(to_numpy(joined), array)
    target = to_tensor(np.zeros((32, 32), np.float32))
    with pytest.raises(runtime.ArgumentError, match="aggregate the shards"):
        _runtime.submit(board, program.load(), 0, [to_tensor(array)], [target])


def test_results_on_the_chips_are_inputs(board: _runtime.Device) -> None:
    """What one program leaves on the chips the next one takes, without a copy."""
    first = MeshProgram((1, 2), [4, 5])
    first.outputs.append(first.sharded_input((64, 32), (-1, 0)))
    array = random((64, 32))
    [kept] = _runtime.run(board, first.load(), 0, [to_tensor(array)])
    second = MeshProgram((1, 2), [4, 5])
    x = second.input(second.dram((32, 32)))
    second.result(second.eltwise("Abs", x), (-1, 0), (64, 32))
    [found] = _runtime.run(board, second.load(), 0, [kept])
    np.testing.assert_array_equal(to_numpy(found), np.abs(array))
    # On other chips it is a copy, and a tensor of one chip goes to all of them.
    third = MeshProgram((2, 1), [1, 0])
    x = third.input(third.dram((32, 32)))
    third.result(third.eltwise("Abs", x), (0, -1), (64, 32))
    binary = third.load()
    [found] = _runtime.run(board, binary, 0, [kept])
    np.testing.assert_array_equal(to_numpy(found), np.abs(array))
    [found] = _runtime.run(board, binary, 0, [to_tensor(array[:32])])
    np.testing.assert_array_equal(to_numpy(found), np.abs(np.concatenate([array[:32]] * 2)))
    wide = _runtime.replicate_tensor(to_tensor(array[:32]), [1, 4])
    with pytest.raises(runtime.ArgumentError, match="tensor of mesh 2x1, found one of mesh 1x4"):
        _runtime.run(board, binary, 0, [wide])


def test_tensors_of_chips_are_inputs(board: _runtime.Device) -> None:
    """Those that each chip has, from the host or another chip, are one of the mesh."""
    program = MeshProgram((1, 2), [4, 5])
    x = program.input(program.dram((32, 32)))
    program.result(program.eltwise("Abs", x), (-1, 0), (64, 32))
    binary = program.load()
    array = random((64, 32))
    first = _runtime.to_layout(to_tensor(array[:32]), board, binary, 0, 0, 0)
    second = _runtime.to_layout(to_tensor(array[32:].copy()), board, binary, 0, 0, 1)
    assert _runtime.to_layout(first, board, binary, 0, 0, position=0).layout == first.layout
    assert (first.mesh_shape, first.is_on_device) == ([], True)
    # A tile, in the same bytes of each of 12 channels.
    assert first.device_bytes == 12 * 4096
    both = runtime.combine_device_tensors([first, second], [1, 2])
    assert both.device_bytes == 2 * first.device_bytes
    [found] = _runtime.run(board, binary, 0, [both])
    np.testing.assert_array_equal(to_numpy(found), np.abs(array))
    # The shards are on other chips, and go to those of the program.
    turned = runtime.combine_device_tensors(
        [runtime.copy_to_chip(tensor, board, chip) for tensor, chip in ((second, 7), (first, 4))],
        [1, 2],
    )
    [found] = _runtime.run(board, binary, 0, [turned])
    np.testing.assert_array_equal(to_numpy(found), np.abs(np.roll(array, 32, 0)))
    with pytest.raises(runtime.ArgumentError, match="expected a tensor of one chip, found"):
        runtime.copy_to_chip(both, board, 0)
    with pytest.raises(runtime.ArgumentError, match="expected a chip among the opened devices"):
        runtime.copy_to_chip(first, board, 8)
    with pytest.raises(runtime.ArgumentError, match="expected a position below 2, found 2"):
        _runtime.to_layout(first, board, binary, 0, 0, 2)


def test_memory_is_freed_on_every_chip(board: _runtime.Device) -> None:
    """1000 runs of 8 MB a chip: more than a chip has."""
    program = MeshProgram((1, 2))
    shape = (2, 1024, 2048)
    x = program.dram(shape)
    program.op("FullOp", device=program.device, fill_value=1.0, out=x)
    out = program.dram((1, 1))
    program.op("ReductionOp", type="Max", **{"in": x}, out=out, keep_dim=False)
    binary = program.load()
    _runtime.enable_report(board, True)
    for _ in range(3):
        _runtime.run(board, binary, 0, [])
    _runtime.enable_report(board, False)
    # 16 MB over 12 channels, the same in every run.
    assert _runtime.get_report(board).dram_high_water < 2 * 2**20


@pytest.mark.parametrize(
    ("mesh", "chips", "message"),
    [
        ((1, 2), [0, 0], "each chip once in field chip_ids, found 0 more than once"),
        ((1, 2), [0, 8], "chip ids below 8 in field chip_ids, found 8"),
        ((1, 4), [0, 1], "each position of mesh 1x4 in field chip_ids, found 2"),
        ((0, 2), [0, 1], "each position of mesh 0x2 in field chip_ids, found 2"),
        ((65536, 65536), [0], "each position of mesh 65536x65536 in field chip_ids, found 1"),
    ],
)
def test_meshes_that_do_not_fit(mesh: Any, chips: list[int], message: str) -> None:
    with pytest.raises(runtime.FormatError, match=message):
        MeshProgram(mesh, chips).load()


@pytest.mark.parametrize(
    ("dims", "cut", "message"),
    [
        ([-1, 0], [2, 1], "mesh 1x4: expected 4 shards of dimension 0, one for each chip"),
        ([-1, 2], [1, 4], "expected dimensions from -1 to 1, found 2 for axis 1 of the mesh"),
        ([0], [1, 1], "expected a dimension or -1 for each of 2 axes of the mesh, found 1"),
        ([-1, 0], [4, 1], "expected equal shards, found extent 6 of dimension 0 of 6x4"),
        ([-1, 1], [1, 4], "expected shape 6x1 in field out, found 6x4"),
    ],
)
def test_shards_that_do_not_fit(dims: list[int], cut: list[int], message: str) -> None:
    program = MeshProgram((1, 4))
    x = program.input(program.tensor((6, 4)))
    out = program.tensor((6, 4))
    fields = {"shard_shape": cut, "shard_dims": dims, "shard_type": "Devices"}
    program.op("MeshShardOp", **{"in": x}, out=out, shard_direction="FullToShard", **fields)
    with pytest.raises(runtime.FormatError) as error:
        program.load()
    assert message in str(error.value)
    assert "operation 1 (mesh_shard)" in str(error.value)


def test_chips_that_are_not_open(board: _runtime.Device) -> None:
    program = MeshProgram((1, 2), [6, 7])
    program.result(program.sharded_input((64, 32), (-1, 0)), (-1, 0), (64, 32))
    part = _runtime.open_system(_runtime.get_default_system_desc("t3000"), [0, 6])
    message = "mesh 1x2: expected a chip among the opened devices \\(0, 6\\), found 7"
    with pytest.raises(runtime.ArgumentError, match=message):
        _runtime.run(part, program.load(), 0, [to_tensor(random((64, 32)))])
    _runtime.close_device(part)
    other = _runtime.open_system(_runtime.get_default_system_desc("n300"), [0, 1])
    with pytest.raises(runtime.SystemMismatchError, match="number of chips 8, found 2"):
        _runtime.run(other, program.load(), 0, [to_tensor(random((64, 32)))])
    _runtime.close_device(other)


def test_links_belong_to_the_system() -> None:
    """A board with a link elsewhere is another system."""
    program = MeshProgram((1, 2))
    program.result(program.sharded_input((64, 32), (-1, 0)), (-1, 0), (64, 32))

    def rewire(document: dict[str, Any]) -> None:
        document["system_desc"]["chip_channels"][3]["device_id1"] = 6

    binary = machine.load(program, target="t3000", edit=rewire)
    opened = _runtime.open_mesh_device([1, 2], system_desc=t3000())
    with pytest.raises(runtime.SystemMismatchError, match="Ethernet link 3 chip"):
        _runtime.run(opened, binary, 0, [to_tensor(random((64, 32)))])
    _runtime.close_device(opened)


def t3000() -> _runtime.SystemDesc:
    return _runtime.get_default_system_desc("t3000")
