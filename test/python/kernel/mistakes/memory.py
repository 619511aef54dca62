"""Tensors: pages that they do not have, and bytes that nothing has written."""

from __future__ import annotations

from typing import Any

from mistakes import FREE, cores, fill, mistake, pipeline, read, write
from ttmlir import kernel


@mistake("a page that a tensor does not have is read or written", "OutOfBoundsFault")
def read_beyond_the_tensor() -> kernel.Program:
    def reader(x: Any, tiles: Any) -> None:
        for page in kernel.range(1, 5):
            read(x, page, tiles)

    return pipeline(reader=reader, tiles=4)


@mistake("a page that a tensor does not have is read or written", "OutOfBoundsFault")
def write_beyond_the_tensor() -> kernel.Program:
    def writer(y: Any, results: Any) -> None:
        write(y, 12_000, results)

    return pipeline(writer=writer)


@mistake("an address in DRAM that is within no tensor", "OutOfBoundsFault")
def behind_all_tensors() -> kernel.Program:
    def only(p: Any) -> None:
        to = kernel.get_noc_addr_from_bank_id(0, 64 << 20, True)
        kernel.noc_async_write(fill(p.a), to, 64)

    return cores(only)


@mistake("a tensor is read before a kernel has written it", "UninitializedReadFault")
def scratch_never_written() -> kernel.Program:
    def only(p: Any) -> None:
        read(p.scratch, 0, p.a)
        write(p.y, 0, p.a)

    return cores(only)


@mistake("an output, or a part of it, that no kernel has written", "UninitializedReadFault")
def output_never_written() -> kernel.Program:
    def only(p: Any) -> None:
        read(p.x, 0, p.a)
        write(p.scratch, 0, p.a)

    return cores(only)


@mistake("an output, or a part of it, that no kernel has written", "UninitializedReadFault")
def output_half_written() -> kernel.Program:
    def only(p: Any) -> None:
        read(p.x, 0, p.a)
        write(p.y, 0, p.a)

    return cores(only)


@mistake("a tensor of another program", "BuildError")
def tensor_of_another_program() -> kernel.Program:
    other = kernel.Program("other").input("z", (32, 64))
    return cores(lambda p: read(other, 0, p.a))


@mistake("a tensor of another program", "BuildError")
def address_of_another_program() -> kernel.Program:
    other = kernel.Program("other").input("z", (32, 64))
    return cores(lambda p: kernel.store_to_l1(other, FREE, 4))


@mistake("a tensor of another program", "BuildError")
def argument_of_another_program() -> kernel.Program:
    other = kernel.Program("other").input("z", (32, 64))
    program = cores()
    use = kernel.data_movement()(lambda address: kernel.store_to_l1(address, FREE, 4))
    program.add(use, kernel.runtime(other))
    return program
