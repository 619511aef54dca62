"""Passes tiles around a ring of cores.

Every core of a row starts with its own tile in L1. In each step it sends its current tile to its
right neighbour, the last core to the first one, and receives one from the left. After as many steps
as there are cores, every core has seen all tiles; it writes the tile of step t to column t of its
row of the result.

Two pages alternate: one is sent while the neighbour writes the other one. `full` counts the tiles
received from the left, `free` the pages that the right neighbour has finished with.

    python examples/kernels/ring.py
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ttmlir import kernel


@kernel.data_movement(noc=0)
def pass_on(
    x: kernel.Tensor,
    y: kernel.Tensor,
    pages: kernel.CircularBuffer,
    cores: int,
    full: kernel.Semaphore,
    free: kernel.Semaphore,
) -> None:
    row = kernel.my_y()
    right = kernel.convert_logical_x_to_translated((kernel.my_logical_x() + 1) % cores)
    left = kernel.convert_logical_x_to_translated((kernel.my_logical_x() + cores - 1) % cores)
    result = kernel.tensor_accessor(y)
    kernel.cb_reserve_back(pages, 2)
    base = kernel.get_write_ptr(pages)
    kernel.tt_memmove(base, x.address, x.page_size)

    for turn in kernel.range(cores):
        mine = base + turn % 2 * x.page_size
        next_page = base + (turn + 1) % 2 * x.page_size
        kernel.noc_async_write_page(kernel.my_logical_x() * cores + turn, result, mine)
        with kernel.if_(turn < cores - 1):
            # The right neighbour has finished with the page of its step before the last one.
            kernel.noc_semaphore_wait_min(free, turn)
            to = kernel.get_noc_addr(right, row, next_page)
            kernel.noc_async_write(mine, to, x.page_size)
        kernel.noc_async_write_barrier()
        with kernel.if_(turn < cores - 1):
            kernel.noc_semaphore_inc(kernel.get_noc_addr(right, row, full), 1)
            kernel.noc_semaphore_inc(kernel.get_noc_addr(left, row, free), 1)
            kernel.noc_semaphore_wait_min(full, turn + 1)
    kernel.noc_async_atomic_barrier()
    kernel.cb_push_back(pages, 2)
    kernel.cb_wait_front(pages, 2)
    kernel.cb_pop_front(pages, 2)


def build(cores: int = 4, dtype: str = "f32") -> kernel.Program:
    program = kernel.Program("ring", cores=(1, cores))
    x = program.input("x", (32, 32 * cores), dtype, memory="l1", grid=(1, cores))
    y = program.output("y", (32 * cores, 32 * cores), dtype)
    pages = program.circular_buffer("in0", dtype, pages=2)
    full, free = program.semaphore(0), program.semaphore(0)
    program.add(pass_on, x, y, pages, cores, full, free)
    return program


def expected(x: npt.NDArray[np.float32], cores: int) -> npt.NDArray[np.float32]:
    """Returns the expected result: row r, column t of tiles is the tile of core r - t."""
    tiles = np.split(x, cores, axis=1)
    rows = [[tiles[(core - turn) % cores] for turn in range(cores)] for core in range(cores)]
    return np.block(rows)


def main() -> None:
    x = np.random.default_rng(0).standard_normal((32, 128)).astype(np.float32)
    y = build().run(x=x)["y"]
    wrong = np.count_nonzero(y != expected(x, 4))
    print(f"4 tiles around a ring of 4 cores: {wrong} of {y.size} elements differ")


if __name__ == "__main__":
    main()
