"""Programs that look like mistakes and are none: no check may object, and the numbers are right.

They run on one and on four threads of the host, with the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mistakes import (
    FREE,
    Cores,
    Function,
    as_compute,
    as_reader,
    as_writer,
    builder,
    compute_tile,
    core,
    cores,
    drop,
    read,
    write,
)

from ttmlir import kernel

RIGHT: dict[str, Callable[[], kernel.Program]] = {}


def right(around: Function | None = None, **options: Any) -> Callable[[Function], Function]:
    """Registers a program whose output y is its input x, as ``mistake`` does."""

    def note(function: Function) -> Function:
        RIGHT[function.__name__] = builder(function, around, options)
        return function

    return note


@right(as_writer, tiles=4)
def flushed_before_each_pop(y: Any, results: Any) -> None:
    pages = kernel.tensor_accessor(y)
    for page in kernel.range(4):
        kernel.cb_wait_front(results, 1)
        kernel.noc_async_write_page(page, pages, kernel.get_read_ptr(results))
        kernel.noc_async_writes_flushed()
        kernel.cb_pop_front(results, 1)
    kernel.noc_async_write_barrier()


@right(as_reader, tiles=4)
def one_barrier_for_two_reads(x: Any, tiles: Any) -> None:
    pages = kernel.tensor_accessor(x)
    for page in kernel.range(0, 4, 2):
        kernel.cb_reserve_back(tiles, 1)
        kernel.cb_reserve_back(tiles, 2)
        address = kernel.get_write_ptr(tiles)
        for i in range(2):
            kernel.noc_async_read_page(page + i, pages, address + i * x.page_size)
        kernel.noc_async_read_barrier()
        kernel.cb_push_back(tiles, 1)
        kernel.cb_push_back(tiles, 1)


@right(as_compute, tiles=4, pages=4)
def registers_packed_out_of_order(tiles: Any, results: Any) -> None:
    kernel.unary_op_init_common(tiles, results)
    kernel.cb_wait_front(tiles, 4)
    kernel.tile_regs_acquire()
    for tile in range(4):
        kernel.copy_tile(tiles, tile, tile)
    kernel.tile_regs_commit()
    kernel.cb_reserve_back(results, 4)
    kernel.tile_regs_wait()
    for tile in (3, 1, 0, 2):
        kernel.pack_tile(tile, results, tile, True)
    kernel.tile_regs_release()
    kernel.cb_pop_front(tiles, 4)
    kernel.cb_push_back(results, 4)


@right(as_compute, tiles=4)
def matrix_and_vector_inits_side_by_side(tiles: Any, results: Any) -> None:
    """x * 1 - 0, with the inits of both engines before the loop."""
    kernel.init_sfpu(tiles, results)
    kernel.negative_tile_init()

    def twice_negative() -> None:
        kernel.copy_tile(tiles, 0, 0)
        kernel.negative_tile(0)
        kernel.negative_tile(0)

    compute_tile(tiles, results, twice_negative, 4)


@right(as_compute, tiles=2, out_dtype="f32", fp32_dest_acc_en=True)
def formats_reconfigured(tiles: Any, results: Any) -> None:
    """A bf16 tile times a tile of f32 ones, which is made of registers."""
    kernel.unary_op_init_common(tiles, tiles)
    kernel.pack_reconfig_data_format(results)
    compute_tile(tiles, results, lambda: kernel.copy_tile(tiles, 0, 0), 2)


@right(as_compute)
def reduction_undone(tiles: Any, results: Any) -> None:
    kernel.reduce_init(tiles, tiles, results, "max", "row")
    kernel.reduce_uninit()
    kernel.copy_tile_init(tiles)
    compute_tile(tiles, results, lambda: kernel.copy_tile(tiles, 0, 0))


@right(as_compute, tiles=2)
def accumulated_in_l1(tiles: Any, results: Any) -> None:
    """Every tile is packed over zeros."""
    kernel.unary_op_init_common(tiles, results)
    for _ in kernel.range(2):
        kernel.cb_wait_front(tiles, 1)
        kernel.cb_reserve_back(results, 1)
        kernel.fill_tile_init()
        for accumulates in (0, 1):
            kernel.tile_regs_acquire()
            if accumulates:
                kernel.copy_tile(tiles, 0, 0)
            else:
                kernel.fill_tile(0, 0.0)
            kernel.tile_regs_commit()
            kernel.tile_regs_wait()
            kernel.pack_reconfig_l1_acc(accumulates)
            kernel.pack_tile(0, results, 0, True)
            kernel.tile_regs_release()
        kernel.cb_pop_front(tiles, 1)
        kernel.cb_push_back(results, 1)


@right()
def tensors_in_l1_without_handshake() -> kernel.Program:
    program = kernel.Program()
    x = program.input("x", (32, 64), memory="l1")
    y = program.output("y", (32, 64), memory="l1")
    tiles = program.circular_buffer("in0", tensor=x)
    results = program.circular_buffer("out0", tensor=y)

    def compute() -> None:
        kernel.unary_op_init_common(tiles, results)
        kernel.tile_regs_acquire()
        for tile in range(2):
            kernel.copy_tile(tiles, tile, tile)
        kernel.tile_regs_commit()
        kernel.tile_regs_wait()
        for tile in range(2):
            kernel.pack_tile(tile, results, tile)
        kernel.tile_regs_release()

    program.add(kernel.compute()(compute))
    return program


@right()
def threads_take_turns_by_circular_buffers() -> kernel.Program:
    """Two threads of a core use one page of plain L1, and pages without data are the turns."""

    def first(p: Any) -> None:
        pages = kernel.tensor_accessor(p.x)
        for page in kernel.range(2):
            kernel.cb_reserve_back(p.a, 1)
            kernel.noc_async_read_page(page, pages, FREE)
            kernel.noc_async_read_barrier()
            kernel.cb_push_back(p.a, 1)
            kernel.cb_wait_front(p.b, 1)
            kernel.cb_pop_front(p.b, 1)

    def second(p: Any) -> None:
        pages = kernel.tensor_accessor(p.y)
        for page in kernel.range(2):
            kernel.cb_wait_front(p.a, 1)
            kernel.noc_async_write_page(page, pages, FREE)
            kernel.noc_async_write_barrier()
            kernel.cb_pop_front(p.a, 1)
            kernel.cb_reserve_back(p.b, 1)
            kernel.cb_push_back(p.b, 1)

    return cores(first, second, together=True)


@right()
def threads_take_turns_by_a_semaphore() -> kernel.Program:
    def first(p: Any) -> None:
        read(p.x, 0, p.a)
        write(p.scratch, 0, p.a)
        read(p.x, 1, p.a)
        write(p.scratch, 1, p.a)
        kernel.noc_semaphore_set(p.semaphores[0], 1)

    def second(p: Any) -> None:
        kernel.noc_semaphore_wait(p.semaphores[0], 1)
        for page in range(2):
            read(p.scratch, page, p.b)
            write(p.y, page, p.b)

    return cores(first, second, together=True)


@right()
def two_threads_wait_for_one_semaphore() -> kernel.Program:
    """Both threads of core 0 use what core 1 has written."""

    def sender(p: Any) -> None:
        for page in range(2):
            read(p.x, page, p.a)
            write(p.scratch, page, p.a)
        kernel.noc_semaphore_inc(core(0, 0, p.semaphores[0]), 1)
        kernel.noc_async_atomic_barrier()

    def receiver(page: int, buffer: str) -> Callable[[Any], None]:
        def receive(p: Any) -> None:
            kernel.noc_semaphore_wait_min(p.semaphores[0], 1)
            read(p.scratch, page, getattr(p, buffer))
            write(p.y, page, getattr(p, buffer))

        return receive

    program = cores(receiver(0, "a"), receiver(1, "b"), together=True)
    program.add(kernel.data_movement()(sender), program.parts, cores=kernel.CoreRange(0, 1, 1, 1))
    return program


def to_neighbour(send: Callable[[Any, Any], None], noc: int = 0) -> Cores:
    """Core 0 sends the pages of x to core 1 with `send(parts, page address)`, which writes them to
    y and gives the page back."""

    def sender(p: Any) -> None:
        for page in kernel.range(2):
            read(p.x, page, p.a)
            kernel.cb_wait_front(p.a, 1)
            kernel.noc_semaphore_wait_min(p.semaphores[1], page)
            send(p, kernel.get_read_ptr(p.a))
            kernel.noc_async_full_barrier()
            kernel.cb_pop_front(p.a, 1)

    def receiver(p: Any) -> None:
        pages = kernel.tensor_accessor(p.y)
        for page in kernel.range(2):
            kernel.noc_semaphore_wait(p.semaphores[0], 1)
            kernel.noc_semaphore_set(p.semaphores[0], 0)
            kernel.noc_async_write_page(page, pages, FREE)
            kernel.noc_async_write_barrier()
            kernel.noc_semaphore_inc(core(0, 0, p.semaphores[1]), 1)
        kernel.noc_async_atomic_barrier()

    return cores(sender, receiver, nocs=(noc, 0))


@right(to_neighbour)
def flag_behind_a_write(p: Any, address: Any) -> None:
    """The network keeps the order of a write and an increment to one core."""
    kernel.noc_async_write(address, core(1, 0, FREE), 2048)
    kernel.noc_semaphore_inc(core(1, 0, p.semaphores[0]), 1)


@right(to_neighbour)
def remote_set_behind_a_write(p: Any, address: Any) -> None:
    kernel.noc_async_write(address, core(1, 0, FREE), 2048)
    kernel.noc_inline_dw_write(core(1, 0, p.semaphores[0]), 1)


@right(to_neighbour, noc=1)
def multicast_flag_behind_a_multicast(p: Any, address: Any) -> None:
    column = kernel.convert_logical_x_to_translated(1)
    row = kernel.my_y()
    data = kernel.get_noc_multicast_addr(column, row, column, row, FREE)
    kernel.noc_async_write_multicast(address, data, 2048, 1)
    kernel.noc_semaphore_set(p.semaphores[0], 1)
    flag = kernel.get_noc_multicast_addr(column, row, column, row, p.semaphores[0])
    kernel.noc_semaphore_set_multicast(p.semaphores[0], flag, 1)


@right()
def multicast_to_the_sender_too() -> kernel.Program:
    """Each of two cores writes its page of what core 0 sends to both."""

    def row(address: Any) -> Any:
        first, last = (kernel.convert_logical_x_to_translated(column) for column in range(2))
        return kernel.get_noc_multicast_addr(first, kernel.my_y(), last, kernel.my_y(), address)

    def out(p: Any) -> None:
        page = kernel.my_logical_x()
        kernel.noc_async_write_page(page, kernel.tensor_accessor(p.y), FREE + page * 2048)
        kernel.noc_async_write_barrier()

    def sender(p: Any) -> None:
        for page in range(2):
            read(p.x, page, p.a)
            kernel.cb_wait_front(p.a, 1)
            address = kernel.get_read_ptr(p.a)
            to = row(FREE + page * 2048)
            kernel.noc_async_write_multicast_loopback_src(address, to, 2048, 2)
            kernel.noc_async_write_barrier()
            kernel.cb_pop_front(p.a, 1)
        kernel.noc_semaphore_inc(core(1, 0, p.semaphores[0]), 1)
        kernel.noc_async_atomic_barrier()
        out(p)

    def receiver(p: Any) -> None:
        kernel.noc_semaphore_wait(p.semaphores[0], 1)
        out(p)

    return cores(sender, receiver)


@right()
def relayed_flag_after_a_barrier() -> kernel.Program:
    """Core 0 writes to core 2 and tells core 1, which tells core 2."""

    def sender(p: Any) -> None:
        for page in range(2):
            read(p.x, page, p.a)
            kernel.cb_wait_front(p.a, 1)
            slot = core(2, 0, FREE + page * 2048)
            kernel.noc_async_write(kernel.get_read_ptr(p.a), slot, 2048)
            kernel.noc_async_write_barrier()
            kernel.cb_pop_front(p.a, 1)
        kernel.noc_semaphore_inc(core(1, 0, p.semaphores[0]), 1)
        kernel.noc_async_atomic_barrier()

    def relay(p: Any) -> None:
        kernel.noc_semaphore_wait(p.semaphores[0], 1)
        kernel.noc_semaphore_inc(core(2, 0, p.semaphores[0]), 1)
        kernel.noc_async_atomic_barrier()

    def receiver(p: Any) -> None:
        kernel.noc_semaphore_wait(p.semaphores[0], 1)
        pages = kernel.tensor_accessor(p.y)
        for page in range(2):
            kernel.noc_async_write_page(page, pages, FREE + page * 2048)
        kernel.noc_async_write_barrier()

    return cores(sender, relay, receiver, columns=3)


@right()
def flags_behind_writes_to_many() -> kernel.Program:
    """A page to each of two cores, each with its flag behind it, and one barrier at the end."""

    def sender(p: Any) -> None:
        pages = kernel.tensor_accessor(p.x)
        kernel.cb_reserve_back(p.a, 2)
        address = kernel.get_write_ptr(p.a)
        for page in range(2):
            kernel.noc_async_read_page(page, pages, address + page * 2048)
        kernel.noc_async_read_barrier()
        for page in range(2):
            kernel.noc_async_write(address + page * 2048, core(1 + page, 0, FREE), 2048)
            kernel.noc_semaphore_inc(core(1 + page, 0, p.semaphores[0]), 1)
        kernel.noc_async_full_barrier()
        drop(p.a, 2)

    def receiver(p: Any) -> None:
        kernel.noc_semaphore_wait(p.semaphores[0], 1)
        page = kernel.my_logical_x() - 1
        kernel.noc_async_write_page(page, kernel.tensor_accessor(p.y), FREE)
        kernel.noc_async_write_barrier()

    return cores(sender, receiver, receiver, columns=3)


@right()
def cores_meet_at_a_barrier() -> kernel.Program:
    """All write a page, meet, and read their neighbour's."""

    def body(p: Any) -> None:
        own = kernel.my_logical_x()
        read(p.x, own, p.a)
        write(p.scratch, own, p.a)
        kernel.noc_semaphore_inc(core(0, 0, p.semaphores[0]), 1)
        kernel.noc_async_atomic_barrier()
        with kernel.if_(own == 0):
            kernel.noc_semaphore_wait(p.semaphores[0], 2)
            kernel.noc_semaphore_inc(core(1, 0, p.semaphores[1]), 1)
            kernel.noc_async_atomic_barrier()
        with kernel.else_():
            kernel.noc_semaphore_wait(p.semaphores[1], 1)
        read(p.scratch, 1 - own, p.a)
        write(p.y, 1 - own, p.a)

    return cores(body, body)


