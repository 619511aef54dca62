"""ttmlir.kernel: what kernels are written with, and what is wrong with those that are not right."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kernel_programs import zeros
from mistakes import drop, read, write

import ttmlir
from ttmlir import errors, kernel
from ttmlir.kernel._names import OTHER_NAMES

Array = np.ndarray[Any, np.dtype[Any]]


def numbers_of(write: Callable[[Any], None], count: int, cores: tuple[int, int] = (1, 1)) -> Array:
    """What a kernel stores into a row of `count` numbers on each core; `write` gets a function that
    stores the next one."""

    @kernel.data_movement()
    def body(y: kernel.Tensor, row: kernel.CircularBuffer) -> None:
        kernel.cb_reserve_back(row, 1)
        address, stored = kernel.get_write_ptr(row), []

        def store(value: Any) -> None:
            kernel.store_to_l1(value, address + 4 * len(stored), 4)
            stored.append(value)

        write(store)
        for _ in range(len(stored), y.shape[1]):
            store(0)
        page = kernel.core_index()
        kernel.noc_async_write_page(page, kernel.tensor_accessor(y), address)
        kernel.noc_async_write_barrier()
        drop(row)

    padded = -(-count // 8) * 8
    program = kernel.Program(cores=cores)
    y = program.output("y", (cores[0] * cores[1], padded), "i32", layout="row_major")
    row = program.circular_buffer("in0", "i32", pages=1, page_size=4 * padded)
    program.add(body, y, row)
    return program.run()["y"][:, :count]


def test_arithmetic() -> None:
    def write(store: Callable[[Any], None]) -> None:
        a, b = kernel.my_logical_x() + 17, kernel.my_logical_x() - 5
        for value in (a + 2, 2 + a, a - 20, 1 - a, a * b, a // b, a % b, 100 // a, a << 2, a >> 1):
            store(value)
        for value in (a & 9, a | 8, a ^ 3, -a, ~a, a < b, a > 16, a == 17, a != 17, a >= 17):
            store(value)
        store(kernel.select((a > 3) & (b < 0), a, b))
        store(kernel.select((a < 3) | ~(b < 0), a, b))
        store(kernel.minimum(a, b))
        store(kernel.maximum(a, 40))
        store(1.5)
        store(0xFFFFFFFF)

    expected = [19, 19, -3, -16, -85, -3, 2, 5, 68, 8]
    expected += [1, 25, 18, -17, -18, 0, 1, 1, 0, 1]
    expected += [17, -5, -5, 40, 0x3FC00000, -1]
    assert numbers_of(write, len(expected))[0].tolist() == expected


def test_while() -> None:
    """Steps of Collatz's numbers to 1, a loop that never runs, and one without numbers to carry."""

    def write(store: Callable[[Any], None]) -> None:
        steps = kernel.while_(lambda number, _: number != 1, carried=(kernel.my_logical_x() + 6, 0))
        for number, count in steps:
            half = kernel.select(number % 2 == 0, number // 2, 3 * number + 1)
            steps.next(half, count + 1)
        for value in steps.results:
            store(value)
        never = kernel.while_(lambda i: i < 0, carried=(5,))
        for i in never:
            never.next(i - 1)
        store(never.results[0])
        word = kernel.my_x() * 0 + 500000  # behind the row
        kernel.store_to_l1(3, word, 4)
        for _ in kernel.while_(lambda: kernel.load_from_l1(word, 4) < 100):
            inner = kernel.while_(lambda i: i < 2, carried=(0,))
            for i in inner:
                kernel.store_to_l1(kernel.load_from_l1(word, 4) + 10, word, 4)
                inner.next(i + 1)
        store(kernel.load_from_l1(word, 4))

    expected = [[1, steps, 5, 103] for steps in (8, 16, 3)]  # of 6, 7 and 8
    assert numbers_of(write, 4, (1, 3)).tolist() == expected


def test_while_without_next() -> None:
    def write(_: Callable[[Any], None]) -> None:
        for _ in kernel.while_(lambda i: i < 3, carried=(0,)):
            pass

    with pytest.raises(kernel.BuildError, match=r"kernel.while_: expected a call of next\(\)"):
        numbers_of(write, 1)


def test_names_of_the_kernel_library() -> None:
    """A name that this module does not have is answered by the one that it has."""
    for name, own in OTHER_NAMES.items():
        assert own in kernel.__all__
        with pytest.raises(AttributeError, match=f"'{name}'; did you mean {own}\\?"):
            getattr(kernel, name)
    with pytest.raises(AttributeError, match=r"did you mean .*cb_push_back"):
        kernel.cb_push_bak  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'xyzzy'$"):
        kernel.xyzzy  # noqa: B018


def test_loops_and_branches() -> None:
    def write(store: Callable[[Any], None]) -> None:
        loop = kernel.range(1, 10, 2, carried=(0, 1))
        for i, total, product in loop:
            loop.next(total + i, product * i)
        for value in loop.results:
            store(value)
        inner = kernel.range(5, carried=(0,))
        for i, count in inner:
            nested = kernel.range(i, carried=(count,))
            for _, more in nested:
                nested.next(more + 1)
            inner.next(nested.results[0])
        store(inner.results[0])
        for core in range(3):
            with kernel.if_(kernel.my_logical_x() == core):
                store_here(core * 10)
            with kernel.else_():
                store_here(-1)
            store(kernel.load_from_l1(scratch(), 4))

    def scratch() -> kernel.Value:
        # Behind the row, in L1 that the program does not use.
        return kernel.my_x() * 0 + 500000

    def store_here(value: int) -> None:
        kernel.store_to_l1(value, scratch(), 4)

    found = numbers_of(write, 6, cores=(1, 3))
    assert found.tolist() == [
        [25, 945, 10, *(10 * core if core == at else -1 for core in range(3))] for at in range(3)
    ]


def test_arguments_and_places() -> None:
    @kernel.data_movement(noc=1)
    def body(y: kernel.Tensor, row: kernel.CircularBuffer, *values: kernel.Value) -> None:
        kernel.cb_reserve_back(row, 1)
        address = kernel.get_write_ptr(row)
        kernel.fill_with_val(address, 16, 0, 4)
        place = (kernel.my_logical_y(), kernel.my_logical_x(), kernel.core_index())
        for i, value in enumerate((*values, *place)):
            kernel.store_to_l1(value, address + 4 * i, 4)
        kernel.noc_async_write_page(place[2], kernel.tensor_accessor(y), address)
        kernel.noc_async_write_barrier()
        kernel.dprint("core {}: {}", place[2], values[0])
        drop(row)

    program = kernel.Program("places", cores=(2, 2))
    y = program.output("y", (4, 16), "i32", layout="row_major")
    row = program.circular_buffer("in0", "i32", pages=1, page_size=64)
    arguments = (
        kernel.per_core([5, -6, 7, 8]),
        kernel.per_core(lambda y, x: 10 * y + x),
        kernel.runtime(99),
        kernel.common(-3),
        kernel.compile_time(4),
        kernel.runtime(y),
    )
    program.add(body, y, row, *arguments)
    result = program.run()
    for core, found in enumerate(result["y"].tolist()):
        first = [5, -6, 7, 8][core]
        own = 10 * (core // 2) + core % 2
        assert found[:6] == [first, own, 99, -3, 4, y.address]
        assert found[6:9] == [core // 2, core % 2, core]
    assert [(p.core, p.thread, p.text) for p in result.prints] == [
        ((core // 2, core % 2), "noc1", f"core {core}: {[5, -6, 7, 8][core]}") for core in range(4)
    ]


TEXT = """
#l1 = #tt.memory_space<l1>
!in = !ttkernel.cb<cb_in0, 0, memref<1x1x!tt.tile<32x32, f32>, #l1>, 4096, 1>
!out = !ttkernel.cb<cb_out0, 0, memref<1x1x!tt.tile<32x32, f32>, #l1>, 4096, 1>
func.func @negate(%x: !in, %y: !out) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  "ttkernel.init_sfpu"(%x, %y) : (!in, !out) -> ()
  "ttkernel.cb_wait_front"(%x, %1) : (!in, i32) -> ()
  "ttkernel.cb_reserve_back"(%y, %1) : (!out, i32) -> ()
  "ttkernel.tile_regs_acquire"() : () -> ()
  "ttkernel.copy_tile_init"(%x) : (!in) -> ()
  "ttkernel.copy_tile"(%x, %0, %0) : (!in, i32, i32) -> ()
  "ttkernel.negative_tile_init"() : () -> ()
  "ttkernel.negative_tile"(%0) : (i32) -> ()
  "ttkernel.tile_regs_commit"() : () -> ()
  "ttkernel.tile_regs_wait"() : () -> ()
  "ttkernel.pack_tile"(%0, %y, %0) : (i32, !out, i32) -> ()
  "ttkernel.tile_regs_release"() : () -> ()
  "ttkernel.cb_pop_front"(%x, %1) : (!in, i32) -> ()
  "ttkernel.cb_push_back"(%y, %1) : (!out, i32) -> ()
  return
}
"""


@pytest.mark.parametrize("from_file", [False, True])
def test_a_kernel_from_text_on_shards_in_l1(tmp_path: Path, from_file: bool) -> None:
    source: str | Path = TEXT
    if from_file:
        source = tmp_path / "negate.mlir"
        source.write_text(TEXT)
    config = kernel.Compute(fp32_dest_acc_en=True, preserve_fp32_precision=True)
    negate = kernel.parse(source, config, name="negate")
    program = kernel.Program(cores=(2, 1))
    x = program.input("x", (64, 32), "f32", memory="l1", grid=(2, 1))
    y = program.output("y", (64, 32), "f32", memory="l1", grid=(2, 1))
    out = program.circular_buffer("out3", tensor=y)
    program.add(negate, program.circular_buffer("in2", tensor=x), out)
    values = np.random.default_rng(0).standard_normal((64, 32)).astype(np.float32)
    assert (program.run(x=values)["y"] == -values).all()
    text = program.module.operation.get_asm(enable_debug_info=True)
    assert f'"{source if from_file else "<string>"}":' in text


def test_several_dispatches_and_files(tmp_path: Path) -> None:
    """The second one reads what the first one wrote, with buffers of its own."""

    def copy(source: kernel.Tensor, target: kernel.Tensor, tile: kernel.CircularBuffer) -> None:
        read(source, 0, tile)
        write(target, 0, tile)

    program = kernel.Program("twice")
    x, y = program.input("x", (32, 32), "bfp8_b"), program.output("y", (32, 32), "bfp8_b")
    middle = program.scratch("middle", (32, 32), "bfp8_b")
    for step, (a, b) in enumerate(((x, middle), (middle, y))):
        if step:
            program.then()
        body = kernel.data_movement(noc=step)(copy)
        program.add(body, a, b, program.circular_buffer("dfl0", "bfp8_b", pages=1))
    values = np.arange(1024, dtype=np.float32).reshape(32, 32) // 32
    assert (program.run(x=values)["y"] == values).all()

    path = tmp_path / "twice.ttm"
    program.save(path)
    loaded = ttmlir.load(path)
    assert [str(p) for p in loaded.programs] == [
        "twice(32x32 float32 as BFP_BFloat8) -> 32x32 float32 as BFP_BFloat8"
    ]
    assert (loaded(values) == values).all()
    assert "noc_async_read" in program.cpp
    assert "copy" in program.mlir


def test_faults_point_at_the_source() -> None:
    @kernel.data_movement()
    def forgetful(x: kernel.Tensor, tile: kernel.CircularBuffer) -> None:
        kernel.cb_reserve_back(tile, 1)
        address = kernel.get_write_ptr(tile)
        kernel.noc_async_read_page(0, kernel.tensor_accessor(x), address)
        kernel.store_to_l1(kernel.load_from_l1(address, 4), address, 4)  # no barrier

    program = kernel.Program()
    x, _ = program.input("x", (32, 32)), program.output("y", (32, 32))
    program.add(forgetful, x, program.circular_buffer("in0", pages=1))
    with pytest.raises(errors.PendingTransferFault) as caught:
        program.run(x=np.zeros((32, 32), np.float32).astype("bfloat16"))
    fault = caught.value
    assert (fault.kernel, fault.core, fault.thread) == ("forgetful", (0, 0), "noc0")
    file, line, column = fault.location.rsplit(":", 2)
    assert Path(file) == Path(__file__)
    text = Path(__file__).read_text().splitlines()[int(line) - 1]
    assert "no barrier" in text
    if int(column) > 1:
        assert text[int(column) - 1 :].startswith("kernel.load_from_l1(address")
    assert fault.bytes == 4


def test_step_limit() -> None:
    @kernel.data_movement()
    def endless() -> None:
        for _ in kernel.range(1 << 30):
            kernel.noc_async_read_barrier()

    program = kernel.Program()
    program.output("y", (32, 32))
    program.add(endless)
    with pytest.raises(errors.StepLimitFault) as caught:
        program.run(step_limit=1000)
    assert caught.value.kernel == "endless"


def test_report_and_trace(tmp_path: Path) -> None:
    program, path = zeros(), tmp_path / "trace.json"
    result = program.run(report=True, trace=path)
    assert result.report is not None
    (cost,) = (op for op in result.report.ops if op.dram_write_bytes and not op.host_bytes)
    assert (cost.cores, cost.dram_write_bytes) == (2, 4096)
    assert cost.cycles > 0
    events = json.loads(path.read_text())["traceEvents"]
    assert {e["ph"] for e in events} >= {"X"}
    assert program.run().report is None
