"""Multiplies matrices on a grid of cores, which read each operand once and multicast it.

Core (y, x) computes one block of the result, from the y-th block row of a and the x-th block
column of b. Only the first core of every row reads its part of a from DRAM and multicasts it
along the row; only the first core of every column reads its part of b and multicasts it down the
column. Two semaphores synchronize a line of cores: `ready` counts the receivers with free space,
`valid` signals that the data has arrived.

    python examples/kernels/matmul_multicast.py
"""

from __future__ import annotations

from collections.abc import Iterable

import ml_dtypes
import numpy as np

from ttmlir import kernel

#: A rectangle of cores: x and y of the first one, x and y of the last one.
Place = tuple[kernel.Value, kernel.Value, kernel.Value, kernel.Value]


def multicast(
    buffer: kernel.CircularBuffer,
    bytes: int,
    others: Place,
    count: int,
    ready: kernel.Semaphore,
    valid: kernel.Semaphore,
) -> None:
    """Sends the page of `bytes` at `buffer` to `count` other cores.

    `others` is their rectangle on the network.
    """
    kernel.noc_semaphore_wait(ready, count)
    kernel.noc_semaphore_set(ready, 0)
    address = kernel.get_write_ptr(buffer)
    to = kernel.get_noc_multicast_addr(*others, address)
    kernel.noc_async_write_multicast(address, to, bytes, count)
    # The network keeps the order: the flag arrives after the data.
    flags = kernel.get_noc_multicast_addr(*others, valid)
    kernel.noc_semaphore_set_multicast(valid, flags, count)
    kernel.noc_async_write_barrier()


def receive(
    first_x: kernel.Value, first_y: kernel.Value, ready: kernel.Semaphore, valid: kernel.Semaphore
) -> None:
    """Signals to the first core of the line that there is space, and waits for the data."""
    kernel.noc_semaphore_set(valid, 0)
    kernel.noc_semaphore_inc(kernel.get_noc_addr(first_x, first_y, ready), 1)
    kernel.noc_async_atomic_barrier()
    kernel.noc_semaphore_wait(valid, 1)


def read_block(
    accessor: kernel.Value,
    buffer: kernel.CircularBuffer,
    tiles: Iterable[kernel.Value],
    tile_bytes: int,
) -> None:
    """Reads the tiles with the given numbers to the reserved pages."""
    address = kernel.get_write_ptr(buffer)
    for i, tile in enumerate(tiles):
        kernel.noc_async_read_page(tile, accessor, address + i * tile_bytes)
    kernel.noc_async_read_barrier()


@kernel.data_movement(noc=0)
def send_a(
    a: kernel.Tensor,
    buffer: kernel.CircularBuffer,
    steps: int,
    rows: int,
    inner: int,
    columns_of_cores: int,
    ready: kernel.Semaphore,
    valid: kernel.Semaphore,
) -> None:
    """Reads blocks of `rows` x `inner` tiles of a for this row of cores."""
    tiles = kernel.tensor_accessor(a)
    first_row = kernel.my_logical_y() * rows
    nearest = kernel.convert_logical_x_to_translated(1)
    last = kernel.convert_logical_x_to_translated(columns_of_cores - 1)
    others = (nearest, kernel.my_y(), last, kernel.my_y())
    kernel.noc_semaphore_set(valid, 1)
    for step in kernel.range(steps):
        kernel.cb_reserve_back(buffer, rows * inner)
        block = [
            (first_row + row) * a.page_columns + step * inner + k
            for row in range(rows)
            for k in range(inner)
        ]
        read_block(tiles, buffer, block, a.page_size)
        if columns_of_cores > 1:
            count = columns_of_cores - 1
            multicast(buffer, rows * inner * a.page_size, others, count, ready, valid)
        kernel.cb_push_back(buffer, rows * inner)


@kernel.data_movement(noc=0)
def receive_a(
    buffer: kernel.CircularBuffer,
    steps: int,
    pages: int,
    ready: kernel.Semaphore,
    valid: kernel.Semaphore,
) -> None:
    first = kernel.convert_logical_x_to_translated(0)
    for _ in kernel.range(steps):
        kernel.cb_reserve_back(buffer, pages)
        receive(first, kernel.my_y(), ready, valid)
        kernel.cb_push_back(buffer, pages)


@kernel.data_movement(noc=1)
def send_b(
    b: kernel.Tensor,
    c: kernel.Tensor,
    buffer: kernel.CircularBuffer,
    products: kernel.CircularBuffer,
    steps: int,
    rows: int,
    inner: int,
    columns: int,
    rows_of_cores: int,
    ready: kernel.Semaphore,
    valid: kernel.Semaphore,
) -> None:
    """Reads blocks of `inner` x `columns` tiles of b for this column of cores."""
    tiles = kernel.tensor_accessor(b)
    first_column = kernel.my_logical_x() * columns
    nearest = kernel.convert_logical_y_to_translated(1)
    last = kernel.convert_logical_y_to_translated(rows_of_cores - 1)
    # The second network runs up and to the left: a rectangle begins at its end.
    others = (kernel.my_x(), last, kernel.my_x(), nearest)
    kernel.noc_semaphore_set(valid, 1)
    for step in kernel.range(steps):
        kernel.cb_reserve_back(buffer, inner * columns)
        block = [
            (step * inner + k) * b.page_columns + first_column + column
            for k in range(inner)
            for column in range(columns)
        ]
        read_block(tiles, buffer, block, b.page_size)
        if rows_of_cores > 1:
            count = rows_of_cores - 1
            multicast(buffer, inner * columns * b.page_size, others, count, ready, valid)
        kernel.cb_push_back(buffer, inner * columns)
    write_block(c, products, rows, columns)