@right(cores)
def written_page_read_back_after_the_barrier(p: Any) -> None:
    for page in range(2):
        read(p.x, page, p.a)
        write(p.scratch, page, p.a)
        read(p.scratch, page, p.a)
        write(p.y, page, p.a)


@right()
def dispatches_follow_each_other() -> kernel.Program:
    program = kernel.Program(cores=(1, 2))
    x, y = program.input("x", (32, 64)), program.output("y", (32, 64))
    scratch = program.scratch("scratch", (32, 64))

    def move(source: Any, target: Any, page: Callable[[], Any]) -> None:
        buffer = program.circular_buffer("in0", pages=1)

        def body() -> None:
            read(source, page(), buffer)
            write(target, page(), buffer)

        program.add(kernel.data_movement()(body))

    move(x, scratch, lambda: kernel.my_logical_x())
    program.then()
    move(scratch, y, lambda: 1 - kernel.my_logical_x())
    return program


@right(as_compute)
def floats_for_tiles(tiles: Any, results: Any) -> None:
    """Ops on tiles take the bits of floats, also chosen while the kernel runs."""
    kernel.unary_op_init_common(tiles, results)
    least = kernel.select(kernel.my_logical_x() == 0, -1000.0, 1000.0)

    def clamp() -> None:
        kernel.copy_tile(tiles, 0, 0)
        kernel.clamp_tile_init()
        kernel.clamp_tile(0, least, 1000.0)

    compute_tile(tiles, results, clamp)


@pytest.mark.parametrize("name", RIGHT)
def test_right_program(name: str) -> None:
    program = RIGHT[name]()
    shape = program.tensors[0].shape
    x = (np.arange(np.prod(shape)).reshape(shape) % 251).astype("bfloat16")
    results = [program.run(x=x, host_threads=threads)["y"] for threads in (1, 4)]
    assert (results[0].astype(np.float32) == x.astype(np.float32)).all()
    assert results[0].tobytes() == results[1].tobytes()
