"""Compile time of a module of 12,000 ops against parsing and printing the same module."""

from __future__ import annotations

import time

from rich.console import Console
from rich.table import Table
from timing import print_table, show

import ttmlir
from ttmlir import ir, passes

OPS = 12_000


def chain(ops: int) -> str:
    """TTIR text of a chain of eltwise ops."""
    b = ttmlir.Builder()
    x, y = b.input("x", (64, 128)), b.input("y", (64, 128))
    for i in range(ops):
        x = (b.add, b.multiply, b.subtract)[i % 3](x, y)
    b.output(x)
    return str(b.module)


def run(console: Console) -> None:
    text = chain(OPS)
    made = Table(title=f"Compiling a module of {OPS:,} ops ({len(text) / 1e6:.1f} MB of text)")
    made.add_column("step")
    made.add_column("time", justify="right")
    made.add_column("of parse and print", justify="right")

    best: dict[str, float] = {}
    for _ in range(3):
        for name, seconds in _measure(text).items():
            best[name] = min(seconds, best.get(name, seconds))
    base = best["parse and print"]
    for name, seconds in best.items():
        made.add_row(name, show(seconds), f"{seconds / base:.2f}")
    print_table(console, made)


def _measure(text: str) -> dict[str, float]:
    marks = [time.perf_counter()]
    module = ir.Module.parse(text, ir.Context())
    str(module)
    marks.append(time.perf_counter())
    passes.ttir_to_ttnn_backend_pipeline(module)
    marks.append(time.perf_counter())
    passes.ttnn_to_flatbuffer_bytes(module)
    marks.append(time.perf_counter())
    ttmlir.compile(text)
    marks.append(time.perf_counter())
    names = ("parse and print", "pipeline", "flatbuffer", "ttmlir.compile, all of it")
    return {n: b - a for n, a, b in zip(names, marks[:-1], marks[1:], strict=True)}
