"""One planted program per kind of fault: each ends with the class of that kind, which names the
kernel, the core, the thread, the bytes and the line of this file (marked ``# here``).

test_mistakes.py has the programs of what a kernel's author can do wrong."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from mistakes import FREE, drop, fill

from ttmlir import errors, kernel, runtime

# Kind, body, thread, bytes.
PLANTED: list[tuple[str, Callable[[Any], None], str, int]] = []


def planted(
    kind: str, thread: str = "noc0", bytes: int = 0
) -> Callable[[Callable[[Any], None]], Callable[[Any], None]]:
    def note(body: Callable[[Any], None]) -> Callable[[Any], None]:
        PLANTED.append((kind, body, thread, bytes))
        return body

    return note


def own(address: Any) -> kernel.Value:
    """An address of the core itself on the network."""
    return kernel.get_noc_addr(kernel.my_x(), kernel.my_y(), address)


@planted("Alignment", bytes=64)
def alignment(r: Any) -> None:
    kernel.cb_reserve_back(r.a, 1)
    kernel.noc_async_read(own(FREE + 4), kernel.get_write_ptr(r.a), 64)  # here


@planted("Length")
def length(r: Any) -> None:
    kernel.cb_reserve_back(r.a, 1)
    kernel.noc_async_read(own(FREE), kernel.get_write_ptr(r.a), 0)  # here


@planted("OutOfBounds", bytes=64)
def out_of_bounds(r: Any) -> None:
    kernel.noc_async_write(fill(r.a), own(1499136 - 32), 64)  # here


@planted("Coordinates")
def coordinates(r: Any) -> None:
    nowhere = kernel.get_noc_addr(50, 50, FREE)
    kernel.noc_async_write(fill(r.a), nowhere, 64)  # here


@planted("DevicePosition")
def device_position(r: Any) -> None:
    kernel.fabric_async_write(fill(r.a), 1, own(FREE), 64)  # here


@planted("PendingTransfer", bytes=4)
def pending_transfer(r: Any) -> None:
    kernel.cb_reserve_back(r.a, 1)
    address = kernel.get_write_ptr(r.a)
    kernel.noc_async_read_page(0, kernel.tensor_accessor(r.x), address)
    kernel.load_from_l1(address + 64, 4)  # here


@planted("PageNotReserved", bytes=4)
def page_not_reserved(r: Any) -> None:
    kernel.store_to_l1(1, kernel.get_write_ptr(r.a), 4)  # here
    kernel.cb_push_back(r.a, 1)


@planted("PageNotWaited", bytes=4)
def page_not_waited(r: Any) -> None:
    fill(r.a)
    kernel.cb_push_back(r.a, 1)
    kernel.load_from_l1(kernel.get_read_ptr(r.a), 4)  # here


@planted("BufferDirty")  # here
def buffer_dirty(r: Any) -> None:
    kernel.cb_reserve_back(r.a, 1)


@planted("BufferWrap")
def buffer_wrap(r: Any) -> None:
    for _ in range(2):
        kernel.cb_reserve_back(r.three, 2)
        kernel.cb_push_back(r.three, 2)  # here
        kernel.cb_wait_front(r.three, 2)
        kernel.cb_pop_front(r.three, 2)


@planted("BufferCapacity")
def buffer_capacity(r: Any) -> None:
    kernel.cb_reserve_back(r.a, r.nine)  # here


@planted("BufferMisuse", "noc1")
def buffer_misuse(r: Any) -> None:
    # The other thread has pushed a page of this buffer.
    kernel.cb_reserve_back(r.shared, 1)  # here


@planted("UninitializedRead", bytes=4)
def uninitialized_read(r: Any) -> None:
    kernel.cb_reserve_back(r.a, 1)
    kernel.load_from_l1(kernel.get_write_ptr(r.a), 4)  # here


@planted("DstIndex", "math")
def dst_index(r: Any) -> None:
    kernel.tile_regs_acquire()
    kernel.fill_tile_init()
    kernel.fill_tile(r.nine, 1.0)  # here


@planted("DstUnwritten", "pack")
def dst_unwritten(r: Any) -> None:
    kernel.tile_regs_acquire()
    kernel.tile_regs_commit()
    kernel.cb_reserve_back(r.a, 1)
    kernel.tile_regs_wait()
    kernel.pack_tile(1, r.a, 0)  # here


@planted("DstProtocol", "math")
def dst_protocol(r: Any) -> None:
    kernel.fill_tile_init()
    kernel.fill_tile(0, 1.0)  # here


@planted("Init", "math")
def init(r: Any) -> None:
    kernel.tile_regs_acquire()
    kernel.exp_tile_init()
    kernel.fill_tile(0, 1.0)  # here


@planted("TileFormat", "math")
def tile_format(r: Any) -> None:
    kernel.tile_regs_acquire()
    kernel.fill_tile_init()
    kernel.fill_tile(0, 1.0)
    kernel.bitwise_not_tile_init()
    kernel.bitwise_not_tile(0)  # here


@planted("Operand", "math")
def operand(r: Any) -> None:
    kernel.tile_regs_acquire()
    kernel.mm_block_init(r.a, r.a, r.three, 0, 1, 1, 1)
    kernel.matmul_block(r.a, r.a, 0, 0, 0, 0, r.zero, 1, 1)  # here


@planted("Semaphore")
def semaphore(r: Any) -> None:
    kernel.noc_semaphore_set(kernel.get_semaphore(r.nine), 1)  # here


@planted("OutstandingTransfer")  # here
def outstanding_transfer(r: Any) -> None:
    kernel.noc_async_write(fill(r.a), own(FREE), 64)


@planted("Multicast")
def multicast(r: Any) -> None:
    x, y = kernel.my_x(), kernel.my_y()
    others = kernel.get_noc_multicast_addr(x, y + 1, x, y + 2, FREE)
    kernel.noc_async_write_multicast(fill(r.a), others, 64, 3)  # here


@planted("ArgumentIndex")
def argument_index(r: Any) -> None:
    kernel.store_to_l1(kernel.get_common_arg_val(3), FREE, 4)  # here


@planted("DivisionByZero")
def division_by_zero(r: Any) -> None:
    kernel.store_to_l1(1 // r.zero, FREE, 4)  # here


@planted("Assertion")
def assertion(r: Any) -> None:
    kernel.assert_that(r.nine == 8, "nine is eight")  # here


@planted("Deadlock")
def deadlock(r: Any) -> None:
    kernel.cb_wait_front(r.a, 1)  # here


@planted("StepLimit")
def step_limit(r: Any) -> None:
    for _ in kernel.range(1 << 30):
        kernel.noc_async_read_barrier()


def program_of(body: Callable[[Any], None], thread: str) -> kernel.Program:
    """A program on core (1, 2), with the other things that the bodies use."""
    program = kernel.Program(cores=kernel.CoreRange(1, 2, 1, 1))
    x, _ = program.input("x", (32, 32)), program.output("y", (32, 32))
    a = program.circular_buffer("in0", pages=2)
    three = program.circular_buffer("in1", pages=3)
    shared = program.circular_buffer("in2", pages=8)

    @functools.wraps(body)
    def run(nine: kernel.Value, zero: kernel.Value) -> None:
        body(SimpleNamespace(x=x, a=a, three=three, shared=shared, nine=nine, zero=zero))

    def other() -> None:
        fill(shared)
        kernel.cb_push_back(shared, 1)

    computes = thread in ("unpack", "math", "pack")
    decorate = kernel.compute() if computes else kernel.data_movement(noc=int(thread == "noc1"))
    program.add(
        kernel.Kernel(body.__name__, decorate(run).config, run),
        kernel.runtime(9),
        kernel.runtime(0),
    )
    if body is buffer_misuse:
        program.add(kernel.data_movement(noc=0)(other))
    return program


@pytest.mark.parametrize(
    ("kind", "body", "thread", "bytes"), PLANTED, ids=[kind for kind, *_ in PLANTED]
)
def test_fault(kind: str, body: Callable[[Any], None], thread: str, bytes: int) -> None:
    program = program_of(body, thread)
    checks = [*runtime.DeviceOptions().check_kinds, "leftovers"]
    with pytest.raises(errors.Fault) as caught:
        program.run(x=np.zeros((32, 32), "bfloat16"), step_limit=100_000, checks=checks)
    fault = caught.value
    assert type(fault).__name__ == f"{kind}Fault", fault
    assert isinstance(fault, getattr(errors, f"{kind}Fault"))
    assert (fault.kernel, fault.core, fault.thread) == (body.__name__, (1, 2), thread)
    assert fault.bytes == bytes
    lines, first = inspect.getsourcelines(body)
    marked = [first + i for i, line in enumerate(lines) if "# here" in line]
    file, line, _ = fault.location.rsplit(":", 2)
    assert Path(file) == Path(__file__)
    assert int(line) in (marked or range(first, first + len(lines)))
    assert body.__name__ in str(fault)


def test_every_kind_is_planted_somewhere() -> None:
    kinds = {cls.kind for cls in errors.Fault.__subclasses__()}
    elsewhere = {"DataRace", "BufferOverlap", "MissingLink"}
    assert kinds - {kind for kind, *_ in PLANTED} == elsewhere


def test_data_race() -> None:
    """Two cores write to one place, and nothing orders them."""

    @kernel.data_movement()
    def near(tile: kernel.CircularBuffer) -> None:
        kernel.store_to_l1(1, FREE, 4)

    @kernel.data_movement()
    def far(tile: kernel.CircularBuffer) -> None:
        target = kernel.get_noc_addr(kernel.convert_logical_x_to_translated(0), kernel.my_y(), FREE)
        kernel.noc_async_write(fill(tile), target, 64)
        kernel.noc_async_write_barrier()
        drop(tile)

    program = kernel.Program()
    program.output("y", (32, 32))
    tile = program.circular_buffer("in0", pages=1, cores=(1, 2))
    for column, body in enumerate((near, far)):
        program.add(body, tile, cores=kernel.CoreRange(0, column, 1, 1))
    with pytest.raises(errors.DataRaceFault) as caught:
        program.run()
    assert caught.value.kernel == "far"
    assert caught.value.bytes in (4, 64)


@pytest.mark.parametrize(
    ("wait", "value"),
    [(kernel.noc_semaphore_wait, "2"), (kernel.noc_semaphore_wait_min, "at least 2")],
    ids=["equal", "least"],
)
def test_a_deadlock_names_the_awaited_value(wait: Callable[..., Any], value: str) -> None:
    program = kernel.Program()
    program.output("y", (32, 32))

    @kernel.data_movement()
    def waiting(flag: kernel.Semaphore) -> None:
        wait(flag, 2)

    program.add(waiting, program.semaphore(1))
    with pytest.raises(errors.DeadlockFault) as caught:
        program.run()
    (waiter,) = caught.value.waiters
    assert waiter.waits_for == f"semaphore 0 to be {value}, which is 1"


def test_overlapping_buffers() -> None:
    """The addresses of a program do not overlap; a module's may."""
    import ttmlir
    from ttmlir import passes, runtime

    program = kernel.Program()
    y = program.output("y", (32, 32), memory="l1")
    program.circular_buffer("in0", pages=1)
    program.add(kernel.data_movement()(lambda: None))
    text = program.mlir.replace("cb_in0, 3072,", f"cb_in0, {y.address + 1024},")
    assert text != program.mlir
    module = ttmlir.ir.Module.parse(text, ttmlir.ir.Context())
    binary = runtime.load_binary_from_bytes(passes.ttmetal_to_flatbuffer_bytes(module))
    executable = ttmlir.Executable(binary)
    device = runtime.open_system(executable.system_desc)
    options = runtime.get_device_options(device)
    options.checks = True
    runtime.set_device_options(device, options)
    with pytest.raises(errors.BufferOverlapFault) as caught:
        executable(device=device)
    runtime.close_device(device)
    assert caught.value.bytes > 0
