"""The resources of the chip for a program, and the placement of its tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from ttmlir import ir
from ttmlir._runtime import KernelChip
from ttmlir.dialects import tt, ttkernel
from ttmlir.kernel import _formats
from ttmlir.kernel._errors import BuildError
from ttmlir.kernel._resources import CoreRange, Tensor, padded_rows

if TYPE_CHECKING:
    from ttmlir import runtime

LAYOUTS = ("tile", "row_major")
MEMORIES = ("dram", "l1")
_SPACES = {"dram": tt.MemorySpace.DeviceDRAM, "l1": tt.MemorySpace.DeviceL1}


def align(number: int, alignment: int) -> int:
    return -(-number // alignment) * alignment


def tensor_type(
    context: ir.Context,
    shape: Sequence[int],
    dtype: str,
    tiled: bool,
    memory: str,
    grid: Sequence[int],
) -> ir.RankedTensorType:
    """Returns the type of a tensor with its layout: interleaved over the banks of DRAM, or sharded
    over the L1 of the cores of ``grid``."""
    layouts = tt.TensorMemoryLayout
    with context, ir.Location.unknown():
        element = ir.Type.parse(_formats.element(dtype))
        layout = tt.ir.LayoutAttr.get(
            context,
            ir.RankedTensorType.get(shape, element),
            int(_SPACES[memory]),
            tt.ir.GridAttr.get(context, list(grid)),
            [(0, -1)],
            int(tt.OOBVal.Undef),
            int(layouts.Interleaved if memory == "dram" else layouts.None_),
        )
        if tiled:
            tile = ir.Type.parse(_formats.tile(dtype))
            layout = tt.ir.LayoutAttr.with_element_type(context, layout, tile)
        return ir.RankedTensorType.get(shape, element, layout)


def _kernel_chip(chip: Any) -> KernelChip:
    return KernelChip(
        blackhole="blackhole" in str(chip.arch),
        l1_alignment=chip.noc_l1_address_align_bytes,
        dram_alignment=chip.noc_dram_address_align_bytes,
        dram_banks=chip.num_dram_channels,
        l1_banks=math.prod(chip.grid),
    )


class Machine:
    """The first chip of a system in the compiler's view, and the memory in use."""

    def __init__(self, system_desc: runtime.SystemDesc) -> None:
        self._context = ir.Context()
        # The stubs declare Attribute where the bindings return their own class.
        self._system = cast(
            "Any", tt.ir.SystemDescAttr.from_bytes(self._context, system_desc.to_bytes())
        )
        chip = self._system.chip_descs[self._system.chip_desc_indices[0]]
        self.rows, self.columns = chip.grid
        #: Properties of the chip that kernels in C++ can query.
        self.kernel_chip = _kernel_chip(chip)
        self.alignment: int = max(
            chip.noc_l1_address_align_bytes, chip.noc_dram_address_align_bytes
        )
        self.next = {
            "dram": align(chip.dram_unreserved_base, self.alignment),
            "l1": align(chip.l1_unreserved_base, self.alignment),
        }
        self.end: dict[str, int] = {"dram": chip.dram_unreserved_end, "l1": chip.l1_size}

    def check(self, cores: CoreRange) -> CoreRange:
        """Returns ``cores`` if the chip has them."""
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
        """Places a tensor after the earlier ones."""
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
        if tuple(grid) != (1, 1) and any(
            e % (g * side) for e, g in zip((rows, columns), grid, strict=True)
        ):
            raise BuildError(
                f"'{name}': expected {rows}x{columns} elements to divide into whole "
                f"{'tiles' if tiled else 'rows'} on a grid of {grid[0]}x{grid[1]}"
            )
        try:
            kind = tensor_type(self._context, shape, dtype, tiled, memory, grid)
        except ValueError as error:
            raise BuildError(f"'{name}': {error}") from None
        pages = cast("Any", ttkernel.ir.TensorAccessorArgsAttr.for_tensor(kind, self._system))
        page_rows, page_columns = pages.tensor_pages
        size = pages.bytes_per_bank(self._system)
        return Tensor(
            name,
            tuple(shape),
            dtype,
            tiled,
            memory,
            (grid[0], grid[1]),
            role,
            self.allocate(name, memory, size),
            size,
            pages.page_size,
            pages.aligned_page_size,
            page_rows,
            page_columns,
            str(pages),
        )

    def allocate(self, name: str, memory: str, size: int) -> int:
        """Allocates ``size`` bytes and returns their address."""
        address = self.next[memory]
        if address + size > self.end[memory]:
            where = "a bank of the DRAM" if memory == "dram" else "L1 of a core"
            raise BuildError(
                f"'{name}' does not fit {where}: expected at most "
                f"{self.end[memory] - address} bytes, found {size}"
            )
        self.next[memory] = align(address + size, self.alignment)
        return address
