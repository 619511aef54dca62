"""Tensors: pages that they do not have, and bytes that nothing has written."""

from __future__ import annotations

from typing import Any

from mistakes import FREE, as_reader, as_writer, cores, fill, mistake, read, write
from ttmlir import kernel


@mistake("a page outside the tensor is read or written", "OutOfBoundsFault", as_reader, tiles=4)
def read_beyond_the_tensor(x: Any, tiles: Any) -> None:
    for page in kernel.range(1, 5):
        read(x, page, tiles)


@mistake("a page outside the tensor is read or written", "OutOfBoundsFault", as_writer)
def write_beyond_the_tensor(y: Any, results: Any) -> None:
    write(y, 12_000, results)


@mistake("a DRAM address outside every tensor", "OutOfBoundsFault", cores)
def behind_all_tensors(p: Any) -> None:
    to = kernel.get_noc_addr_from_bank_id(0, 64 << 20, True)
    kernel.noc_async_write(fill(p.a), to, 64)


@mistake("a tensor is read before a kernel writes it", "UninitializedReadFault", cores)
def scratch_never_written(p: Any) -> None:
    read(p.scratch, 0, p.a)
    write(p.y, 0, p.a)


@mistake("an output is not written, or only in part", "UninitializedReadFault", cores)
def output_never_written(p: Any) -> None:
    read(p.x, 0, p.a)
    write(p.scratch, 0, p.a)


@mistake("an output is not written, or only in part", "UninitializedReadFault", cores)
def output_half_written(p: Any) -> None:
    read(p.x, 0, p.a)
    write(p.y, 0, p.a)


def other() -> kernel.Tensor:
    return kernel.Program("other").input("z", (32, 64))


@mistake("a tensor of another program", "BuildError", cores)
def tensor_of_another_program(p: Any) -> None:
    read(other(), 0, p.a)


@mistake("a tensor of another program", "BuildError", cores)
def address_of_another_program(p: Any) -> None:
    kernel.store_to_l1(other(), FREE, 4)


@mistake("a tensor of another program", "BuildError")
def argument_of_another_program() -> kernel.Program:
    program = cores()
    use = kernel.data_movement()(lambda address: kernel.store_to_l1(address, FREE, 4))
    program.add(use, kernel.runtime(other()))
    return program
