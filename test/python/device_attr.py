"""Views of a system as one device: functions that make them, and the examples of the specification.

    python test/python/device_attr.py

prints each example and checks where every point of its grid is. ``mapping`` and ``device`` make
others.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tensor_layout import evaluate

from ttmlir import ir
from ttmlir.dialects import tt


def mapping(rank: int, text: str) -> ir.AffineMap:
    """A map from a grid of ``rank`` dimensions; ``text`` is its right side."""
    dims = ", ".join(f"d{i}" for i in range(rank))
    return ir.AffineMapAttr.parse(f"affine_map<({dims}) -> ({text})>").value


def device(
    grid: Sequence[int], worker: str, mesh: Sequence[int], chips: Sequence[int]
) -> tt.ir.DeviceAttr:
    """A device of ``chips``; ``worker`` says for a point of the grid (chip, core row, column)."""
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


@dataclass(frozen=True)
class Example:
    """``place`` says without maps where a point of the grid is: (chip, core row, core column)."""

    grid: tuple[int, ...]
    worker: str
    mesh: tuple[int, ...]
    chips: tuple[int, ...]
    place: Callable[..., tuple[int, int, int]]

    def device(self) -> tt.ir.DeviceAttr:
        return device(self.grid, self.worker, self.mesh, self.chips)


EXAMPLES = {
    "one chip": Example((8, 8), "0, d0, d1", (1,), (0,), lambda y, x: (0, y, x)),
    "batch": Example((2, 8, 8), "d0, d1, d2", (2, 1, 1), (0, 1), lambda b, y, x: (b, y, x)),
    "side by side": Example(
        (8, 16),
        "(d0 floordiv 8) * 2 + d1 floordiv 8, d0, d1 mod 8",
        (1, 2),
        (0, 1),
        lambda y, x: (x // 8, y, x % 8),
    ),
    "batch, side by side": Example(
        (2, 8, 16),
        "d0 * 2 + (d1 floordiv 8) * 2 + d2 floordiv 8, d1, d2 mod 8",
        (2, 1, 2),
        (0, 1, 2, 3),
        lambda b, y, x: (2 * b + x // 8, y, x % 8),
    ),
    "the other four of eight chips": Example(
        (16, 16),
        "(d0 floordiv 8) * 2 + d1 floordiv 8, d0 mod 8, d1 mod 8",
        (2, 2),
        (4, 5, 6, 7),
        lambda y, x: (2 * (y // 8) + x // 8, y % 8, x % 8),
    ),
    "transposed": Example((8, 8), "0, d1, d0", (1,), (0,), lambda y, x: (0, x, y)),
    "extra wide": Example(
        (1, 64),
        "0, d0 * 8 + d1 floordiv 8, d1 mod 8",
        (1,),
        (0,),
        lambda y, x: (0, x // 8, x % 8),
    ),
    "extra tall": Example(
        (64, 1),
        "0, d1 * 8 + d0 floordiv 8, d0 mod 8",
        (1,),
        (0,),
        lambda y, x: (0, y // 8, y % 8),
    ),
    "staircase": Example(
        (8, 8), "0, d0, (d0 + d1) mod 8", (1,), (0,), lambda y, x: (0, y, (y + x) % 8)
    ),
}


def check(example: Example) -> tt.ir.DeviceAttr:
    """Every point of the grid is where it should be, and every core of every chip is one point."""
    attr = example.device()
    points = list(itertools.product(*map(range, example.grid)))
    places = [evaluate(attr.worker_grid.mapping, point) for point in points]
    assert places == [example.place(*point) for point in points]
    cores = itertools.product(range(math.prod(example.mesh)), range(8), range(8))
    assert sorted(places) == list(cores)
    assert tt.ir.DeviceType.get(ir.Context.current, attr).desc == attr
    return attr


def main() -> None:
    with ir.Context(), ir.Location.unknown():
        for name, example in EXAMPLES.items():
            print(f"{name}:\n  {check(example)}")


if __name__ == "__main__":
    main()
