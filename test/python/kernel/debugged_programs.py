"""Programs that tests debug, with the lines where they stop."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np

from ttmlir import kernel

NUMBERS = np.arange(64 * 96).reshape(64, 96).astype("bfloat16")


@kernel.data_movement(noc=0)
def read(x: kernel.Tensor, tiles: kernel.CircularBuffer) -> None:
    pages = kernel.tensor_accessor(x)
    for page in kernel.range(x.pages):
        kernel.cb_reserve_back(tiles, 1)  # reserve
        kernel.noc_async_read_page(page, pages, kernel.get_write_ptr(tiles))
        kernel.noc_async_read_barrier()
        kernel.dprint("page {}", page)  # print
        kernel.cb_push_back(tiles, 1)  # push


@kernel.compute(fp32_dest_acc_en=True)
def double(tiles: kernel.CircularBuffer, doubles: kernel.CircularBuffer, count: int) -> None:
    kernel.binary_op_init_common(tiles, tiles, doubles)
    kernel.add_tiles_init(tiles, tiles)
    for _ in kernel.range(count):
        kernel.cb_wait_front(tiles, 1)
        kernel.tile_regs_acquire()
        kernel.add_tiles(tiles, tiles, 0, 0, 0)
        kernel.tile_regs_commit()  # commit
        kernel.cb_reserve_back(doubles, 1)
        kernel.tile_regs_wait()
        kernel.pack_tile(0, doubles, 0)
        kernel.tile_regs_release()
        kernel.cb_pop_front(tiles, 1)
        kernel.cb_push_back(doubles, 1)


@kernel.data_movement(noc=1)
def write(y: kernel.Tensor, doubles: kernel.CircularBuffer) -> None:
    pages = kernel.tensor_accessor(y)
    for page in kernel.range(y.pages):
        kernel.cb_wait_front(doubles, 1)
        kernel.noc_async_write_page(page, pages, kernel.get_read_ptr(doubles))
        kernel.noc_async_write_barrier()
        kernel.cb_pop_front(doubles, 1)


def doubling(dtype: str = "bf16") -> kernel.Program:
    """Doubles a tensor of 6 tiles on one core."""
    program = kernel.Program("double")
    x, y = program.input("x", (64, 96), dtype), program.output("y", (64, 96), dtype)
    tiles = program.circular_buffer("in0", dtype, pages=2)
    doubles = program.circular_buffer("out0", dtype, pages=2)
    program.add(read, x, tiles)
    program.add(double, tiles, doubles, x.pages)
    program.add(write, y, doubles)
    return program


@kernel.data_movement(noc=0)
def exchange(flag: kernel.Semaphore) -> None:
    other = kernel.convert_logical_x_to_translated(1 - kernel.my_logical_x())
    kernel.noc_semaphore_wait(flag, 1)  # exchange
    kernel.noc_semaphore_inc(kernel.get_noc_addr(other, kernel.my_y(), flag), 1)
    kernel.noc_async_atomic_barrier()


def deadlock() -> kernel.Program:
    """Two cores that wait for each other."""
    program = kernel.Program("deadlock", cores=(1, 2))
    program.output("y", (32, 32), "bf16")
    program.add(exchange, program.semaphore(0))
    return program


@kernel.data_movement(noc=0)
def spin() -> None:
    loop = kernel.while_(lambda i: i < 1, carried=(kernel.my_logical_x() * 0,))
    for i in loop:
        kernel.noc_async_read_barrier()
        loop.next(i)


def endless() -> kernel.Program:
    program = kernel.Program("endless")
    program.output("y", (32, 32), "bf16")
    program.add(spin)
    return program


def line(comment: str) -> str:
    """Returns ``file:line`` of the line with a comment."""
    text = inspect.getsource(inspect.getmodule(line))  # type: ignore[arg-type]
    number = next(i for i, row in enumerate(text.splitlines(), 1) if row.endswith(f"# {comment}"))
    return f"{Path(__file__).name}:{number}"
