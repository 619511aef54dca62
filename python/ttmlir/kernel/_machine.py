"""What a program may use of the chip, and where its tensors lie."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ttmlir.kernel import _formats
from ttmlir.kernel._errors import BuildError
from ttmlir.kernel._resources import CoreRange, Tensor, padded_rows

if TYPE_CHECKING:
    from ttmlir import runtime

LAYOUTS = ("tile", "row_major")
MEMORIES = ("dram", "l1")


def align(number: int, alignment: int) -> int:
    return -(-number // alignment) * alignment


class Machine:
    """The first chip of a system, and how much of its memories is taken."""

    def __init__(self, system_desc: runtime.SystemDesc) -> None:
        system = json.loads(system_desc.as_json())["system_desc"]
        self._chip = chip = system["chip_descs"][system["chip_desc_indices"][0]]
        self.rows, self.columns = chip["grid_size"]["y"], chip["grid_size"]["x"]
        self.banks: int = chip["num_dram_channels"]
        self.alignment: int = max(
            chip["noc_l1_address_align_bytes"], chip["noc_dram_address_align_bytes"]
        )
        self.next = {
            "dram": align(chip["dram_unreserved_base"], self.alignment),
            "l1": align(chip["l1_unreserved_base"], self.alignment),
        }
        self.end = {"dram": int(chip["dram_unreserved_end"]), "l1": int(chip["l1_size"])}

    def check(self, cores: CoreRange) -> CoreRange:
        """``cores``, if the chip has them."""
        if cores.y + cores.rows > self.rows or cores.x + cores.columns > self.columns:
            raise BuildError(
                f"cores: expected some of the chip's {self.rows}x{self.columns}, found {cores}"
            )
        return cores

    def place(
        self,
        name: str,
        shape: Sequence[int],
        dtype: str,
        layout: str,
        memory: str,
        grid: tuple[int, int],
        role: str,
    ) -> Tensor:
        """A tensor behind those that were placed before."""
        if layout not in LAYOUTS or memory not in MEMORIES:
            raise BuildError(
                f"'{name}': expected a layout of {', '.join(LAYOUTS)} and a memory of "
                f"{', '.join(MEMORIES)}, found {layout!r} and {memory!r}"
            )
        if not shape or min(shape) < 1:
            raise BuildError(f"'{name}': expected positive extents, found shape {tuple(shape)}")
        tiled = layout == "tile"
        if not tiled and _formats.is_block(dtype):
            raise BuildError(f"'{name}': expected layout 'tile', elements of {dtype} share tiles")
        self.check(CoreRange(0, 0, *grid))
        if memory == "dram" and tuple(grid) != (1, 1):
            raise BuildError(f"'{name}': expected grid (1, 1) in dram, found {tuple(grid)}")
        rows, columns = padded_rows(shape, tiled)
        side = 32 if tiled else 1
        shard = [-(-e // g) for e, g in zip((rows, columns), grid, strict=True)]
        if tuple(grid) != (1, 1) and any(
            e % (g * side) for e, g in zip((rows, columns), grid, strict=True)
        ):
            raise BuildError(
                f"'{name}': expected {rows}x{columns} elements to divide into whole "
                f"{'tiles' if tiled else 'rows'} on a grid of {grid[0]}x{grid[1]}"
            )
        if tiled:
            page = _formats.tile_bytes(dtype)
            pages = [-(-e // 32) * g for e, g in zip(shard, grid, strict=True)]
        else:
            page = shard[1] * _formats.element_bytes(dtype)
            pages = [rows, grid[1]]
        # Shards are contiguous; pages of a bank begin where the NoC can read them.
        stride = align(page, self.alignment) if memory == "dram" else page
        if memory == "dram":
            size = -(-pages[0] * pages[1] // self.banks) * stride
        else:
            size = pages[0] * pages[1] // (grid[0] * grid[1]) * page
        address = self.allocate(name, memory, size)
        return Tensor(
            name,
            tuple(shape),
            dtype,
            tiled,
            memory,
            (grid[0], grid[1]),
            role,
            address,
            size,
            page,
            stride,
            pages[0],
            pages[1],
        )

    def allocate(self, name: str, memory: str, size: int) -> int:
        """The address of ``size`` bytes behind what is taken."""
        address = self.next[memory]
        if address + size > self.end[memory]:
            where = "a bank of the DRAM" if memory == "dram" else "L1 of a core"
            raise BuildError(
                f"'{name}' does not fit {where}: expected at most "
                f"{self.end[memory] - address} bytes, found {size}"
            )
        self.next[memory] = align(address + size, self.alignment)
        return address
