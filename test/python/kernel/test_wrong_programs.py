"""ttmlir.kernel: programs that cannot be built are errors that say what was expected and found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ttmlir
from ttmlir import kernel

OTHER = kernel.Program("other")
OTHER.input("x", (32, 32))


def build(body: Callable[..., None], *arguments: Any, noc: int = 0, **options: Any) -> str:
    """The module of a program with one kernel."""
    program = kernel.Program(**options)
    program.output("y", (32, 32))
    program.add(kernel.data_movement(noc=noc)(body), *arguments)
    return program.mlir


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda p: p.input("x", (2, 33, 32)), "a multiple of 32 rows.*rank 3.*(2, 33, 32)"),
        (lambda p: p.input("x", (32, 0)), "expected positive extents, found shape"),
        (lambda p: p.input("x", (32, 32), "f64"), "dtype: unknown dtype 'f64'"),
        (lambda p: p.input("x", (32, 32), layout="rows"), "expected a layout of tile, row_major"),
        (lambda p: p.input("x", (32, 32), grid=(2, 2)), r"expected grid \(1, 1\) in dram"),
        (lambda p: p.input("x", (32, 32), memory="l1", grid=(2, 1)), "to divide into whole tiles"),
        (lambda p: p.input("x", (32, 32), memory="l1", grid=(9, 1)), "the chip's 8x8, found 9x1"),
        (lambda p: p.input("x", (8192, 8192), memory="l1"), "does not fit L1 of a core: expected"),
        (lambda p: p.input("x", (32, 32), "bfp8", layout="row_major"), "expected layout 'tile'"),
        (lambda p: p.input("y", (32, 32)), "a unique name for every tensor, found 'y' twice"),
        (lambda p: p.input("a b", (32, 32)), "a Python identifier, found 'a b'"),
        (lambda p: p.circular_buffer("in8"), "port: expected in0 to in7, .* found 'in8'"),
        (lambda p: p.circular_buffer("in0", pages=0), "pages: expected at least 1, found 0"),
        (lambda p: p.circular_buffer("in0", page_size=10), "a multiple of 16 bytes, found 10"),
        (lambda p: p.circular_buffer("in0", "bfp8_b", page_size=64), "pages of bfp8_b are tiles"),
        (lambda p: [p.circular_buffer("in0") for _ in "ab"], "'in0' is used by another"),
        (lambda p: p.circular_buffer("in0", tensor=p.tensors[0]), "expected a tensor in l1 under"),
        (lambda p: p.circular_buffer("in0", tensor=OTHER.tensors[0]), "'x' .*of another program"),
        (lambda p: [p.semaphore() for _ in range(17)], "expected at most 16 semaphores"),
        (lambda p: p.semaphore(1 << 32), "expected a number of 32 bits, found 4294967296"),
        (lambda p: p.add(print), "expected a kernel, such as .* found builtin_function"),
        (lambda p: kernel.CoreRange(0, -1, 1, 1), "expected cores from"),
        (lambda p: kernel.data_movement(noc=2), "noc: expected 0 or 1, found 2"),
        (lambda p: kernel.compute(fidelity="hifi5"), "fidelity: expected one of lofi, .*'hifi5'"),
        (lambda p: kernel.Program(cores=(9, 9)), "the chip's 8x8, found 9x9 cores"),
        (lambda p: kernel.cb_push_back(p.circular_buffer("in1"), 1), "expected a call from a kern"),
        (lambda p: kernel.parse("nowhere.mlir", kernel.DataMovement(0)), "cannot be read: No such"),
    ],
)
def test_declarations(declare: Callable[[kernel.Program], object], message: str) -> None:
    program = kernel.Program()
    program.output("y", (32, 32))
    with pytest.raises(kernel.BuildError, match=message):
        declare(program)


def test_what_a_program_lacks() -> None:
    with pytest.raises(kernel.BuildError, match="has no output: declare one"):
        _ = kernel.Program().module
    program = kernel.Program("empty")
    program.output("y", (32, 32))
    with pytest.raises(kernel.BuildError, match="the program 'empty' has no kernel: add one"):
        _ = program.module


def test_threads_of_a_core() -> None:
    program = kernel.Program(cores=(2, 2))
    one = kernel.data_movement()(lambda: None)
    program.add(one)
    with pytest.raises(kernel.BuildError, match="share cores: expected one noc0 kernel a core"):
        program.add(one, cores=kernel.CoreRange(1, 1, 2, 2))
    program.add(one, cores=kernel.CoreRange(2, 0, 1, 1))


def test_circular_buffers_fit() -> None:
    program = kernel.Program()
    program.output("y", (32, 32))
    program.circular_buffer("in0", "f32", pages=300)
    program.circular_buffer("in1", "f32", pages=100)
    program.add(kernel.data_movement()(lambda: None))
    expected = r"do not fit L1: expected at most \d+ bytes, found 1638400 \(in0 1228800, in1 409600"
    with pytest.raises(kernel.BuildError, match=expected):
        _ = program.module


def test_bodies() -> None:
    def breaks() -> None:
        for _ in kernel.range(3):
            break

    def carries() -> None:
        for _, _ in kernel.range(3, carried=(0,)):
            pass

    def lonely() -> None:
        with kernel.else_():
            pass

    for body, message in (
        (breaks, "the kernel 'breaks' leaves a kernel.range before its end"),
        (carries, r"expected a call of next\(\) in the body"),
        (lonely, "expected a kernel.if_ right before it"),
        (lambda: kernel.cb_push_back(3, 1), "cb: expected a circular buffer, found int"),
        (lambda: kernel.noc_semaphore_set("a", 1), "address: expected a number .* found str"),
        (lambda: kernel.noc_async_read(0, 0, 0), "expected a NoC address, .* found int"),
        (lambda: kernel.noc_semaphore_set(1 << 33, 1), "expected a number of 32 bits"),
        (lambda: list(kernel.range(1 << 31)), "stop: expected a number from .* found 2147483648"),
        (lambda: list(kernel.range(9, 0, -1)), "kernel.range: step: expected a number from 1 to"),
        (lambda: list(kernel.range(0, 9, 0)), "kernel.range: step: .* found 0"),
        (lambda: kernel.tensor_accessor(7), "tensor: expected a tensor, found int"),
        (lambda: (kernel.my_x() + 3) * 1.5, "operand: expected an integer, found 1.5: the cores"),
        (lambda: kernel.my_x() < 2.5, "operand: expected an integer, found 2.5"),
        (lambda: kernel.minimum(kernel.my_x(), 1e9), "operand: expected an integer, found 1000000"),
        (lambda: list(kernel.range(4.0)), "stop: expected an integer, found 4.0"),
    ):
        with pytest.raises(kernel.BuildError, match=message):
            build(body)
    with pytest.raises(TypeError, match=r"write `with kernel\.if_"):
        build(lambda: 1 if kernel.my_x() == 0 else 2)
    with pytest.raises(TypeError, match=r"loop over it with kernel\.range"):
        build(lambda: list(range(kernel.my_x())))  # type: ignore[arg-type]


def test_errors_of_the_author_pass_through() -> None:
    def body() -> None:
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine") as caught:
        build(body)
    assert type(caught.value) is ValueError


def test_verifier_errors_have_the_line() -> None:
    def wrong() -> None:
        kernel.tile_regs_acquire()

    with pytest.raises(ttmlir.CompileError) as caught:
        build(wrong)
    (found,) = (d for d in caught.value.diagnostics if d.severity == "error")
    assert "tile_regs_acquire" in found.message
    assert "test_wrong_programs.py" in found.location


def test_values_of_another_kernel() -> None:
    kept: list[kernel.Value] = []

    def first() -> None:
        kept.append(kernel.my_x())

    def leak() -> None:
        for i in kernel.range(3):
            kept.append(i)
        kernel.noc_semaphore_set(kept[-1], 1)

    def second() -> None:
        kernel.store_to_l1(kept[0], 0x100000, 4)

    build(first)
    assert repr(kept[0]) == "<ttmlir.kernel.Value i32>"
    with pytest.raises(kernel.BuildError, match=r"second: .* that the kernel 'first' computes"):
        build(second)
    with pytest.raises(kernel.BuildError, match="expected a call from a kernel"):
        _ = kept[0] + 1
    with pytest.raises(kernel.BuildError, match=r"leak: .* of a loop or branch that has ended"):
        build(leak)


def test_per_core_arguments() -> None:
    with pytest.raises(kernel.BuildError, match=r"one for each of the 2x2 cores .* found 3"):
        build(lambda value: None, kernel.per_core([1, 2, 3]), cores=(2, 2))


def test_text() -> None:
    text = "func.func @f(%x: !ttkernel.cb<cb_in0, 0, memref<1x1xf32>, 4, 1>) {\n  return\n}"
    program = kernel.Program()
    program.output("y", (32, 32))
    buffer = program.circular_buffer("in0")
    program.add(kernel.parse(text, kernel.DataMovement(0), name="f"), buffer, buffer)
    with pytest.raises(kernel.BuildError, match="takes 1 circular buffers, found 2 arguments"):
        _ = program.module
    program = kernel.Program()
    program.output("y", (32, 32))
    program.add(kernel.parse("func.func @f(\n", kernel.DataMovement(0), name="f"))
    with pytest.raises(ttmlir.CompileError, match="expected"):
        _ = program.module


def test_inputs_of_a_run() -> None:
    program = kernel.Program("inputs")
    program.input("x", (32, 32), "f32")
    program.output("y", (32, 32))
    program.add(kernel.data_movement()(lambda: None))
    zeros = np.zeros((32, 32), np.float32)
    with pytest.raises(ttmlir.InputError, match=r"expected the inputs x, found \(none\)"):
        program.run()
    with pytest.raises(ttmlir.InputError, match="numerics: expected one of fast, exact"):
        program.run(x=zeros, numerics="slow")
    with pytest.raises(ttmlir.InputError, match="input 0: expected 32x32 float32"):
        program.run(x=zeros[:16])