@kernel.data_movement(noc=1)
def receive_b(
    c: kernel.Tensor,
    buffer: kernel.CircularBuffer,
    products: kernel.CircularBuffer,
    steps: int,
    pages: int,
    rows: int,
    columns: int,
    ready: kernel.Semaphore,
    valid: kernel.Semaphore,
) -> None:
    first = kernel.convert_logical_y_to_translated(0)
    for _ in kernel.range(steps):
        kernel.cb_reserve_back(buffer, pages)
        receive(kernel.my_x(), first, ready, valid)
        kernel.cb_push_back(buffer, pages)
    write_block(c, products, rows, columns)


def write_block(c: kernel.Tensor, products: kernel.CircularBuffer, rows: int, columns: int) -> None:
    """Writes the block of this core to the result."""
    tiles = kernel.tensor_accessor(c)
    kernel.cb_wait_front(products, rows * columns)
    address = kernel.get_read_ptr(products)
    first = kernel.my_logical_y() * (rows * c.page_columns) + kernel.my_logical_x() * columns
    for row in range(rows):
        for column in range(columns):
            page = address + (row * columns + column) * c.page_size
            kernel.noc_async_write_page(first + row * c.page_columns + column, tiles, page)
    kernel.noc_async_write_barrier()
    kernel.cb_pop_front(products, rows * columns)


@kernel.compute(fidelity="hifi4", fp32_dest_acc_en=True)
def multiply(
    buffer_a: kernel.CircularBuffer,
    buffer_b: kernel.CircularBuffer,
    products: kernel.CircularBuffer,
    steps: int,
    rows: int,
    inner: int,
    columns: int,
) -> None:
    """Accumulates the block of the result in the destination registers."""
    kernel.mm_init(buffer_a, buffer_b, products, 0)
    kernel.tile_regs_acquire()
    for _ in kernel.range(steps):
        kernel.cb_wait_front(buffer_a, rows * inner)
        kernel.cb_wait_front(buffer_b, inner * columns)
        for k in range(inner):
            for row in range(rows):
                for column in range(columns):
                    a, b, c = row * inner + k, k * columns + column, row * columns + column
                    kernel.matmul_tiles(buffer_a, buffer_b, a, b, c)
        kernel.cb_pop_front(buffer_a, rows * inner)
        kernel.cb_pop_front(buffer_b, inner * columns)
    kernel.tile_regs_commit()
    kernel.cb_reserve_back(products, rows * columns)
    kernel.tile_regs_wait()
    for tile in range(rows * columns):
        kernel.pack_tile(tile, products, tile)
    kernel.tile_regs_release()
    kernel.cb_push_back(products, rows * columns)


def build(
    m: int = 128,
    k: int = 256,
    n: int = 192,
    cores: tuple[int, int] = (2, 3),
    inner: int = 2,
    dtype: str = "bf16",
) -> kernel.Program:
    """Builds the program for m x k by k x n, in steps of `inner` tiles of k."""
    rows, columns, steps = m // 32 // cores[0], n // 32 // cores[1], k // 32 // inner
    assert (rows * cores[0] * 32, columns * cores[1] * 32, steps * inner * 32) == (m, n, k)
    assert rows * columns <= 4, "the destination registers hold 4 tiles of 32-bit numbers"

    program = kernel.Program("matmul", cores=cores)
    a, b = program.input("a", (m, k), dtype), program.input("b", (k, n), dtype)
    c = program.output("c", (m, n), dtype)
    # Two blocks each, so that the next one is read while this one is multiplied.
    buffer_a = program.circular_buffer("in0", dtype, pages=2 * rows * inner)
    buffer_b = program.circular_buffer("in1", dtype, pages=2 * inner * columns)
    products = program.circular_buffer("out0", dtype, pages=rows * columns)
    line_a = [program.semaphore(), program.semaphore()]
    line_b = [program.semaphore(), program.semaphore()]

    first_column = kernel.CoreRange(0, 0, cores[0], 1)
    first_row = kernel.CoreRange(0, 0, 1, cores[1])
    program.add(send_a, a, buffer_a, steps, rows, inner, cores[1], *line_a, cores=first_column)
    program.add(
        send_b, b, c, buffer_b, products, steps, rows, inner, columns, cores[0], *line_b,
        cores=first_row,
    )  # fmt: skip
    if cores[1] > 1:
        others = kernel.CoreRange(0, 1, cores[0], cores[1] - 1)
        program.add(receive_a, buffer_a, steps, rows * inner, *line_a, cores=others)
    if cores[0] > 1:
        others = kernel.CoreRange(1, 0, cores[0] - 1, cores[1])
        pages = inner * columns
        program.add(
            receive_b, c, buffer_b, products, steps, pages, rows, columns, *line_b, cores=others
        )
    program.add(multiply, buffer_a, buffer_b, products, steps, rows, inner, columns)
    return program


def main() -> None:
    numbers = np.random.default_rng(0)
    a = numbers.standard_normal((128, 256)).astype(ml_dtypes.bfloat16)
    b = numbers.standard_normal((256, 192)).astype(ml_dtypes.bfloat16)
    c = build().run(a=a, b=b)["c"]
    expected = a.astype(np.float64) @ b.astype(np.float64)
    error = np.abs(c.astype(np.float64) - expected).max() / np.abs(expected).max()
    print(f"a @ b on 2x3 cores: largest error {error:.2g} of the largest element")


if __name__ == "__main__":
    main()
