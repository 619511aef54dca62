"""What the clock says of the same op in both backends, and what it costs to ask it for TTNN."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np
from rich.console import Console
from rich.table import Table
from timing import add_rows, interleave, print_table, table

import ttmlir
from ttmlir import runtime

Build = Callable[[ttmlir.Builder], object]


def _matmul(n: int) -> Build:
    return lambda b: b.matmul(b.input("x", (n, n), "bf16"), b.input("y", (n, n), "bf16"), name="op")


def _unary(op: str, n: int) -> Build:
    return lambda b: getattr(b, op)(b.input("x", (n, n), "bf16"), name="op")


def _add(n: int) -> Build:
    return lambda b: b.add(b.input("x", (n, n), "bf16"), b.input("y", (n, n), "bf16"), name="op")


def _softmax(n: int) -> Build:
    return lambda b: b.softmax(b.input("x", (n, n), "bf16"), name="op")


OPS: dict[str, Build] = {
    "matmul 512x512x512": _matmul(512),
    "matmul 1024x1024x1024": _matmul(1024),
    "add 1024x1024": _add(1024),
    "gelu 1024x1024": _unary("gelu", 1024),
    "exp 1024x1024": _unary("exp", 1024),
    "softmax 512x512": _softmax(512),
}


def _compile(build: Build, backend: str) -> ttmlir.Executable:
    b = ttmlir.Builder()
    b.output(build(b))
    return ttmlir.compile(b, backend=backend, target="n150")


def _both(console: Console) -> None:
    made = Table(title="The same op in both backends, bf16 on n150, without dispatch")
    for column in ("op", "backend"):
        made.add_column(column)
    for column in ("cycles", "compute", "noc", "dram", "waiting"):
        made.add_column(column, justify="right")
    for name, build in OPS.items():
        for backend in ("ttnn", "ttmetal"):
            ops = [o for o in _compile(build, backend).report().ops if o.label == "op"]
            # As kernels an op may be several programs, layouts included: the one that computes.
            op = max(ops, key=lambda o: max((c.math for c in o.core_use), default=0.0))
            p = op.parts
            cells = (p.total - p.dispatch, p.compute, p.noc, p.dram, p.waiting)
            made.add_row(name, backend, *(f"{cycles:,.0f}" for cycles in cells))
    print_table(console, made)


def _asking(console: Console) -> None:
    made = table("TTNN with and without a report")
    for name, build in {"matmul 2048": _matmul(2048), "add 4096": _add(4096)}.items():
        exe = _compile(build, "ttnn")
        args = [np.ones(i.shape, ml_dtypes.bfloat16) for i in exe.programs[0].inputs]

        def call(report: bool, exe: ttmlir.Executable = exe, args: list = args) -> Callable:
            def run() -> None:
                runtime.enable_report(exe.device, report)
                exe(*args)
                runtime.enable_report(exe.device, False)

            return run

        add_rows(made, name, interleave({"off": call(False), "on": call(True)}))
    print_table(console, made)


def run(console: Console) -> None:
    _both(console)
    _asking(console)
