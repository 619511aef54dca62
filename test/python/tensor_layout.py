"""Tensor layouts to try out: functions that make them, and the examples of their specification.

    python test/python/tensor_layout.py

prints each example and checks it. To look at others, import the functions in an interpreter:

    from ttmlir import ir
    from tensor_layout import *
    with ir.Context(), ir.Location.unknown():
        print(encoded((2, 3, 64, 128), layout((2, 3, 64, 128), (2, 4))))
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from types import CodeType

from ttmlir import ir
from ttmlir.dialects import tt

Intervals = list[tuple[int, int]]
COLLAPSE_ROWS: Intervals = [(0, -1)]


def layout(
    shape: Sequence[int],
    grid: Sequence[int],
    intervals: Intervals = COLLAPSE_ROWS,
    space: tt.MemorySpace = tt.MemorySpace.DeviceL1,
    oob: tt.OOBVal = tt.OOBVal.Undef,
    memory_layout: tt.TensorMemoryLayout = tt.TensorMemoryLayout.None_,
) -> tt.ir.LayoutAttr:
    """The layout of an f32 tensor on a grid; ``intervals`` are the dimensions that collapse."""
    context = ir.Context.current
    tensor = ir.RankedTensorType.get(shape, ir.F32Type.get())
    cores = tt.ir.GridAttr.get(context, list(grid))
    # Positional, as scripts for the reference have it.
    return tt.ir.LayoutAttr.get(context, tensor, space, cores, intervals, oob, memory_layout)


def tilize(
    attr: tt.ir.LayoutAttr, data_type: tt.DataType = tt.DataType.BFP_BFloat8
) -> tt.ir.LayoutAttr:
    """The same layout, of tiles of 32x32."""
    tile = tt.ir.TileType.get(ir.Context.current, 32, 32, data_type)
    return tt.ir.LayoutAttr.with_element_type_(ir.Context.current, attr, tile)


def parallelize(
    attr: tt.ir.LayoutAttr,
    shape: Sequence[int],
    grid: Sequence[int],
    intervals: Intervals = COLLAPSE_ROWS,
) -> tt.ir.LayoutAttr:
    """The same tensor, of this shape, on another grid."""
    context = ir.Context.current
    cores = tt.ir.GridAttr.get(context, list(grid))
    return tt.ir.LayoutAttr.with_grid_(context, attr, list(shape), cores, intervals)


def encoded(shape: Sequence[int], attr: tt.ir.LayoutAttr) -> ir.RankedTensorType:
    """The type of an f32 tensor that lies so."""
    return ir.RankedTensorType.get(shape, ir.F32Type.get(), attr)


def evaluate(
    affine: ir.AffineMap, point: Sequence[int], symbols: Sequence[int] = ()
) -> tuple[int, ...]:
    """The map's results at a point."""
    values = {f"d{i}": p for i, p in enumerate(point)} | {f"s{i}": s for i, s in enumerate(symbols)}
    return tuple(eval(text, {}, values) for text in _python_expressions(str(affine)))


@functools.cache
def _python_expressions(text: str) -> list[CodeType]:
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


@dataclass(frozen=True)
class Example:
    """``right`` is what the right side of the map says; ``tiles`` those of a shard, as bfp_bf8."""

    shape: tuple[int, ...]
    grid: tuple[int, ...]
    right: str
    shard: tuple[int, ...]
    tiles: tuple[int, ...] | None = None
    intervals: Intervals | None = None

    def layout(self) -> tt.ir.LayoutAttr:
        intervals = COLLAPSE_ROWS if self.intervals is None else self.intervals
        return layout(self.shape, self.grid, intervals)


