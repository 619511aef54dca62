"""The examples of the device specification, made with ttmlir.dialects.tt.ir."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType

import pytest

import ttmlir
from ttmlir import ir, passes
from ttmlir.dialects import tt


@pytest.fixture(autouse=True)
def context() -> Iterator[ir.Context]:
    with ir.Context() as context, ir.Location.unknown():
        yield context


def mapping(rank: int, text: str) -> ir.AffineMap:
    """A map from a grid of ``rank`` dimensions; ``text`` is its right side."""
    dims = ", ".join(f"d{i}" for i in range(rank))
    return ir.AffineMapAttr.parse(f"affine_map<({dims}) -> ({text})>").value


def device(
    grid: Sequence[int], worker: str, mesh: Sequence[int], chips: Sequence[int]
) -> tt.ir.DeviceAttr:
    context = ir.Context.current
    rank = len(grid)
    dims = ", ".join(f"d{i}" for i in range(rank))
    symbols = ", ".join(f"s{i}" for i in range(rank))
    memory = ir.AffineMapAttr.parse(f"affine_map<({dims})[{symbols}] -> (0, 0, 0, d0)>").value
    # Positional, as scripts for the reference have it.
    attr = tt.ir.DeviceAttr.get(
        context, list(grid), mapping(rank, worker), memory, memory, list(mesh), list(chips)
    )
    assert attr.worker_grid.shape == list(grid)
    assert attr.worker_grid.mapping == mapping(rank, worker)
    assert (attr.mesh_shape, attr.chip_ids) == (list(mesh), list(chips))
    assert tt.ir.DeviceAttr.unwrap(ir.Attribute.parse(str(attr))) == attr
    return attr


# Grid, map to (chip, y, x), mesh, chips, a core of the grid and where it is.
EXAMPLES = {
    "one chip": ((8, 8), "0, d0, d1", (1,), (0,), (3, 5), (0, 3, 5)),
    "batch": ((2, 8, 8), "d0, d1, d2", (2, 1, 1), (0, 1), (1, 3, 5), (1, 3, 5)),
    "side by side": (
        (8, 16),
        "(d0 floordiv 8) * 2 + d1 floordiv 8, d0, d1 mod 8",
        (1, 2),
        (0, 1),
        (3, 13),
        (1, 3, 5),
    ),
    "batch, side by side": (
        (2, 8, 16),
        "d0 * 2 + (d1 floordiv 8) * 2 + d2 floordiv 8, d1, d2 mod 8",
        (2, 1, 2),
        (0, 1, 2, 3),
        (1, 3, 13),
        (3, 3, 5),
    ),
    "the other four of eight chips": (
        (16, 16),
        "(d0 floordiv 8) * 2 + d1 floordiv 8, d0 mod 8, d1 mod 8",
        (2, 2),
        (4, 5, 6, 7),
        (11, 5),
        (2, 3, 5),
    ),
    "transposed": ((8, 8), "0, d1, d0", (1,), (0,), (3, 5), (0, 5, 3)),
    "extra wide": ((1, 64), "0, d0 * 8 + d1 floordiv 8, d1 mod 8", (1,), (0,), (0, 29), (0, 3, 5)),
    "extra tall": ((64, 1), "0, d1 * 8 + d0 floordiv 8, d0 mod 8", (1,), (0,), (29, 0), (0, 3, 5)),
    "staircase": ((8, 8), "0, d0, (d0 + d1) mod 8", (1,), (0,), (3, 7), (0, 3, 2)),
}


# Where every point of the grid is, said without maps: (chip, core row, core column).
PLACES: dict[str, Callable[..., tuple[int, int, int]]] = {
    "one chip": lambda y, x: (0, y, x),
    "batch": lambda b, y, x: (b, y, x),
    "side by side": lambda y, x: (x // 8, y, x % 8),
    "batch, side by side": lambda b, y, x: (2 * b + x // 8, y, x % 8),
    "the other four of eight chips": lambda y, x: (2 * (y // 8) + x // 8, y % 8, x % 8),
    "transposed": lambda y, x: (0, x, y),
    "extra wide": lambda y, x: (0, x // 8, x % 8),
    "extra tall": lambda y, x: (0, y // 8, y % 8),
    "staircase": lambda y, x: (0, y, (y + x) % 8),
}


def at(worker: ir.AffineMap, point: Sequence[int], symbols: Sequence[int] = ()) -> tuple[int, ...]:
    """The map's results at a point."""
    values = {f"d{i}": p for i, p in enumerate(point)} | {f"s{i}": s for i, s in enumerate(symbols)}
    return tuple(eval(text, {}, values) for text in python_expressions(str(worker)))


@functools.cache
def python_expressions(text: str) -> list[CodeType]:
    """The results of a map, compiled as Python."""
    results = text.split("->", 1)[1].strip()[1:-1]
    results = results.replace("floordiv", "//").replace("mod", "%")
    parts, depth = [""], 0
    for character in results:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [compile(part.strip(), "map", "eval") for part in parts]


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    grid, worker, mesh, chips, point, place = EXAMPLES[name]
    attr = device(grid, worker, mesh, chips)
    assert at(attr.worker_grid.mapping, point) == place
    handle = tt.ir.DeviceType.get(ir.Context.current, attr)
    assert handle.desc == attr


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_point_of_the_examples(name: str) -> None:
    grid, worker, mesh, chips, _, _ = EXAMPLES[name]
    attr = device(grid, worker, mesh, chips)
    points = list(itertools.product(*map(range, grid)))
    places = [at(attr.worker_grid.mapping, point) for point in points]
    assert places == [PLACES[name](*point) for point in points]
    # Every core of every chip once.
    assert sorted(places) == list(itertools.product(range(math.prod(mesh)), range(8), range(8)))


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
        assert at(attr.worker_grid.mapping, point) == places[-1]
        # The last element of the shard of this core, in L1 and in DRAM.
        element = [2 * index + 1 for index in point]
        last = 2 ** len(grid) - 1
        assert at(attr.l1_map, element, shards) == (*places[-1], last)
        *core, channel, offset = at(attr.dram_map, element, shards)
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
    grid, worker, mesh, chips, _, _ = EXAMPLES[name]
    system = tt.ir.SystemDescAttr.from_name(ir.Context.current, "t3000")
    text = f"tt.system_desc = {system}, tt.device = {device(grid, worker, mesh, chips)}"
    assert ir.Module.parse(f"module attributes {{{text}}} {{}}").operation.verify()
