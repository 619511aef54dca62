"""Compares kernels in C++ with kernels in Python that make the same calls: the time to emulate
them, and the time to compile C++.

Operands and results are tiles in the DRAM of the device, so that only the kernels are timed, in
processor time on one thread of the host. A ratio above 1 means that C++ is slower.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unittest import mock

import ml_dtypes
import numpy as np
from rich.console import Console
from rich.table import Table
from timing import print_table, show

from ttmlir import kernel, runtime

READ_ROWS_AND_COLUMNS = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t a_at = get_arg_val<uint32_t>(0), b_at = get_arg_val<uint32_t>(1);
  const uint32_t first = get_arg_val<uint32_t>(2), end = get_arg_val<uint32_t>(3);
  constexpr uint32_t Kt = get_compile_time_arg_val(0), Nt = get_compile_time_arg_val(1);
  const auto a = TensorAccessor(TensorAccessorArgs<2>(), a_at);
  const auto b = TensorAccessor(TensorAccessorArgs<3>(), b_at);
  for (uint32_t tile = first; tile < end; ++tile) {
    const uint32_t row = tile / Nt, column = tile % Nt;
    for (uint32_t k = 0; k < Kt; ++k) {
      cb_reserve_back(0, 1);
      noc_async_read_page(row * Kt + k, a, get_write_ptr(0));
      noc_async_read_barrier();
      cb_push_back(0, 1);
      cb_reserve_back(1, 1);
      noc_async_read_page(k * Nt + column, b, get_write_ptr(1));
      noc_async_read_barrier();
      cb_push_back(1, 1);
    }
  }
}
"""
MULTIPLY = """
#include "api/compute/matmul.h"
void kernel_main() {
  const uint32_t first = get_arg_val<uint32_t>(0), end = get_arg_val<uint32_t>(1);
  constexpr uint32_t Kt = get_compile_time_arg_val(0);
  mm_init(0, 1, 16);
  for (uint32_t tile = first; tile < end; ++tile) {
    tile_regs_acquire();
    for (uint32_t k = 0; k < Kt; ++k) {
      cb_wait_front(0, 1);
      cb_wait_front(1, 1);
      matmul_tiles(0, 1, 0, 0, 0);
      cb_pop_front(0, 1);
      cb_pop_front(1, 1);
    }
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
  }
}
"""
READ_TWO = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t a_at = get_arg_val<uint32_t>(0), b_at = get_arg_val<uint32_t>(1);
  const uint32_t first = get_arg_val<uint32_t>(2), end = get_arg_val<uint32_t>(3);
  const auto a = TensorAccessor(TensorAccessorArgs<0>(), a_at);
  const auto b = TensorAccessor(TensorAccessorArgs<1>(), b_at);
  for (uint32_t tile = first; tile < end; ++tile) {
    cb_reserve_back(0, 1);
    cb_reserve_back(1, 1);
    noc_async_read_page(tile, a, get_write_ptr(0));
    noc_async_read_page(tile, b, get_write_ptr(1));
    noc_async_read_barrier();
    cb_push_back(0, 1);
    cb_push_back(1, 1);
  }
}
"""
ADD = """
#include "api/compute/eltwise_binary.h"
void kernel_main() {
  const uint32_t first = get_arg_val<uint32_t>(0), end = get_arg_val<uint32_t>(1);
  binary_op_init_common(0, 1, 16);
  add_tiles_init(0, 1);
  for (uint32_t tile = first; tile < end; ++tile) {
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    tile_regs_acquire();
    add_tiles(0, 1, 0, 0, 0);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
    tile_regs_release();
  }
}
"""
WRITE = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t first = get_arg_val<uint32_t>(1), end = get_arg_val<uint32_t>(2);
  const auto y = TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0));
  for (uint32_t tile = first; tile < end; ++tile) {
    cb_wait_front(16, 1);
    noc_async_write_page(tile, y, get_read_ptr(16));
    noc_async_write_barrier();
    cb_pop_front(16, 1);
  }
}
"""
#: Scalar kernels put their results in a page of the output.
SCALAR = """
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  cb_reserve_back(0, 1);
  const uint32_t l1 = get_write_ptr(0), count = get_arg_val<uint32_t>(1);
  auto *page = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(l1);
  BODY
  noc_async_write_page(0, TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0)), l1);
  noc_async_write_barrier();
  cb_push_back(0, 1);
  cb_wait_front(0, 1);
  cb_pop_front(0, 1);
}
"""
STORE = """
  for (uint32_t i = 0; i < count; ++i)
    page[i & 511] = i;
"""
SUM = """
  for (uint32_t i = 0; i < 512; ++i)
    page[i] = i;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count; ++i)
    sum += page[i & 511];
  page[0] = sum;
"""
ARITHMETIC = """
  for (uint32_t i = 0; i < 512; ++i)
    page[i] = i;
  uint32_t x = 1;
  for (uint32_t i = 0; i < count; ++i)
    x = x * 1664525 + (x >> 16) + i;
  page[0] = x;
"""
CORES = (8, 8)


