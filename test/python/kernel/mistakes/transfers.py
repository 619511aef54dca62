"""Transfers on the network: barriers, addresses, multicasts."""

from __future__ import annotations

from typing import Any

from mistakes import FREE, as_reader, as_writer, core, cores, drop, fill, mistake, read
from ttmlir import kernel


@mistake("a page is pushed before `noc_async_read_barrier`", "PendingTransferFault", as_reader)
def push_before_read_barrier(x: Any, tiles: Any) -> None:
    kernel.cb_reserve_back(tiles, 1)
    kernel.noc_async_read_page(0, kernel.tensor_accessor(x), kernel.get_write_ptr(tiles))
    kernel.cb_push_back(tiles, 1)
    kernel.noc_async_read_barrier()


@mistake(
    "bytes are used before the barrier of their read",
    "PendingTransferFault",
    as_reader,
)
def load_before_read_barrier(x: Any, tiles: Any) -> None:
    kernel.cb_reserve_back(tiles, 1)
    address = kernel.get_write_ptr(tiles)
    kernel.noc_async_read_page(0, kernel.tensor_accessor(x), address)
    kernel.load_from_l1(address, 4)


@mistake("a page is popped while it is still being sent", "PendingTransferFault", as_writer)
def pop_before_flush(y: Any, results: Any) -> None:
    kernel.cb_wait_front(results, 1)
    kernel.noc_async_write_page(0, kernel.tensor_accessor(y), kernel.get_read_ptr(results))
    kernel.cb_pop_front(results, 1)
    kernel.noc_async_write_barrier()


@mistake(
    "a page is pushed after the barrier of another transaction id",
    "PendingTransferFault",
    as_reader,
)
def push_after_other_barrier(x: Any, tiles: Any) -> None:
    kernel.cb_reserve_back(tiles, 1)
    kernel.noc_async_read_set_trid(1)
    kernel.noc_async_read_page(0, kernel.tensor_accessor(x), kernel.get_write_ptr(tiles))
    kernel.noc_async_read_barrier_with_trid(2)
    kernel.cb_push_back(tiles, 1)


@mistake(
    "a page is popped after the barrier of another transaction id",
    "PendingTransferFault",
    as_writer,
)
def pop_after_other_barrier(y: Any, results: Any) -> None:
    kernel.cb_wait_front(results, 1)
    kernel.noc_async_write_set_trid(1)
    kernel.noc_async_write_page(0, kernel.tensor_accessor(y), kernel.get_read_ptr(results))
    kernel.noc_async_write_barrier_with_trid(2)
    kernel.cb_pop_front(results, 1)


@mistake("bytes are changed while they are being sent", "PendingTransferFault", cores)
def change_while_sent(p: Any) -> None:
    address = fill(p.a)
    kernel.noc_async_write_page(0, kernel.tensor_accessor(p.y), address)
    kernel.store_to_l1(7, address, 4)


@mistake("a kernel ends before its reads complete", "OutstandingTransferFault", cores)
def end_before_reads(p: Any) -> None:
    kernel.noc_async_read_page(0, kernel.tensor_accessor(p.x), FREE)


@mistake("a kernel ends before its writes arrive", "OutstandingTransferFault", cores)
def end_before_writes(p: Any) -> None:
    kernel.noc_async_write_page(0, kernel.tensor_accessor(p.y), fill(p.a))


@mistake(
    "a kernel ends after only `noc_async_writes_flushed`", "OutstandingTransferFault", as_writer
)
def end_after_flush(y: Any, results: Any) -> None:
    kernel.cb_wait_front(results, 1)
    kernel.noc_async_write_page(0, kernel.tensor_accessor(y), kernel.get_read_ptr(results))
    kernel.noc_async_writes_flushed()
    kernel.cb_pop_front(results, 1)


@mistake("a kernel ends before its semaphore increments arrive", "OutstandingTransferFault")
def end_before_increments() -> kernel.Program:
    def sender(p: Any) -> None:
        kernel.noc_semaphore_inc(core(1, 0, p.semaphores[0]), 1)

    def receiver(p: Any) -> None:
        kernel.noc_semaphore_wait(p.semaphores[0], 1)

    return cores(sender, receiver)


