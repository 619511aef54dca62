"""Passes tensors around a ring of chips.

Every chip of a mesh starts with its own tensor in DRAM. In each step it sends its current tile to
its right neighbour over the Ethernet link, the last chip to the first one, receives one from the
left, and adds it to its sum. After one step less than there are chips, every chip has the sum of
all
tensors: an all-reduce. The chips of the t3000, as a mesh of 1x8, form a ring.

All chips run the same kernels; `get_my_device_id` distinguishes them. Two pages alternate: one is
sent while the neighbour writes the other one. `full` counts the tiles received from the left,
`free` the steps that the right neighbour has finished. A remote increment becomes visible only
after earlier writes of the same core to that chip.

    python examples/kernels/chips_ring.py
"""

from __future__ import annotations

import numpy as np

from ttmlir import kernel


@kernel.data_movement(noc=0)
def pass_on(
    x: kernel.Tensor,
    pages: kernel.CircularBuffer,
    tiles: kernel.CircularBuffer,
    chips: int,
    full: kernel.Semaphore,
    free: kernel.Semaphore,
) -> None:
    own = kernel.get_my_device_id()
    right, left = (own + 1) % chips, (own + chips - 1) % chips
    tensor = kernel.tensor_accessor(x)
    kernel.cb_reserve_back(pages, 2)
    base = kernel.get_write_ptr(pages)

    def there(address: kernel.Value | kernel.Semaphore) -> kernel.Value:
        return kernel.get_noc_addr(kernel.my_x(), kernel.my_y(), address)

    for tile in kernel.range(x.pages):
        kernel.noc_async_read_page(tile, tensor, base)
        kernel.noc_async_read_barrier()
        for turn in kernel.range(chips):
            mine = base + turn % 2 * x.page_size
            next_page = base + (turn + 1) % 2 * x.page_size
            kernel.cb_reserve_back(tiles, 1)
            kernel.tt_memmove(kernel.get_write_ptr(tiles), mine, x.page_size)
            kernel.cb_push_back(tiles, 1)
            with kernel.if_(turn < chips - 1):
                # The right neighbour has finished with the page of its previous step.
                kernel.noc_semaphore_wait_min(free, tile * chips + turn)
                kernel.fabric_async_write(mine, right, there(next_page), x.page_size)
                kernel.fabric_semaphore_inc(right, there(full), 1)
                kernel.fabric_async_write_barrier()
                kernel.noc_semaphore_wait_min(full, tile * (chips - 1) + turn + 1)
            kernel.fabric_semaphore_inc(left, there(free), 1)
            kernel.fabric_async_write_barrier()
    kernel.cb_push_back(pages, 2)
    kernel.cb_wait_front(pages, 2)
    kernel.cb_pop_front(pages, 2)


@kernel.compute(fp32_dest_acc_en=True)
def add(
    x: kernel.Tensor, tiles: kernel.CircularBuffer, sums: kernel.CircularBuffer, chips: int
) -> None:
    kernel.binary_op_init_common(tiles, tiles, sums)
    kernel.copy_tile_init(tiles)
    for _ in kernel.range(x.pages):
        kernel.tile_regs_acquire()
        kernel.cb_wait_front(tiles, 1)
        kernel.copy_tile(tiles, 0, 0)
        kernel.cb_pop_front(tiles, 1)
        kernel.add_binary_tile_init()
        for _ in kernel.range(chips - 1):
            kernel.cb_wait_front(tiles, 1)
            kernel.copy_tile(tiles, 0, 1)
            kernel.cb_pop_front(tiles, 1)
            kernel.add_binary_tile(0, 1, 0)
        kernel.tile_regs_commit()
        kernel.tile_regs_wait()
        kernel.cb_reserve_back(sums, 1)
        kernel.pack_tile(0, sums, 0)
        kernel.cb_push_back(sums, 1)
        kernel.tile_regs_release()


@kernel.data_movement(noc=1)
def write(y: kernel.Tensor, sums: kernel.CircularBuffer) -> None:
    tensor = kernel.tensor_accessor(y)
    for tile in kernel.range(y.pages):
        kernel.cb_wait_front(sums, 1)
        kernel.noc_async_write_page(tile, tensor, kernel.get_read_ptr(sums))
        kernel.noc_async_write_barrier()
        kernel.cb_pop_front(sums, 1)


def build(
    shape: tuple[int, int] = (64, 64),
    mesh: tuple[int, int] = (1, 8),
    target: str = "t3000",
    dtype: str = "f32",
) -> kernel.Program:
    program = kernel.Program("chips_ring", mesh=mesh, target=target)
    x = program.input("x", shape, dtype)
    y = program.output("y", shape, dtype)
    pages = program.circular_buffer("dfl0", dtype, pages=2)
    tiles = program.circular_buffer("in0", dtype, pages=2)
    sums = program.circular_buffer("out0", dtype, pages=2)
    full, free = program.semaphore(0), program.semaphore(0)
    chips = program.chips
    program.add(pass_on, x, pages, tiles, chips, full, free)
    program.add(add, x, tiles, sums, chips)
    program.add(write, y, sums)
    return program


def main() -> None:
    random = np.random.default_rng(0)
    x = [random.standard_normal((64, 64)).astype(np.float32) for _ in range(8)]
    result = build().run(x=x, report=True)
    expected = np.sum(x, axis=0)
    worst = max(np.abs(y - expected).max() for y in result["y"])
    print(f"the sum of 8 tensors on 8 chips: largest difference {worst:.1e}")


if __name__ == "__main__":
    main()