@kernel.data_movement(noc=1)
def write(y: Any, out: Any, at: Any, first: Any, end: Any) -> None:
    pages = kernel.tensor_accessor(y, at)
    for page in kernel.range(first, end):
        kernel.cb_wait_front(out, 1)
        kernel.noc_async_write_page(page, pages, kernel.get_read_ptr(out))
        kernel.noc_async_write_barrier()
        kernel.cb_pop_front(out, 1)


def ranges(tiles: int) -> tuple[Any, Any]:
    """Returns the first tile of each core, and the one after its last."""
    count = CORES[0] * CORES[1]
    ends = [tiles * (core + 1) // count for core in range(count)]
    return kernel.per_core([0, *ends[:-1]]), kernel.per_core(ends)


def matmul(in_cpp: bool, size: int = 512) -> kernel.Program:
    tiles = size // 32
    program = kernel.Program("matmul", cores=CORES)
    a, b = program.input("a", (size, size)), program.input("b", (size, size))
    y = program.output("y", (size, size))
    in0, in1 = program.circular_buffer("in0"), program.circular_buffer("in1")
    out = program.circular_buffer("out0")
    first, end = ranges(y.pages)

    @kernel.data_movement(noc=0)
    def read(a_at: Any, b_at: Any, first: Any, end: Any) -> None:
        of_a, of_b = kernel.tensor_accessor(a, a_at), kernel.tensor_accessor(b, b_at)
        for tile in kernel.range(first, end):
            row, column = tile // tiles, tile % tiles
            for k in kernel.range(tiles):
                for page, pages, buffer in (
                    (row * tiles + k, of_a, in0),
                    (k * tiles + column, of_b, in1),
                ):
                    kernel.cb_reserve_back(buffer, 1)
                    kernel.noc_async_read_page(page, pages, kernel.get_write_ptr(buffer))
                    kernel.noc_async_read_barrier()
                    kernel.cb_push_back(buffer, 1)

    @kernel.compute()
    def multiply(first: Any, end: Any) -> None:
        kernel.mm_init(in0, in1, out, 0)
        for _ in kernel.range(first, end):
            kernel.tile_regs_acquire()
            for _ in kernel.range(tiles):
                kernel.cb_wait_front(in0, 1)
                kernel.cb_wait_front(in1, 1)
                kernel.matmul_tiles(in0, in1, 0, 0, 0)
                kernel.cb_pop_front(in0, 1)
                kernel.cb_pop_front(in1, 1)
            kernel.tile_regs_commit()
            kernel.tile_regs_wait()
            kernel.cb_reserve_back(out, 1)
            kernel.pack_tile(0, out, 0)
            kernel.cb_push_back(out, 1)
            kernel.tile_regs_release()

    if in_cpp:
        sizes = [tiles, tiles, a, b]
        reader = kernel.from_cpp(READ_ROWS_AND_COLUMNS, kernel.DataMovement(0), compile_args=sizes)
        program.add(reader, a, b, first, end)
        program.add(kernel.from_cpp(MULTIPLY, kernel.Compute(), compile_args=[tiles]), first, end)
        writer = kernel.from_cpp(WRITE, kernel.DataMovement(1), compile_args=[y])
        program.add(writer, y, first, end)
    else:
        at = kernel.runtime
        program.add(read, at(a), at(b), first, end)
        program.add(multiply, first, end)
        program.add(write, y, out, at(y), first, end)
    return program


def vecadd(in_cpp: bool, size: int = 1024) -> kernel.Program:
    program = kernel.Program("vecadd", cores=CORES)
    a, b = program.input("a", (size, size)), program.input("b", (size, size))
    y = program.output("y", (size, size))
    in0, in1 = program.circular_buffer("in0"), program.circular_buffer("in1")
    out = program.circular_buffer("out0")
    first, end = ranges(y.pages)

    @kernel.data_movement(noc=0)
    def read(a_at: Any, b_at: Any, first: Any, end: Any) -> None:
        of_a, of_b = kernel.tensor_accessor(a, a_at), kernel.tensor_accessor(b, b_at)
        for page in kernel.range(first, end):
            kernel.cb_reserve_back(in0, 1)
            kernel.cb_reserve_back(in1, 1)
            kernel.noc_async_read_page(page, of_a, kernel.get_write_ptr(in0))
            kernel.noc_async_read_page(page, of_b, kernel.get_write_ptr(in1))
            kernel.noc_async_read_barrier()
            kernel.cb_push_back(in0, 1)
            kernel.cb_push_back(in1, 1)

    @kernel.compute()
    def add(first: Any, end: Any) -> None:
        kernel.binary_op_init_common(in0, in1, out)
        kernel.add_tiles_init(in0, in1)
        for _ in kernel.range(first, end):
            kernel.cb_wait_front(in0, 1)
            kernel.cb_wait_front(in1, 1)
            kernel.tile_regs_acquire()
            kernel.add_tiles(in0, in1, 0, 0, 0)
            kernel.tile_regs_commit()
            kernel.tile_regs_wait()
            kernel.cb_reserve_back(out, 1)
            kernel.pack_tile(0, out, 0)
            kernel.cb_push_back(out, 1)
            kernel.cb_pop_front(in0, 1)
            kernel.cb_pop_front(in1, 1)
            kernel.tile_regs_release()

    if in_cpp:
        reader = kernel.from_cpp(READ_TWO, kernel.DataMovement(0), compile_args=[a, b])
        program.add(reader, a, b, first, end)
        program.add(kernel.from_cpp(ADD, kernel.Compute()), first, end)
        writer = kernel.from_cpp(WRITE, kernel.DataMovement(1), compile_args=[y])
        program.add(writer, y, first, end)
    else:
        at = kernel.runtime
        program.add(read, at(a), at(b), first, end)
        program.add(add, first, end)
        program.add(write, y, out, at(y), first, end)
    return program


def scalar(body: str, in_python: Callable[[Any, Any], None]) -> Callable[[bool], kernel.Program]:
    """Returns a program with one loop, of 200,000 iterations."""

    def made(in_cpp: bool) -> kernel.Program:
        program = kernel.Program("scalar", cores=(1, 1))
        y = program.output("y", (32, 32))
        page = program.circular_buffer("in0", pages=1)

        @kernel.data_movement(noc=0)
        def run(at: Any, count: Any) -> None:
            kernel.cb_reserve_back(page, 1)
            l1 = kernel.get_write_ptr(page)
            in_python(l1, count)
            kernel.noc_async_write_page(0, kernel.tensor_accessor(y, at), l1)
            kernel.noc_async_write_barrier()
            kernel.cb_push_back(page, 1)
            kernel.cb_wait_front(page, 1)
            kernel.cb_pop_front(page, 1)

        count = 200_000
        if in_cpp:
            text = SCALAR.replace("BODY", body)
            own = kernel.from_cpp(text, kernel.DataMovement(0), compile_args=[y])
            program.add(own, y, count)
        else:
            program.add(run, kernel.runtime(y), kernel.runtime(count))
        return program

    return made


def _store(l1: Any, count: Any) -> None:
    for i in kernel.range(count):
        kernel.store_to_l1(i, l1 + (i & 511) * 4, 4)


def _fill(l1: Any) -> None:
    for i in kernel.range(512):
        kernel.store_to_l1(i, l1 + i * 4, 4)


def _sum(l1: Any, count: Any) -> None:
    _fill(l1)
    loop = kernel.range(count, carried=(0,))
    for i, total in loop:
        loop.next(total + kernel.load_from_l1(l1 + (i & 511) * 4, 4))
    kernel.store_to_l1(loop.results[0], l1, 4)


def _arithmetic(l1: Any, count: Any) -> None:
    _fill(l1)
    loop = kernel.range(count, carried=(1,))
    for i, x in loop:
        loop.next(x * 1664525 + (x >> 16) + i)
    kernel.store_to_l1(loop.results[0], l1, 4)


WORK: dict[str, Callable[[bool], kernel.Program]] = {
    "matmul 512 x 512, 64 cores": matmul,
    "vecadd 1024 x 1024, 64 cores": vecadd,
    "loop that stores 200,000 words": scalar(STORE, _store),
    "loop that loads 200,000 words": scalar(SUM, _sum),
    "loop of 200,000 sums and products": scalar(ARITHMETIC, _arithmetic),
}


class Placed:
    """A program with its inputs on the device."""

    def __init__(self, program: kernel.Program) -> None:
        self.exe = program.compile()
        self.device = self.exe.device
        rng = np.random.default_rng(0)
        inputs = [t for t in program.tensors if t.role == "input"]
        self.inputs = [
            runtime.to_layout(
                runtime.from_numpy(
                    rng.standard_normal(t.shape, np.float32).astype(ml_dtypes.bfloat16)
                ),
                self.device,
                self.exe.binary,
                0,
                i,
            )
            for i, t in enumerate(inputs)
        ]

    def __call__(self) -> Any:
        return runtime.run(self.device, self.exe.binary, 0, self.inputs)

    def result(self) -> np.ndarray:
        (result,) = self()
        return runtime.to_numpy(runtime.to_host(result))


@dataclass
class Pair:
    """Seconds of runs in C++ and in Python that alternate."""

    cpp: list[float]
    python: list[float]

    @property
    def ratio(self) -> float:
        return statistics.median(self.cpp) / statistics.median(self.python)

    @property
    def ratio_of_least(self) -> float:
        return min(self.cpp) / min(self.python)


def timed(call: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    start = clock()
    call()
    return clock() - start


def measure(build: Callable[[bool], kernel.Program], rounds: int = 50) -> Pair:
    cpp, python = Placed(build(True)), Placed(build(False))
    for _ in range(3):  # the first run is checked, the second one recorded
        assert np.array_equal(cpp.result(), python.result())
    pair = Pair([], [])
    threads = runtime.get_num_threads()
    runtime.set_num_threads(1)
    for i in range(2 * rounds):
        # Each is first in half of the rounds.
        for call, times in ((cpp, pair.cpp), (python, pair.python))[:: 1 if i % 2 else -1]:
            times.append(timed(call, time.process_time))
    runtime.set_num_threads(threads)
    return pair


def units(cores: int = 64) -> list[Any]:
    """Returns the kernels of a matmul, different on each core."""
    from ttmlir._runtime import KernelUnit

    chip = kernel.Program("chip").machine.kernel_chip
    found = []
    for core in range(cores):
        for name, text, noc in (
            ("read", READ_ROWS_AND_COLUMNS, 0),
            ("multiply", MULTIPLY, None),
            ("write", WRITE, 1),
        ):
            unit = KernelUnit()
            unit.name = f"{name}{core}.cpp"
            unit.text = text.replace("tile < end", f"tile < end + {core}")
            tensor = 0x7A << 24 | 2  # in DRAM, the first of the program
            unit.compile_args = [tensor] if name == "write" else [4, 4, tensor, tensor]
            unit.noc, unit.chip = noc, chip
            found.append(unit)
    return found


def compile_times() -> dict[str, float]:
    """Returns the seconds to compile the kernels with an empty cache, and with a full one."""
    from ttmlir._cpp_kernels import LIBRARY_HEADERS
    from ttmlir._runtime import compile_kernels

    kernels = units()
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, XDG_CACHE_HOME=folder),
    ):
        return {
            cache: timed(lambda: compile_kernels(kernels, str(LIBRARY_HEADERS)))
            for cache in ("cold", "warm")
        }


def run(console: Console) -> None:
    made = Table(title="Kernels in C++ and in Python: time to emulate")
    made.add_column("work", no_wrap=True)
    for column in ("C++", "Python", "C++/Python median", "min"):
        made.add_column(column, justify="right", no_wrap=True)
    for name, build in WORK.items():
        pair = measure(build)
        cells = (show(statistics.median(pair.cpp)), show(statistics.median(pair.python)))
        made.add_row(name, *cells, f"{pair.ratio:.2f}", f"{pair.ratio_of_least:.2f}")
    print_table(console, made)
    times = compile_times()
    console.print(
        f"192 different kernels compile in {times['cold']:.1f} s with an empty cache, "
        f"{times['warm']:.2f} s with a full one."
    )
