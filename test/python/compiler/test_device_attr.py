"""device_attr.py, the examples of the device specification; meshes, and devices that are wrong."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import device_attr
import pytest
from device_attr import EXAMPLES, check, device
from tensor_layout import evaluate

import ttmlir
from ttmlir import ir, passes
from ttmlir.dialects import tt


@pytest.fixture(autouse=True)
def context() -> Iterator[ir.Context]:
    with ir.Context() as context, ir.Location.unknown():
        yield context


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    check(EXAMPLES[name])


def test_script() -> None:
    command = [sys.executable, device_attr.__file__]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.count("#tt.device<") == len(EXAMPLES)


@pytest.mark.parametrize(
    "mesh", [(1, 2), (2, 1), (2, 2), (2, 4), (4, 2), (8,), (2, 1, 1), (2, 1, 2), (2, 2, 2)]
)
def test_every_point_of_a_mesh(mesh: tuple[int, ...]) -> None:
    context = ir.Context.current
    system = tt.ir.SystemDescAttr.from_name(context, "t3000")
    attr = tt.ir.DeviceAttr.from_system_desc(context, system, list(mesh))
    padded = [*mesh, 1][: max(2, len(mesh))]
    grid = [*padded[:-2], padded[-2] * 8, padded[-1] * 8]
    assert attr.worker_grid.shape == grid
    shards = [2] * len(grid)
    places, memories = [], []
    for point in itertools.product(*map(range, grid)):
        chip = 0
        at_chip = [*point[:-2], point[-2] // 8, point[-1] // 8]
        for extent, index in zip(padded, at_chip, strict=True):
            chip = chip * extent + index
        places.append((chip, point[-2] % 8, point[-1] % 8))
        assert evaluate(attr.worker_grid.mapping, point) == places[-1]
        # The last element of the shard of this core, in L1 and in DRAM.
        element = [2 * index + 1 for index in point]
        last = 2 ** len(grid) - 1
        assert evaluate(attr.l1_map, element, shards) == (*places[-1], last)
        *core, channel, offset = evaluate(attr.dram_map, element, shards)
        assert core == [chip, 0]
        memories.append((chip, channel, offset))
    assert sorted(places) == list(itertools.product(range(math.prod(mesh)), range(8), range(8)))
    assert len(set(memories)) == len(memories)
    # The memory of every chip has its 64 shards one after the other.
    assert {offset for _, _, offset in memories} <= set(range(64 * 2 ** len(grid)))


@pytest.mark.parametrize("target", ttmlir.targets())
def test_named_systems_are_those_of_the_runtime(target: str, tmp_path: Path) -> None:
    """The compiler and the runtime describe a target in the same words."""
    ours = tt.ir.SystemDescAttr.from_name(ir.Context.current, target)
    path = tmp_path / "system.ttsys"
    ttmlir.runtime.get_default_system_desc(target).store(str(path))
    module = ir.Module.parse("module {}")
    passes.run_pipeline(module, f"ttir-load-system-desc{{path={path}}}")
    assert module.operation.attributes["tt.system_desc"] == ours


def test_chips_of_a_t3000() -> None:
    """Row by row over 2x4; two links join neighbours, in rows and in columns, and no others."""
    system = tt.ir.SystemDescAttr.from_name(ir.Context.current, "t3000")
    assert [(c.y, c.x) for c in system.chip_coords] == list(itertools.product(range(2), range(4)))
    pairs = [(c.device_id0, c.device_id1) for c in system.chip_channels]
    rows = [(0, 1), (1, 2), (2, 3), (4, 5), (5, 6), (6, 7)]
    assert sorted(pairs) == sorted(2 * [*rows, (0, 4), (1, 5), (2, 6), (3, 7)])
    ends = [(c.device_id0, *c.ethernet_core_coord0) for c in system.chip_channels]
    ends += [(c.device_id1, *c.ethernet_core_coord1) for c in system.chip_channels]
    assert len(set(ends)) == len(ends)


def test_from_a_system() -> None:
    context = ir.Context.current
    system = tt.ir.SystemDescAttr.get_default(context)
    one = tt.ir.DeviceAttr.from_system_desc(context, system, [])
    assert one.worker_grid.shape == [8, 8]
    assert str(one.worker_grid.mapping) == "(d0, d1) -> (0, d0, d1)"
    assert str(one.l1_map) == (
        "(d0, d1)[s0, s1] -> (0, d0 floordiv s0, d1 floordiv s1, (d0 mod s0) * s1 + d1 mod s1)"
    )
    eight = tt.ir.SystemDescAttr.from_name(context, "t3000")
    batch = tt.ir.DeviceAttr.from_system_desc(context, eight, [2, 1, 1])
    assert batch.worker_grid.shape == [2, 8, 8]
    assert str(batch.worker_grid.mapping) == "(d0, d1, d2) -> (d0, d1, d2)"
    assert (batch.mesh_shape, batch.chip_ids) == ([2, 1, 1], [0, 1])


@pytest.mark.parametrize(
    ("grid", "worker", "mesh", "chips", "message"),
    [
        ((8, 8), "0, d0, d1", (1,), (), "expected at least one chip"),
        ((8, 8), "0, d0, d1", (2, 1), (0,), "expected chipIds size to match the volume of meshSh"),
        ((8, 0), "0, d0, d1", (1,), (0,), "positive"),
        ((8, 8), "d0, d1", (1,), (0,), "expected physical grid mapping to have"),
        ((8, 16), "d1 floordiv 8, d0, d1 mod 8", (1, 2), (1, 1), "once in mesh 1x2, found chip 1"),
        ((16, 8), "d0 floordiv 8, d0, d1", (2, 1, 1), (0, 1), "of 3 dimensions, those of mesh 2x1"),
        ((8, 16), "d1, d0, d1 mod 8", (1, 2), (0, 1), "on the 2 chips of the mesh, found 0x2 on"),
    ],
)
def test_wrong_devices(
    grid: tuple[int, ...], worker: str, mesh: tuple[int, ...], chips: tuple[int, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        device(grid, worker, mesh, chips)


@pytest.mark.parametrize(
    ("grid", "worker", "mesh", "chips", "message"),
    [
        (
            (8, 8),
            "0, d0 + 4, d1",
            (1,),
            (0,),
            "8x8 cores of a chip of mesh 1x1, found 4x0 on .* 8,0",
        ),
        (
            (8, 8),
            "0, d0, d1 - 1",
            (1,),
            (0,),
            "8x8 cores of a chip of mesh 1x1, found 0x0 on .* 0,-1",
        ),
        (
            (8, 8),
            "0, d0, 0",
            (1,),
            (0,),
            "own in mesh 1x1, found 0x1 on core 0,0 of chip 0 as well",
        ),
        (
            (2, 8, 8),
            "d0 - d0, d1, d2",
            (2, 1, 1),
            (1, 0),
            "found 1x0x0 on core 0,0 of chip 1 as well",
        ),
        (
            (8, 17),
            "0, d0, d1",
            (1, 2),
            (0, 1),
            "at most 128 points, the cores of mesh 1x2, found 8x17",
        ),
        ((2**20, 2**20), "0, d0, d1", (1,), (0,), "at most 64 points"),
    ],
)
def test_devices_that_do_not_fit_their_chips(
    grid: tuple[int, ...], worker: str, mesh: tuple[int, ...], chips: tuple[int, ...], message: str
) -> None:
    system = tt.ir.SystemDescAttr.from_name(ir.Context.current, "n300")
    text = f"tt.system_desc = {system}, tt.device = {device(grid, worker, mesh, chips)}"
    with pytest.raises(ir.MLIRError, match=message):
        ir.Module.parse(f"module attributes {{{text}}} {{}}")


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_fit_their_chips(name: str) -> None:
    system = tt.ir.SystemDescAttr.from_name(ir.Context.current, "t3000")
    text = f"tt.system_desc = {system}, tt.device = {EXAMPLES[name].device()}"
    assert ir.Module.parse(f"module attributes {{{text}}} {{}}").operation.verify()
