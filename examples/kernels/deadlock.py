"""Causes a deadlock, and shows the report that identifies the culprit.

Two cores exchange a tile. The first one waits until the second one signals that it has space; the
second one waits for the tile before it signals. Neither can continue. On a chip the program would
hang silently; here the run ends with an exception that lists every waiting thread, the line of this
file where it waits, the event that it waits for, and the threads that could have released it.

    python examples/kernels/deadlock.py
"""

from __future__ import annotations

import numpy as np

from ttmlir import kernel
from ttmlir.errors import DeadlockFault


def core(column: int) -> tuple[kernel.Value, kernel.Value]:
    """Returns the network coordinates of a core of the first row."""
    x = kernel.convert_logical_x_to_translated(column)
    return x, kernel.convert_logical_y_to_translated(0)


@kernel.data_movement(noc=0)
def send(x: kernel.Tensor, room: kernel.Semaphore, arrived: kernel.Semaphore, other: int) -> None:
    kernel.noc_semaphore_wait(room, 1)
    there = kernel.get_noc_addr(*core(other), x.address)
    kernel.noc_async_write(x.address, there, x.page_size)
    kernel.noc_async_write_barrier()
    kernel.noc_semaphore_inc(kernel.get_noc_addr(*core(other), arrived), 1)
    kernel.noc_async_atomic_barrier()


@kernel.data_movement(noc=0)
def receive(
    x: kernel.Tensor,
    y: kernel.Tensor,
    room: kernel.Semaphore,
    arrived: kernel.Semaphore,
    other: int,
) -> None:
    # The mistake: this wait must come after the next two lines.
    kernel.noc_semaphore_wait(arrived, 1)
    kernel.noc_semaphore_inc(kernel.get_noc_addr(*core(other), room), 1)
    kernel.noc_async_atomic_barrier()
    accessor = kernel.tensor_accessor(y)
    kernel.noc_async_write_page(0, accessor, x.address)
    kernel.noc_async_write_barrier()


def build() -> kernel.Program:
    program = kernel.Program("exchange", cores=(1, 2))
    x = program.input("x", (32, 64), "f32", memory="l1", grid=(1, 2))
    y = program.output("y", (32, 32), "f32")
    room, arrived = program.semaphore(0), program.semaphore(0)
    program.add(send, x, room, arrived, 1, cores=kernel.CoreRange(0, 0, 1, 1))
    program.add(receive, x, y, room, arrived, 0, cores=kernel.CoreRange(0, 1, 1, 1))
    return program


def main() -> None:
    try:
        build().run(x=np.zeros((32, 64), np.float32))
    except DeadlockFault as fault:
        print(fault)


if __name__ == "__main__":
    main()
