"""The examples of the device specification, made with ttmlir.dialects.tt.ir."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from ttmlir import ir
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


def at(worker: ir.AffineMap, point: Sequence[int]) -> tuple[int, ...]:
    """The map's results at a point."""
    constants = [ir.AffineConstantExpr.get(p) for p in point]
    values = [expr.compose(ir.AffineMap.get(0, 0, constants)) for expr in worker.results]
    return tuple(ir.AffineConstantExpr(value).value for value in values)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    grid, worker, mesh, chips, point, place = EXAMPLES[name]
    attr = device(grid, worker, mesh, chips)
    assert at(attr.worker_grid.mapping, point) == place
    handle = tt.ir.DeviceType.get(ir.Context.current, attr)
    assert handle.desc == attr


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
    ],
)
def test_wrong_devices(
    grid: tuple[int, ...], worker: str, mesh: tuple[int, ...], chips: tuple[int, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        device(grid, worker, mesh, chips)
