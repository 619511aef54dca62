"""The data of the page of a tensor's layout: the position of each element, by the compiler's rules.

The map to rows and columns, the shards, the pages and the cores come from ``#tt.layout``,
``#ttkernel.tensor_accessor_args`` and ``#tt.device``. This module adds the facts that no attribute
has: pages are interleaved over banks, and tiles have an order of elements.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ttmlir import ir
from ttmlir._targets import resolve
from ttmlir.builder._dtypes import DTYPES, canonical
from ttmlir.dialects import tt, ttkernel
from ttmlir.errors import InputError

#: Limits of a page.
MOST_PAGES = 1 << 17
MOST_ROWS = 1 << 20
MEMORY_SPACES = {
    "dram": tt.MemorySpace.DeviceDRAM,
    "l1": tt.MemorySpace.DeviceL1,
}
MEMORY_LAYOUTS = {
    "none": tt.TensorMemoryLayout.None_,
    "interleaved": tt.TensorMemoryLayout.Interleaved,
    "single_bank": tt.TensorMemoryLayout.SingleBank,
    "height_sharded": tt.TensorMemoryLayout.HeightSharded,
    "width_sharded": tt.TensorMemoryLayout.WidthSharded,
    "block_sharded": tt.TensorMemoryLayout.BlockSharded,
}
_Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class TensorLayout:
    """A tensor and its memory layout.

    Args:
        shape: its extents.
        dtype: the format of its elements, as in ``Builder.input``, or a block float such as
            ``bfp8_b``.
        grid: rows and columns of cores that have shards of it.
        collapse_intervals: dimensions [begin, end) to collapse; negative ones count from the end.
        tile: rows and columns of a tile; None for row-major.
        memory_space: ``l1`` or ``dram``.
        memory_layout: as in ``#tt.layout``; by default ``interleaved`` in DRAM, else ``none``.
        target: the name of a system, whose first chip is shown.
        address: address of the tensor in each bank, in bytes; by default the first free one.
    """

    shape: tuple[int, ...]
    dtype: str = "f32"
    grid: tuple[int, ...] = (1, 1)
    collapse_intervals: tuple[tuple[int, int], ...] = ((0, -1),)
    tile: tuple[int, int] | None = (32, 32)
    memory_space: str = "l1"
    memory_layout: str = ""
    target: str = "n150"
    address: int | None = None

    def data(self) -> dict[str, Any]:
        """Returns the data of the page as JSON-compatible values.

        Raises:
            InputError: the compiler does not support the layout, or a page cannot draw it.
            Error: the target does not exist.
        """
        desc = resolve(self.target, None)
        context = ir.Context()
        with context, ir.Location.unknown():
            system = cast("Any", tt.ir.SystemDescAttr.from_bytes(context, desc.to_bytes()))
            try:
                return self._data(context, system)
            except ValueError as error:
                if isinstance(error, InputError):
                    raise
                raise InputError(f"layout: {error}") from None

    def _data(self, context: ir.Context, system: Any) -> dict[str, Any]:
        chip = system.chip_descs[system.chip_desc_indices[0]]
        tiles = [(size.y, size.x) for size in chip.supported_tile_sizes]
        if self.tile and self.tile not in tiles:
            known = ", ".join(f"{y}x{x}" for y, x in tiles)
            raise InputError(f"tile: expected one of {known}, found {self.tile[0]}x{self.tile[1]}")
        kind, layout = self._type(context)
        # The stubs declare Attribute where the bindings return their own class.
        pages = cast("Any", ttkernel.ir.TensorAccessorArgsAttr.for_tensor(kind, system))
        rows, columns = pages.tensor_pages
        if rows * columns > MOST_PAGES or math.prod(self.shape[:-1]) > MOST_ROWS:
            raise InputError(
                f"a tensor of {rows * columns} pages: expected at most {MOST_PAGES} pages and "
                f"{MOST_ROWS} rows to draw"
            )
        physical = _Physical(self.shape, layout, self.tile, pages.tensor_pages)
        dram = self.memory_space == "dram"
        base = self.address
        if base is None:
            base = chip.dram_unreserved_base if dram else chip.l1_unreserved_base
        order, bits, header = self._order()
        return {
            "title": f"{'x'.join(map(str, self.shape))} {self.dtype} on {self.target}",
            "type": str(kind),
            "linear": str(layout.linear),
            "shape": self.shape,
            "stride": list(layout.stride(list(self.shape))),
            "grid": self.grid,
            "shard": list(layout.shard_shape),
            "shard_pages": list(pages.shard_pages),
            "memory": self.memory_space,
            "memory_layout": self._memory_layout(),
            "tile": self.tile,
            "page": {
                "rows": rows,
                "columns": columns,
                "height": self.tile[0] if self.tile else 1,
                "width": physical.page_width,
                "bytes": pages.page_size,
                "aligned": pages.aligned_page_size,
            },
            "rows": physical.rows,
            "columns": physical.columns,
            "places": self._page_positions(context, system, layout, pages),
            "bank_bytes": pages.bytes_per_bank(system),
            "order": order,
            "bits": bits,
            "header": header,
            "base": base,
            "chip": {
                "grid": list(chip.grid),
                "channels": len(chip.chip_physical_cores.dram),
                "l1_size": chip.l1_size,
            },
        }

    def _memory_layout(self) -> str:
        if self.memory_layout:
            return self.memory_layout
        return "interleaved" if self.memory_space == "dram" else "none"

    def _type(self, context: ir.Context) -> tuple[ir.RankedTensorType, Any]:
        for name, value, known in (
            ("memory_space", self.memory_space, MEMORY_SPACES),
            ("memory_layout", self._memory_layout(), MEMORY_LAYOUTS),
        ):
            if value not in known:
                raise InputError(f"{name}: expected one of {', '.join(known)}, found {value!r}")
        if not self.shape or min(self.shape) < 1 or min(self.grid, default=0) < 1:
            raise InputError(
                f"expected a shape and a grid of positive extents, found shape {self.shape} and "
                f"grid {self.grid}"
            )
        form = DTYPES[canonical(self.dtype)]
        if form.block and self.tile is None:
            raise InputError(f"tile: expected one, elements of {self.dtype} share tiles")
        element = ir.Type.parse(form.element)
        layout = tt.ir.LayoutAttr.get(
            context,
            ir.RankedTensorType.get(self.shape, element),
            int(MEMORY_SPACES[self.memory_space]),
            tt.ir.GridAttr.get(context, list(self.grid)),
            list(self.collapse_intervals),
            int(tt.OOBVal.Undef),
            int(MEMORY_LAYOUTS[self._memory_layout()]),
        )
        if self.tile:
            tile = ir.Type.parse(f"!tt.tile<{self.tile[0]}x{self.tile[1]}, {form.tile}>")
            layout = tt.ir.LayoutAttr.with_element_type(context, layout, tile)
        return ir.RankedTensorType.get(self.shape, element, layout), layout

    def _page_positions(
        self, context: ir.Context, system: Any, layout: Any, pages: Any
    ) -> list[list[int]]:
        """Returns, for each page in row-major order, row and column of the core, or 0 and the DRAM
        channel, and the byte offset in the tensor's part there."""
        chip = system.chip_descs[system.chip_desc_indices[0]]
        rows, columns = chip.grid
        index = np.arange(math.prod(pages.tensor_pages))
        if self._memory_layout() in ("interleaved", "single_bank"):
            if self.memory_space == "dram":
                rows, columns = 1, len(chip.chip_physical_cores.dram)
            banks = rows * columns if self._memory_layout() == "interleaved" else 1
            y, x = np.divmod(index % banks, columns)
            return _columns(y, x, index // banks * pages.aligned_page_size)
        row, column = np.divmod(index, pages.tensor_pages[1])
        shard = layout.memref.shape
        device = cast("Any", tt.ir.DeviceAttr.from_system_desc(context, system, []))
        # In tiles, or in elements.
        point = [row, column * (1 if self.tile else shard[-1])]
        _, y, x, offset = (_value(e, point, shard) for e in device.l1_map.results)
        grid_rows, grid_columns = self.grid
        if grid_rows > rows or grid_columns > columns:
            # A line of cores that is longer than the chip wraps along its rows.
            line = {"height_sharded": grid_columns, "width_sharded": grid_rows}
            if line.get(self._memory_layout()) != 1 or grid_rows * grid_columns > rows * columns:
                raise InputError(
                    f"grid: expected one inside the {rows}x{columns} cores of a chip, or a line of "
                    f"as many with a sharded memory layout, found {grid_rows}x{grid_columns}"
                )
            y, x = np.divmod(row // pages.shard_pages[0] + column // pages.shard_pages[1], columns)
        unit = pages.page_size if self.tile else self._order()[1] // 8
        return _columns(y, x, offset * unit)

    def _order(self) -> tuple[list[int], int, int]:
        """Returns the positions in memory of a tile's elements in row-major order, the bits of an
        element, and the bytes before the first one, which hold the exponents of block floats."""
        form = DTYPES[canonical(self.dtype)]
        if self.tile is None:
            return [], np.dtype(form.numpy).itemsize * 8, 0
        count = self.tile[0] * self.tile[1]
        bits = 8 * form.tile_bytes // 1024
        header = count // 16 if form.block else 0
        return tile_order(*self.tile), bits, header


def tile_order(height: int, width: int) -> list[int]:
    """Returns the memory order of a tile's elements: consecutive faces of at most 16x16."""
    face = min(height, 16), min(width, 16)
    y, x = np.divmod(np.arange(height * width), width)
    index = (y // face[0]) * (width // face[1]) + x // face[1]
    at = index * face[0] * face[1] + (y % face[0]) * face[1] + x % face[1]
    return cast("list[int]", at.tolist())


def _columns(*columns: _Numbers) -> list[list[int]]:
    return cast("list[list[int]]", np.stack(columns, axis=-1).tolist())


class _Physical:
    """The rows and columns of pages that contain a tensor's elements.

    ``rows`` and ``columns`` list the dimensions that determine them and, for each combination of
    their indices in row-major order, the row or column among all pages, including padding.
    """

    def __init__(
        self,
        shape: Sequence[int],
        layout: Any,
        tile: tuple[int, int] | None,
        tensor_pages: Sequence[int],
    ) -> None:
        results = list(layout.linear.results)
        across = _dimensions(results[-1])
        down = [d for d in range(len(shape)) if d not in across]
        if any(set(_dimensions(result)) & set(across) for result in results[:-1]):
            raise InputError(
                f"layout: a page draws maps in which no dimension leads to both rows and columns, "
                f"found {layout.linear}"
            )
        # The last point of the map is the last element.
        last = [np.array([extent - 1]) for extent in shape]
        extents = [int(_value(result, last)[0]) + 1 for result in results]
        height = tile[0] if tile else 1
        row: _Numbers = np.zeros(math.prod(shape[d] for d in down), np.int64)
        indices = _indices(shape, down)
        for result, extent in zip(results[:-2], extents[:-2], strict=True):
            row = row * extent + _value(result, indices)
        if len(results) > 1:
            inner = _value(results[-2], indices)
            row = row * -(-extents[-2] // height) * height + inner
        self.rows = {"dims": down, "at": row.tolist()}
        column = _value(results[-1], _indices(shape, across))
        self.columns = {"dims": across, "at": column.tolist()}
        if tile:
            self.page_width = tile[1]
        else:
            self.page_width = extents[-1] if tensor_pages[1] == 1 else layout.shard_shape[-1]


def _indices(shape: Sequence[int], dims: Sequence[int]) -> list[_Numbers]:
    """Returns all indices along some dimensions in row-major order, and 0 along the others."""
    size = [shape[d] for d in dims]
    found = np.unravel_index(np.arange(math.prod(size)), size) if dims else ()
    zero = np.zeros(math.prod(size), np.int64)
    at = dict(zip(dims, found, strict=True))
    return [at.get(d, zero) for d in range(len(shape))]


def _dimensions(expression: Any) -> list[int]:
    """Returns the dimensions that an affine expression uses."""
    if isinstance(expression, ir.AffineDimExpr):
        return [expression.position]
    if isinstance(expression, (ir.AffineConstantExpr, ir.AffineSymbolExpr)):
        return []
    return sorted({*_dimensions(expression.lhs), *_dimensions(expression.rhs)})


def _value(expression: Any, indices: list[_Numbers], symbols: Sequence[int] = ()) -> _Numbers:
    """Evaluates an affine expression of the compiler at many points."""
    if isinstance(expression, ir.AffineDimExpr):
        return indices[expression.position]
    if isinstance(expression, ir.AffineSymbolExpr):
        return np.full_like(indices[0], symbols[expression.position])
    if isinstance(expression, ir.AffineConstantExpr):
        return np.full_like(indices[0], expression.value)
    left, right = (_value(e, indices, symbols) for e in (expression.lhs, expression.rhs))
    if isinstance(expression, ir.AffineAddExpr):
        return left + right
    if isinstance(expression, ir.AffineMulExpr):
        return left * right
    if isinstance(expression, ir.AffineModExpr):
        return left % right
    return left // right if isinstance(expression, ir.AffineFloorDivExpr) else -(-left // right)
