"""Compares the compile time of modules of 3,000 and 12,000 ops with parsing and printing."""

from __future__ import annotations

import time

from rich.console import Console
from rich.table import Table
from timing import print_table, show

import ttmlir
from ttmlir import ir, passes

SIZES = (3_000, 12_000)
SHARDING = passes.TTIRToTTNNBackendPipelineOptions(
    sharding_pass_enabled=True, resharding_enabled=True, enable_deallocate=True
)
BASE, PIPELINE = "parse and print", "pipeline"


def chain(ops: int) -> str:
    """TTIR text of a chain of eltwise ops."""
    b = ttmlir.Builder()
    x, y = b.input("x", (64, 128)), b.input("y", (64, 128))
    for i in range(ops):
        x = (b.add, b.multiply, b.subtract)[i % 3](x, y)
    b.output(x)
    return str(b.module)


def run(console: Console) -> None:
    small, large = SIZES
    texts = {ops: chain(ops) for ops in SIZES}
    best: dict[int, dict[str, float]] = {ops: {} for ops in SIZES}
    for _ in range(3):
        for ops, text in texts.items():
            for name, seconds in _measure(text).items():
                best[ops][name] = min(seconds, best[ops].get(name, seconds))

    megabytes = len(texts[large]) / 1e6
    made = Table(title=f"Compiling a module of {large:,} ops ({megabytes:.1f} MB of text)")
    made.add_column("step")
    made.add_column("time", justify="right")
    made.add_column("of parse and print", justify="right")
    made.add_column(f"of that of {small:,} ops", justify="right")
    for name, seconds in best[large].items():
        of_base = seconds / best[large][BASE]
        of_small = seconds / best[small][name]
        made.add_row(name, show(seconds), f"{of_base:.2f}", f"{of_small:.2f}")
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
    ttmlir.compile(text, remarks=False)
    marks.append(time.perf_counter())
    whole = "ttmlir.compile, all of it"
    names = (BASE, PIPELINE, "flatbuffer", whole, f"{whole}, without remarks")
    found = {n: b - a for n, a, b in zip(names, marks[:-1], marks[1:], strict=True)}

    module = ir.Module.parse(text, ir.Context())
    start = time.perf_counter()
    passes.ttir_to_ttnn_backend_pipeline(module, SHARDING)
    found["pipeline, sharded chains"] = time.perf_counter() - start
    return found
