"""Circular buffers: pages that are not there, not one's own, or half filled."""

from __future__ import annotations

from typing import Any

from mistakes import (
    FREE,
    as_compute,
    as_reader,
    as_writer,
    compute_tile,
    copy_tiles,
    core,
    cores,
    drop,
    fill,
    mistake,
    pipeline,
)
from mistakes import read as read_page
from ttmlir import kernel


@mistake("pages are pushed without being reserved", "PageNotReservedFault", as_reader)
def push_more_than_reserved(x: Any, tiles: Any) -> None:
    kernel.cb_reserve_back(tiles, 1)
    kernel.noc_async_read_page(0, kernel.tensor_accessor(x), kernel.get_write_ptr(tiles))
    kernel.noc_async_read_barrier()
    kernel.cb_push_back(tiles, 2)


@mistake("pages are popped without being waited for", "PageNotWaitedFault", as_writer, tiles=2)
def pop_more_than_waited(y: Any, results: Any) -> None:
    kernel.cb_wait_front(results, 1)
    kernel.cb_pop_front(results, 2)


@mistake("a page is written without being reserved", "PageNotReservedFault", as_reader)
def write_after_push(x: Any, tiles: Any) -> None:
    kernel.cb_reserve_back(tiles, 1)
    address = kernel.get_write_ptr(tiles)
    kernel.cb_push_back(tiles, 1)
    kernel.noc_async_read_page(0, kernel.tensor_accessor(x), address)


@mistake("a page is written without being reserved", "PageNotReservedFault", as_reader, tiles=3)
def stale_write_pointer(x: Any, tiles: Any) -> None:
    read_page(x, 0, tiles)
    old = kernel.get_write_ptr(tiles)
    read_page(x, 1, tiles)
    kernel.cb_reserve_back(tiles, 1)
    kernel.noc_async_read_page(2, kernel.tensor_accessor(x), old)


@mistake("a page is written without being reserved", "PageNotReservedFault", as_compute)
def pack_without_reserve(tiles: Any, results: Any) -> None:
    kernel.unary_op_init_common(tiles, results)
    kernel.cb_wait_front(tiles, 1)
    kernel.tile_regs_acquire()
    kernel.copy_tile(tiles, 0, 0)
    kernel.tile_regs_commit()
    kernel.tile_regs_wait()
    kernel.pack_tile(0, results, 0)


@mistake("a transfer runs past its reserved pages", "PageNotReservedFault", as_reader)
def past_the_page(x: Any, tiles: Any) -> None:
    kernel.cb_reserve_back(tiles, 1)
    address = kernel.get_write_ptr(tiles) + 1024
    kernel.noc_async_read_page(0, kernel.tensor_accessor(x), address)


@mistake("a transfer runs past its reserved pages", "PageNotReservedFault")
def page_of_a_wider_format() -> kernel.Program:
    return pipeline(dtype="f32", buffer_dtype="bf16", out_dtype="bf16", pages=1)


@mistake("a page is read without being waited for", "PageNotWaitedFault", as_writer)
def read_without_wait(y: Any, results: Any) -> None:
    kernel.noc_async_write_page(0, kernel.tensor_accessor(y), kernel.get_read_ptr(results))


@mistake("a page is read without being waited for", "PageNotWaitedFault", as_writer)
def read_after_pop(y: Any, results: Any) -> None:
    kernel.cb_wait_front(results, 1)
    address = kernel.get_read_ptr(results)
    kernel.cb_pop_front(results, 1)
    kernel.noc_async_write_page(0, kernel.tensor_accessor(y), address)


@mistake("a page is read without being waited for", "PageNotWaitedFault", as_compute, tiles=2)
def tile_beyond_the_front(tiles: Any, results: Any) -> None:
    kernel.unary_op_init_common(tiles, results)
    compute_tile(tiles, results, lambda: kernel.copy_tile(tiles, 1, 0))


@mistake("more pages are requested than the buffer has", "CompileError")
def wait_beyond_the_capacity() -> kernel.Program:
    return pipeline(writer=lambda y, results: kernel.cb_wait_front(results, 3))


