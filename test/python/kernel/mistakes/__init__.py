"""Programs with one mistake each: what docs/src/mistakes.md says how it is found.

A module a subject. A function builds a program, or is the kernel with the mistake; ``MISTAKES`` has
all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

from ttmlir import kernel

#: An address in L1 that no program uses otherwise.
FREE = 0x100000


@dataclass(frozen=True)
class Mistake:
    """A program, the words of its row in the table, and the name of the exception that its run, or
    its build, ends with: none if nothing finds it."""

    name: str
    build: Callable[[], kernel.Program]
    words: str
    exception: str | None


MISTAKES: list[Mistake] = []

Function = Callable[..., Any]


def builder(function: Function, around: Function | None, options: dict[str, Any]) -> Function:
    """What builds a program: the function, or ``around`` with the function as its kernel."""
    return partial(around, function, **options) if around else function


def mistake(
    words: str, exception: str | None, around: Function | None = None, **options: Any
) -> Callable[[Function], Function]:
    """Registers the function behind it, which builds a program or is a kernel of the one that
    ``around`` builds."""

    def note(function: Function) -> Function:
        build = builder(function, around, options)
        MISTAKES.append(Mistake(function.__name__, build, words, exception))
        return function

    return note


# What the programs are built from.


def core(x: Any, y: Any, address: Any) -> kernel.Value:
    """An address of the core in column x, row y."""
    column = kernel.convert_logical_x_to_translated(x)
    row = kernel.convert_logical_y_to_translated(y)
    return kernel.get_noc_addr(column, row, address)


def read(tensor: Any, page: Any, buffer: Any) -> None:
    """A page of a tensor to a page of a buffer."""
    kernel.cb_reserve_back(buffer, 1)
    pages = kernel.tensor_accessor(tensor)
    kernel.noc_async_read_page(page, pages, kernel.get_write_ptr(buffer))
    kernel.noc_async_read_barrier()
    kernel.cb_push_back(buffer, 1)


def write(tensor: Any, page: Any, buffer: Any) -> None:
    """A page of a buffer to a page of a tensor."""
    kernel.cb_wait_front(buffer, 1)
    pages = kernel.tensor_accessor(tensor)
    kernel.noc_async_write_page(page, pages, kernel.get_read_ptr(buffer))
    kernel.noc_async_write_barrier()
    kernel.cb_pop_front(buffer, 1)


def drop(buffer: Any, pages: int = 1) -> None:
    """Pages of the own thread that nobody needs any more."""
    kernel.cb_push_back(buffer, pages)
    kernel.cb_wait_front(buffer, pages)
    kernel.cb_pop_front(buffer, pages)


def fill(buffer: Any, pages: int = 1) -> kernel.Value:
    """Reserved pages with zeros."""
    kernel.cb_reserve_back(buffer, pages)
    address = kernel.get_write_ptr(buffer)
    kernel.fill_with_val(address, 512 * pages, 0, 4)
    return address


def signal(x: Any, y: Any, semaphore: Any) -> None:
    """Adds 1 to a semaphore of a core."""
    kernel.noc_semaphore_inc(core(x, y, semaphore), 1)
    kernel.noc_async_atomic_barrier()


def compute_tile(source: Any, target: Any, compute: Callable[[], None], count: Any = 1) -> None:
    """What a compute kernel does with each tile; `compute` leaves the result in register 0."""
    for _ in kernel.range(count):
        kernel.cb_wait_front(source, 1)
        kernel.tile_regs_acquire()
        compute()
        kernel.tile_regs_commit()
        kernel.cb_reserve_back(target, 1)
        kernel.tile_regs_wait()
        kernel.pack_tile(0, target, 0)
        kernel.tile_regs_release()
        kernel.cb_pop_front(source, 1)
        kernel.cb_push_back(target, 1)


def copy_tiles(source: Any, target: Any, count: Any = 1) -> None:
    kernel.unary_op_init_common(source, target)
    kernel.copy_tile_init(source)
    compute_tile(source, target, lambda: kernel.copy_tile(source, 0, 0), count)


def pipeline(
    *,
    reader: Callable[..., None] | None = None,
    compute: Callable[..., None] | None = None,
    writer: Callable[..., None] | None = None,
    tiles: int = 1,
    dtype: str = "bf16",
    out_dtype: str | None = None,
    buffer_dtype: str | None = None,
    pages: int = 2,
    **config: Any,
) -> kernel.Program:
    """Reader, compute and writer kernel on a row of tiles, each of which may be replaced.

    They are called with (x, tiles), (tiles, results) and (y, results).
    """
    program = kernel.Program("pipeline")
    x = program.input("x", (32, 32 * tiles), dtype)
    y = program.output("y", (32, 32 * tiles), out_dtype or dtype)
    source = program.circular_buffer("in0", buffer_dtype or dtype, pages=pages)
    target = program.circular_buffer("out0", out_dtype or dtype, pages=pages)

    def read_all(x: Any, source: Any) -> None:
        for page in kernel.range(tiles):
            read(x, page, source)

    def copy_all(source: Any, target: Any) -> None:
        copy_tiles(source, target, tiles)

    def write_all(y: Any, target: Any) -> None:
        for page in kernel.range(tiles):
            write(y, page, target)

    program.add(kernel.data_movement(noc=0)(reader or read_all), x, source)
    program.add(kernel.compute(**config)(compute or copy_all), source, target)
    program.add(kernel.data_movement(noc=1)(writer or write_all), y, target)
    return program


def as_reader(reader: Callable[..., None], **options: Any) -> kernel.Program:
    return pipeline(reader=reader, **options)


def as_compute(compute: Callable[..., None], **options: Any) -> kernel.Program:
    return pipeline(compute=compute, **options)


def as_writer(writer: Callable[..., None], **options: Any) -> kernel.Program:
    return pipeline(writer=writer, **options)


class Cores(kernel.Program):
    """A program and what its kernels use: tensors x, y and scratch, the buffers a and b, and the
    list `semaphores`."""

    parts: SimpleNamespace


def cores(
    *bodies: Callable[..., None],
    nocs: tuple[int, ...] | None = None,
    columns: int = 2,
    tensor_tiles: int = 2,
    semaphores: int = 2,
    pages: int = 2,
    together: bool = False,
) -> Cores:
    """Data movement kernels on a row of cores, the i-th body on column i; with `together` all of
    them on the first core, on one network each. They are called with the parts of the program."""
    program = Cores("cores", cores=(1, columns))
    shape = (32, 32 * tensor_tiles)
    program.parts = SimpleNamespace(
        x=program.input("x", shape),
        scratch=program.scratch("scratch", shape),
        y=program.output("y", shape),
        a=program.circular_buffer("in0", pages=pages),
        b=program.circular_buffer("in1", pages=pages),
        semaphores=[program.semaphore(0) for _ in range(semaphores)],
    )
    for i, body in enumerate(bodies):
        noc = nocs[i] if nocs else i if together else 0
        at = kernel.CoreRange(0, 0 if together else i, 1, 1)
        program.add(kernel.data_movement(noc=noc)(body), program.parts, cores=at)
    return program
