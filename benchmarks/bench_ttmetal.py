"""Compares TTMetal kernels on the emulated n150 with numpy, and measures checks, timing and
threads.

Operands and results are tiles in the DRAM of the device, so that only the kernels are timed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import ml_dtypes
import numpy as np
from rich.console import Console
from timing import Timing, add_rows, interleave, print_table, table

import ttmlir
from ttmlir import runtime

Call = Callable[[], object]


def module(op: str, size: int) -> str:
    """Returns ``op`` on two square matrices of bf16, with tiled operands and result."""
    tiles = (
        "#tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, "
        f"memref<{size // 32}x{size // 32}x!tt.tile<32x32, bf16>, #tt.memory_space<dram>>, "
        "interleaved>"
    )
    tensor = f"tensor<{size}x{size}xbf16, #tiles>"
    segments = "" if op == "matmul" else "operandSegmentSizes = array<i32: 2, 1>, "
    return f"""
#any = #tt.operand_constraint<any_device_tile>
#tiles = {tiles}
func.func @{op}(%x: {tensor}, %y: {tensor}) -> {tensor} {{
  %out = tensor.empty() : {tensor}
  %z = "ttir.{op}"(%x, %y, %out) <{{{segments}operand_constraints = [#any, #any, #any]}}>
      : ({tensor}, {tensor}, {tensor}) -> {tensor}
  return %z : {tensor}
}}
"""


class Work:
    """A compiled op with its operands on the device."""

    def __init__(self, op: str, size: int) -> None:
        self.name = f"{op} bf16 {size} x {size}"
        self.exe = ttmlir.compile(module(op, size), backend="ttmetal", target="n150")
        self.device = self.exe.device
        rng = np.random.default_rng(0)
        arrays = [
            rng.standard_normal((size, size), np.float32).astype(ml_dtypes.bfloat16) for _ in "xy"
        ]
        self.placed = [
            runtime.to_layout(runtime.from_numpy(a), self.device, self.exe.binary, 0, i)
            for i, a in enumerate(arrays)
        ]
        floats = [a.astype(np.float32) for a in arrays]
        ufunc: Any = np.matmul if op == "matmul" else np.add
        self.peer: Call = lambda: ufunc(*floats)

    def run(self, checks: bool = False, report: bool = False, threads: int = 0) -> Call:
        def call() -> None:
            with settings(self.device, checks, report, threads):
                runtime.run(self.device, self.exe.binary, 0, self.placed)

        return call


@contextmanager
def settings(device: runtime.Device, checks: bool, report: bool, threads: int) -> Iterator[None]:
    """Sets run options; ``threads`` of the host, 0 for all."""
    options = runtime.get_device_options(device)
    before = options.checks
    options.checks = checks
    runtime.set_device_options(device, options)
    runtime.enable_report(device, report)
    runtime.set_num_threads(threads)
    try:
        yield
    finally:
        runtime.set_num_threads(0)
        runtime.enable_report(device, False)
        options.checks = before
        runtime.set_device_options(device, options)


def run(console: Console) -> None:
    works = [Work("matmul", 1024), Work("add", 4096)]

    made = table("TTMetal kernels on the emulated n150, checks off")
    for work in works:
        add_rows(made, work.name, interleave({"ttmlir": work.run(), "numpy f32": work.peer}))
    print_table(console, made)

    made = table("What it costs (above 1: the first row is faster)")
    for work in works:
        timings: list[Timing] = interleave(
            {
                "checks off": work.run(),
                "checks on": work.run(checks=True),
                "timing on": work.run(report=True),
                "one host thread": work.run(threads=1),
            }
        )
        add_rows(made, work.name, timings)
    print_table(console, made)
