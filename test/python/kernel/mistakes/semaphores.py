"""Semaphores, arguments, and what a kernel says about itself."""

from __future__ import annotations

from typing import Any

from mistakes import FREE, core, cores, fill, mistake, read, signal, write
from ttmlir import kernel


@mistake("an address that is not a semaphore's", "SemaphoreFault")
def no_semaphore() -> kernel.Program:
    return cores(lambda p: kernel.noc_semaphore_wait(FREE, 1))


@mistake("an address that is not a semaphore's", "SemaphoreFault")
def semaphore_that_was_not_declared() -> kernel.Program:
    return cores(lambda p: kernel.noc_semaphore_set(kernel.get_semaphore(9), 1))


@mistake("a semaphore overflows", "SemaphoreFault")
def overflow() -> kernel.Program:
    def sender(p: Any) -> None:
        for increment in (0xFFFFFFFF, 2):
            kernel.noc_semaphore_inc(core(1, 0, p.semaphores[0]), increment)
        kernel.noc_async_atomic_barrier()

    return cores(sender, lambda p: kernel.noc_semaphore_wait(p.semaphores[0], 1))


@mistake("semaphores of another core are written as plain bytes", "SemaphoreFault", cores)
def bytes_over_a_semaphore(p: Any) -> None:
    kernel.noc_async_write(fill(p.a), core(1, 0, p.semaphores[0]), 16)


@mistake("semaphores of another core are written as plain bytes", "SemaphoreFault", cores)
def word_beside_a_semaphore(p: Any) -> None:
    beside = kernel.get_semaphore(0) + 4
    kernel.noc_inline_dw_write(core(1, 0, beside), 1)
    kernel.noc_async_write_barrier()


@mistake("a wait for a value that the semaphore has already passed", "DeadlockFault")
def past_the_value() -> kernel.Program:
    def sender(p: Any) -> None:
        for _ in range(2):
            kernel.noc_semaphore_inc(core(1, 0, p.semaphores[0]), 1)
        kernel.noc_async_atomic_barrier()
        signal(1, 0, p.semaphores[1])

    def receiver(p: Any) -> None:
        kernel.noc_semaphore_wait(p.semaphores[1], 1)
        kernel.noc_semaphore_wait(p.semaphores[0], 1)

    return cores(sender, receiver)


@mistake("a semaphore of another program", "BuildError")
def semaphore_of_another_program() -> kernel.Program:
    other = kernel.Program("other").semaphore()
    return cores(lambda p: kernel.noc_semaphore_set(other, 1))


@mistake("a semaphore of kernels that have ended", "BuildError")
def semaphore_of_the_kernels_before() -> kernel.Program:
    program = cores(lambda p: kernel.noc_semaphore_set(p.semaphores[0], 1))
    program.then()
    use = kernel.data_movement()(lambda p: kernel.noc_semaphore_wait(p.semaphores[0], 1))
    program.add(use, program.parts)
    return program


@mistake("an argument that the kernel was not given", "ArgumentIndexFault")
def no_argument() -> kernel.Program:
    return cores(lambda p: kernel.store_to_l1(kernel.get_common_arg_val(3), FREE, 4))


@mistake("a division by zero", "DivisionByZeroFault")
def division_by_zero() -> kernel.Program:
    return cores(lambda p: kernel.store_to_l1(7 // kernel.my_logical_x(), FREE, 4))


@mistake("a kernel assertion fails", "AssertionFault")
def assertion() -> kernel.Program:
    return cores(lambda p: kernel.assert_that(kernel.my_logical_x() == 1, "core 1"))


@mistake("a chip position outside the mesh", "DevicePositionFault")
def no_such_chip() -> kernel.Program:
    return cores(lambda p: kernel.fabric_async_write(fill(p.a), 1, core(0, 0, FREE), 64))


@mistake("arithmetic or a comparison with a float", "BuildError")
def float_arithmetic() -> kernel.Program:
    return cores(lambda p: kernel.store_to_l1((kernel.my_logical_x() + 3) * 1.5, FREE, 4))


@mistake("arithmetic or a comparison with a float", "BuildError")
def float_comparison() -> kernel.Program:
    return cores(lambda p: kernel.assert_that(kernel.my_logical_x() < 3.5, "few"))


@mistake("arithmetic on the bits of a float argument", None)
def float_argument() -> kernel.Program:
    def only(bits: kernel.Value, p: Any) -> None:
        kernel.noc_semaphore_set(p.semaphores[0], bits + 1)
        read(p.x, 0, p.a)
        write(p.y, 0, p.a)

    program = cores(tensor_tiles=1)
    one = kernel.CoreRange(0, 0, 1, 1)
    program.add(kernel.data_movement()(only), kernel.runtime(1.5), program.parts, cores=one)
    return program