@mistake("addresses that are not aligned to each other", "AlignmentFault", as_reader)
def misaligned_dram_read(x: Any, tiles: Any) -> None:
    kernel.cb_reserve_back(tiles, 1)
    source = kernel.tensor_accessor_get_noc_addr(kernel.tensor_accessor(x), 0, 16)
    kernel.noc_async_read(source, kernel.get_write_ptr(tiles), 64)


@mistake("a word at an address that is not a multiple of its size", "AlignmentFault", cores)
def misaligned_inline_write(p: Any) -> None:
    kernel.noc_inline_dw_write(core(1, 0, FREE + 2), 1)
    kernel.noc_async_write_barrier()


@mistake("a transfer of 0 bytes", "LengthFault", cores)
def empty_transfer(p: Any) -> None:
    kernel.noc_async_write(fill(p.a), core(1, 0, FREE), 0)


@mistake("an address beyond the end of L1 or of a DRAM channel", "OutOfBoundsFault", as_reader)
def beyond_the_channel(x: Any, tiles: Any) -> None:
    kernel.cb_reserve_back(tiles, 1)
    nowhere = kernel.get_noc_addr_from_bank_id(0, 0xFFFFFF00, True)
    kernel.noc_async_read(nowhere, kernel.get_write_ptr(tiles), 64)


@mistake("a kernel writes the reserved L1 of its own core", "OutOfBoundsFault")
def own_reserved_memory() -> kernel.Program:
    return cores(lambda p: kernel.store_to_l1(1, 0, 4))


@mistake("a kernel writes the reserved L1 of another core", "OutOfBoundsFault", cores)
def remote_reserved_memory(p: Any) -> None:
    kernel.noc_async_write(fill(p.a), core(1, 0, 0x100), 64)


@mistake("coordinates without a core or a channel", "CoordinatesFault", cores)
def nowhere(p: Any) -> None:
    kernel.noc_async_write(fill(p.a), kernel.get_noc_addr(50, 50, FREE), 64)


def multicast(p: Any, rectangle: tuple[Any, Any, Any, Any], count: int) -> None:
    """Sends a page to columns and rows of cores, first and last."""
    x0, y0, x1, y1 = rectangle
    corners = (
        kernel.convert_logical_x_to_translated(x0),
        kernel.convert_logical_y_to_translated(y0),
        kernel.convert_logical_x_to_translated(x1),
        kernel.convert_logical_y_to_translated(y1),
    )
    address = fill(p.a)
    to = kernel.get_noc_multicast_addr(*corners, address)
    kernel.noc_async_write_multicast(address, to, 2048, count)
    kernel.noc_async_write_barrier()
    drop(p.a)


@mistake("a multicast with the wrong number of cores", "MulticastFault")
def multicast_count() -> kernel.Program:
    return cores(lambda p: multicast(p, (1, 0, 3, 0), 2), columns=4)


@mistake("multicast corners against the direction of the network", "MulticastFault")
def multicast_backwards() -> kernel.Program:
    return cores(lambda p: multicast(p, (3, 0, 1, 0), 3), columns=4)


@mistake("multicast corners against the direction of the network", "MulticastFault")
def multicast_forwards_on_noc1() -> kernel.Program:
    return cores(lambda p: multicast(p, (1, 0, 3, 0), 3), nocs=(1,), columns=4)


@mistake("a multicast over non-worker cores", "CoordinatesFault", cores)
def multicast_off_the_grid(p: Any) -> None:
    row = kernel.my_y()
    to = kernel.get_noc_multicast_addr(kernel.my_x() + 1, row, 40, row, FREE)
    kernel.noc_async_write_multicast(fill(p.a), to, 2048, 39)


@mistake("uninitialized bytes of L1 are sent or loaded", "UninitializedReadFault", cores)
def uninitialized_remote_read(p: Any) -> None:
    kernel.cb_reserve_back(p.a, 1)
    address = kernel.get_write_ptr(p.a)
    kernel.noc_async_read(core(1, 0, FREE), address, 2048)
    kernel.noc_async_read_barrier()
    drop(p.a)


@mistake(
    "a page of another core is read before that core writes it",
    "UninitializedReadFault",
    cores,
)
def remote_page_never_written(p: Any) -> None:
    read(p.x, 0, p.a)
    address = kernel.get_write_ptr(p.b)
    kernel.cb_reserve_back(p.b, 1)
    kernel.noc_async_read(core(1, 0, address), address, 2048)
    kernel.noc_async_read_barrier()
