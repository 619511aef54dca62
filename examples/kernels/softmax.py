"""Softmax of every row of a matrix.

A core processes whole rows of tiles, one after the other, and keeps each in L1 meanwhile: it
computes the maximum of every row, the exponentials of the differences, their sum, and the products
with its reciprocal.

    python examples/kernels/softmax.py
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ttmlir import kernel


@kernel.data_movement(noc=0)
def read(
    x: kernel.Tensor,
    row_tiles: kernel.CircularBuffer,
    ones: kernel.CircularBuffer,
    first: kernel.Value,
    count: kernel.Value,
) -> None:
    kernel.cb_reserve_back(ones, 1)
    kernel.fill_with_val(kernel.get_write_ptr(ones), 32 * 32, 1.0, 4)
    kernel.cb_push_back(ones, 1)
    accessor, columns = kernel.tensor_accessor(x), x.page_columns
    for row in kernel.range(first, first + count):
        kernel.cb_reserve_back(row_tiles, columns)
        address = kernel.get_write_ptr(row_tiles)
        for column in kernel.range(columns):
            page = address + column * x.page_size
            kernel.noc_async_read_page(row * columns + column, accessor, page)
        kernel.noc_async_read_barrier()
        kernel.cb_push_back(row_tiles, columns)


@kernel.data_movement(noc=1)
def write(
    y: kernel.Tensor, results: kernel.CircularBuffer, first: kernel.Value, count: kernel.Value
) -> None:
    accessor, columns = kernel.tensor_accessor(y), y.page_columns
    for tile in kernel.range(first * columns, (first + count) * columns):
        kernel.cb_wait_front(results, 1)
        kernel.noc_async_write_page(tile, accessor, kernel.get_read_ptr(results))
        kernel.noc_async_write_barrier()
        kernel.cb_pop_front(results, 1)


def pack(buffer: kernel.CircularBuffer) -> None:
    """Packs the first destination register into a page of a buffer."""
    kernel.tile_regs_commit()
    kernel.cb_reserve_back(buffer, 1)
    kernel.tile_regs_wait()
    kernel.pack_tile(0, buffer, 0)
    kernel.tile_regs_release()
    kernel.cb_push_back(buffer, 1)


def reduce_row(
    tiles: kernel.CircularBuffer,
    ones: kernel.CircularBuffer,
    result: kernel.CircularBuffer,
    columns: int,
    pool: str,
) -> None:
    """Reduces `columns` tiles to one number for each of the 32 rows, in the first column of a tile;
    the result stays in the destination register."""
    kernel.cb_wait_front(tiles, columns)
    kernel.reduce_init(tiles, ones, result, pool, "row")
    kernel.tile_regs_acquire()
    for column in kernel.range(columns):
        kernel.reduce_tile(tiles, ones, column, 0, 0, pool, "row")
    kernel.reduce_uninit()


@kernel.compute(fp32_dest_acc_en=True, preserve_fp32_precision=True)
def softmax(
    row_tiles: kernel.CircularBuffer,
    ones: kernel.CircularBuffer,
    greatest: kernel.CircularBuffer,
    powers: kernel.CircularBuffer,
    factor: kernel.CircularBuffer,
    results: kernel.CircularBuffer,
    columns: int,
    count: kernel.Value,
) -> None:
    kernel.cb_wait_front(ones, 1)
    for _ in kernel.range(count):
        reduce_row(row_tiles, ones, greatest, columns, "max")
        pack(greatest)

        # exp(x - max), column by column of tiles.
        kernel.cb_wait_front(greatest, 1)
        kernel.init_bcast(row_tiles, greatest, powers, "sub", "col")
        kernel.exp_tile_init()
        for column in kernel.range(columns):
            kernel.tile_regs_acquire()
            kernel.sub_tiles_bcast(row_tiles, greatest, column, 0, 0, "col")
            kernel.exp_tile(0)
            pack(powers)
        kernel.cb_pop_front(row_tiles, columns)
        kernel.cb_pop_front(greatest, 1)

        # 1 / sum
        reduce_row(powers, ones, factor, columns, "sum")
        kernel.recip_tile_init()
        kernel.recip_tile(0)
        pack(factor)

        kernel.cb_wait_front(factor, 1)
        kernel.init_bcast(powers, factor, results, "mul", "col")
        for column in kernel.range(columns):
            kernel.tile_regs_acquire()
            kernel.mul_tiles_bcast(powers, factor, column, 0, 0, "col")
            pack(results)
        kernel.cb_pop_front(powers, columns)
        kernel.cb_pop_front(factor, 1)
    kernel.cb_pop_front(ones, 1)


def build(shape: tuple[int, int] = (256, 192), cores: tuple[int, int] = (2, 2)) -> kernel.Program:
    """Builds the program; the first cores take the rows of tiles left over by an uneven
    division."""
    program = kernel.Program("softmax", cores=cores)
    x, y = program.input("x", shape, "f32"), program.output("y", shape, "f32")
    columns = x.page_columns
    row_tiles = program.circular_buffer("in0", "f32", pages=2 * columns)
    ones = program.circular_buffer("in1", "f32", pages=1)
    greatest = program.circular_buffer("int0", "f32", pages=1)
    powers = program.circular_buffer("int1", "f32", pages=columns)
    factor = program.circular_buffer("int2", "f32", pages=1)
    results = program.circular_buffer("out0", "f32", pages=2)

    number = cores[0] * cores[1]
    share, rest = divmod(x.page_rows, number)
    counts = [share + (core < rest) for core in range(number)]
    firsts = [sum(counts[:core]) for core in range(number)]
    first, count = kernel.per_core(firsts), kernel.per_core(counts)
    program.add(read, x, row_tiles, ones, first, count)
    program.add(softmax, row_tiles, ones, greatest, powers, factor, results, columns, count)
    program.add(write, y, results, first, count)
    return program


def expected(x: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    powers = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    shares: npt.NDArray[np.float64] = powers / powers.sum(axis=1, keepdims=True)
    return shares


def main() -> None:
    x = np.random.default_rng(0).standard_normal((256, 192)).astype(np.float32)
    error = np.abs(build().run(x=x)["y"] - expected(x)).max()
    print(f"softmax of 256 rows on 2x2 cores: largest error {error:.2g}")


if __name__ == "__main__":
    main()