EXAMPLES = {
    "walkthrough": Example(
        (2, 3, 64, 128), (1, 1), "(d0 * 192 + d1 * 64 + d2, d3)", (384, 128), (12, 4)
    ),
    "multi-core": Example(
        (2, 3, 64, 128), (2, 4), "(d0 * 192 + d1 * 64 + d2, d3)", (192, 32), (6, 1)
    ),
    "two columns": Example((8, 300), (1, 2), "(d0, d1)", (8, 150)),
    "two rows": Example((8, 96, 32), (2, 1), "(d0 * 96 + d1, d2)", (384, 32)),
    "vector": Example((64,), (1, 1), "(0, d0)", (1, 64)),
    "one batch": Example((1, 32, 32), (1, 1), "(d0 * 32 + d1, d2)", (32, 32)),
    "3d onto 2d": Example((4, 5, 6), (1, 1), "(d0 * 5 + d1, d2)", (20, 6), intervals=[(0, -1)]),
    "4d onto 3d, inner": Example(
        (4, 5, 6, 7), (1, 1, 1), "(d0, d1 * 6 + d2, d3)", (4, 30, 7), intervals=[(1, -1)]
    ),
    "4d onto 3d, outer": Example(
        (4, 5, 6, 7), (1, 1, 1), "(d0 * 5 + d1, d2, d3)", (20, 6, 7), intervals=[(0, 2)]
    ),
    "7d onto 4d": Example(
        (5, 3, 2, 2, 7, 32, 32),
        (3, 2, 2, 2),
        "(d0 * 6 + d1 * 2 + d2, d3, d4 * 32 + d5, d6)",
        (10, 1, 112, 16),
        intervals=[(0, 3), (-3, -1)],
    ),
    "tilized": Example((3, 64, 128), (3, 2), "(d0 * 64 + d1, d2)", (64, 64), (2, 2)),
    "padding": Example((53, 63), (3, 2), "(d0, d1)", (18, 32), (1, 1)),
    "packed batches": Example((2, 8, 32), (1, 2), "(d0 * 8 + d1, d2)", (16, 16), (1, 1)),
    "multi-device": Example(
        (2, 3, 64, 128), (2, 2, 4), "(d0, d1 * 64 + d2, d3)", (1, 96, 32), (1, 3, 1), [(1, -1)]
    ),
    "batch over two chips": Example(
        (16, 3, 64, 128), (2, 2, 4), "(d0, d1 * 64 + d2, d3)", (8, 96, 32), (8, 3, 1), [(1, -1)]
    ),
    "two chips side by side": Example((256, 1024), (4, 16), "(d0, d1)", (64, 64), (2, 2)),
    "batch over chips side by side": Example(
        (64, 256, 1024), (2, 4, 16), "(d0, d1, d2)", (32, 64, 64), (32, 2, 2), []
    ),
}


def check(example: Example) -> list[ir.RankedTensorType]:
    """Returns the tensors of an example, in rows and in tiles."""
    attr = example.layout()
    assert str(attr.linear).partition(" -> ")[2] == example.right
    assert tuple(attr.grid_attr.shape) == example.grid
    assert tuple(attr.shard_shape) == tuple(attr.memref.shape) == example.shard
    tensors = [encoded(example.shape, attr)]
    assert tt.ir.LayoutAttr.getLayout(tensors[0]) == attr
    # The last element is in the last shard: the map's results, divided by the grid, give its shape.
    last = evaluate(attr.linear, [extent - 1 for extent in example.shape])
    sizes = [-(-(i + 1) // cores) for i, cores in zip(last, example.grid, strict=True)]
    assert tuple(sizes) == example.shard
    if example.tiles:
        tiled = tilize(attr)
        assert tiled.is_tiled
        assert tuple(tiled.memref.shape) == example.tiles
        assert str(tiled.memref.element_type) == "!tt.tile<32x32, bfp_bf8>"
        # The grid divides before the tiles do; the logical side stays.
        assert (tiled.linear, tiled.grid_attr) == (attr.linear, attr.grid_attr)
        *outer, rows, columns = example.tiles
        assert tuple(tiled.shard_shape) == (*outer, rows * 32, columns * 32)
        tensors.append(encoded(example.shape, tiled))
    for tensor in tensors:
        assert ir.Type.parse(str(tensor)) == tensor
    return tensors


def main() -> None:
    with ir.Context(), ir.Location.unknown():
        for name, example in EXAMPLES.items():
            print(f"{name}:", *check(example), sep="\n  ")


if __name__ == "__main__":
    main()
