"""Kernels on several chips: inputs and results of each, faults that name the chip, the report."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mistakes import FREE, drop

import ttmlir
from ttmlir import errors, kernel


def there(address: Any) -> kernel.Value:
    return kernel.get_noc_addr(kernel.my_x(), kernel.my_y(), address)


def build(body: Any, mesh: tuple[int, ...] = (1, 2), target: str = "n300") -> kernel.Program:
    program = kernel.Program("mesh", mesh=mesh, target=target)
    x = program.input("x", (32, 32), "f32")
    y = program.output("y", (32, 32), "f32")
    page = program.circular_buffer("in0", "f32", pages=1)
    flag = program.semaphore(0)
    program.add(kernel.data_movement()(body), x, y, page, flag)
    return program


def exchange(x: Any, y: Any, page: Any, flag: Any) -> None:
    """Each chip of a pair writes its tile to the DRAM of the other one."""
    other = 1 - kernel.get_my_device_id()
    kernel.cb_reserve_back(page, 1)
    local = kernel.get_write_ptr(page)
    kernel.noc_async_read_page(0, kernel.tensor_accessor(x), local)
    kernel.noc_async_read_barrier()
    target = kernel.tensor_accessor_get_noc_addr(kernel.tensor_accessor(y), 0, 0)
    kernel.fabric_async_write(local, other, target, x.page_size)
    kernel.fabric_semaphore_inc(other, there(flag), 1)
    kernel.fabric_async_write_barrier()
    kernel.noc_semaphore_wait(flag, 1)
    kernel.dprint("got {}", other)
    drop(page)


def test_chips_have_tensors_of_their_own() -> None:
    x = [np.full((32, 32), chip + 1, np.float32) for chip in range(2)]
    result = build(exchange).run(x=x, report=True)
    assert [y[0, 0] for y in result["y"]] == [2, 1]
    assert all((y == y[0, 0]).all() for y in result["y"])
    assert [str(line) for line in result.prints] == [
        "device 0 (0, 0) noc0: got 1",
        "device 1 (0, 0) noc0: got 0",
    ]
    (op,) = (op for op in result.report.ops if op.core_use)
    assert [core.device for core in op.core_use] == [0, 1]


def test_an_array_is_for_every_chip() -> None:
    result = build(exchange).run(x=np.full((32, 32), 3, np.float32))
    assert all((y == 3).all() for y in result["y"])


def test_every_chip_has_an_array() -> None:
    with pytest.raises(ttmlir.InputError, match="2 arrays for 'x', one for each chip of mesh 1x2"):
        build(exchange).run(x=[np.zeros((32, 32), np.float32)] * 3)


def test_a_mesh_that_the_system_does_not_have() -> None:
    with pytest.raises(ttmlir.Error, match="1x4"):
        build(exchange, (1, 4)).run(x=np.zeros((32, 32), np.float32))
    with pytest.raises(kernel.BuildError, match="positive extents"):
        kernel.Program(mesh=(1, 0))


def test_a_deadlock_names_the_chips() -> None:
    def body(x: Any, y: Any, page: Any, flag: Any) -> None:
        kernel.noc_semaphore_wait(flag, 1)
        kernel.fabric_semaphore_inc(1 - kernel.get_my_device_id(), there(flag), 1)
        kernel.fabric_async_write_barrier()

    with pytest.raises(
        errors.DeadlockFault, match=r"core \(0, 0\) of device 1 \(chip 1\)"
    ) as caught:
        build(body).run(x=np.zeros((32, 32), np.float32))
    assert [(w.device, w.chip) for w in caught.value.waiters] == [(0, 0), (1, 1)]
    assert "of device 1 (chip 1), which waits" in "".join(caught.value.waiters[0].suppliers)


def test_a_missing_barrier_names_the_chip() -> None:
    def body(x: Any, y: Any, page: Any, flag: Any) -> None:
        kernel.fill_with_val(FREE, 16, 0, 4)
        with kernel.if_(kernel.get_my_device_id() == 1):
            kernel.fabric_async_write(FREE, 0, there(FREE + 64), 64)
            kernel.fill_with_val(FREE, 1, 1, 4)

    with pytest.raises(errors.PendingTransferFault, match="fabric_async_write_barrier") as caught:
        build(body).run(x=np.zeros((32, 32), np.float32))
    assert (caught.value.device, caught.value.chip) == (1, 1)