@mistake(
    "more pages are requested than the buffer has, with a computed count",
    "BufferCapacityFault",
    as_writer,
)
def computed_wait_beyond_the_capacity(y: Any, results: Any) -> None:
    kernel.cb_wait_front(results, kernel.my_logical_x() + 3)


@mistake("a page count that does not divide that of the buffer", "BufferWrapFault", cores, pages=3)
def across_the_end(p: Any) -> None:
    for _ in range(2):
        kernel.cb_reserve_back(p.a, 2)
        drop(p.a, 2)


@mistake("two threads fill one buffer, or two threads empty it", "BufferMisuseFault")
def two_producers() -> kernel.Program:
    def first(p: Any) -> None:
        read_page(p.x, 0, p.a)

    def second(p: Any) -> None:
        read_page(p.x, 1, p.a)

    return cores(first, second, together=True)


@mistake("a kernel ends with a page reserved but not pushed", "BufferDirtyFault")
def end_without_push() -> kernel.Program:
    return cores(lambda p: kernel.cb_reserve_back(p.a, 1))


@mistake("a kernel ends with a page waited for but not popped", "BufferDirtyFault")
def end_without_pop() -> kernel.Program:
    return pipeline(writer=lambda y, results: kernel.cb_wait_front(results, 1))


@mistake("an uninitialized page is pushed", "UninitializedReadFault", as_reader)
def empty_page(x: Any, tiles: Any) -> None:
    kernel.cb_reserve_back(tiles, 1)
    kernel.cb_push_back(tiles, 1)


@mistake("a half-filled page is pushed", "UninitializedReadFault")
def page_of_a_narrower_format() -> kernel.Program:
    return pipeline(dtype="bf16", buffer_dtype="f32", out_dtype="f32")


@mistake("a half-filled page is pushed", "UninitializedReadFault", as_reader)
def half_a_page(x: Any, tiles: Any) -> None:
    kernel.cb_reserve_back(tiles, 1)
    source = kernel.tensor_accessor_get_noc_addr(kernel.tensor_accessor(x), 0, 0)
    kernel.noc_async_read(source, kernel.get_write_ptr(tiles), 1024)
    kernel.noc_async_read_barrier()
    kernel.cb_push_back(tiles, 1)


@mistake("another core overwrites a page that was not popped", "PageNotReservedFault")
def remote_write_over_a_page() -> kernel.Program:
    def sender(p: Any) -> None:
        address = fill(p.a)
        kernel.noc_async_write(address, core(1, 0, address), 2048)
        kernel.noc_async_write_barrier()
        drop(p.a)

    def receiver(p: Any) -> None:
        fill(p.a)
        kernel.cb_push_back(p.a, 1)
        kernel.noc_semaphore_wait(p.semaphores[0], 1)

    return cores(sender, receiver)


@mistake("threads wait for each other forever", "DeadlockFault")
def more_tiles_than_are_read() -> kernel.Program:
    return pipeline(compute=lambda tiles, results: copy_tiles(tiles, results, 2))


@mistake("threads wait for each other forever", "DeadlockFault")
def each_waits_for_the_other() -> kernel.Program:
    def first(p: Any) -> None:
        kernel.cb_wait_front(p.a, 1)
        kernel.cb_reserve_back(p.b, 1)
        kernel.cb_push_back(p.b, 1)

    def second(p: Any) -> None:
        kernel.cb_wait_front(p.b, 1)
        kernel.cb_reserve_back(p.a, 1)
        kernel.cb_push_back(p.a, 1)

    return cores(first, second, together=True)


@mistake("a kernel does not end", "StepLimitFault", cores)
def endless(p: Any) -> None:
    for _ in kernel.range(1 << 30):
        kernel.store_to_l1(1, FREE, 4)


@mistake(
    "the second half of a page keeps data of an earlier one", None, as_reader, tiles=2, pages=1
)
def half_a_page_later(x: Any, tiles: Any) -> None:
    read_page(x, 0, tiles)
    kernel.cb_reserve_back(tiles, 1)
    source = kernel.tensor_accessor_get_noc_addr(kernel.tensor_accessor(x), 1, 0)
    kernel.noc_async_read(source, kernel.get_write_ptr(tiles), 1024)
    kernel.noc_async_read_barrier()
    kernel.cb_push_back(tiles, 1)
