"""Transaction ids: barriers that wait for some of a kernel's transfers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mistakes import FREE, cores, drop, fill, read, signal, write

from ttmlir import errors, kernel

PAGES = 16


def copy(reader: Callable[[Any, Any], None], writer: Callable[[Any, Any], None]) -> kernel.Program:
    """Copies x to y, tile by tile."""
    program = kernel.Program()
    shape = (32, 32 * PAGES)
    x, y = program.input("x", shape, "bf16"), program.output("y", shape, "bf16")
    tiles = program.circular_buffer("in0", "bf16", pages=4)
    program.add(kernel.data_movement(noc=0)(reader), x, tiles)
    program.add(kernel.data_movement(noc=1)(writer), y, tiles)
    return program


def pages_of(tensor: Any) -> Any:
    return kernel.tensor_accessor(tensor)


def read_all(x: Any, tiles: Any) -> None:
    for page in kernel.range(PAGES):
        read(x, page, tiles)


def write_all(y: Any, tiles: Any) -> None:
    for page in kernel.range(PAGES):
        write(y, page, tiles)


def read_ahead(x: Any, tiles: Any) -> None:
    """Starts the read of a page before it waits for the one before."""
    pages, size = pages_of(x), tiles.page_size
    kernel.cb_reserve_back(tiles, 1)
    kernel.noc_async_read_set_trid(1)
    kernel.noc_async_read_page(0, pages, kernel.get_write_ptr(tiles))
    for page in range(1, PAGES + 1):
        if page < PAGES:
            kernel.cb_reserve_back(tiles, 2)
            wraps = page % 4 == 0
            address = kernel.get_write_ptr(tiles) + (-3 * size if wraps else size)
            kernel.noc_async_read_set_trid(1 + page % 2)
            kernel.noc_async_read_page(page, pages, address)
        kernel.noc_async_read_barrier_with_trid(1 + (page - 1) % 2)
        kernel.cb_push_back(tiles, 1)


def write_behind(y: Any, tiles: Any) -> None:
    """Pops a page when its own write is complete, while the next is under way."""
    pages, size = pages_of(y), tiles.page_size
    for page in range(0, PAGES, 2):
        kernel.cb_wait_front(tiles, 2)
        address = kernel.get_read_ptr(tiles)
        for i in (0, 1):
            kernel.noc_async_write_set_trid(3 + i)
            kernel.noc_async_write_page(page + i, pages, address + i * size)
        for i in (0, 1):
            kernel.noc_async_write_barrier_with_trid(3 + i)
            kernel.cb_pop_front(tiles, 1)
    kernel.noc_async_write_set_trid(0)


def run(program: kernel.Program) -> float:
    """Returns the cycles of a program that copies."""
    x = np.arange(32 * 32 * PAGES).reshape(32, 32 * PAGES).astype("bfloat16")
    result = program.run(report=True, x=x)
    np.testing.assert_array_equal(result["y"], x)
    assert result.report is not None
    return result.report.cycles


def test_reads_and_writes_overlap() -> None:
    one_by_one = run(copy(read_all, write_all))
    ahead = run(copy(read_ahead, write_all))
    both = run(copy(read_ahead, write_behind))
    assert both < ahead < one_by_one
    assert both < 0.9 * one_by_one


def fails(fault: type[Exception], match: str, program: kernel.Program) -> None:
    with pytest.raises(fault, match=match):
        run(program)


def test_the_barrier_of_another_id_does_not_wait() -> None:
    def reader(x: Any, tiles: Any) -> None:
        kernel.cb_reserve_back(tiles, 1)
        kernel.noc_async_read_set_trid(2)
        kernel.noc_async_read_page(0, pages_of(x), kernel.get_write_ptr(tiles))
        kernel.noc_async_read_barrier_with_trid(1)
        kernel.cb_push_back(tiles, 1)

    fails(errors.PendingTransferFault, "noc_async_read", copy(reader, write_all))


def test_a_popped_page_is_still_sent() -> None:
    def writer(y: Any, tiles: Any) -> None:
        kernel.cb_wait_front(tiles, 1)
        kernel.noc_async_write_set_trid(5)
        kernel.noc_async_write_page(0, pages_of(y), kernel.get_read_ptr(tiles))
        kernel.noc_async_write_barrier_with_trid(4)
        kernel.cb_pop_front(tiles, 1)

    fails(errors.PendingTransferFault, "popped", copy(read_all, writer))


def test_a_kernel_ends_with_transfers_of_an_id() -> None:
    def reader(x: Any, tiles: Any) -> None:
        kernel.noc_async_read_set_trid(7)
        kernel.noc_async_read_page(0, pages_of(x), FREE)
        kernel.noc_async_read_barrier_with_trid(6)

    fails(errors.OutstandingTransferFault, "noc_async_read", copy(reader, write_all))


@pytest.mark.parametrize("trid", [16, -1])
def test_ids_are_below_16(trid: int) -> None:
    def reader(x: Any, tiles: Any) -> None:
        kernel.noc_async_read_set_trid(trid)

    fails(errors.OperandFault, f"transaction id below 16, found {trid}", copy(reader, write_all))


def test_counters_are_reset_when_nothing_is_under_way() -> None:
    def reader(x: Any, tiles: Any, *, early: bool = False) -> None:
        kernel.reset_noc_trid_barrier_counter(0xFFFF)
        kernel.noc_async_read_set_trid(1)
        kernel.noc_async_read_page(0, pages_of(x), FREE)
        kernel.reset_noc_trid_barrier_counter(0b1101)
        if early:
            kernel.reset_noc_trid_barrier_counter(0b0010)
        kernel.noc_async_read_barrier_with_trid(1)
        kernel.reset_noc_trid_barrier_counter(0b0010)
        kernel.noc_async_read_set_trid(0)
        read_all(x, tiles)

    run(copy(reader, write_all))
    fails(
        errors.OutstandingTransferFault,
        "counters of transaction ids are reset, mask 2",
        copy(lambda x, tiles: reader(x, tiles, early=True), write_all),
    )


def test_a_flag_orders_the_writes_that_were_waited_for() -> None:
    """Behind the barrier of an id, the bytes of that id, and no others, are in DRAM."""

    def sender(p: Any) -> None:
        address = fill(p.a)
        pages = pages_of(p.scratch)
        for i in (0, 1):
            kernel.noc_async_write_set_trid(1 + i)
            kernel.noc_async_write_page(i, pages, address)
        kernel.noc_async_write_barrier_with_trid(1)
        signal(1, 0, p.semaphores[0])
        kernel.noc_async_write_barrier_with_trid(2)
        drop(p.a)

    def receiver(page: int) -> Callable[[Any], None]:
        def body(p: Any) -> None:
            kernel.noc_semaphore_wait(p.semaphores[0], 1)
            for i in range(2):
                read(p.scratch, page, p.a)
                write(p.y, i, p.a)

        return body

    x = np.zeros((32, 64), "bfloat16")
    assert not cores(sender, receiver(0)).run(x=x)["y"].any()
    with pytest.raises(errors.DataRaceFault, match="noc_async_write_barrier"):
        cores(sender, receiver(1)).run(x=x)


def test_names_in_the_text() -> None:
    program = copy(read_ahead, write_behind)
    assert '"ttkernel.noc_async_read_set_trid"' in program.mlir
    assert "noc_async_read_barrier_with_trid(" in program.cpp
    assert "noc_async_write_set_trid(" in program.cpp
