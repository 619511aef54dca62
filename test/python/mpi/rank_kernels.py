"""Prints the results, the prints and the report of kernels on a pair of chips that send to each
other; with the argument ``fault``, one of the chips reads beside its tensor instead.

    [mpirun -n 2] python [-m ttmlir.mpi] rank_kernels.py [fault]
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ttmlir import kernel


def there(address: Any) -> kernel.Value:
    return kernel.get_noc_addr(kernel.my_x(), kernel.my_y(), address)


@kernel.data_movement()
def swap(x: Any, y: Any, page: Any, flag: Any, wrong: int) -> None:
    own = kernel.get_my_device_id()
    kernel.cb_reserve_back(page, 1)
    local = kernel.get_write_ptr(page)
    # Chip 1 sends later, and prints in another round.
    with kernel.if_(own == 1):
        kernel.noc_semaphore_wait(flag, 1)
    kernel.dprint("chip {}", own)
    kernel.noc_async_read_page(own * wrong, kernel.tensor_accessor(x), local)
    kernel.noc_async_read_barrier()
    target = kernel.tensor_accessor_get_noc_addr(kernel.tensor_accessor(y), 0, 0)
    kernel.fabric_async_write(local, 1 - own, target, x.page_size)
    kernel.fabric_semaphore_inc(1 - own, there(flag), 1)
    kernel.fabric_async_write_barrier()
    kernel.noc_semaphore_wait(flag, 1)
    kernel.cb_push_back(page, 1)
    kernel.cb_wait_front(page, 1)
    kernel.cb_pop_front(page, 1)


def build(wrong: int) -> kernel.Program:
    program = kernel.Program("swap", mesh=(1, 2), target="n300")
    x, y = program.input("x", (32, 32), "f32"), program.output("y", (32, 32), "f32")
    page = program.circular_buffer("in0", "f32", pages=1)
    program.add(swap, x, y, page, program.semaphore(0), wrong)
    return program


if __name__ == "__main__":
    wrong = 1000 if sys.argv[1:] else 0
    x = [np.random.default_rng(chip).normal(size=(32, 32)).astype(np.float32) for chip in range(2)]
    result = build(wrong).run(x=x, report=True)
    assert (result["y"][0] == x[1]).all()
    assert (result["y"][1] == x[0]).all()
    print(*result.prints, sep="\n")
    print(result.report)
