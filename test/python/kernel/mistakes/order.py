"""Accesses in no order: between cores, between the threads of a core, and before what was sent has
arrived."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mistakes import FREE, core, cores, drop, fill, mistake, read, signal, write
from ttmlir import kernel

SECOND = kernel.CoreRange(0, 1, 1, 1)


@mistake("two cores write one page without synchronization", "DataRaceFault")
def two_cores_one_page() -> kernel.Program:
    def body(p: Any) -> None:
        kernel.cb_reserve_back(p.a, 1)
        kernel.fill_with_val(kernel.get_write_ptr(p.a), 512, kernel.my_logical_x(), 4)
        kernel.cb_push_back(p.a, 1)
        write(p.y, 0, p.a)

    return cores(body, body)


@mistake(
    "a core reads data that another core writes, with no semaphore between them", "DataRaceFault"
)
def neighbour_not_waited_for() -> kernel.Program:
    def writer(p: Any) -> None:
        read(p.x, 0, p.a)
        write(p.scratch, 0, p.a)

    def reader(p: Any) -> None:
        read(p.scratch, 0, p.a)
        write(p.y, 0, p.a)

    return cores(writer, reader)


@mistake("two threads of a core access one address without synchronization", "DataRaceFault")
def two_threads_one_word() -> kernel.Program:
    return cores(
        lambda p: kernel.store_to_l1(1, FREE, 4),
        lambda p: kernel.store_to_l1(2, FREE, 4),
        together=True,
    )


@mistake("two threads of a core access one address without synchronization", "DataRaceFault")
def two_threads_one_page_of_dram() -> kernel.Program:
    def writer(p: Any) -> None:
        read(p.x, 0, p.a)
        write(p.scratch, 0, p.a)

    def reader(p: Any) -> None:
        read(p.scratch, 0, p.b)
        write(p.y, 0, p.b)

    return cores(writer, reader, together=True)


@mistake("two threads use a flag in plain L1 as a semaphore", "DataRaceFault")
def flag_in_plain_memory() -> kernel.Program:
    def first(p: Any) -> None:
        kernel.store_to_l1(1, FREE, 4)

    def second(p: Any) -> None:
        kernel.cb_reserve_back(p.a, 1)
        kernel.load_from_l1(FREE, 4)

    return cores(first, second, together=True)


@mistake("one thread waits for a semaphore, another uses the data", "DataRaceFault")
def other_thread_has_waited() -> kernel.Program:
    def sender(p: Any) -> None:
        address = fill(p.a)
        kernel.noc_async_write(address, core(0, 0, FREE), 2048)
        kernel.noc_async_write_barrier()
        signal(0, 0, p.semaphores[0])
        drop(p.a)

    def waiter(p: Any) -> None:
        kernel.noc_semaphore_wait(p.semaphores[0], 1)

    def user(p: Any) -> None:
        for _ in kernel.range(200_000):  # time is no order
            kernel.noc_async_read_barrier()
        kernel.noc_async_write(FREE, core(0, 0, FREE + 4096), 2048)
        kernel.noc_async_write_barrier()

    program = cores(waiter, user, together=True)
    program.add(kernel.data_movement()(sender), program.parts, cores=SECOND)
    return program


@mistake("a wait expects fewer increments than there are senders", "DataRaceFault")
def one_sender_too_few() -> kernel.Program:
    def sender(p: Any) -> None:
        address = fill(p.a)
        slot = FREE + kernel.my_logical_x() * 2048
        kernel.noc_async_write(address, core(0, 0, slot), 2048)
        kernel.noc_async_write_barrier()
        signal(0, 0, p.semaphores[0])
        drop(p.a)

    def collector(p: Any) -> None:
        kernel.noc_semaphore_wait_min(p.semaphores[0], 1)
        for sender in (1, 2):
            kernel.load_from_l1(FREE + sender * 2048, 4)

    return cores(collector, sender, sender, columns=3)


def write_and_signal(p: Any, between: Callable[[], None]) -> None:
    """Writes a page of DRAM, then tells core 1."""
    address = fill(p.a)
    kernel.noc_async_write_page(0, kernel.tensor_accessor(p.scratch), address)
    between()
    signal(1, 0, p.semaphores[0])
    kernel.noc_async_write_barrier()
    drop(p.a)


def read_after_signal(p: Any) -> None:
    kernel.noc_semaphore_wait(p.semaphores[0], 1)
    read(p.scratch, 0, p.a)
    write(p.y, 0, p.a)


@mistake("a DRAM write is signalled after only `noc_async_writes_flushed`", "DataRaceFault")
def signal_after_flush() -> kernel.Program:
    return cores(lambda p: write_and_signal(p, kernel.noc_async_writes_flushed), read_after_signal)


@mistake("a DRAM write is signalled before any barrier", "DataRaceFault")
def signal_without_barrier() -> kernel.Program:
    return cores(lambda p: write_and_signal(p, lambda: None), read_after_signal)


@mistake("a DRAM page is read back before the barrier of its write", "DataRaceFault", cores)
def read_back_too_soon(p: Any) -> None:
    address = fill(p.a)
    pages = kernel.tensor_accessor(p.scratch)
    kernel.noc_async_write_page(0, pages, address)
    read(p.scratch, 0, p.b)
    kernel.noc_async_write_barrier()
    drop(p.a)


@mistake("a page is returned to its owner before the barrier of its read", "DataRaceFault")
def release_before_read_barrier() -> kernel.Program:
    def owner(p: Any) -> None:
        kernel.store_to_l1(1, FREE, 4)
        kernel.fill_with_val(FREE, 512, 1, 4)
        signal(1, 0, p.semaphores[0])
        kernel.noc_semaphore_wait(p.semaphores[1], 1)
        kernel.fill_with_val(FREE, 512, 2, 4)

    def user(p: Any) -> None:
        kernel.noc_semaphore_wait(p.semaphores[0], 1)
        kernel.cb_reserve_back(p.a, 1)
        kernel.noc_async_read(core(0, 0, FREE), kernel.get_write_ptr(p.a), 2048)
        signal(0, 0, p.semaphores[1])
        kernel.noc_async_read_barrier()
        drop(p.a)

    return cores(owner, user)


def receive(p: Any) -> None:
    kernel.cb_reserve_back(p.a, 1)
    kernel.noc_semaphore_wait(p.semaphores[0], 1)
    kernel.cb_push_back(p.a, 1)
    write(p.y, 0, p.a)


@mistake("a flag on the other network overtakes the data", "DataRaceFault")
def flag_on_the_other_network() -> kernel.Program:
    def sender(p: Any) -> None:
        address = fill(p.a)
        kernel.noc_async_write(address, core(1, 0, address), 2048)
        kernel.cb_reserve_back(p.b, 1)
        kernel.cb_push_back(p.b, 1)
        kernel.noc_async_write_barrier()
        drop(p.a)

    def flagger(p: Any) -> None:
        kernel.cb_wait_front(p.b, 1)
        signal(1, 0, p.semaphores[0])
        kernel.cb_pop_front(p.b, 1)

    program = cores(sender, flagger, together=True)
    program.add(kernel.data_movement()(receive), program.parts, cores=SECOND)
    return program


@mistake("a flag to one core signals data to another before a barrier", "DataRaceFault")
def flag_to_another_core() -> kernel.Program:
    """Core 1 tells core 2 that the data which core 0 wrote to core 2 is there."""

    def sender(p: Any) -> None:
        address = fill(p.a)
        kernel.noc_async_write(address, core(2, 0, address), 2048)
        signal(1, 0, p.semaphores[0])
        kernel.noc_async_write_barrier()
        drop(p.a)

    def relay(p: Any) -> None:
        kernel.noc_semaphore_wait(p.semaphores[0], 1)
        signal(2, 0, p.semaphores[0])

    return cores(sender, relay, receive, columns=3)


@mistake("a flag to one core signals multicast data", "DataRaceFault")
def unicast_flag_behind_multicast() -> kernel.Program:
    def sender(p: Any) -> None:
        address = fill(p.a)
        first, last = (kernel.convert_logical_x_to_translated(x) for x in (1, 2))
        row = kernel.my_y()
        to = kernel.get_noc_multicast_addr(first, row, last, row, address)
        kernel.noc_async_write_multicast(address, to, 2048, 2)
        signal(1, 0, p.semaphores[0])
        kernel.noc_async_write_barrier()
        drop(p.a)

    return cores(sender, receive, columns=3)


@mistake("a semaphore is not reset before the next round", "DataRaceFault")
def semaphore_not_reset() -> kernel.Program:
    def sender(p: Any) -> None:
        for turn in range(2):
            read(p.x, turn, p.a)
            kernel.cb_wait_front(p.a, 1)
            address = kernel.get_read_ptr(p.a)
            kernel.noc_async_write(address, core(1, 0, FREE), 2048)
            kernel.noc_async_write_barrier()
            signal(1, 0, p.semaphores[0])
            kernel.cb_pop_front(p.a, 1)
            if turn == 0:
                kernel.noc_semaphore_wait(p.semaphores[1], 1)

    def receiver(p: Any) -> None:
        for turn in range(2):
            kernel.noc_semaphore_wait_min(p.semaphores[0], 1)
            kernel.cb_reserve_back(p.b, 1)
            kernel.tt_memmove(kernel.get_write_ptr(p.b), FREE, 2048)
            kernel.cb_push_back(p.b, 1)
            write(p.y, turn, p.b)
            if turn == 0:
                signal(0, 0, p.semaphores[1])

    return cores(sender, receiver)


@mistake("two cores write the same bytes to one address without synchronization", None)
def same_bytes_twice() -> kernel.Program:
    def body(p: Any) -> None:
        for page in range(2):
            read(p.x, page, p.a)
            write(p.y, page, p.a)

    return cores(body, body)
