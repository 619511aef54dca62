"""Compares TTNN matmul and eltwise add on the emulated n150 with torch and numpy, in one process.

Operands and result are tiles on the device, so that only the op is timed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
from rich.console import Console
from timing import add_rows, interleave, print_table, table

import ttmlir
from ttmlir import runtime

try:
    import torch
except ImportError:
    torch = None

DTYPES = {"f32": np.dtype(np.float32), "bf16": np.dtype(ml_dtypes.bfloat16)}


def program(op: str, size: int, dtype: str) -> ttmlir.Executable:
    """Returns ``op`` on two square matrices in the DRAM of the device."""
    b = ttmlir.Builder(op)
    x, y = (
        b.input(name, (size, size), dtype, memory_space="dram", tiled=True) for name in ("x", "y")
    )
    b.output(getattr(b, op)(x, y))
    return ttmlir.compile(b, results_on_device=True)


def contestants(op: str, size: int, dtype: str) -> dict[str, Callable[[], object]]:
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal((size, size), np.float32).astype(DTYPES[dtype]) for _ in "xy"]
    found: dict[str, Callable[[], object]] = {}

    exe = program(op, size, dtype)
    device = exe.device
    placed = [
        runtime.to_layout(runtime.from_numpy(a), device, exe.binary, 0, i)
        for i, a in enumerate(arrays)
    ]
    found["ttmlir"] = lambda: runtime.run(device, exe.binary, 0, placed)
    if torch is not None:
        kind = {"f32": torch.float32, "bf16": torch.bfloat16}[dtype]
        tensors = [torch.from_numpy(a.astype(np.float32)).to(kind) for a in arrays]
        call: Any = torch.matmul if op == "matmul" else torch.add
        found["torch"] = lambda: call(*tensors)
    # numpy has no fast bf16: it is compared in float32.
    floats = [a.astype(np.float32) for a in arrays]
    ufunc: Any = np.matmul if op == "matmul" else np.add
    found["numpy f32"] = lambda: ufunc(*floats)
    return found


def run(console: Console) -> None:
    made = table("TTNN ops on the emulated n150")
    for dtype in ("bf16", "f32"):
        for size in (512, 1024, 2048):
            timings = interleave(contestants("matmul", size, dtype))
            add_rows(made, f"matmul {dtype} {size}", timings)
    for dtype in ("bf16", "f32"):
        timings = interleave(contestants("add", 4096, dtype))
        add_rows(made, f"add {dtype} 4096 x 4096", timings)
    print_table(console, made)
