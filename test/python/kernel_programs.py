"""Programs of kernels that tests of several subjects run."""

from __future__ import annotations

from ttmlir import kernel


def zeros() -> kernel.Program:
    """The kernel ``fill`` on two cores, each of which writes a tile of zeros."""

    @kernel.data_movement()
    def fill(y: kernel.Tensor, tile: kernel.CircularBuffer) -> None:
        kernel.cb_reserve_back(tile, 1)
        address = kernel.get_write_ptr(tile)
        kernel.fill_with_val(address, y.page_size // 2, 0, 2)
        kernel.noc_async_write_page(kernel.core_index(), kernel.tensor_accessor(y), address)
        kernel.noc_async_write_barrier()
        kernel.cb_push_back(tile, 1)
        kernel.cb_wait_front(tile, 1)
        kernel.cb_pop_front(tile, 1)

    program = kernel.Program(cores=(1, 2))
    y = program.output("y", (32, 64))
    program.add(fill, y, program.circular_buffer("in0", pages=1))
    return program
