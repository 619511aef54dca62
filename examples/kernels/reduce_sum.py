"""Sums a whole tensor across cores.

Every core sums the elements of its own tiles. It writes the tile with the sum to a circular buffer
of the first core, each core to its own page, and then increments a semaphore there. The first core
waits until the semaphore has counted all cores, passes the pages to its compute kernel, and that
sums once more.

    python examples/kernels/reduce_sum.py
"""

from __future__ import annotations

import numpy as np

from ttmlir import kernel


@kernel.data_movement(noc=0)
def read(
    x: kernel.Tensor,
    tiles: kernel.CircularBuffer,
    ones: kernel.CircularBuffer,
    first: kernel.Value,
    count: kernel.Value,
) -> None:
    """Reads the tiles of this core, and a tile of ones as weights of the sums."""
    kernel.cb_reserve_back(ones, 1)
    kernel.fill_with_val(kernel.get_write_ptr(ones), 32 * 32, 1.0, 4)
    kernel.cb_push_back(ones, 1)
    accessor = kernel.tensor_accessor(x)
    for tile in kernel.range(first, first + count):
        kernel.cb_reserve_back(tiles, 1)
        kernel.noc_async_read_page(tile, accessor, kernel.get_write_ptr(tiles))
        kernel.noc_async_read_barrier()
        kernel.cb_push_back(tiles, 1)


def sum_tiles(
    tiles: kernel.CircularBuffer,
    ones: kernel.CircularBuffer,
    result: kernel.CircularBuffer,
    count: kernel.Value | int,
) -> None:
    """Sums all elements of `count` tiles into the first element of a tile."""
    kernel.reduce_init(tiles, ones, result, "sum", "scalar")
    kernel.tile_regs_acquire()
    for _ in kernel.range(count):
        kernel.cb_wait_front(tiles, 1)
        kernel.reduce_tile(tiles, ones, 0, 0, 0, "sum", "scalar")
        kernel.cb_pop_front(tiles, 1)
    kernel.tile_regs_commit()
    kernel.reduce_uninit()
    kernel.cb_reserve_back(result, 1)
    kernel.tile_regs_wait()
    kernel.pack_tile(0, result, 0)
    kernel.tile_regs_release()
    kernel.cb_push_back(result, 1)


@kernel.compute(fp32_dest_acc_en=True, preserve_fp32_precision=True)
def sum_own(
    tiles: kernel.CircularBuffer,
    ones: kernel.CircularBuffer,
    partial: kernel.CircularBuffer,
    count: kernel.Value,
) -> None:
    kernel.cb_wait_front(ones, 1)
    sum_tiles(tiles, ones, partial, count)
    kernel.cb_pop_front(ones, 1)


@kernel.compute(fp32_dest_acc_en=True, preserve_fp32_precision=True)
def sum_own_and_all(
    tiles: kernel.CircularBuffer,
    ones: kernel.CircularBuffer,
    partial: kernel.CircularBuffer,
    gathered: kernel.CircularBuffer,
    total: kernel.CircularBuffer,
    count: kernel.Value,
    cores: int,
) -> None:
    kernel.cb_wait_front(ones, 1)
    sum_tiles(tiles, ones, partial, count)
    sum_tiles(gathered, ones, total, cores)
    kernel.cb_pop_front(ones, 1)


def send(
    partial: kernel.CircularBuffer,
    gathered: kernel.CircularBuffer,
    arrived: kernel.Semaphore,
    page_size: int,
    number: kernel.Value | int,
) -> None:
    """Writes the sum of this core to its page of the first core's buffer, and increments the
    count."""
    kernel.cb_wait_front(partial, 1)
    # The buffer has the same address on all cores.
    page = kernel.get_write_ptr(gathered) + number * page_size
    x = kernel.convert_logical_x_to_translated(0)
    y = kernel.convert_logical_y_to_translated(0)
    sum_address = kernel.get_read_ptr(partial)
    kernel.noc_async_write(sum_address, kernel.get_noc_addr(x, y, page), page_size)
    kernel.noc_async_write_barrier()
    kernel.noc_semaphore_inc(kernel.get_noc_addr(x, y, arrived), 1)
    kernel.noc_async_atomic_barrier()
    kernel.cb_pop_front(partial, 1)


@kernel.data_movement(noc=1)
def send_sum(
    partial: kernel.CircularBuffer,
    gathered: kernel.CircularBuffer,
    arrived: kernel.Semaphore,
    page_size: int,
    number: kernel.Value,
) -> None:
    send(partial, gathered, arrived, page_size, number)


@kernel.data_movement(noc=1)
def collect(
    y: kernel.Tensor,
    partial: kernel.CircularBuffer,
    gathered: kernel.CircularBuffer,
    total: kernel.CircularBuffer,
    arrived: kernel.Semaphore,
    cores: int,
) -> None:
    """On the first core: waits for all sums, and writes the total."""
    kernel.cb_reserve_back(gathered, cores)
    send(partial, gathered, arrived, y.page_size, 0)
    kernel.noc_semaphore_wait(arrived, cores)
    kernel.cb_push_back(gathered, cores)
    kernel.cb_wait_front(total, 1)
    accessor = kernel.tensor_accessor(y)
    kernel.noc_async_write_page(0, accessor, kernel.get_read_ptr(total))
    kernel.noc_async_write_barrier()
    kernel.cb_pop_front(total, 1)


def build(shape: tuple[int, int] = (256, 256), columns: int = 4) -> kernel.Program:
    """Builds the program on one row of cores. The result is the first element of a tile."""
    program = kernel.Program("reduce", cores=(1, columns))
    x, y = program.input("x", shape, "f32"), program.output("y", (32, 32), "f32")
    tiles = program.circular_buffer("in0", "f32", pages=2)
    ones = program.circular_buffer("in1", "f32", pages=1)
    partial = program.circular_buffer("int0", "f32", pages=1)
    gathered = program.circular_buffer("int1", "f32", pages=columns)
    total = program.circular_buffer("out0", "f32", pages=1)
    arrived = program.semaphore(0)

    share, rest = divmod(x.pages, columns)
    counts = [share + (core < rest) for core in range(columns)]
    firsts = [sum(counts[:core]) for core in range(columns)]
    program.add(read, x, tiles, ones, kernel.per_core(firsts), kernel.per_core(counts))
    program.add(
        sum_own_and_all, tiles, ones, partial, gathered, total, counts[0], columns, cores=(1, 1)
    )
    program.add(collect, y, partial, gathered, total, arrived, columns, cores=(1, 1))
    if columns > 1:
        others = kernel.CoreRange(0, 1, 1, columns - 1)
        program.add(sum_own, tiles, ones, partial, kernel.per_core(counts[1:]), cores=others)
        number = kernel.per_core(range(1, columns))
        program.add(send_sum, partial, gathered, arrived, y.page_size, number, cores=others)
    return program


def main() -> None:
    x = np.random.default_rng(0).random((256, 256), np.float32)
    total = build().run(x=x)["y"][0, 0]
    print(f"sum on 4 cores: {total:.6g}, expected {x.sum(dtype=np.float64):.6g}")


if __name__ == "__main__":
    main()
