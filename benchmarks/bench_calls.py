"""Measures later calls of compiled programs, from NumPy to NumPy, as users experience them.

All defaults apply, including the checks of kernels.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from rich.console import Console
from timing import add_rows, interleave, print_table, table

import ttmlir

BACKENDS = ("ttmetal", "ttnn")


def module(size: int, element: str) -> str:
    """Returns TTIR for the sum of two square host matrices."""
    tensor = f"tensor<{size}x{size}x{element}>"
    return f"""
#any = #tt.operand_constraint<any_device>
func.func @add(%x: {tensor}, %y: {tensor}) -> {tensor} {{
  %out = tensor.empty() : {tensor}
  %z = "ttir.add"(%x, %y, %out) <{{operandSegmentSizes = array<i32: 2, 1>,
      operand_constraints = [#any, #any, #any]}}> : ({tensor}, {tensor}, {tensor}) -> {tensor}
  return %z : {tensor}
}}
"""


def run(console: Console) -> None:
    made = table("Second calls, NumPy to NumPy")
    rng = np.random.default_rng(0)
    for size, element in ((32, "f32"), (64, "f32"), (4096, "bf16")):
        floats = [rng.standard_normal((size, size), np.float32) for _ in "xy"]
        dtype: Any = ml_dtypes.bfloat16 if element == "bf16" else np.float32
        arrays = [a.astype(dtype) for a in floats]
        out = np.empty_like(floats[0])
        for backend in BACKENDS:
            exe = ttmlir.compile(module(size, element), backend=backend, target="n150")
            ours = f"{backend}, {element}"
            timings = interleave(
                {
                    ours: lambda exe=exe, arrays=arrays: exe(*arrays),
                    "numpy f32": lambda x=floats[0], y=floats[1], z=out: np.add(x, y, out=z),
                }
            )
            add_rows(made, f"add {size} x {size}", timings)
    print_table(console, made)
