"""Devices and systems in the short forms of the manual mean what the full forms say."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from device_attr import EXAMPLES, mapping
from tensor_layout import evaluate

import ttmlir
from ttmlir import ir
from ttmlir.dialects import tt


@pytest.fixture(autouse=True)
def context() -> Iterator[ir.Context]:
    with ir.Context() as context, ir.Location.unknown():
        yield context


def extents(values: Sequence[int]) -> str:
    return "x".join(map(str, values))


def short(grid: str, mesh: Sequence[int], chips: Sequence[int]) -> tt.ir.DeviceAttr:
    text = f"#tt.device<workerGrid = {grid}, meshShape = {extents(mesh)}, chipIds = {list(chips)}>"
    return tt.ir.DeviceAttr.unwrap(ir.Attribute.parse(text))


@pytest.mark.parametrize("name", EXAMPLES)
def test_memory_of_the_examples(name: str) -> None:
    """Shards of 2 in every dimension: each on its core, and one after the other in DRAM."""
    example = EXAMPLES[name]
    rank = len(example.grid)
    worker = mapping(rank, example.worker)
    attr = short(f"#tt.grid<{extents(example.grid)}, {worker}>", example.mesh, example.chips)
    assert attr == tt.ir.DeviceAttr.get(
        ir.Context.current,
        list(example.grid),
        worker,
        mesh_shape=list(example.mesh),
        chip_ids=list(example.chips),
    )
    assert ir.Attribute.parse(str(attr)) == attr
    shards, volume = [2] * rank, 2**rank
    memories = []
    for point in itertools.product(*map(range, example.grid)):
        chip, y, x = example.place(*point)
        last = [2 * index + 1 for index in point]
        assert evaluate(attr.l1_map, last, shards) == (chip, y, x, volume - 1)
        memories.append(evaluate(attr.dram_map, last, shards))
        # All 64 shards of a chip are in the first page of the first channel.
        assert memories[-1] == (chip, 0, 0, (8 * y + x) * volume + volume - 1)
    assert len(set(memories)) == math.prod(example.mesh) * 64


def test_dram_channels() -> None:
    """Pages of 8192 elements go round the 12 channels of an n150."""
    attr = short("#tt.grid<8x8, (d0, d1) -> (0, d0, d1)>", [1], [0])
    for row in (0, 1, 8191, 8192, 11 * 8192, 12 * 8192, 63 * 8192):
        # One column: the offset of a row in its shard is the row.
        chip, _, channel, _ = evaluate(attr.dram_map, [row, 0], [64 * 8192, 1])
        assert (chip, channel) == (0, row // 8192 % 12)


@pytest.mark.parametrize("mesh", [(), (1,), (1, 2), (2, 1), (2, 4), (8,), (2, 1, 2), (2, 2, 2)])
def test_meshes_are_those_of_the_system(mesh: tuple[int, ...]) -> None:
    context = ir.Context.current
    system = tt.ir.SystemDescAttr.from_name(context, "t3000")
    full = tt.ir.DeviceAttr.from_system_desc(context, system, list(mesh))
    assert short(str(full.worker_grid), full.mesh_shape, full.chip_ids) == full


@pytest.mark.parametrize(
    ("target", "arch", "grid"),
    [("n150", "wormhole_b0", "8x8"), ("p150", "blackhole", "10x13"), ("e150", "grayskull", "9x12")],
)
def test_systems(target: str, arch: str, grid: str) -> None:
    text = (
        f"#tt.system_desc<[<#tt.arch<{arch}>, #tt.grid<{grid}>>], [0], "
        "[<pcie|host_mmio>], [<0, 0, 0, 0>]>"
    )
    assert ir.Attribute.parse(text) == tt.ir.SystemDescAttr.from_name(ir.Context.current, target)


def test_a_program_on_a_part_of_a_chip() -> None:
    """Device and system in the module, both short; the numbers are those of numpy."""
    text = """
    module attributes {
      tt.device = #tt.device<
        workerGrid = #tt.grid<4x4, (d0, d1) -> (0, d0, d1)>, meshShape = 1, chipIds = [0]>,
      tt.system_desc = #tt.system_desc<[<#tt.arch<wormhole_b0>, #tt.grid<8x8>>], [0],
                                       [<pcie|host_mmio>], [<0, 0, 0, 0>]>} {
      func.func @main(%x: tensor<128x256xf32>, %y: tensor<128x256xf32>) -> tensor<128x256xf32> {
        %0 = tensor.empty() : tensor<128x256xf32>
        %1 = "ttir.add"(%x, %y, %0) <{operandSegmentSizes = array<i32: 2, 1>,
          operand_constraints = [#tt.operand_constraint<any_device>,
            #tt.operand_constraint<any_device>, #tt.operand_constraint<any_device>]}>
          : (tensor<128x256xf32>, tensor<128x256xf32>, tensor<128x256xf32>) -> tensor<128x256xf32>
        return %1 : tensor<128x256xf32>
      }
    }
    """
    x, y = np.random.default_rng(0).standard_normal((2, 128, 256), np.float32)
    exe = ttmlir.compile(text)
    np.testing.assert_array_equal(exe(x, y), x + y)
    assert "#tt.grid<4x4, (d0, d1) -> (0, d0, d1)>, l1Map = " in exe.mlir
