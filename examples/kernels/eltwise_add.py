"""Adds two tensors, tile by tile, on a rectangle of cores.

Every core processes a part of the tiles: a reader copies them from DRAM to circular buffers, a
compute kernel adds them, and a writer copies the sums back. The buffers hold two pages, so that
the three kernels overlap.

    python examples/kernels/eltwise_add.py
"""

from __future__ import annotations

import ml_dtypes
import numpy as np

from ttmlir import kernel


@kernel.data_movement(noc=0)
def read(
    a: kernel.Tensor,
    b: kernel.Tensor,
    buffer_a: kernel.CircularBuffer,
    buffer_b: kernel.CircularBuffer,
    first: kernel.Value,
    count: kernel.Value,
) -> None:
    tiles_a, tiles_b = kernel.tensor_accessor(a), kernel.tensor_accessor(b)
    for tile in kernel.range(first, first + count):
        kernel.cb_reserve_back(buffer_a, 1)
        kernel.cb_reserve_back(buffer_b, 1)
        kernel.noc_async_read_page(tile, tiles_a, kernel.get_write_ptr(buffer_a))
        kernel.noc_async_read_page(tile, tiles_b, kernel.get_write_ptr(buffer_b))
        kernel.noc_async_read_barrier()
        kernel.cb_push_back(buffer_a, 1)
        kernel.cb_push_back(buffer_b, 1)


@kernel.compute(fidelity="hifi4", fp32_dest_acc_en=True)
def add(
    buffer_a: kernel.CircularBuffer,
    buffer_b: kernel.CircularBuffer,
    sums: kernel.CircularBuffer,
    count: kernel.Value,
) -> None:
    kernel.binary_op_init_common(buffer_a, buffer_b, sums)
    kernel.add_tiles_init(buffer_a, buffer_b)
    for _ in kernel.range(count):
        kernel.cb_wait_front(buffer_a, 1)
        kernel.cb_wait_front(buffer_b, 1)
        kernel.tile_regs_acquire()
        kernel.add_tiles(buffer_a, buffer_b, 0, 0, 0)
        kernel.tile_regs_commit()
        kernel.cb_pop_front(buffer_a, 1)
        kernel.cb_pop_front(buffer_b, 1)
        kernel.cb_reserve_back(sums, 1)
        kernel.tile_regs_wait()
        kernel.pack_tile(0, sums, 0)
        kernel.tile_regs_release()
        kernel.cb_push_back(sums, 1)


@kernel.data_movement(noc=1)
def write(
    c: kernel.Tensor, sums: kernel.CircularBuffer, first: kernel.Value, count: kernel.Value
) -> None:
    tiles = kernel.tensor_accessor(c)
    for tile in kernel.range(first, first + count):
        kernel.cb_wait_front(sums, 1)
        kernel.noc_async_write_page(tile, tiles, kernel.get_read_ptr(sums))
        kernel.noc_async_write_barrier()
        kernel.cb_pop_front(sums, 1)


def build(
    shape: tuple[int, int] = (256, 192), cores: tuple[int, int] = (2, 3), dtype: str = "bf16"
) -> kernel.Program:
    """Builds the program; the first cores take the tiles left over by an uneven division."""
    program = kernel.Program("add", cores=cores)
    a, b = program.input("a", shape, dtype), program.input("b", shape, dtype)
    c = program.output("c", shape, dtype)
    buffers = [program.circular_buffer(port, dtype, pages=2) for port in ("in0", "in1", "out0")]

    number = cores[0] * cores[1]
    share, rest = divmod(c.pages, number)
    counts = [share + (core < rest) for core in range(number)]
    firsts = [sum(counts[:core]) for core in range(number)]
    first, count = kernel.per_core(firsts), kernel.per_core(counts)

    program.add(read, a, b, *buffers[:2], first, count)
    program.add(add, *buffers, count)
    program.add(write, c, buffers[2], first, count)
    return program


def main() -> None:
    numbers = np.random.default_rng(0)
    a, b = (numbers.standard_normal((256, 192)).astype(ml_dtypes.bfloat16) for _ in range(2))
    c = build().run(a=a, b=b)["c"]
    error = np.abs(c.astype(np.float32) - (a.astype(np.float32) + b.astype(np.float32))).max()
    print(f"a + b on 2x3 cores: largest error {error:.2g}")


if __name__ == "__main__":
    main()
